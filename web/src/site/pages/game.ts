import Page from '../GamePage.svelte';
import { show } from '../show';

show(Page);
