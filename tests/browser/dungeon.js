// A hero who is led through a dungeon by the tools, without a plan.

import assert from 'node:assert/strict';

export class Run {
  #house;
  #conversationId;
  #entered = new Map();
  #left = new Set();

  /** Begins a run; the same seed gives the same dungeon. */
  static async begin(house, conversationId, seed) {
    const run = new Run();
    run.#house = house;
    run.#conversationId = conversationId;
    await run.call('get_current_room', { seed });
    const { gameId, page } = await run.stats();
    assert.match(page, new RegExp(`/dungeon/${gameId}$`));
    run.id = gameId;
    run.page = `${house.url}/dungeon/${gameId}`;
    return run;
  }

  async call(tool, args = {}) {
    const conversationId = this.#conversationId;
    const { text, facts, isRefused } = await this.#house.call(tool, { conversationId, ...args });
    assert.ok(!isRefused, text);
    return facts;
  }

  room() {
    return this.call('get_current_room');
  }

  stats() {
    return this.call('get_player_stats');
  }

  /** What the page is told. */
  async state() {
    return (await fetch(`${this.#house.url}/api/dungeons/${this.id}`)).json();
  }

  /** Fights what is here, then takes what lies here, then goes where it has been least. */
  async step() {
    const { roomId, monsters, items, exits } = await this.room();
    if (monsters.some(({ isAlive }) => isAlive)) {
      return this.call('combat_action', { action: 'Attack' });
    }
    const item = items.find(({ id }) => !this.#left.has(id));
    if (item) {
      this.#left.add(item.id);
      return this.call('loot_treasure', { itemId: item.id });
    }
    const often = ({ roomId }) => this.#entered.get(roomId) ?? 0;
    const [exit] = exits.toSorted((a, b) => often(a) - often(b));
    // A locked door counts as a visit, so that the hero tries another before this one again.
    this.#entered.set(exit.roomId, often(exit) + 1);
    this.#entered.set(roomId, Math.max(1, often({ roomId })));
    return this.call('move_to_room', { direction: exit.direction });
  }

  /** Steps on until the state is as wished. */
  async until(isReached, steps = 500) {
    for (let n = 0; n < steps; n++) {
      const state = await this.state();
      if (isReached(state)) return state;
      await this.step();
    }
    assert.fail(`not reached in ${steps} steps`);
  }
}
