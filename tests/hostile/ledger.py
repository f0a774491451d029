"""Honest players under attack: what they were told is written down and compared with what is there.

Every call is made until it is known what became of it. A call that is said not to have been done ends
its game, so that whatever is found there beyond what was answered contradicts somebody's words.
"""

import asyncio
import itertools
import time
import uuid

from caller import Caller, Lost

# Long after the fault is over every call must have been answered.
GRACE = 90
# How soon a player who got no answer tries again.
PAUSE = 0.1

# What a game takes in a server's memory, in megabytes; a fast machine plays thousands.
WEIGHT = 0.05

# Every pawn two steps and the knights to and fro in between: forty-eight half-moves, none of them a
# capture or a check.
MOVES = [move for file in "abcdefgh"
         for move in ["g1f3", "g8f6", "f3g1", "f6g8", f"{file}2{file}4", f"{file}7{file}5"]]

DONE, NOT_DONE, NOT_KNOWN = "done", "not done", "not known"
SAYS = [
    (NOT_KNOWN, ["not known"]),
    (NOT_DONE, ["nothing has changed", "nothing was played"]),
]


def verdict(answer):
    """What an answer says of its call; None if it says nothing of the kind."""
    if answer.body is None or not isinstance(answer.body, dict):
        return None
    if not answer.refused:
        return DONE
    said = (answer.error or {}).get("message", "") + answer.text
    return next((what for what, words in SAYS if any(word in said for word in words)), None)


class Game:
    """What its players were told of one game."""

    def __init__(self, game_id):
        self.id = game_id
        self.moves = []
        # A call of which nobody was told anything.
        self.open = None
        # What is said not to have been done.
        self.denied = None

    def compare(self, there, tally):
        """With the moves that are there."""
        answered = len(self.moves)
        if there[:answered] != self.moves:
            tally.fault("lost", f"{self.id}: {self.moves} was answered, {there} is there")
            return
        beyond = there[answered:]
        if self.open is not None and beyond[:1] == [self.open]:
            beyond = beyond[1:]
        if beyond and self.denied == beyond[0]:
            tally.fault("untrue", f"{self.id}: {beyond[0]} was said not to be done, and is there")
        elif beyond:
            tally.fault("doubled", f"{self.id}: {beyond} is there and was never answered")


