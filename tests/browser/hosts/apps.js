// A chat host with MCP Apps, as small as it can be: ext-apps' bridge between a view and a client.
//
// ?mcp is the server, ?tool and ?args the call whose view is shown, ?agent who makes it, ?theme
// and ?era how; ?view names another tool whose view it is, ?takes what the host takes from a view,
// like "message,openLinks".

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  getToolUiResourceUri,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';

const asked = new URLSearchParams(location.search);
const info = { name: asked.get('agent') ?? 'story', version: '1' };
const client = new Client(info, {
  capabilities: {
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
  },
  versionNegotiation: { mode: asked.get('era') ?? 'legacy' },
});
await client.connect(new StreamableHTTPClientTransport(new URL(asked.get('mcp'))));

const name = asked.get('tool');
const args = JSON.parse(asked.get('args'));
const { tools } = await client.listTools();
const shows = asked.get('view') ?? name;
const uri = getToolUiResourceUri(tools.find((tool) => tool.name === shows));
const [content] = (await client.readResource({ uri })).contents;
const result = await client.callTool({ name, arguments: args });
// What the stories want to know, and the client, for a model that goes on.
const heard = { messages: [], context: [], opened: [] };
Object.assign(window, { content, result, client, heard });

const frame = document.createElement('iframe');
frame.setAttribute('sandbox', 'allow-scripts');
frame.title = 'the view';
document.body.append(frame);

const can = { serverTools: {}, serverResources: {}, logging: {} };
for (const taken of asked.get('takes')?.split(',') ?? []) can[taken] = {};
const hostContext = { theme: asked.get('theme') ?? 'light', displayMode: 'inline' };
const bridge = new AppBridge(client, info, can, { hostContext });
window.bridge = bridge;
const hear = (kind) => async (said) => {
  heard[kind].push(said);
  return {};
};
bridge.onmessage = hear('messages');
bridge.onupdatemodelcontext = hear('context');
bridge.onopenlink = hear('opened');
bridge.addEventListener('initialized', async () => {
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(result);
});
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
frame.src = await (await fetch('/view', { method: 'POST', body: content.text })).text();
