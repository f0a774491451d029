// Starts agon and connects the official TypeScript clients to it.

import assert from 'node:assert/strict';

import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as httpV1 from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as clientV2 from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';

import { PROGRAM, Server } from '../server.js';

export { PROGRAM };

/** The first version of the protocol that has no sessions. */
const NEWEST = '2026-07-28';

const V1 = {
  label: 'sdk v1',
  version: '2025-11-25',
  client: (info, options) => new ClientV1(info, options),
  call: (client, tool, options) => client.callTool(tool, undefined, options),
  whenAsked: (client, answer) => client.setRequestHandler(ElicitRequestSchema, answer),
  Http: httpV1.StreamableHTTPClientTransport,
  Stdio: StdioV1,
};
const v2 = (mode) => ({
  label: `client v2 ${mode}`,
  version: mode === 'auto' ? NEWEST : '2025-11-25',
  client: (info, options) =>
    new clientV2.Client(info, { ...options, versionNegotiation: { mode } }),
  call: (client, tool, options) => client.callTool(tool, options),
  whenAsked: (client, answer) => client.setRequestHandler('elicitation/create', answer),
  Http: clientV2.StreamableHTTPClientTransport,
  Stdio: StdioV2,
});
const over = (transport) =>
  [V1, v2('legacy'), v2('auto')].map((library) => {
    return { ...library, transport, name: `${library.label} over ${transport}` };
  });

export const HTTP = over('HTTP');
export const STDIO = over('stdio');

/** Whether the client speaks the newest protocol. */
export const isModern = (kind) => kind.version === NEWEST;

/** A server that is started when it is first needed, and clients. */
export class House extends Server {
  #starting;

  static async open(t, ...flags) {
    const house = await House.at(flags);
    t.after(() => house.close());
    return house;
  }

  /** Where the server speaks MCP. */
  async url(path = '/mcp') {
    await (this.#starting ??= this.start());
    return new URL(`http://127.0.0.1:${this.port}${path}`);
  }

  kill() {
    this.#starting = undefined;
    return super.kill();
  }

  /**
   * A player at a new connection, over HTTP at this path. With `shows` its host shows links to its
   * person, and says what they did: accept, decline or cancel.
   */
  async connect(kind, { path, shows } = {}) {
    const capabilities = shows ? { elicitation: { url: {} } } : {};
    const client = kind.client({ name: 'story', version: '1' }, { capabilities });
    if (shows) kind.whenAsked(client, ({ params }) => ({ action: shows(params) }));
    this.clients.push(client);
    const transport =
      kind.transport === 'HTTP'
        ? new kind.Http(await this.url(path))
        : new kind.Stdio({ command: PROGRAM, args: this.arguments, stderr: 'ignore' });
    await client.connect(transport);
    // The older client cannot tell, and has no choice.
    assert.equal(client.getNegotiatedProtocolVersion?.() ?? kind.version, kind.version);
    // From here on the client checks every answer against the tool's output schema.
    await client.listTools();
    return new Player(client, kind);
  }
}

export class Player {
  constructor(client, kind) {
    this.client = client;
    this.kind = kind;
  }

  async call(name, args, options) {
    const result = await this.kind.call(this.client, { name, arguments: args }, options);
    const [first, ...rest] = result.content;
    return {
      text: first.text,
      facts: result.structuredContent,
      page: rest.find((block) => block.type === 'resource')?.resource,
      /** What comes with the answer beside its text. */
      rest,
      isRefused: result.isError === true,
    };
  }

  /** Starts a game and keeps its id and the pass. */
  async create(args) {
    return this.#seated(await this.call('createGame', args));
  }

  async join(gameId, args) {
    return this.#seated(await this.call('joinGame', { game_id: gameId, ...args }));
  }

  #seated(answer) {
    this.gameId = answer.facts.game_id;
    this.pass = answer.facts.pass;
    return answer;
  }

  play(move, args) {
    return this.call('finishTurn', { game_id: this.pass, move, ...args });
  }

  wait(options) {
    return this.call('waitForNextTurn', { game_id: this.pass }, options);
  }

  look() {
    return this.call('getGame', { game_id: this.pass });
  }

  act(action) {
    return this.call('gameAction', { game_id: this.pass, action });
  }
}

/** Follows these; `news` is there once there has been some of each. */
export async function follow({ client, kind }, uris) {
  const missing = new Set(uris);
  const { promise, resolve } = Promise.withResolvers();
  const { transport } = client;
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if (message.method === 'notifications/resources/updated') missing.delete(message.params.uri);
    if (missing.size === 0) resolve();
    onmessage.call(transport, message, extra);
  };
  if (isModern(kind)) await client.listen({ resourceSubscriptions: uris });
  else for (const uri of uris) await client.subscribeResource({ uri });
  return { news: promise };
}

/** Two players at their own connections, white first. */
export async function pair(house, kind) {
  const white = await house.connect(kind);
  const black = await house.connect(kind);
  await white.create({ type: 'agent' });
  await black.join(white.gameId);
  return [white, black];
}
