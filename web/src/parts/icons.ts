// The icon in the browser's tab, with a dot when it is the person's turn.

import icon from './icon.svg';
import turnIcon from './turn-icon.svg';

export function showTurn(isTheirs: boolean) {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link) link.href = isTheirs ? turnIcon : icon;
}
