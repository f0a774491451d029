import Page from '../site/Dashboard.svelte';
import { show } from '../site/show';

show(Page);
