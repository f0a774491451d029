// The chat hosts that show the board: three pages of our own, and the MCP Inspector.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { untilSaid } from '../server.js';

/** What MCP Apps grants to a view that asks for nothing. */
const DEFAULT_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const KINDS = { html: 'text/html; charset=utf-8', js: 'text/javascript' };

/** Serves hosts/ as it was built, and takes in the HTML of a view to serve it under the policy. */
export class Hosts {
  #server;
  #views = [];

  static async open() {
    const hosts = new Hosts();
    hosts.#server = createServer((request, response) => hosts.#answer(request, response));
    hosts.#server.listen(0, '127.0.0.1');
    await once(hosts.#server, 'listening');
    return hosts;
  }

  /** The page of a host that makes this call and shows what comes back. */
  page(name, house, tool, args, more = {}) {
    const asked = { mcp: house.mcp, tool, args: JSON.stringify(args), ...more };
    return `${this.#url}/${name}.html?${new URLSearchParams(asked)}`;
  }

  get #url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async #answer(request, response) {
    const { pathname } = new URL(request.url, this.#url);
    if (request.method === 'POST') {
      let html = '';
      for await (const part of request.setEncoding('utf8')) html += part;
      return response.end(`/view/${this.#views.push(html) - 1}`);
    }
    if (pathname.startsWith('/view/')) {
      const head = { 'content-type': KINDS.html, 'content-security-policy': DEFAULT_POLICY };
      return response.writeHead(200, head).end(this.#views[pathname.split('/')[2]]);
    }
    const kind = KINDS[pathname.split('.')[1]];
    if (!kind) return response.writeHead(204).end();
    const file = await readFile(join(process.env.HOSTS, pathname));
    response.writeHead(200, { 'content-type': kind }).end(file);
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const INSPECTOR = join(
  import.meta.dirname,
  '../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

/** The MCP Inspector's web page, as the program it is, in a home of its own. */
export class Inspector {
  #home;
  #program;
  #port;

  static async open() {
    const inspector = new Inspector();
    inspector.#home = await mkdtemp(join(tmpdir(), 'agon-'));
    const [port, sandbox] = await freePorts(2);
    inspector.#port = port;
    const env = {
      ...process.env,
      HOME: inspector.#home,
      HOST: '127.0.0.1',
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(sandbox),
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_INSPECTOR_API_TOKEN: 'story',
      MCP_INSPECTOR_SECRET_STORE: 'memory',
    };
    const stdio = ['ignore', 'pipe', 'ignore'];
    // Its own group: the launcher starts others, and all must end.
    const options = { cwd: inspector.#home, env, stdio, detached: true };
    inspector.#program = spawn(process.execPath, [INSPECTOR, '--web'], options);
    await untilSaid(inspector.#program, /http:\/\//, inspector.#program.stdout);
    return inspector;
  }

  /** The page that offers to make this call and to open its app. */
  page(house, tool, args) {
    const asked = {
      serverUrl: house.mcp,
      transport: 'http',
      autoConnect: 'story',
      openApp: tool,
      appArgs: Buffer.from(JSON.stringify(args)).toString('base64url'),
    };
    return `http://127.0.0.1:${this.#port}/?${new URLSearchParams(asked)}`;
  }

  async close() {
    process.kill(-this.#program.pid, 'SIGKILL');
    await once(this.#program, 'exit');
    await rm(this.#home, { recursive: true, force: true });
  }
}

/** Ports nobody listens on now, for a program that cannot be told to choose. */
async function freePorts(count) {
  const sockets = Array.from({ length: count }, () => createSocket().listen(0, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'listening')));
  const ports = sockets.map((socket) => socket.address().port);
  await Promise.all(sockets.map((socket) => new Promise((closed) => socket.close(closed))));
  return ports;
}
