import Page from '../ConnectPage.svelte';
import { show } from '../show';

show(Page);
