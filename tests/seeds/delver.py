"""A hero for the rows of the dungeon: explores, fights and loots until things are as a row needs.

What a dungeon holds follows from its seed. So a way to what is wanted is looked for once, seed by
seed, and walked again by every row that wants to stand there.
"""

import collections
import threading


class Hero:
    """One conversation. Knows only what it was told."""

    def __init__(self, call, conversation, seed=None):
        self.tell = call
        self.conversation = conversation
        self.deeds = []
        # Which rooms have been entered, and how to go back from here to the entrance.
        self.entered = set()
        self.trail = []
        self.last = None
        first = {"seed": str(seed)} if seed is not None else {}
        self.room = self.call("get_current_room", **first)

    def call(self, tool, **arguments):
        return self.tell(tool, conversationId=self.conversation, **arguments).facts

    def act(self, tool, **arguments):
        """Does something that counts, and looks around."""
        self.deeds.append((tool, arguments))
        self.last = self.call(tool, **arguments)
        self.room = self.call("get_current_room")
        return self.last

    @property
    def stats(self):
        return self.call("get_player_stats")

    @property
    def monsters(self):
        return [one for one in self.room["monsters"] if one["isAlive"]]

    @property
    def is_over(self):
        return self.room["gameStatus"] in ["Dead", "Victory"]

    def can(self, *words):
        """The first thing to be done that begins with these words, as its own words."""
        start = " ".join(words)
        return next((one.split(" ") for one in self.room["availableActions"]
                     if one == start or one.startswith(start + " ")), None)

    def fight(self):
        """One round: drinks when it is low, else strikes."""
        hp = self.stats
        if hp["hp"] * 2 < hp["maxHp"] and (drink := self.can("combat_action", "UseItem")):
            return self.act("combat_action", action="UseItem", itemId=drink[2])
        if bolt := self.can("cast_spell", "Firebolt"):
            return self.act("cast_spell", spell="Firebolt", targetMonsterId=bolt[2])
        return self.act("combat_action", action="Attack")

    def tidy(self):
        """Takes what lies here and mends itself; whether there was something to do."""
        if loot := self.can("loot_treasure"):
            self.act("loot_treasure", itemId=loot[1])
            return self.last["success"]
        stats = self.stats
        if stats["hp"] * 10 < stats["maxHp"] * 6 and self.can("rest"):
            self.act("rest")
            return True
        return False

    def wander(self):
        """Goes through an exit it does not know, or back towards one; False if it knows all."""
        here = self.room["roomId"]
        self.entered.add(here)
        for exit in self.room["exits"]:
            if exit["roomId"] not in self.entered and not exit["isLocked"]:
                return self.go(exit["direction"], here)
        keys = self.stats["keys"]
        for exit in self.room["exits"]:
            if exit["roomId"] not in self.entered and exit["isLocked"] and keys:
                if self.go(exit["direction"], here):
                    return True
        while self.trail:
            back = self.trail.pop()
            way = [exit for exit in self.room["exits"] if exit["roomId"] == back]
            if way:
                self.act("move_to_room", direction=way[0]["direction"])
                return self.last["success"]
        return False

    def go(self, direction, here):
        self.act("move_to_room", direction=direction)
        if self.last["success"]:
            self.trail.append(here)
        return self.last["success"]


def step(hero, greedy):
    """The next sensible thing; False if there is none."""
    if hero.monsters:
        hero.fight()
        return True
    if greedy and hero.tidy():
        return True
    return hero.wander()


class Ways:
    """Ways to what rows need, each found once."""

    def __init__(self):
        self.found = {}
        self.looking = collections.defaultdict(threading.Lock)

    def to(self, name, goal, call, seeds, greedy=False, most=150):
        """The seed and the deeds after which `goal(hero)` holds."""
        with self.looking[name]:
            if name not in self.found:
                self.found[name] = self.search(name, goal, call, seeds, greedy, most)
            return self.found[name]

    def search(self, name, goal, call, seeds, greedy, most):
        for seed in seeds:
            hero = Hero(call, f"looking for {name} {seed}", seed)
            for _ in range(most):
                if goal(hero):
                    return seed, list(hero.deeds)
                if hero.is_over or not step(hero, greedy):
                    break
        raise AssertionError(f"no dungeon of {seeds} has {name}")


WAYS = Ways()


def walk(stage, name, goal, seeds=range(1, 60), **how):
    """Brings the row's hero to where `goal` holds."""
    seed, deeds = WAYS.to(name, goal, stage.house.client("plain").call, seeds, **how)
    hero = Hero(stage.call, stage.saved["talk"], seed)
    for tool, arguments in deeds:
        hero.last = hero.call(tool, **arguments)
    hero.room = hero.call("get_current_room")
    return hero
