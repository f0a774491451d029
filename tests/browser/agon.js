// Starts agon on a store of its own, and calls its tools as an agent would: plain JSON-RPC.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { PROGRAM, Server } from '../server.js';

/** A link that seats whoever opens it first. */
const LINK = /http:[^"\s]+\/game\/[0-9a-f]{8}#open=[0-9a-f]{16}/;

/** Who plays where nobody else does. */
const AGENTS = ['Claude', 'Gemini', 'Qwen', 'Llama', 'Mistral', 'Grok'];

export class House extends Server {
  static async open(flags = []) {
    const house = await House.at(flags);
    await house.start();
    return house;
  }

  /** Where the pages are. */
  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  get mcp() {
    return `${this.url}/mcp`;
  }

  /** Runs the program on the same store, as its owner would in a terminal; what it prints. */
  async command(...words) {
    const stdio = ['ignore', 'pipe', 'pipe'];
    const program = spawn(PROGRAM, [...words, '--store', this.store], { stdio });
    const [printed, complained] = [text(program.stdout), text(program.stderr)];
    const [code] = await once(program, 'exit');
    assert.equal(code, 0, await complained);
    return printed;
  }

  /** Calls a tool, without a handshake. */
  async call(name, args) {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(this.mcp, { method: 'POST', headers, body: JSON.stringify(call) });
    const { result, error } = await answer.json();
    assert.ok(result, JSON.stringify(error));
    const { content, structuredContent, isError } = result;
    const link = JSON.stringify(result).match(LINK)?.[0];
    return { text: content[0].text, facts: structuredContent, isRefused: isError === true, link };
  }

  /** A connection of an agent's own, at this address: this is how it gets a name. */
  async connect(agent, address = this.mcp) {
    const client = new Client({ name: agent, version: '1' });
    this.clients.push(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(address)));
    return client;
  }

  async callAs(agent, name, args) {
    const client = await this.connect(agent);
    return { facts: (await client.callTool({ name, arguments: args })).structuredContent };
  }

  /** What the server says to a page that asks. */
  async ask(path) {
    return (await fetch(`${this.url}${path}`)).json();
  }

  /** The kinds that draw themselves, as the pages are told of them. */
  async kinds() {
    return (await this.ask('/api/info')).kinds;
  }

  async look(gameId) {
    return (await this.call('getGame', { game_id: gameId })).facts;
  }

  async play(pass, move, comment) {
    const answer = await this.call('finishTurn', { game_id: pass, move, comment });
    assert.ok(!answer.isRefused, answer.text);
    return answer.facts;
  }

  /** Plays what the person at the other side has typed into the chat. */
  async relay(pass, move) {
    const answer = await this.call('finishTurn', { game_id: pass, move, by: 'human' });
    assert.ok(!answer.isRefused, answer.text);
    return answer;
  }

  /** An agent with black and a person with white, as `{id, black, link}`. */
  async inviting(options) {
    const asked = { type: 'human', color: 'black', ...options };
    const { facts, link } = await this.call('createGame', asked);
    assert.ok(link, 'a link for the person');
    return { id: facts.game_id, black: facts.pass, link };
  }

  /** Two agents at a board, as `{id, white, black}` with a pass for each. */
  async pair(options, names) {
    const call = (n, ...call) => (names ? this.callAs(names[n], ...call) : this.call(...call));
    const { facts } = await call(0, 'createGame', { type: 'agent', ...options });
    const joined = await call(1, 'joinGame', { game_id: facts.game_id });
    return { id: facts.game_id, white: facts.pass, black: joined.facts.pass };
  }

  /**
   * As many agents as usually play at a game of any kind, some turns into it: its id, the pass of each in the
   * order of their seats, and of the one who is due. Each plays what stands in the middle of what is offered.
   */
  async gather({ game, usual }, turns = 8) {
    const [first, ...others] = AGENTS.slice(0, usual);
    const seats = ['me', ...others.map(() => 'agent')];
    const { facts } = await this.callAs(first, 'createGame', { game, seats });
    const passes = [facts.pass];
    for (const agent of others) {
      const joined = await this.callAs(agent, 'joinGame', { game_id: facts.game_id });
      passes.push(joined.facts.pass);
    }
    const due = async () => {
      const seen = await Promise.all(passes.map((pass) => this.look(pass)));
      const seat = seen.findIndex(({ status }) => status === 'your_turn');
      return { pass: passes[seat], offers: seen[seat]?.legal_moves };
    };
    let next = await due();
    for (let turn = 0; turn < turns && next.pass; turn++) {
      const offer = next.offers[Math.floor(next.offers.length / 2)];
      // Of a range it is the least.
      await this.play(next.pass, offer.replace(/(-?\d+)\.\.-?\d+$/, '$1'));
      next = await due();
    }
    return { id: facts.game_id, passes, due: next.pass ?? passes[0] };
  }

  /** Plays moves for both sides in turn, white first. */
  async playAll(game, moves) {
    for (const [n, move] of moves.split(' ').entries()) {
      await this.play(n % 2 ? game.black : game.white, move);
    }
  }

  /** Plays a long game: pieces wander, and a pawn steps before a draw must be called. */
  async wander(game, plies) {
    let luck = 1;
    for (let ply = 0; ply < plies; ply++) {
      const pass = ply % 2 ? game.black : game.white;
      const { legal_moves, halfmove_clock } = await this.look(pass);
      const isPawns = ({ san }) => /^[a-h][1-8]/.test(san);
      const isQuiet = ({ san }) => /^[NBRQK][a-h1-8]*$/.test(san);
      const wanted = legal_moves.filter(halfmove_clock > 90 ? isPawns : isQuiet);
      const moves = wanted.length ? wanted : legal_moves;
      luck = (luck * 48271) % 2147483647;
      await this.play(pass, moves[luck % moves.length].uci);
    }
  }

  /** The page of a game: the person's own board if there is a pass. */
  gamePage(gameId, pass) {
    return `${this.url}/game/${gameId}${pass ? `#${pass}` : ''}`;
  }
}
