"""The servers that rows are played on, each started when first needed, and who calls there."""

import contextlib
import subprocess
import threading

import wire

# Callers of league messages come in great numbers from one address here; how often they may is
# the business of one house alone.
CALM = ["--league-rate", "1000000"]
PLANS = {
    # As the seeds have it: ports 8000, 8001 and 5002.
    "seeds": {"listen": None, "flags": CALM},
    # Where waiting ends soon.
    "hasty": {"flags": [*CALM, "--wait-seconds", "1"]},
    # Where nobody has been before.
    "first": {"flags": CALM},
}


class House:
    """A server, its clients by door, connection and endpoint."""

    def __init__(self, plan):
        plan = PLANS[plan]
        self.server = wire.Server(*plan["flags"], listen=plan.get("listen", "127.0.0.1:0"))
        self.clients = {}
        # Leagues that were opened here, by the scene they belong to.
        self.guests = {}
        self.opening = threading.Lock()

    def client(self, door, by="one", at="/mcp"):
        key = (door, by, at)
        with self.opening:
            if key not in self.clients:
                self.clients[key] = self._connect(door, at)
            return self.clients[key]

    def _connect(self, door, at):
        if door == "stdio":
            rooms = {"/chess/mcp": "chess", "/dungeon/mcp": "dungeon", "/league/mcp": "league",
                     "/referee/mcp": "referee"}
            flags = ["--rooms", rooms[at]] if at in rooms else []
            return wire.Stdio(self.server, *self.server.flags, *flags)
        kinds = {"plain": wire.Plain, "session": wire.Session, "modern": wire.Modern}
        return kinds[door](self.page(at))

    def page(self, path):
        return path if path.startswith("http://") else self.server.page(path)

    def run(self, *command):
        """A command of the program on this house's store; its output as an answer's text."""
        done = subprocess.run(
            [self.server.program, *command, "--store", self.server.store],
            capture_output=True, text=True, env=self.server.env, timeout=wire.PATIENCE,
            check=False)
        return wire.Answer(done.returncode, (), done.stdout + done.stderr, {})

    def close(self):
        with contextlib.ExitStack() as all_of_it:
            all_of_it.callback(self.server.close)
            for client in self.clients.values():
                all_of_it.callback(client.close)


class Street:
    """All houses."""

    def __init__(self):
        self.houses = {}
        self.doors = {plan: threading.Lock() for plan in PLANS}

    def house(self, plan):
        with self.doors[plan]:
            if plan not in self.houses:
                self.houses[plan] = House(plan)
            return self.houses[plan]

    def close(self):
        with contextlib.ExitStack() as every_house:
            for house in self.houses.values():
                every_house.callback(house.close)
