// A league player to start from: node player.ts --name Grace --port 8102
//
// It registers with a League Manager, then answers whatever the Referee asks, in any game. Change `choose`.
// Node 22.18 or later runs it as it is; nothing else is needed. `agon league check
// http://localhost:8102/mcp` tells what a league makes of it; docs/league.md has the protocol.

import { randomInt, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';

type Message = Record<string, unknown>;

const { values: me } = parseArgs({
  options: {
    name: { type: 'string', default: 'TypeScript Player' },
    host: { type: 'string' },
    port: { type: 'string', default: '8102' },
    manager: { type: 'string', default: 'http://localhost:8000/mcp' },
    league: { type: 'string', default: 'league_2024_01' },
    game: { type: 'string', default: 'even_odd' },
    protocol: { type: 'string', default: 'league.v1' },
    invite: { type: 'string' },
    token: { type: 'string' },
  },
});

/** Our player_id and auth_token, once we are registered. */
const mine: Message = {};

/** The move. Even-odd in league.v1 takes a number from 1 to 5: `question.game_state` has your_role (ODD or
 * EVEN), the scores and previous_rounds; in league.v2 it takes "even" or "odd". Every other game says which
 * moves are legal, and beside them how it stands, as text and as a view. */
function choose(question: Message): Message {
  if (question.message_type === 'CHOOSE_PARITY_CALL') return { parity_choice: randomInt(2) ? 'even' : 'odd' };
  const { game_state, move_request } = question as Record<string, Record<string, string[]> | undefined>;
  if (move_request) return { move_data: { move: anyOf(move_request.valid_options) } };
  if (game_state?.legal_moves) return { move: { text: anyOf(game_state.legal_moves) } };
  return { move: { number: randomInt(1, 6) } };
}

/** One of them. Where moves are numbers, "bid 0..40" stands for many. */
function anyOf(moves: string[]): string {
  const number = (_: string, first: string, last: string) => String(randomInt(Number(first), Number(last) + 1));
  return moves[randomInt(moves.length)].replace(/(\d+)\.\.(\d+)/, number);
}

function message(kind: string, about: Message, own: Message): Message {
  const kept = ['league_id', 'round_id', 'match_id', 'game_round', 'conversation_id'];
  return {
    protocol: me.protocol,
    message_type: kind,
    sender: `player:${mine.player_id ?? me.name}`,
    conversation_id: randomUUID(),
    timestamp: new Date().toISOString(),
    league_id: me.league,
    ...Object.fromEntries(kept.filter((name) => name in about).map((name) => [name, about[name]])),
    ...own,
    ...mine,
  };
}

function answer(heard: Message): Message {
  switch (heard.message_type) {
    case 'GAME_START':
    case 'GAME_INVITATION':
      return message('GAME_JOIN_ACK', heard, { accept: true, arrival_timestamp: heard.timestamp });
    case 'MOVE_REQUEST':
      return message('MOVE_RESPONSE', heard, choose(heard));
    case 'CHOOSE_PARITY_CALL':
      return message('CHOOSE_PARITY_RESPONSE', heard, choose(heard));
    case 'GAME_MOVE_CALL':
      return message('GAME_MOVE_RESPONSE', heard, choose(heard));
    default:
      console.log('heard', heard.message_type, heard.error_description ?? '');
      return message('ACK', heard, { status: 'ACK' });
  }
}

/** The HTTP status and the body for what was posted. */
function reply(text: string): [number, Message] {
  let call: Message;
  try {
    call = JSON.parse(text);
  } catch (error) {
    return [400, { id: null, error: { code: -32700, message: `Parse error: ${error}` } }];
  }
  const params = call.params as Message | undefined;
  if (params?.message_type) return [200, { id: call.id, result: answer(params) }];
  return [404, { id: call.id, error: { code: -32601, message: 'Method not found' } }];
}

async function register(endpoint: string): Promise<void> {
  const player_meta = {
    display_name: me.name,
    version: '1.0.0',
    game_types: [me.game],
    contact_endpoint: endpoint,
    ...(me.invite && { invite_code: me.invite }),
  };
  const method = me.protocol === 'league.v1' ? 'LEAGUE_REGISTER_REQUEST' : 'register_player';
  const params = message('LEAGUE_REGISTER_REQUEST', {}, { player_meta });
  const answered = await fetch(me.manager, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(me.token && { Authorization: `Bearer ${me.token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = await answered.json();
  const said = body.result ?? body;
  if (said.status !== 'ACCEPTED') throw new Error(`not registered: ${said.reason ?? JSON.stringify(said)}`);
  for (const name of ['player_id', 'auth_token']) if (said[name]) mine[name] = said[name];
  console.log('registered as', said.player_id, 'in', said.league_id);
}

const door = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  const [status, body] = reply(text);
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...body }));
});

/** Where the league can call: this machine's address on the way to the manager. */
async function ownAddress(): Promise<string> {
  const { hostname, port, protocol } = new URL(me.manager);
  const usual = protocol === 'https:' ? 443 : 80;
  const line = connect({ host: hostname, port: Number(port || usual), family: 4 });
  await once(line, 'connect');
  const own = line.localAddress!;
  line.destroy();
  return own;
}

const host = me.host ?? (await ownAddress());
// Beyond this machine, listen at every address, so that you can call it by localhost too.
door.listen(Number(me.port), host.startsWith('127.') ? host : undefined, () => {
  void register(`http://${host}:${(door.address() as AddressInfo).port}/mcp`);
});
