// Where a person's pass lives: in the address's fragment, which is never sent, and for this tab.

const KEY = 'agon-pass-';

export function rememberPass(id: string, pass: string) {
  try {
    sessionStorage.setItem(KEY + id, pass);
  } catch {
    // A browser that keeps nothing still has the fragment.
  }
}

export function passFor(id: string): string | null {
  const fragment = location.hash.slice(1);
  if (/^[0-9a-f]+-[0-9a-f-]+$/.test(fragment)) {
    rememberPass(id, fragment);
    return fragment;
  }
  try {
    return sessionStorage.getItem(KEY + id);
  } catch {
    return null;
  }
}

export function forgetPass(id: string) {
  try {
    sessionStorage.removeItem(KEY + id);
  } catch {
    // Nothing was kept.
  }
}

export function showPass(id: string, pass: string) {
  rememberPass(id, pass);
  history.replaceState(null, '', `/game/${id}#${pass}`);
}
