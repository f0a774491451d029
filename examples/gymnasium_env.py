"""Connect four against agon's computer as a Gymnasium environment.

`pip install gymnasium`, start `agon serve`, then `ConnectFour()`. The same seed makes the same game.
"""
import json
import urllib.request

import gymnasium
import numpy


class ConnectFour(gymnasium.Env):
    """We are Red. An observation is the board: 1 our discs, -1 theirs. A move that is not legal loses."""

    action_space = gymnasium.spaces.Discrete(7)
    observation_space = gymnasium.spaces.Box(-1, 1, (6, 7), numpy.int8)

    def __init__(self, url="http://localhost:8000/mcp", level=3):
        self.url, self.level = url, level

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        setup = {"seed": int(self.np_random.integers(2**31)), "opening": 4}
        asked = {"game": "connect-four", "type": "computer", "seat": "Red", "difficulty": self.level, "setup": setup}
        self.game_id = self.call("createGame", **asked)["pass"]
        return self.observed(self.call("waitForNextTurn", game_id=self.game_id)), {}

    def step(self, action):
        seen = self.call("finishTurn", game_id=self.game_id, move=str(action + 1), wait=True)
        if seen is None:
            return self.observed(self.call("getGame", game_id=self.game_id)), -1.0, True, False, {}
        over = seen["status"] == "over"
        return self.observed(seen), float(seen["points"][0] if over else 0), over, False, {}

    def observed(self, seen):
        discs = {".": 0, "R": 1, "Y": -1}
        return numpy.array([[discs[disc] for disc in row] for row in seen["view"]["board"]], numpy.int8)

    def call(self, tool, **arguments):
        """The facts of agon's answer, or None if it refuses."""
        question = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.url, json.dumps(question).encode(), headers)
        result = json.load(urllib.request.urlopen(request))["result"]
        return None if result.get("isError") else result["structuredContent"]
