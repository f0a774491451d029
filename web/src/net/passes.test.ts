import { beforeEach, expect, test, vi } from 'vitest';
import { codeInAddress, forgetPass, forgetPlayer, keepPass, passFor, playerIn, showInAddress } from './passes';

const ID = '3f9a61c2';
const [WHITE, BLACK] = [`${ID}-8e04b7d15ac96f20`, `${ID}-0123456789abcdef`];

/** What a browser keeps; a full one takes nothing more. */
function storage(isFull = false) {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
    removeItem: (key: string) => void kept.delete(key),
  };
}

function openTab(hash = '', isFull = false) {
  const location = new URL(`http://localhost/dungeon/${ID}?move=1${hash}`);
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', {
    replaceState: (_: null, __: '', url: string) => (location.href = new URL(url, location).href),
  });
  vi.stubGlobal('sessionStorage', storage(isFull));
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage());
  openTab();
});

test('a kept pass is found in any tab', () => {
  expect(keepPass(ID, WHITE)).toBe(true);
  openTab();
  expect(passFor(ID)).toBe(WHITE);
  expect(passFor('00000000')).toBeNull();
});

test('a link with a pass goes before what was kept, and so does the tab’s own', () => {
  keepPass(ID, WHITE);
  openTab(`#${BLACK}`);
  expect(passFor(ID)).toBe(BLACK);
  keepPass(ID, BLACK);
  showInAddress(null);
  localStorage.setItem(`agon-pass-${ID}`, WHITE);
  expect(passFor(ID)).toBe(BLACK);
});

test('a pass that has ended is forgotten, and no other', () => {
  keepPass(ID, WHITE);
  openTab(`#${BLACK}`);
  forgetPass(ID, BLACK);
  expect([location.href, passFor(ID)]).toEqual([`http://localhost/dungeon/${ID}?move=1`, WHITE]);
  forgetPass(ID, WHITE);
  expect(passFor(ID)).toBeNull();
});

test.each([
  ['#open=8e04b7d15ac96f20', '8e04b7d15ac96f20', null],
  [`#${WHITE}`, null, WHITE],
  ['#main', null, null],
  ['#open=', null, null],
])('the address %s is read', (hash, code, pass) => {
  openTab(hash);
  expect([codeInAddress(), passFor(ID)]).toEqual([code, pass]);
});

test('a browser that keeps nothing says so', () => {
  openTab(`#${WHITE}`, true);
  vi.stubGlobal('localStorage', storage(true));
  expect(keepPass(ID, WHITE)).toBe(false);
  expect(passFor(ID)).toBe(WHITE);
});

test('a link to a league is kept, and leaves the address', () => {
  const token = '0123456789abcdef'.repeat(4);
  openTab(`#player=${token}`);
  expect(playerIn(ID)).toBe(token);
  expect(location.hash).toBe('');
  openTab();
  expect(playerIn(ID)).toBe(token);
  expect(playerIn('00000000')).toBeNull();
  forgetPlayer(ID);
  expect(playerIn(ID)).toBeNull();
});

test('a link to a league that cannot be kept stays in the address', () => {
  const token = '0123456789abcdef'.repeat(4);
  vi.stubGlobal('localStorage', storage(true));
  openTab(`#player=${token}`, true);
  expect(playerIn(ID)).toBe(token);
  expect(location.hash).toBe(`#player=${token}`);
});
