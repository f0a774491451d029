#!/usr/bin/env python3
"""A league player to start from: python3 player.py --name Ada --port 8101

It registers with a League Manager, then answers whatever the Referee asks, in any game. Change `choose`.
Only Python's standard library is needed. `agon league check http://localhost:8101/mcp` tells what
a league makes of it; docs/league.md has the protocol.
"""
import argparse, json, random, re, socket, threading, time, urllib.error, urllib.parse, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

me = argparse.ArgumentParser()
me.add_argument("--name", default="Python Player")
me.add_argument("--host", help="where you listen and can be called; by default the address that reaches the manager")
me.add_argument("--port", type=int, default=8101)
me.add_argument("--manager", default="http://localhost:8000/mcp")
me.add_argument("--league", default="league_2024_01")
me.add_argument("--game", default="even_odd", help="what the league plays: chess, connect-four, ...")
me.add_argument("--protocol", default="league.v1", choices=["league.v1", "league.v2"])
me.add_argument("--invite", help="the code you were given, if you were")
me.add_argument("--token", help="the server's token, if it asks for one")
me = me.parse_args()
mine = {}  # player_id and auth_token, once we are registered


def choose(question):
    """The move. Even-odd in league.v1 takes a number from 1 to 5: question["game_state"] has your_role
    (ODD or EVEN), the scores and previous_rounds; in league.v2 it takes "even" or "odd". Every other game
    says which moves are legal, and beside them how it stands, as text and as a view."""
    if question["message_type"] == "CHOOSE_PARITY_CALL":
        return {"parity_choice": random.choice(["even", "odd"])}
    if question["message_type"] == "GAME_MOVE_CALL":
        return {"move_data": {"move": any_of(question["move_request"]["valid_options"])}}
    if "legal_moves" in question["game_state"]:
        return {"move": {"text": any_of(question["game_state"]["legal_moves"])}}
    return {"move": {"number": random.randint(1, 5)}}


def any_of(moves):
    """One of them. Where moves are numbers, "bid 0..40" stands for many."""
    move = random.choice(moves)
    return re.sub(r"(\d+)\.\.(\d+)", lambda ends: str(random.randint(int(ends[1]), int(ends[2]))), move)


def message(kind, about={}, **own):
    kept = ("league_id", "round_id", "match_id", "game_round", "conversation_id")
    sender = "player:" + mine.get("player_id", me.name)
    head = {"protocol": me.protocol, "message_type": kind, "sender": sender, "conversation_id": str(uuid.uuid4()),
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "league_id": me.league}
    return {**head, **{name: about[name] for name in kept if name in about}, **own, **mine}


def answer(heard):
    kind = heard.get("message_type")
    if kind in ("GAME_START", "GAME_INVITATION"):
        return message("GAME_JOIN_ACK", heard, accept=True, arrival_timestamp=heard.get("timestamp"))
    if kind == "MOVE_REQUEST":
        return message("MOVE_RESPONSE", heard, **choose(heard))
    if kind == "CHOOSE_PARITY_CALL":
        return message("CHOOSE_PARITY_RESPONSE", heard, **choose(heard))
    if kind == "GAME_MOVE_CALL":
        return message("GAME_MOVE_RESPONSE", heard, **choose(heard))
    print("heard", kind, heard.get("error_description", ""), flush=True)  # results and news
    return message("ACK", heard, status="ACK")


class Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        call, status = {}, 200
        try:
            call = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            if "message_type" in (call.get("params") or {}):
                body = {"result": answer(call["params"])}
            else:
                status, body = 404, {"error": {"code": -32601, "message": "Method not found"}}
        except Exception as error:
            status, body = 400, {"error": {"code": -32700, "message": f"Parse error: {error}"}}
        text = json.dumps({"jsonrpc": "2.0", "id": call.get("id"), **body}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def register(endpoint):
    meta = {"display_name": me.name, "version": "1.0.0", "game_types": [me.game], "contact_endpoint": endpoint}
    if me.invite:
        meta["invite_code"] = me.invite
    method = "LEAGUE_REGISTER_REQUEST" if me.protocol == "league.v1" else "register_player"
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": message("LEAGUE_REGISTER_REQUEST", player_meta=meta)}
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {me.token}"} if me.token else {})}
    request = urllib.request.Request(me.manager, json.dumps(call).encode(), headers)
    try:
        said = json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as refusal:
        text = refusal.read()
        said = json.loads(text) if text.startswith(b"{") else {"reason": f"HTTP {refusal.code} from {me.manager}"}
    said = said.get("result") or said
    if said.get("status") != "ACCEPTED":
        raise SystemExit(f"not registered: {said.get('reason') or said}")
    mine.update({name: said[name] for name in ("player_id", "auth_token") if said.get(name)})
    print("registered as", said["player_id"], "in", said["league_id"] + ", listening on", endpoint, flush=True)


def own_address(manager):
    """This machine's address on the way to the manager. Nothing is sent."""
    there = urllib.parse.urlsplit(manager)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect((there.hostname, there.port or 80))
        return line.getsockname()[0]


me.host = me.host or own_address(me.manager)
# Beyond this machine, listen at every address, so that you can call it by localhost too.
door = ThreadingHTTPServer((me.host if me.host.startswith("127.") else "", me.port), Door)
listening = threading.Thread(target=door.serve_forever, daemon=True)
listening.start()
register(f"http://{me.host}:{door.server_address[1]}/mcp")
listening.join()
