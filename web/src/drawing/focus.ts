// Whoever is somewhere with the keyboard stays there.

/**
 * Where what had the focus in here goes, the first of what has come has it, or else the place itself; so the
 * place needs a `tabindex`.
 */
export function keepsFocus(place: HTMLElement) {
  let last: Element | null = null;
  const came = ({ target }: FocusEvent) => {
    last = target as Element;
  };
  // What is taken away may be left before it has gone, so that is looked at afterwards.
  const left = () =>
    queueMicrotask(() => {
      if (last?.isConnected && last !== document.activeElement) last = null;
    });
  const changed = new MutationObserver(() => {
    if (!last || last.isConnected || place.contains(document.activeElement)) return;
    last = null;
    if (document.activeElement !== document.body) return;
    (place.querySelector<HTMLElement>('button, input') ?? place).focus();
  });
  place.addEventListener('focusin', came);
  place.addEventListener('focusout', left);
  changed.observe(place, { childList: true, subtree: true });
  return () => changed.disconnect();
}
