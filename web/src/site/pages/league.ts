import Page from '../../league/LeaguePage.svelte';
import { show } from '../show';

show(Page);
