import { beforeEach, expect, test, vi } from 'vitest';
import { follow, type Connection } from './events';

/** A browser's line to the server, opened and cut when the test says so. */
class Line extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: Line[] = [];
  readyState = 0;
  onopen?: () => void;
  onerror?: () => void;

  constructor(readonly url: string) {
    super();
    Line.all.push(this);
  }

  close() {
    this.readyState = Line.CLOSED;
  }

  opens() {
    if (this.readyState !== 0) return;
    this.readyState = Line.OPEN;
    this.onopen?.();
  }

  fails() {
    if (this.readyState !== Line.CLOSED) this.onerror?.();
  }
}

let browser: EventTarget;

beforeEach(() => {
  Line.all = [];
  browser = new EventTarget();
  vi.stubGlobal('EventSource', Line);
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
});

function told() {
  const states: Connection[] = [];
  const end = follow('/api/events', { onevent: () => {}, onconnection: (state) => states.push(state) });
  return { states, end };
}

const newest = () => Line.all.at(-1)!;

test('a line that was being opened when the browser went offline is not taken for one', () => {
  const { states } = told();
  const asked = newest();
  browser.dispatchEvent(new Event('offline'));
  newest().fails();
  asked.opens();
  expect(states.at(-1)).toBe('lost');
});

test('a server that is reached without the net is said to be reached', () => {
  const { states } = told();
  newest().opens();
  browser.dispatchEvent(new Event('offline'));
  expect(states.at(-1)).toBe('lost');
  newest().opens();
  expect(states.at(-1)).toBe('live');
});

test('a hidden page that gave its line back opens none because the net goes or returns', () => {
  const { states } = told();
  Object.assign(document, { hidden: true });
  document.dispatchEvent(new Event('visibilitychange'));
  browser.dispatchEvent(new Event('offline'));
  browser.dispatchEvent(new Event('online'));
  expect(Line.all.length).toBe(1);
  expect(states.at(-1)).toBe('lost');
});

test('nothing is heard, or opened, after the end', () => {
  const { states, end } = told();
  end();
  browser.dispatchEvent(new Event('offline'));
  browser.dispatchEvent(new Event('online'));
  expect(Line.all.length).toBe(1);
  expect(states).toEqual([]);
});
