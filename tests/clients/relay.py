"""Makes the calls it reads with the official client and prints what that hands to its caller.

    tests/clients/run relay.py '{"client": {...}, "capabilities": {...}, "url": "http://..."}'

or with {"command": [...]} in the place of the url. On stdin there is a request in each line, as
JSON-RPC has it, on stdout its answer, or news; first comes what the server said of itself.
"""

import json
import os
import sys

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import advertise
from mcp.types import Implementation

CALLS = {
    "ping": Client.send_ping,
    "tools/list": Client.list_tools,
    "tools/call": Client.call_tool,
    "resources/list": Client.list_resources,
    "resources/templates/list": Client.list_resource_templates,
    "resources/read": Client.read_resource,
    "prompts/list": Client.list_prompts,
    "prompts/get": Client.get_prompt,
}


def put(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def plain(result):
    return result.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def listen(client, uri, *, task_status):
    async with client.listen(resource_subscriptions=[uri]) as news:
        task_status.started()
        async for event in news:
            put({"method": "notifications/resources/updated", "params": {"uri": str(event.uri)}})


async def main(about):
    about = json.loads(about)
    target = about.get("url")
    if not target:
        command, *arguments = about["command"]
        target = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    extensions = [advertise(*one) for one in about["capabilities"].get("extensions", {}).items()]
    info = Implementation(**about["client"])
    async with (
        Client(target, client_info=info, extensions=extensions, read_timeout_seconds=60) as client,
        anyio.create_task_group() as tasks,
    ):
        async def answer(request):
            method, params = request["method"], request["params"]
            try:
                if method == "resources/subscribe":
                    await tasks.start(listen, client, params["uri"])
                    said = {"result": {}}
                elif method not in CALLS:
                    raise LookupError(f"the client has no call for {method}")
                else:
                    said = {"result": plain(await CALLS[method](client, **params))}
            except MCPError as error:
                said = {"error": plain(error.error)}
            except Exception as error:
                said = {"error": {"name": type(error).__name__,
                                  "message": str(error).partition("\n")[0]}}
            put({"id": request["id"], **said})

        hello = {"protocolVersion": client.protocol_version,
                 "serverInfo": plain(client.server_info),
                 "capabilities": plain(client.server_capabilities),
                 "instructions": client.instructions}
        put({"id": 0, "result": hello})
        # Not one after the other: a call may wait for what another one does.
        async for line in anyio.wrap_file(sys.stdin):
            tasks.start_soon(answer, json.loads(line))
        tasks.cancel_scope.cancel()


anyio.run(main, *sys.argv[1:])
