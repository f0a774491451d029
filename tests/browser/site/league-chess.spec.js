// A league of chess: two who play by tools in MCP sessions, the computer, and an agent that listens; killed with a
// match half played.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { expect, test } from '../story.js';

/** A rook against none, and twenty half-moves until it is a draw. */
const ROOK = JSON.stringify({ fen: '4k3/8/8/8/8/8/8/R3K3 w - - 130 90' });

// While the server is gone, the page asks for it in vain.
test.use({ expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|Failed to fetch/ });

/** `agon player`, once it has its place; the caller ends it. */
async function listen(house) {
  const args = ['player', '--name', 'Agent', '--manager', house.mcp, '--game', 'chess', '--league', 'masters'];
  const agent = spawn(process.env.AGON, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: agent.stderr })) {
    if (line.includes(' is P')) return agent;
  }
  throw new Error('the agent was not let in');
}

/** The server, and the moment in the middle of a match when everybody stops for it to be killed. */
class Outage {
  kills = 0;
  /** Settled while the server is there. */
  back = Promise.resolve();
  #match = null;

  constructor(house) {
    this.house = house;
    this.halfPlayed = new Promise((resolve) => (this.stop = resolve));
    this.over = new Promise((resolve) => (this.goOn = resolve));
  }

  /** Players wait here once a match is half played, for whoever has the next move in it, and another is over. */
  async pass(match, moves) {
    const isMiddle = !this.#match && moves === 3 && (await leagueOf(this.house)).matches.over > 0;
    if (isMiddle) this.stop((this.#match ??= match));
    if (this.#match) await this.over;
  }

  async kill() {
    this.kills++;
    this.back = this.house.kill().then(() => this.house.start());
    await this.back;
  }
}

async function leagueOf(house) {
  const [{ game_id }] = await house.ask('/api/leagues');
  return house.ask(`/api/leagues/${game_id}`);
}

/** Who plays by tools, in an MCP session of their own: any legal move, until the league is over. */
class Player {
  #client;
  #outage;
  #known;

  static async join(house, name, outage) {
    const player = new Player();
    player.#outage = outage;
    player.#client = await house.connect(name);
    const { auth_token, league_id } = await player.#call('register_player', { player_name: name, league_id: 'masters' });
    player.#known = { auth_token, league_id };
    return player;
  }

  async play() {
    const moves = new Map();
    for (;;) {
      const { status, match_id, game_round, legal_moves } = await this.#call('wait_for_decision', this.#known);
      if (status === 'league_over') return;
      if (status === 'waiting') continue;
      expect(status).toBe('your_move');
      const count = moves.get(match_id) ?? 0;
      moves.set(match_id, count + 1);
      await this.#outage.pass(match_id, count);
      const choice = legal_moves[count % legal_moves.length];
      await this.#call('submit_move', { ...this.#known, match_id, game_round, choice });
    }
  }

  /** Nothing may be refused; what is lost when the server is killed, and nothing else, is asked again. */
  async #call(name, args) {
    for (;;) {
      await this.#outage.back;
      const { kills } = this.#outage;
      let answer;
      try {
        answer = await this.#client.callTool({ name, arguments: args });
      } catch (error) {
        if (kills === this.#outage.kills) throw error;
        continue;
      }
      expect(answer.isError ?? false, answer.content[0].text).toBe(false);
      return answer.structuredContent;
    }
  }
}

test('a chess league of four is killed with a match half played, goes on and ends with its table', async ({ page, house }) => {
  test.slow();
  // Nobody is to run out of time on a busy machine; a player who falls silent holds everything up.
  const terms = ['--game', 'chess', '--setup', ROOK, '--computer', '3', '--double', '--time-limit', '600'];
  await house.command('league', 'create', 'masters', ...terms);
  const agent = await listen(house);
  try {
    const outage = new Outage(house);
    const players = [await Player.join(house, 'Ann', outage), await Player.join(house, 'Bob', outage)];
    const { game_id } = await leagueOf(house);
    await page.goto(`${house.url}/league/${game_id}`);
    await expect(page.getByTestId('players')).toContainText('is the computer');
    await expect(page.getByTestId('player-command')).toContainText('--game chess --league masters');
    await house.command('league', 'start', 'masters');
    await expect(page.getByTestId('phase')).toHaveText('Running');
    await expect(page.getByTestId('terms')).toContainText('Chess');

    const playing = Promise.all(players.map((player) => player.play()));
    const half = await Promise.race([outage.halfPlayed, playing]);
    await expect(page.getByTestId('progress')).toHaveText(/^([1-9]|1[01]) of 12 matches$/);
    const played = async () => {
      const matches = (await leagueOf(house)).rounds.flatMap(({ matches }) => matches);
      const { state, game } = matches.find(({ match_id }) => match_id === half);
      return { state, history: (await house.look(game)).history };
    };
    const before = await played();
    expect(before.state).toBe('running');
    expect(before.history.length).toBeGreaterThan(5);
    await outage.kill();
    // Nothing of it was lost, and whoever is due has waited.
    expect(await played()).toEqual(before);
    outage.goOn();

    await playing;
    await expect(page.getByTestId('progress')).toHaveText('12 of 12 matches');
    const after = await played();
    expect(after.state).toBe('done');
    expect(after.history.slice(0, before.history.length)).toEqual(before.history);
    expect(after.history.length).toBeGreaterThan(before.history.length);

    const { phase, standings, rounds, players: all } = await leagueOf(house);
    expect(phase).toBe('finished');
    expect(standings.map(({ played, forfeits }) => [played, forfeits])).toEqual(Array(4).fill([6, 0]));
    expect(rounds.flatMap(({ matches }) => matches).flatMap(({ result }) => result.forfeits)).toEqual([]);
    expect(all.filter(({ suspended }) => suspended)).toEqual([]);
    await expect(page.getByTestId('champion')).toBeVisible();
    await expect(page.getByTestId('standings').locator('[data-player]')).toHaveCount(4);
    await expect(page.getByTestId('standings')).not.toContainText(/[1-9]\sforfeit|suspended/);
    await expect(page.getByText('by forfeit')).toHaveCount(0);

    await page.getByTestId('cross').getByRole('link').first().click();
    await expect(page.getByTestId('match-ended')).not.toBeEmpty();
    await page.getByTestId('match-board').click();
    await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}$/);
  } finally {
    if (agent.kill('SIGKILL')) await once(agent, 'exit');
  }
});
