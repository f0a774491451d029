import Page from '../../plain/PlainPage.svelte';
import { show } from '../show';

show(Page);
