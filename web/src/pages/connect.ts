import Page from '../site/ConnectPage.svelte';
import { show } from '../site/show';

show(Page);
