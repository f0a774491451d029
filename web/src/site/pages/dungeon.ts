import Page from '../../games/dungeon/Page.svelte';
import { show } from '../show';

show(Page);
