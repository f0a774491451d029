// Puts a page on the screen, under the header that all share.

import '../tokens.css';
import '../parts/forms.css';
import { mount } from 'svelte';
import Site, { type Page } from './Site.svelte';

export function show(Page: Page) {
  mount(Site, { target: document.getElementById('app')!, props: { Page } });
}
