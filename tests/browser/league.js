// A league whose players have no port: each asks for its decisions and answers them by tools.

import assert from 'node:assert/strict';

export class League {
  #house;
  #players = new Map();

  /** Opens a league by registering players for it. */
  static async open(house, name, players) {
    const league = new League();
    league.#house = house;
    league.name = name;
    for (const player of players) await league.join(player);
    const listed = await (await fetch(`${house.url}/api/leagues`)).json();
    league.id = listed.find(({ league_id }) => league_id === name).game_id;
    league.page = `${house.url}/league/${league.id}`;
    return league;
  }

  async join(name) {
    const { player_id, auth_token, league_id } = await this.#call('register_player', {
      player_name: name,
      league_id: this.name,
    });
    assert.equal(league_id, this.name);
    this.#players.set(player_id, auth_token);
    return player_id;
  }

  /** Fixes the schedule. */
  start() {
    return this.#house.command('league', 'start', this.name);
  }

  /** What the page is told. */
  async state() {
    return (await fetch(`${this.#house.url}/api/leagues/${this.id}`)).json();
  }

  async match(matchId) {
    return (await fetch(`${this.#house.url}/api/leagues/${this.id}/matches/${matchId}`)).json();
  }

  /** Waits until the player is asked for a number, and gives it. */
  async answer(player, number) {
    const auth_token = this.#players.get(player);
    const wait = () => this.#call('wait_for_decision', { auth_token, league_id: this.name });
    let decision = await wait();
    while (decision.status === 'waiting') decision = await wait();
    const { match_id } = decision;
    await this.#call('submit_move', { auth_token, league_id: this.name, match_id, number });
    return match_id;
  }

  /** Plays one round of a match: the sum is odd, so that the first player wins it. */
  async playRound(matchId) {
    const { player_a, player_b } = await this.match(matchId);
    await Promise.all([this.answer(player_a, 1), this.answer(player_b, 2)]);
  }

  /** Plays a match to its end. */
  async playMatch(matchId) {
    for (;;) {
      const { state, rounds = [] } = await this.match(matchId);
      if (state === 'done') return;
      await this.playRound(matchId);
      const before = rounds.length;
      // A match that has been won is done a moment later.
      const isWon = ({ scores = {} }) => Object.values(scores).some((score) => score >= 3);
      const goesOn = (match) => (match.rounds ?? []).length > before && !isWon(match);
      await this.#until(matchId, (match) => match.state === 'done' || goesOn(match));
    }
  }

  /** Plays everything, in order of the schedule. */
  async playAll() {
    const { rounds } = await this.state();
    for (const { match_id } of rounds.flatMap(({ matches }) => matches)) {
      await this.#until(match_id, ({ state }) => state !== 'waiting');
      await this.playMatch(match_id);
    }
    return this.state();
  }

  async #until(matchId, isReached) {
    const deadline = Date.now() + 15_000;
    while (!isReached(await this.match(matchId))) {
      assert.ok(Date.now() < deadline, `${matchId} did not get there`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #call(tool, args) {
    const { text, facts, isRefused } = await this.#house.call(tool, args);
    assert.ok(!isRefused, text);
    return facts;
  }
}
