// A league of chess: two who play by tools, the computer, and an agent that listens; killed in the middle.

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

/** Plays any legal move until the league is over, whether or not the server is there. */
async function playAll(house, auth_token, turns) {
  const league_id = 'masters';
  for (;;) {
    try {
      const { facts } = await house.call('wait_for_decision', { auth_token, league_id });
      if (facts.status === 'league_over') return;
      if (facts.status !== 'your_move') continue;
      const { match_id, game_round, legal_moves } = facts;
      const choice = legal_moves[turns.count++ % legal_moves.length];
      await house.call('submit_move', { auth_token, league_id, match_id, game_round, choice });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

test('a chess league of four is killed in the middle, goes on and ends with its table', async ({ page, house }) => {
  test.slow();
  await house.command('league', 'create', 'masters', '--game', 'chess', '--setup', ROOK, '--computer', '3', '--double');
  const agent = await listen(house);
  try {
    const turns = { count: 0 };
    const tokens = [];
    for (const player_name of ['Ann', 'Bob']) {
      const { facts } = await house.call('register_player', { player_name, league_id: 'masters' });
      tokens.push(facts.auth_token);
    }
    const [{ game_id }] = await (await fetch(`${house.url}/api/leagues`)).json();
    await page.goto(`${house.url}/league/${game_id}`);
    await expect(page.getByTestId('players')).toContainText('is the computer');
    await expect(page.getByTestId('player-command')).toContainText('--game chess --league masters');
    await house.command('league', 'start', 'masters');
    await expect(page.getByTestId('phase')).toHaveText('Running');
    await expect(page.getByTestId('terms')).toContainText('Chess');

    const playing = tokens.map((token) => playAll(house, token, turns));
    await expect(page.getByTestId('progress')).toHaveText(/^[1-9]\d* of 12 matches$/);
    await house.kill();
    await house.start();

    await Promise.all(playing);
    await expect(page.getByTestId('progress')).toHaveText('12 of 12 matches');
    await expect(page.getByTestId('champion')).toBeVisible();
    await expect(page.getByTestId('standings').locator('[data-player]')).toHaveCount(4);

    await page.getByTestId('cross').getByRole('link').first().click();
    await expect(page.getByTestId('match-ended')).not.toBeEmpty();
    await page.getByTestId('match-board').click();
    await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}$/);
  } finally {
    if (agent.kill('SIGKILL')) await once(agent, 'exit');
  }
});
