// Where a person's seat comes from: a link, or what this browser has kept from an earlier one.
//
// Links carry their secrets in the fragment, which is never sent: a pass, which is the seat; a code,
// for which the server gives the pass to whoever asks first; or, in a league, what a person shows for
// the passes of her matches.

const KEY = 'agon-pass-';
const PLAYER = 'agon-player-';
const LINKED = /^player=([0-9a-f]{64})$/;
const BROWSER = 'agon-browser';
const made = [...crypto.getRandomValues(new Uint32Array(4))].join('-');
const PASS = /^[0-9a-f]+-[0-9a-f-]+$/;
const CODE = /^open=([0-9a-f]+)$/;

/** The pass to try first: the address's own, then this tab's, then that of any tab. */
export function passFor(id: string): string | null {
  const kept = storages().map((storage) => storage.getItem(KEY + id));
  return passInAddress() ?? kept.find((pass) => pass !== null) ?? null;
}

/** What the link in the address has to offer for a pass. */
export function codeInAddress(): string | null {
  return CODE.exec(location.hash.slice(1))?.[1] ?? null;
}

/** What this browser is known by when it opens a link again because the answer was lost. */
export function browserKey(): string {
  const [kept] = storages().flatMap((storage) => storage.getItem(BROWSER) ?? []);
  if (kept) return kept;
  try {
    for (const storage of storages()) storage.setItem(BROWSER, made);
  } catch {
    // It is full; as long as the page is open, it knows itself.
  }
  return made;
}

/** Says whether this browser keeps the pass from now on. */
export function keepPass(id: string, pass: string): boolean {
  return keep(KEY + id, pass);
}

/** What shows who in a league this is: by the link in the address, or by one that was opened here before. */
export function playerIn(league: string): string | null {
  const linked = LINKED.exec(location.hash.slice(1))?.[1];
  // Where it can be kept it need not be seen.
  if (linked && keep(PLAYER + league, linked)) showInAddress(null);
  const kept = storages().flatMap((storage) => storage.getItem(PLAYER + league) ?? []);
  return linked ?? kept[0] ?? null;
}

/** Forgets a link the league no longer takes. */
export function forgetPlayer(league: string) {
  for (const storage of storages()) storage.removeItem(PLAYER + league);
}

/** Every pass this browser keeps, by the id of its game. */
export function keptPasses(): Map<string, string> {
  const kept = new Map<string, string>();
  for (const storage of storages().reverse()) {
    for (const key of Object.keys(storage).filter((key) => key.startsWith(KEY))) {
      kept.set(key.slice(KEY.length), storage.getItem(key) ?? '');
    }
  }
  return kept;
}

/** Hears of a pass that another tab keeps, until the returned function is called. */
export function onKeptElsewhere(id: string, heard: () => void): () => void {
  const stored = ({ key, newValue }: StorageEvent) => {
    if (key === KEY + id && newValue) heard();
  };
  addEventListener('storage', stored);
  return () => removeEventListener('storage', stored);
}

/** Forgets a pass the server no longer takes, wherever it is; others stay. */
export function forgetPass(id: string, pass: string) {
  if (passInAddress() === pass) showInAddress(null);
  for (const storage of storages()) {
    if (storage.getItem(KEY + id) === pass) storage.removeItem(KEY + id);
  }
}

/** Ends the page's address with the pass, or with nothing where the browser keeps the pass itself. */
export function showInAddress(pass: string | null) {
  history.replaceState(null, '', `${location.pathname}${location.search}${pass ? `#${pass}` : ''}`);
}

/** Says whether it is there from now on. */
function keep(key: string, secret: string): boolean {
  try {
    for (const storage of storages()) storage.setItem(key, secret);
  } catch {
    // It is full.
  }
  return storages().some((storage) => storage.getItem(key) === secret);
}

function passInAddress(): string | null {
  return PASS.exec(location.hash.slice(1))?.[0] ?? null;
}

/** The tab's goes first: one browser may play both sides. A browser may also have none. */
function storages(): Storage[] {
  try {
    return [sessionStorage, localStorage];
  } catch {
    return [];
  }
}
