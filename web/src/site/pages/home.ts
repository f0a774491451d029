import Page from '../Dashboard.svelte';
import { show } from '../show';

show(Page);
