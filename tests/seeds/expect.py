"""Whether what came is what must come.

An expected value is JSON, of which what came may have more: objects must hold the fields, lists
be as long. Words in angle brackets stand for what cannot be known beforehand:

    <string> <number> <integer> <boolean> <array> <object>   a value of that type
    <any> <absent>                                            anything; nothing at all
    <string or null>                                          the same, or null
    <one of North, South>                                     one of these texts
    <matches ^P\\d+$>                                          a text with that in it
    <at least 1> <at most 6>                                  a number
    <length 3> <shorter than 9> <not empty>                   of a list, an object or a text

In the place of a list, {"<each>" = x} is about all its items and {"<some>" = x} about one of them;
several such items may be asked for with {"<some>" = [x, y]}.
"""

import re

TYPES = {
    "string": lambda v: isinstance(v, str),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
    "null": lambda v: v is None,
    "any": lambda v: v is not MISSING,
}
MISSING = object()


def differences(expected, found, at=""):
    """What does not fit, in words; nothing if all does."""
    if isinstance(expected, str) and re.fullmatch(r"<.+>", expected, re.S):
        if not fits(expected[1:-1], found):
            yield f"{at or 'it'} should be {expected}, is {show(found)}"
    elif found is MISSING:
        yield f"{at} is missing, should be {show(expected)}"
    elif isinstance(expected, dict) and set(expected) & {"<each>", "<some>"}:
        yield from differences_of_items(expected, found, at)
    elif isinstance(expected, dict):
        if not isinstance(found, dict):
            yield f"{at or 'it'} should be an object, is {show(found)}"
            return
        for name, value in expected.items():
            there = f"{at}.{name}" if at else name
            yield from differences(value, found.get(name, MISSING), there)
    elif isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            yield f"{at or 'it'} should be {show(expected)}, is {show(found)}"
            return
        for index, value in enumerate(expected):
            yield from differences(value, found[index], f"{at}[{index}]")
    elif expected != found or isinstance(expected, bool) != isinstance(found, bool):
        yield f"{at or 'it'} should be {show(expected)}, is {show(found)}"


def differences_of_items(expected, found, at):
    if not isinstance(found, list):
        yield f"{at or 'it'} should be a list, is {show(found)}"
        return
    if "<each>" in expected:
        if not found:
            yield f"{at or 'it'} is empty"
        for index, item in enumerate(found):
            yield from differences(expected["<each>"], item, f"{at}[{index}]")
    wanted = expected.get("<some>", [])
    for one in wanted if isinstance(wanted, list) else [wanted]:
        if not any(not list(differences(one, item)) for item in found):
            yield f"{at or 'it'} should have {show(one)}, is {show(found)}"


def fits(word, found):
    if word == "absent":
        return found is MISSING
    if found is MISSING:
        return False
    if word.endswith(" or null"):
        return found is None or fits(word.removesuffix(" or null"), found)
    if word in TYPES:
        return TYPES[word](found)
    if word == "not empty":
        return bool(found)
    kind, _, rest = word.partition(" ")
    if kind == "one":
        return found in rest.removeprefix("of ").split(", ")
    if kind == "matches":
        return isinstance(found, str) and re.search(rest, found) is not None
    if kind == "at":
        bound = float(rest.split(" ")[1])
        return TYPES["number"](found) and (
            found >= bound if rest.startswith("least") else found <= bound)
    if kind == "shorter":
        return hasattr(found, "__len__") and len(found) < int(rest.split(" ")[1])
    if kind == "length":
        return hasattr(found, "__len__") and len(found) == int(rest)
    raise ValueError(f"nobody knows what <{word}> means")


def show(value, most=300):
    text = "nothing" if value is MISSING else repr(value)
    return text if len(text) <= most else text[:most] + "..."
