import Page from '../../games/plain/Page.svelte';
import { show } from '../show';

show(Page);
