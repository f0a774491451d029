import Page from '../../dungeon/DungeonPage.svelte';
import { show } from '../show';

show(Page);
