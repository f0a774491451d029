// The programs that agents live in, and what each wants to be told so that it can play here.

import type { Called } from '../wire/app';

/** The server's address, with this host's own key; and what stands for the token, if one is asked for. */
export interface Door {
  mcp: string;
  token: string | null;
}

export interface Host {
  id: string;
  name: string;
  /** Where the text goes: a file, a terminal. */
  where: string;
  text: (door: Door) => string;
  /** Adds it by one click, where the program has such links. */
  link?: (door: Door) => string;
  /** What else must be known. */
  note?: (door: Door) => string;
  /** What the program calls itself when it calls; left out where any other name will do. */
  calls?: RegExp;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const headers = ({ token }: Door) => (token ? { headers: bearer(token) } : {});
const isLocal = ({ mcp }: Door) => /^http:\/\/(localhost|127\.|\[::1\])/.test(mcp);

export const HOSTS: Host[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    where: 'In a terminal',
    text: ({ mcp, token }) =>
      `claude mcp add --transport http agon "${mcp}"` + (token ? ` --header "Authorization: Bearer ${token}"` : ''),
    calls: /^claude-code/i,
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    where: 'Settings, Developer, Edit Config: claude_desktop_config.json',
    text: ({ mcp, token }) => {
      const header = token ? ['--header', `Authorization: Bearer ${token}`] : [];
      const plain = mcp.startsWith('http:') ? ['--allow-http'] : [];
      const args = ['-y', 'mcp-remote', mcp, ...plain, ...header];
      return json({ mcpServers: { agon: { command: 'npx', args } } });
    },
    note: (door) =>
      isLocal(door) ? 'On the machine that has agon, "command": "agon" is enough.' : 'It needs Node.js.',
    calls: /^claude-ai|^claude desktop|mcp-remote/i,
  },
  {
    id: 'vscode',
    name: 'VS Code',
    where: '.vscode/mcp.json',
    text: (door) => json({ servers: { agon: { type: 'http', url: door.mcp, ...headers(door) } } }),
    link: (door) => {
      const server = { name: 'agon', type: 'http', url: door.mcp, ...headers(door) };
      return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(server))}`;
    },
    calls: /^visual studio code|^vscode/i,
  },
  {
    id: 'cursor',
    name: 'Cursor and others',
    where: '~/.cursor/mcp.json, or wherever yours keeps its mcpServers',
    text: (door) => json({ mcpServers: { agon: { url: door.mcp, ...headers(door) } } }),
    link: (door) => {
      const config = btoa(JSON.stringify({ url: door.mcp, ...headers(door) }));
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=agon&config=${encodeURIComponent(config)}`;
    },
    calls: /^cursor|^windsurf|^cline|^goose|^zed/i,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    where: '~/.gemini/settings.json',
    text: (door) => json({ mcpServers: { agon: { httpUrl: door.mcp, ...headers(door) } } }),
    calls: /^gemini/i,
  },
  {
    id: 'codex',
    name: 'Codex',
    where: '~/.codex/config.toml',
    text: ({ mcp, token }) =>
      `[mcp_servers.agon]\nurl = "${mcp}"` + (token ? '\nbearer_token_env_var = "AGON_TOKEN"' : ''),
    note: ({ token }) => (token ? `Then set AGON_TOKEN to ${token} where Codex is started.` : ''),
    calls: /^codex/i,
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    where: 'Settings, Apps & Connectors, Advanced: developer mode on; then Create, with this address',
    text: ({ mcp }) => mcp,
    note: (door) =>
      [
        isLocal(door) && 'ChatGPT calls from the internet, and this address is on your own machine: give the server a public one first.',
        door.token && 'It cannot send a token like this server’s, so it cannot call it.',
      ]
        .filter(Boolean)
        .join(' '),
    calls: /^openai|^chatgpt/i,
  },
  {
    id: 'python',
    name: 'Python',
    where: "pip install 'mcp>=2'",
    text: ({ mcp, token }) => {
      const imports = ['import asyncio', ...(token ? ['import httpx2'] : []), 'from mcp import Client'];
      if (token) imports.push('from mcp.client.streamable_http import streamable_http_client');
      const door = token
        ? [
            `    http = httpx2.AsyncClient(headers={"Authorization": "Bearer ${token}"}, timeout=60)`,
            `    async with Client(streamable_http_client("${mcp}", http_client=http)) as agon:`,
          ]
        : [`    async with Client("${mcp}") as agon:`];
      const game = '        print(await agon.call_tool("createGame", {"type": "computer"}))';
      return [...imports, '', 'async def main():', ...door, game, '', 'asyncio.run(main())'].join('\n');
    },
    calls: /^mcp$|python/i,
  },
  {
    id: 'curl',
    name: 'curl, or any program',
    where: 'In a terminal',
    text: ({ mcp, token }) =>
      `curl -s "${mcp}"${token ? ` -H 'Authorization: Bearer ${token}'` : ''} -d '` +
      '{"jsonrpc":"2.0","id":1,"method":"tools/call",' +
      `"params":{"name":"createGame","arguments":{"type":"computer"}}}'`,
  },
];

/** An address with a new key: whoever has it goes on with the same seats in every chat. */
export const keyed = (mcp: string) => {
  const bits = crypto.getRandomValues(new Uint8Array(16));
  return `${mcp}?key=${Array.from(bits, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

/** When this host last called, if it has. */
export function lastCall(host: Host, callers: Called[]): number | null {
  const isOther = (name: string) => !HOSTS.some(({ calls }) => calls?.test(name));
  return callers.find(({ name }) => host.calls?.test(name) ?? isOther(name))?.at ?? null;
}
