"""Values for a schema: mostly what it asks for, often what is in play, sometimes neither."""

import string

# Texts that have broken readers before.
ODD = ["", " ", "\x00", "\x1b[31m", "a\r\nb: c", "../../etc/passwd", "%00%ff", "💥" * 20, "\u202e",
       "'; drop table games; --", "{}", "[]", "null", "-1", "1e999", "NaN", "0x10", "\ufeff",
       "A" * 300, "é" * 5000, "<script>", "${7*7}", "\ud800", "e2e4\n", "٣"]
NUMBERS = [0, -1, 1, 2, 10, 255, 65536, 2**31, 2**32, 2**53, 2**63, 2**64, -(2**63), 10**30, 0.5,
           -0.0, 1e308]
MOVES = ["e2e4", "e7e5", "g1f3", "Nf3", "O-O", "e7e8q", "d4", "resign", "offerDraw"]


class Values:
    def __init__(self, dice, pool):
        self.dice = dice
        # What has been seen in answers, by the name under which it was seen.
        self.pool = pool

    def of(self, schema, name="", depth=0):
        """A value for this schema, unless the dice say otherwise."""
        if self.dice.random() < 0.08 or depth > 6:
            return self.anything(depth)
        known = self.pool.get(name)
        if known and self.dice.random() < 0.8:
            return self.dice.choice(known)
        if "enum" in schema:
            return self.dice.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        for either in ("anyOf", "oneOf", "allOf"):
            if schema.get(either):
                return self.of(self.dice.choice(schema[either]), name, depth + 1)
        kind = schema.get("type", "string")
        kind = self.dice.choice(kind) if isinstance(kind, list) else kind
        make = getattr(self, f"make_{kind}", None)
        return make(schema, name, depth) if make else self.anything(depth)

    def make_object(self, schema, name, depth):
        wanted = set(schema.get("required", []))
        made = {}
        for field, inner in schema.get("properties", {}).items():
            if self.dice.random() < (0.97 if field in wanted else 0.4):
                made[field] = self.of(inner if isinstance(inner, dict) else {}, field, depth + 1)
        if self.dice.random() < 0.05:
            made[self.text()] = self.anything(depth)
        return made

    def make_array(self, schema, name, depth):
        inner = schema.get("items", {})
        inner = inner if isinstance(inner, dict) else {}
        return [self.of(inner, name, depth + 1) for _ in range(self.dice.choice([0, 1, 2, 9]))]

    def make_string(self, schema, name, depth):
        return self.text()

    def make_integer(self, schema, name, depth):
        if self.dice.random() < 0.5:
            return self.dice.randint(schema.get("minimum", 0), schema.get("maximum", 12))
        return self.dice.choice(NUMBERS)

    make_number = make_integer

    def make_boolean(self, schema, name, depth):
        return self.dice.random() < 0.5

    def make_null(self, schema, name, depth):
        return None

    def text(self):
        roll = self.dice.random()
        if roll < 0.4:
            return self.dice.choice(ODD)
        if roll < 0.6:
            return self.dice.choice(MOVES)
        if roll < 0.8:
            return self.known()
        return "".join(self.dice.choices(string.printable, k=self.dice.randrange(40)))

    def known(self):
        """Something that was seen, under whatever name."""
        return self.dice.choice(self.dice.choice(list(self.pool.values()) or [[""]]) or [""])

    def anything(self, depth=0):
        roll = self.dice.random()
        if roll < 0.5:
            return self.text()
        if roll < 0.7:
            return self.dice.choice(NUMBERS)
        if roll < 0.8:
            return self.dice.choice([None, True, False, [], {}])
        if depth > 3:
            return self.deep()
        return {self.text(): self.anything(depth + 1) for _ in range(3)}

    def deep(self):
        made = "leaf"
        for _ in range(self.dice.choice([10, 60, 200])):
            made = [made]
        return made


class Pool(dict):
    """What was seen in answers, a few of each name."""

    MOST = 40

    def learn(self, value, name=""):
        if isinstance(value, dict):
            for field, inner in value.items():
                self.learn(inner, field)
                if field == "pass":
                    # It may be sent wherever a game is named.
                    self.learn(inner, "game_id")
        elif isinstance(value, list):
            for inner in value[:10]:
                self.learn(inner, name)
        elif isinstance(value, str) and value and len(value) < 200:
            seen = self.setdefault(name, [])
            if value not in seen:
                seen.append(value)
                del seen[:-self.MOST]
