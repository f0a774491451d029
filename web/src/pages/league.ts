import Page from '../games/league/Page.svelte';
import { show } from '../site/show';

show(Page);
