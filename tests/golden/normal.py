"""Answers without what differs from one run to the next: ids, passes, times and the like become
placeholders, numbered as they appear, so that the same one is the same throughout."""

import json
import re

PASS = r"\b([0-9a-f]{8})-[0-9a-f]{16}\b"
UUID = r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
TIME = r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"
PGN_DATE = r'\[((?:UTC)?(?:Date|Time)) "[0-9.:]+"\]'
# Fields that hold a game's id, and texts that tell one.
GAME_FIELDS = {"game_id", "gameId", "game"}
GAME_IN_TEXT = r"Game ID: ([0-9a-f]{8})\b"
TOKEN_FIELDS = {"auth_token", "operator_token"}
# Drawn for every game that the computer plays in.
LUCK_FIELDS = {"luck", "luck_hash"}
LUCK_IN_TEXT = r"Luck of the computer: (?:\d+|(told at the end)) \(SHA-256 [0-9a-f]{64}\)"
# What is left of a clock that runs, as a field and in words: told by the process that has the clock.
LEFT = "seconds_left"
LEFT_IN_TEXT = r"within \d+ seconds?( of becoming due,)? call"
# Every game has such a resource. These show how they are told, so that a new game changes nothing here.
GAME_TEMPLATE = r"(?!chess:|connect-four:|dungeon:)[a-z-]+://game/\{game_id\}"
# Pages change with every build; how much of a model's attention they cost is worth knowing.
SIZES = [(2_000, "under 2 kB"), (20_000, "under 20 kB"), (100_000, "under 100 kB")]


class Normal:
    """What is known so far in one transcript."""

    def __init__(self, version):
        self.version = rf"(?<![\d.]){re.escape(version)}(?![\d.])"
        # Filled by whoever knows what a value is called.
        self.names = {}
        self.counts = {}

    def name(self, kind, value):
        if value not in self.names:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            self.names[value] = f"<{kind} {self.counts[kind]}>"
        return self.names[value]

    def learn(self, value, field=None):
        """Finds ids and tokens that only their place gives away."""
        if isinstance(value, dict):
            for name, part in value.items():
                self.learn(part, name)
        elif isinstance(value, list):
            for part in value:
                self.learn(part)
        elif isinstance(value, str):
            if field in GAME_FIELDS and re.fullmatch("(?!0{8})[0-9a-f]{8}", value):
                self.name("game", value)
            elif field in TOKEN_FIELDS and re.fullmatch("[0-9a-f]{64}", value):
                self.name("token", value)
            for game in re.findall(GAME_IN_TEXT, value):
                self.name("game", game)

    def of(self, value):
        self.learn(value)
        return self._replaced(value)

    def _replaced(self, value):
        if isinstance(value, dict):
            return {name: f"<{name}>" if name in LUCK_FIELDS else self._replaced(part)
                    for name, part in value.items() if name != LEFT}
        if isinstance(value, list):
            return [self._replaced(part) for part in in_order(value) if not of_any_game(part)]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text):
        if text.lstrip().lower().startswith(("<!doctype html", "<html")):
            return f"<page, {size(text)}>"
        text = re.sub(r"127\.0\.0\.1:\d+", lambda m: self.names.get(m[0], "<server>"), text)
        # A pass of no game we know is an example.
        text = re.sub(
            PASS, lambda m: self.name("pass", m[0]) if m[1] in self.names else m[0], text)
        text = re.sub(r"(?<=#open=)[0-9a-f]{16}", lambda m: self.name("link", m[0]), text)
        text = re.sub(UUID, lambda m: self.name("uuid", m[0]), text)
        text = re.sub(r"\b(?:[0-9a-f]{8}|[0-9a-f]{64})\b",
                      lambda m: self.names.get(m[0], m[0]), text)
        text = re.sub(TIME, "<time>", text)
        text = re.sub(LEFT_IN_TEXT, "within <seconds> call", text)
        text = re.sub(LUCK_IN_TEXT,
                      lambda m: f"Luck of the computer: {m[1] or '<luck>'} (SHA-256 <hash>)", text)
        text = re.sub(r"%emt [0-9:.]+", "%emt <time>", text)
        text = re.sub(PGN_DATE, r'[\1 "<date>"]', text)
        return re.sub(self.version, "<version>", text)


def size(text):
    return next((words for most, words in SIZES if len(text) < most), "100 kB or more")


def of_any_game(value):
    return isinstance(value, dict) and bool(re.fullmatch(GAME_TEMPLATE, value.get("uriTemplate", "")))


def in_order(values):
    """A table with ties names those who are equal in the order of a lot."""
    if not values or not all(isinstance(v, dict) and "decided_by" in v for v in values):
        return values
    ordered = sorted(values, key=lambda line: (line["rank"], line["player_id"]))
    return [{**line, "decided_by": place["decided_by"]} for line, place in zip(ordered, values)]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
