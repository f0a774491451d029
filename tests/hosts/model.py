"""A server that plays a model: Anthropic's messages and OpenAI's responses, streamed.

It follows a story, a generator that yields a tool with its arguments and is sent the result as the
host passes it on.
"""

import http.server
import json
import threading

STOP = "Good bye."


class Model:
    def __init__(self, story):
        self.story, self.ended = story, False
        # The bodies that the host sent, and the other machines that it asked for.
        self.requests, self.elsewhere = [], []
        self.lock = threading.Lock()
        model = self

        class Api(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                if not self.path.startswith("/"):
                    model.elsewhere.append(self.path)
                if self.command == "POST" and self.path.startswith("/"):
                    with model.lock:
                        self.say(200, *model.answer(self.path, json.loads(body)))
                else:
                    self.say(404, "text/plain", "")

            do_GET = do_HEAD = do_CONNECT = do_POST

            def say(self, status, kind, text):
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path, body):
        self.requests.append(body)
        if "count_tokens" in path:
            return "application/json", '{"input_tokens": 1}'
        speak, got = (responses, outputs) if "/responses" in path else (messages, tool_results)
        names = {name.rpartition("__")[2]: (name, space) for name, space in tools(body)}
        said = STOP
        # Hosts also ask for titles and the like, without our tools.
        if "createGame" in names:
            said = self.next(next(reversed(got(body)), None))
        if said != STOP:
            said = (*names[said[0]], said[1])
        return speak(said, len(self.requests), body.get("stream"))

    def next(self, got):
        try:
            return self.story.send(got)
        except StopIteration:
            self.ended = True
            return STOP


def tools(body):
    """The tools that a host offers, each with its namespace."""
    for tool in body.get("tools", []):
        if tool.get("type") == "namespace":
            yield from ((inner["name"], tool["name"]) for inner in tool["tools"])
        elif "name" in tool:
            yield tool["name"], None


def text(content):
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text") or json.dumps(part) for part in content)


def tool_results(body):
    """The results of all calls, in Anthropic's messages."""
    return [text(part.get("content", "")) for message in body["messages"]
            if isinstance(message["content"], list)
            for part in message["content"] if part["type"] == "tool_result"]


def outputs(body):
    """The results of all calls, in OpenAI's responses."""
    return [text(item["output"]) for item in body["input"]
            if item["type"] == "function_call_output"]


def events(*all):
    return "text/event-stream", "".join(
        f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in all)


def messages(said, number, stream):
    if said == STOP:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": said}
    else:
        name, _, arguments = said
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    reason = {"stop_reason": "end_turn" if said == STOP else "tool_use", "stop_sequence": None}
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "scripted",
               "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    if not stream:
        return "application/json", json.dumps(
            {**message, **reason, "content": [{"type": "text", "text": STOP}]})
    return events(
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": reason, "usage": usage},
        {"type": "message_stop"})


def responses(said, number, stream):
    if said == STOP:
        item = {"type": "message", "role": "assistant", "id": f"msg_{number}",
                "content": [{"type": "output_text", "text": said}]}
    else:
        name, space, arguments = said
        item = {"type": "function_call", "call_id": f"call_{number}", "name": name,
                "arguments": json.dumps(arguments), **({"namespace": space} if space else {})}
    response = {"id": f"resp_{number}"}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return events(
        {"type": "response.created", "response": response},
        {"type": "response.output_item.done", "item": item},
        {"type": "response.completed", "response": {**response, "usage": usage}})
