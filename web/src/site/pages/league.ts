import Page from '../../games/league/Page.svelte';
import { show } from '../show';

show(Page);
