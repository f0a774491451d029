import Page from '../games/chess/Page.svelte';
import { show } from '../site/show';

show(Page);
