import Page from '../../games/chess/Page.svelte';
import { show } from '../show';

show(Page);
