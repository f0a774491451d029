#!/usr/bin/env node
// Starts the program that npm has installed for this platform, and is otherwise not there: what is said
// on stdin and stdout is between the program and whoever started us.

const { spawn } = require('node:child_process');
const { join, dirname } = require('node:path');

const carrier = `agon-mcp-${process.platform}-${process.arch}`;
let folder;
try {
  folder = dirname(require.resolve(`${carrier}/package.json`));
} catch {
  console.error(
    `agon-mcp has no program here: ${carrier} is not installed. It may have been left out by ` +
      `--omit=optional; install again without it. There are programs for Linux and macOS ` +
      `(x64, arm64) and for Windows (x64).`,
  );
  process.exit(1);
}
const program = join(folder, process.platform === 'win32' ? 'agon.exe' : 'agon');
const agon = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => agon.kill(signal));
agon.on('error', (error) => {
  console.error(`agon did not start: ${error.message}`);
  process.exit(1);
});
agon.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  // Ours is the end that the program met.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
