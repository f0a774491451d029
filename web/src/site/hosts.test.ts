import { expect, test } from 'vitest';
import { HOSTS, keyed, lastCall } from './hosts';

const LOCAL = { mcp: 'http://127.0.0.1:8000/mcp', token: null };
const GUARDED = { mcp: 'https://games.example/mcp', token: 'TOKEN' };

test.each(HOSTS.map((host) => [host.name, host] as const))('%s is told the address, and the token if there is one', (_, host) => {
  expect(host.text(LOCAL)).toContain(LOCAL.mcp);
  expect(host.text(LOCAL)).not.toMatch(/token|bearer/i);
  const told = host.text(GUARDED) + (host.note?.(GUARDED) ?? '');
  expect(told).toContain(GUARDED.mcp);
  expect(told).toMatch(/token/i);
});

test('every address has a key of its own', () => {
  expect(keyed(LOCAL.mcp)).toMatch(/^http:\/\/127\.0\.0\.1:8000\/mcp\?key=[0-9a-f]{32}$/);
  expect(keyed(LOCAL.mcp)).not.toBe(keyed(LOCAL.mcp));
});

test.each(['vscode', 'cursor', 'claude-desktop', 'gemini'])('%s is given JSON', (id) => {
  const host = HOSTS.find((host) => host.id === id)!;
  const key = id === 'vscode' ? 'servers' : 'mcpServers';
  expect(JSON.parse(host.text(GUARDED))[key].agon).toBeTruthy();
});

test.each([
  ['claude-code', 'claude-code'],
  ['claude-ai', 'claude-desktop'],
  ['Visual Studio Code', 'vscode'],
  ['cursor-vscode', 'cursor'],
  ['gemini-cli-mcp-client', 'gemini'],
  ['codex-mcp-client', 'codex'],
  ['openai-mcp', 'chatgpt'],
  ['mcp', 'python'],
  ['', 'curl'],
  ['my-own-agent', 'curl'],
])('a client that calls itself "%s" lights up %s and nothing else', (name, id) => {
  const lit = HOSTS.filter((host) => lastCall(host, [{ name, at: 7 }]) === 7);
  expect(lit.map((host) => host.id)).toEqual([id]);
});
