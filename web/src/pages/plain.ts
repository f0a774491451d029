import Page from '../games/plain/Page.svelte';
import { show } from '../site/show';

show(Page);
