// What the person at this browser is called, and what they like; told once, and kept here.

const NAME = 'agon-name';
const MUTE = 'agon-mute';

export function ownName(): string {
  return read(NAME);
}

export function keepName(name: string) {
  write(NAME, name.trim().slice(0, 40));
}

export function isMuted(): boolean {
  return read(MUTE) === 'yes';
}

export function mute(muted: boolean) {
  write(MUTE, muted ? 'yes' : '');
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, value: string) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Then it is asked again.
  }
}
