// The MCP conformance suite and the MCP Inspector, each as the program it is.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { House, PROGRAM } from './agon.js';

const installed = (path) => join(import.meta.dirname, '../node_modules', path);
const CONFORMANCE = installed('@modelcontextprotocol/conformance/dist/index.js');
/** The suite as it will be: it says what each version of the protocol requires. */
const NEXT = installed('conformance-next/dist/index.js');
const FIXTURES = ['--conformance-fixtures', join(import.meta.dirname, 'fixtures.json')];
const INSPECTOR = installed('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** Runs a Node program to its end, in a home of its own. */
async function run(program, ...args) {
  const home = await mkdtemp(join(tmpdir(), 'agon-'));
  const env = { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' };
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd: home, env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
  await rm(home, { recursive: true });
  return ended;
}

/** The scenarios that count, from the suite's own list. */
async function requiredOfServers(version) {
  const list = await readFile(installed(`conformance-next/requirements/${version}.yaml`), 'utf8');
  const [, block] = list.match(/^server:\n((?: +- .*\n)+)/m);
  return block.trim().split(/\n/).map((line) => line.replace(/^\s*- /, '').trim());
}

describe('the conformance suite', { concurrency: 4 }, () => {
  test('passes with its fixtures', async (t) => {
    const house = await House.open(t, ...FIXTURES);
    const { code, stdout, stderr } = await run(CONFORMANCE, 'server', '--url', await house.url());
    assert.equal(code, 0, stdout + stderr);
    const summary = stdout.slice(stdout.indexOf('=== SUMMARY ==='));
    assert.equal(summary.match(/^✓ /gm).length, 30, summary);
    t.diagnostic(`conformance: ${summary.trim().split('\n').at(-1)}`);
  });

  for (const version of ['2025-11-25', '2026-07-28']) {
    test(`passes everything that ${version} requires of a server`, async (t) => {
      const house = await House.open(t, ...FIXTURES);
      const server = ['server', '--url', await house.url(), '--requirements', version];
      const { stdout, stderr } = await run(NEXT, ...server);
      // Also run and told, but not counted, are extensions and what the suite itself cannot pass.
      const [summary] = stdout.slice(stdout.indexOf('=== SUMMARY ===')).split('\nNot scored');
      const lines = summary.split('\n');
      const required = await requiredOfServers(version);
      const isPassed = (name) => lines.some((line) => line.startsWith(`✓ ${name}:`));
      const failed = required.filter((name) => !isPassed(name));
      assert.deepEqual(failed, [], stdout + stderr);
      t.diagnostic(`conformance, ${version}: ${required.length} of ${required.length} scenarios`);
    });
  }

  for (const scenario of [
    'server-initialize',
    'ping',
    'tools-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ]) {
    test(`passes ${scenario} as agon is`, async (t) => {
      const house = await House.open(t);
      const server = ['server', '--url', await house.url(), '--scenario', scenario];
      const { code, stdout, stderr } = await run(CONFORMANCE, ...server);
      assert.equal(code, 0, stdout + stderr);
    });
  }

  for (const scenario of [
    'tools-list',
    'prompts-list',
    'resources-list',
    'caching',
    'http-header-validation',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'input-required-result-unsupported-methods',
  ]) {
    test(`passes ${scenario} of the newest protocol as agon is`, async (t) => {
      const house = await House.open(t);
      const server = ['server', '--url', await house.url(), '--scenario', scenario];
      const version = ['--spec-version', '2026-07-28'];
      const { code, stdout, stderr } = await run(NEXT, ...server, ...version);
      assert.equal(code, 0, stdout + stderr);
    });
  }
});

describe('the Inspector', { concurrency: 4 }, () => {
  for (const era of ['legacy', 'auto', 'modern']) {
    for (const transport of ['http', 'stdio']) {
      const inspect = async (t, ...args) => {
        const house = await House.open(t);
        const target = transport === 'http' ? [await house.url()] : [PROGRAM, ...house.arguments];
        const how = ['--cli', '--transport', transport, '--protocol-era', era, '--quiet'];
        const tell = ['--format', 'json', ...args];
        const { code, stdout, stderr } = await run(INSPECTOR, ...how, ...target, ...tell);
        assert.equal(stderr, '');
        assert.equal(code, 0);
        return JSON.parse(stdout).result;
      };

      test(`finds nothing to complain about in the tools (${era}, ${transport})`, async (t) => {
        const { tools } = await inspect(t, '--method', 'tools/list', '--strict');
        const names = tools.map((tool) => tool.name);
        for (const name of ['createGame', 'joinGame', 'waitForNextTurn', 'finishTurn']) {
          assert.ok(names.includes(name), name);
        }
      });

      test(`starts a game (${era}, ${transport})`, async (t) => {
        const call = ['--method', 'tools/call', '--tool-name', 'createGame'];
        const created = await inspect(t, ...call, '--tool-arg', 'type=agent');
        assert.match(created.content[0].text, /^Game Created Successfully!/);
        assert.equal(created.structuredContent.status, 'your_turn');
      });
    }
  }
});
