// A chat host of the years before MCP Apps: mcp-ui's renderer shows the HTML that came with an answer.
//
// ?mcp is the server, ?tool and ?args the call whose page is shown.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { UIResourceRenderer } from '@mcp-ui/client';
import { createRoot } from 'react-dom/client';

const asked = new URLSearchParams(location.search);
const client = new Client({ name: 'story', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(asked.get('mcp'))));

const args = JSON.parse(asked.get('args'));
const result = await client.callTool({ name: asked.get('tool'), arguments: args });
const { resource } = result.content.find((block) => block.type === 'resource');
Object.assign(window, { result, prompts: [], opened: [] });

// Such hosts know tools, prompts, links; whatever else a page says is lost on them.
async function act(action) {
  if (action.type === 'prompt') window.prompts.push(action.payload.prompt);
  if (action.type === 'link') window.opened.push(action.payload.url);
  if (action.type !== 'tool') return;
  return client.callTool({ name: action.payload.toolName, arguments: action.payload.params });
}

const whole = { style: { width: '100%', height: '100%', border: 0 } };
createRoot(document.getElementById('root')).render(
  <UIResourceRenderer resource={resource} onUIAction={act} htmlProps={whole} />,
);
