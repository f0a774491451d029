import Page from '../games/dungeon/Page.svelte';
import { show } from '../site/show';

show(Page);
