// Makes the calls it reads with the official client and prints what that hands to its caller:
//
//     tests/clients/run relay.js '{"client": {...}, "capabilities": {...}, "url": "http://..."}'
//
// or with {"command": [...]} in the place of the url. On stdin there is a request in each line, as
// JSON-RPC has it, on stdout its answer, or news; first comes what the server said of itself.

import { createInterface } from 'node:readline';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const about = JSON.parse(process.argv[2]);
const client = new Client(about.client, { capabilities: about.capabilities });

const CALLS = {
  ping: () => client.ping(),
  'tools/list': (params) => client.listTools(params),
  'tools/call': (params) => client.callTool(params),
  'resources/list': (params) => client.listResources(params),
  'resources/templates/list': (params) => client.listResourceTemplates(params),
  'resources/read': (params) => client.readResource(params),
  'resources/subscribe': (params) => client.subscribeResource(params),
  'resources/unsubscribe': (params) => client.unsubscribeResource(params),
  'prompts/list': (params) => client.listPrompts(params),
  'prompts/get': (params) => client.getPrompt(params),
  'completion/complete': (params) => client.complete(params),
};

const print = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));

async function answer({ id, method, params }) {
  try {
    if (!CALLS[method]) throw new Error(`the client has no call for ${method}`);
    print({ id, result: await CALLS[method](params) });
  } catch ({ name, code, message, data }) {
    print({ id, error: { name, code, message, data } });
  }
}

client.setNotificationHandler(ResourceUpdatedNotificationSchema, print);
const [command, ...args] = about.command ?? [];
await client.connect(
  command
    ? new StdioClientTransport({ command, args, env: process.env })
    : new StreamableHTTPClientTransport(new URL(about.url)),
);
const hello = {
  protocolVersion: client.transport.protocolVersion,
  serverInfo: client.getServerVersion(),
  capabilities: client.getServerCapabilities(),
  instructions: client.getInstructions(),
};
print({ id: 0, result: hello });
// From here on the client checks every answer against the tool's output schema.
await client.listTools();
// Not one after the other: a call may wait for what another one does.
for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line));
await client.close();
