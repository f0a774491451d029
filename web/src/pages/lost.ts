import Page from '../site/Lost.svelte';
import { show } from '../site/show';

show(Page);
