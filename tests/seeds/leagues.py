"""The leagues that rows look at: one that was played to its end by agents who know only the seed
and by our own players, one with players who misbehave, and one that waits for moves.
"""

import collections
import itertools
import json
import re
import subprocess
import threading

import wire
from agent import Agent
from scenes import SCENES

MAKING = collections.defaultdict(threading.Lock)


def scene(make):
    """What is made once for each house, and what rows may refer to of it."""
    name = make.__name__.replace("_", " ")

    def once(stage):
        house = stage.house
        with MAKING[house, name]:
            if name not in house.guests:
                house.guests[name] = make(house)
        return {"cup": house.guests[name].name, "operator": house.guests[name].operator}
    SCENES[name] = once
    return make


class Cup:
    """A league on a server: opened, joined, started and seen to its end."""

    def __init__(self, server, name, *flags):
        self.server = server
        self.name = name
        opened = self.run("create", name, *flags)
        self.id = re.search(r"/league/([0-9a-f]+)", opened)[1]
        self.operator = self.run("key").strip()
        self.clerk = wire.Plain(server)
        self.agents = {}
        self.tokens = {}
        self.players = []
        server.guests.append(self)

    def run(self, *command):
        done = subprocess.run(
            [self.server.program, "league", *command, "--store", self.server.store],
            capture_output=True, text=True, env=self.server.env, timeout=wire.PATIENCE, check=True)
        return done.stdout

    def join_by_message(self, who, agent):
        """As the seed's LEAGUE_REGISTER_REQUEST has it."""
        answer = self.clerk.request(
            "LEAGUE_REGISTER_REQUEST", registration(self.name, who, agent.url))
        agent.player_id = answer.result["player_id"]
        self.agents[who] = agent
        return answer.result

    def join_by_tool(self, who, agent):
        """As the seed's register_player has it."""
        answer = self.clerk.call(
            "register_player", player_name=who, endpoint=agent.url, league_id=self.name)
        agent.player_id = json.loads(answer.text)["player_id"]
        self.agents[who] = agent

    def join_without_address(self, who):
        answer = self.clerk.call("register_player", player_name=who, league_id=self.name)
        self.tokens[who] = json.loads(answer.text)["auth_token"]

    def join_by_program(self, who, port, *flags):
        player = Player(self, who, port, *flags)
        self.players.append(player)
        player.register()

    def start(self):
        answer = self.clerk.call(
            "start_league", league_id=self.name, operator_token=self.operator)
        assert not answer.refused, answer.text

    def finish(self):
        """Waits for the end."""
        news = wire.Stream(self.server.page(f"/api/leagues/{self.id}/events"), "GET", {})
        # The stream tells of matches too.
        while news.next().get("phase") != "finished":
            pass
        news.close()

    def decision(self, who):
        """What this player, who has no address, must decide; None when the league is over."""
        while True:
            told = self.clerk.call(
                "wait_for_decision", auth_token=self.tokens[who], league_id=self.name)
            assert not told.refused, told.raw
            facts = told.facts
            if facts["status"] == "league_over":
                return None
            if facts["status"] != "waiting":
                return facts

    def submit(self, who, decision, number):
        return self.clerk.call(
            "submit_move", auth_token=self.tokens[who], league_id=self.name,
            match_id=decision["match_id"], game_round=decision["game_round"], number=number)

    def standing(self, player_id):
        table = json.loads(self.clerk.call("get_standings", league_id=self.name).text)
        return next(line for line in table["standings"] if line["player_id"] == player_id)

    def close(self):
        for agent in self.agents.values():
            agent.close()
        for player in self.players:
            player.close()


class Player:
    """A process of `agon player`, which registers with a league."""

    def __init__(self, cup, name, port, *flags):
        self.process = subprocess.Popen(
            [cup.server.program, "player", "--name", name, "--port", str(port),
             "--manager", cup.server.url, "--league", cup.name, *flags],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, env=cup.server.env)
        self.name = name

    def register(self):
        """Reads what it says until it has its number."""
        said = []
        for line in self.process.stderr:
            said.append(line)
            if found := re.search(r"listens on http://(\S+)/mcp", line):
                self.url = f"http://{found[1]}/mcp"
            if found := re.search(rf"player {self.name} is (P\d+)", line):
                self.player_id = found[1]
                break
        else:
            raise RuntimeError("the player did not register: " + "".join(said))
        # Nobody reads on, and a full pipe would stop the player.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def close(self):
        self.process.kill()
        self.process.wait()


def registration(league, name, endpoint, talk="550e8400-e29b-41d4-a716-446655440000"):
    """LEAGUE_REGISTER_REQUEST, with the seed's fields in the seed's order."""
    return {
        "protocol": "league.v1", "message_type": "LEAGUE_REGISTER_REQUEST", "league_id": league,
        "conversation_id": talk, "sender": "player:new_player",
        "timestamp": "2024-12-13T10:00:00Z",
        "player_meta": {"display_name": name, "version": "1.0.0", "game_types": ["even_odd"],
                        "contact_endpoint": endpoint},
    }


NUMBERS = itertools.count(1)


def new_cup(server, *flags):
    return Cup(server, f"cup-{next(NUMBERS)}", *flags)


@scene
def a_played_league(house):
    cup = new_cup(house.server)
    cup.join_by_message("one", Agent(8101, lambda round: 1 + round % 5))
    cup.join_by_tool("other", Agent(8102, lambda round: 2))
    cup.join_by_program("Gamma", 8103, "--strategy", "always-3")
    cup.join_by_program("Delta", 8104, "--strategy", "random", "--seed", "1")
    cup.start()
    cup.finish()
    return cup


@scene
def a_rough_league(house):
    cup = new_cup(house.server, "--time-limit", "1")
    cup.join_by_message("honest", Agent(number=lambda round: 3))
    cup.join_by_message("wild", Agent(number=lambda round: 9))
    cup.join_by_message("silent", Agent(number=lambda round: None))
    cup.start()
    cup.finish()
    return cup


@scene
def a_league_in_play(house):
    cup = new_cup(house.server, "--time-limit", "300")
    cup.join_without_address("one")
    cup.join_without_address("other")
    cup.start()
    assert cup.decision("one")["match_id"] == "R1M1"
    return cup
