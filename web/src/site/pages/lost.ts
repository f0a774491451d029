import Page from '../Lost.svelte';
import { show } from '../show';

show(Page);
