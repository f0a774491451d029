"""A player agent as somebody writes it who has read the fifth seed and nothing else.

It listens, answers what it is asked in the shape it was asked in, and keeps all it was sent.
"""

import http.server
import json
import threading


class Agent:
    """Plays `number(round)`; whoever is given None for an answer never answers."""

    def __init__(self, port=0, number=lambda _: 3):
        self.number = number
        self.heard = []
        self.player_id = None
        # Set when the agent goes, so that nobody waits for one who does not answer.
        self.gone = threading.Event()
        agent = self

        class Ear(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                answer = agent.answer(request)
                if answer is None:
                    agent.gone.wait()
                    self.close_connection = True
                    return
                body = json.dumps({"jsonrpc": "2.0", "id": request.get("id"), **answer}).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except ConnectionError:
                    # Whoever asked did not wait for the answer.
                    self.close_connection = True

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Ear)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://localhost:{self.server.server_port}/mcp"

    def answer(self, request):
        params = request.get("params", {})
        is_tool = request["method"] == "tools/call"
        message = params.get("arguments", {}) if is_tool else params
        self.heard.append({"method": request["method"], "id": request.get("id"),
                           "message": message})
        said = {}
        if message.get("message_type") == "MOVE_REQUEST":
            number = self.number(message["game_round"])
            if number is None:
                return None
            said = self.move(message, number)
        elif request["method"] == "initialize":
            said = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}},
                    "serverInfo": {"name": "player-agent", "version": "1.0.0"}}
            return {"result": said}
        return {"result": {"content": [{"type": "text", "text": json.dumps(said)}]}
                if is_tool else said}

    def move(self, request, number):
        """MOVE_RESPONSE, with the seed's fields in the seed's order."""
        same = ["league_id", "round_id", "match_id", "conversation_id"]
        return {"protocol": "league.v1", "message_type": "MOVE_RESPONSE",
                **{name: request[name] for name in same},
                "sender": f"player:{self.player_id}", "timestamp": "2024-12-13T10:05:05Z",
                "game_round": request["game_round"], "move": {"number": number}}

    def messages(self, kind):
        return [one["message"] for one in self.heard
                if one["message"].get("message_type") == kind]

    def close(self):
        self.gone.set()
        self.server.shutdown()
        self.server.server_close()
