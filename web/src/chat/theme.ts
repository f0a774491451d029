// The host's looks, worn by this page.

import type { HostContext } from './apps';

export function applyContext({ theme, styles, containerDimensions }: HostContext) {
  const root = document.documentElement;
  if (theme) root.dataset.theme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && value) root.style.setProperty(name, value);
  }
  const height = containerDimensions?.height ?? containerDimensions?.maxHeight;
  if (height) root.style.setProperty('--room', `${height}px`);
}
