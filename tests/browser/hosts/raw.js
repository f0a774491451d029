// A host as the first specification has it: "The MCP Host intercepts this postMessage and calls the
// finishTurn tool with the provided arguments." It keeps every message, and knows no other.
//
// ?mcp is the server, ?tool and ?args the call whose page is shown.

const asked = new URLSearchParams(location.search);
const frame = document.querySelector('iframe');
window.messages = [];

async function call(name, args) {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(call);
  const answer = await fetch(asked.get('mcp'), { method: 'POST', headers, body });
  const { result } = await answer.json();
  const page = result.content.find((block) => block.type === 'resource');
  if (page) frame.srcdoc = page.resource.text;
  return result;
}

addEventListener('message', async ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  window.messages.push(data);
  if (data.type === 'action') window.answer = await call(data.action, data.payload);
});
window.result = await call(asked.get('tool'), JSON.parse(asked.get('args')));