class Ledger:
    def __init__(self, place, tally, dice):
        self.place, self.tally, self.dice = place, tally, dice
        self.games = []
        self.wishes = []
        self.until = None
        self.callers = {}
        self.names = itertools.count()

    def weight(self):
        """Of the games, in megabytes; up to a number of them are kept in memory."""
        return round(len(self.games) * WEIGHT)

    async def play(self, seconds, players=12):
        """So many players for so long, half of them in dungeons."""
        self.until = time.monotonic() + seconds
        kinds = [self.chess, self.dungeon]
        await asyncio.gather(*(kinds[n % 2](n) for n in range(players)))
        for caller in self.callers.values():
            caller.close()
        self.callers.clear()

    @property
    def is_over(self):
        return time.monotonic() > self.until

    async def chess(self, player):
        while not self.is_over:
            name = f"{self.tally.name} {player}/{next(self.names)}"
            self.wishes.append(name)
            key = {"requestId": str(uuid.UUID(int=self.dice.getrandbits(128)))}
            wish = {"type": "agent", "name": name, "board": "fen", **key}
            what, facts = await self.insist(player, "createGame", wish, keyed=True)
            if what != DONE:
                continue
            game = Game(facts["game_id"])
            self.games.append(game)
            what, other = await self.insist(
                player, "joinGame", {"game_id": game.id, "board": "fen", **key}, keyed=True)
            if what == DONE:
                await self.moves(player, game, [facts["pass"], other["pass"]])

    async def moves(self, player, game, passes):
        for number, move in enumerate(MOVES, 1):
            if self.is_over:
                return
            call = {"game_id": passes[(number - 1) % 2], "move": move}
            # Some say which turn they mean, and are safe at any node; some do not.
            if self.dice.random() < 0.5:
                call["turn"] = number
            what, facts = await self.insist(player, "finishTurn", call, keyed="turn" in call)
            if not self.note(game, move, what):
                return
            if facts["turn"] != number + 1:
                self.tally.fault("untrue", f"{game.id}: turn {number} was answered with {facts}")

    async def dungeon(self, player):
        while not self.is_over:
            conversation = f"conversation {self.tally.name} {player}/{next(self.names)}"
            game = Game(conversation)
            self.games.append(game)
            look = {"conversationId": conversation}
            if (await self.insist(player, "get_current_room", look, keyed=True))[0] != DONE:
                continue
            for number in range(1, 30):
                if self.is_over:
                    return
                name = f"save {number}"
                save = {"conversationId": conversation, "name": name}
                keyed = self.dice.random() < 0.5
                if keyed:
                    save["requestId"] = str(uuid.UUID(int=self.dice.getrandbits(128)))
                what, _ = await self.insist(player, "save_game", save, keyed)
                if not self.note(game, f"save {name}", what):
                    break

    def note(self, game, move, what):
        """Writes down what was said of a move; whether the game goes on."""
        if what == DONE:
            game.moves.append(move)
        elif what == NOT_DONE:
            game.denied = move
        else:
            game.open = move
        return what == DONE

    async def insist(self, player, tool, arguments, keyed):
        """Makes a call until it is known what became of it; that, and the facts.

        A call that carries its own key is made anywhere; another is made at one node, for as long as
        that says that it does not know.
        """
        node, sure = self.dice.choice(self.place.nodes), True
        while True:
            self.tally.tried()
            try:
                answer = await self.caller(player, node).call(tool, arguments)
            except Lost as lost:
                if not keyed:
                    return None, None
                sure, what = False, NOT_KNOWN
                if time.monotonic() > self.until + GRACE:
                    self.tally.fault("untrue", f"no answer to {tool}: {lost}")
                    return None, None
                node = self.dice.choice(self.place.nodes)
            else:
                self.tally.answered()
                what = verdict(answer)
                if what == DONE:
                    return DONE, answer.facts
                if what is None:
                    self.tally.fault("untrue", f"{tool} {arguments}: {answer.status} {answer.raw[:300]}")
                    return None, None
                if what == NOT_DONE and sure:
                    await asyncio.sleep(PAUSE)
                    return NOT_DONE, None
                sure = False
            if time.monotonic() > self.until + GRACE:
                self.tally.fault("untrue", f"{tool} {arguments}: not known for {GRACE} s")
                return None, None
            await asyncio.sleep(PAUSE)

    def caller(self, player, node):
        key = player, node.address
        if key not in self.callers:
            self.callers[key] = Caller(node.address)
        return self.callers[key]

    async def settle(self):
        """Compares what was answered with what the store and every server say."""
        await self.place.recover()
        turns = "select game, move from turns order by game, number"
        there = {}
        for game, move in self.place.rows(turns):
            there.setdefault(int(game), []).append(move)
        caller = Caller(self.place.nodes[0].address)
        for game in self.games:
            if game.id.startswith("conversation"):
                game.compare(await self.log_of(caller, game.id, there), self.tally)
            else:
                game.compare(there.get(int(game.id, 16), []), self.tally)
        await self.told(there)
        self.count_wishes()
        caller.close()

    async def log_of(self, caller, conversation, there):
        """The moves of a conversation's dungeon; the server tells of as many."""
        answer = await caller.call("get_player_stats", {"conversationId": conversation})
        facts = answer.facts or {}
        log = there.get(int(facts.get("gameId", "0"), 16), [])
        if facts.get("turn") != len(log):
            self.tally.fault("untrue", f"{conversation}: a server tells of turn {facts.get('turn')}, "
                                       f"and {log} is there")
        return log

    async def told(self, there):
        """Every server tells of a game what the store has of it."""
        games = [game for game in self.games if not game.id.startswith("conversation")]
        for node in self.place.nodes:
            caller = Caller(node.address)
            for game in self.dice.sample(games, min(20, len(games))):
                answer = await caller.call("getGame", {"game_id": game.id})
                turn = (answer.facts or {}).get("turn")
                if turn != len(there.get(int(game.id, 16), [])) + 1:
                    self.tally.fault("untrue", f"{game.id}: a server tells of turn {turn}, and "
                                               f"{there.get(int(game.id, 16))} is there")
            caller.close()

    def count_wishes(self):
        """Who asked for one game has one."""
        wanted = set(self.wishes)
        made = {}
        for name, count in self.place.rows(
                "select name, count(*) from seats where name <> '' group by name"):
            made[name] = int(count)
        for name in wanted:
            if made.get(name, 0) > 1:
                self.tally.fault("doubled", f"{name} asked for one game and has {made[name]}")
