// The server's time, once a second, for everything that ticks.

import { clockAhead } from './api';

class Clock {
  now = $state(Date.now());

  constructor() {
    setInterval(() => (this.now = Date.now() + clockAhead), 1000);
  }
}

export const clock = new Clock();
