"""What a script is made of: steps, as plain data.

A script is a module with STEPS, and if it needs them FLAGS (of the server), CLIENTS (what a client
says of itself, by name), DOORS (if it is not for all of them; what the first one says is kept),
OFFICIAL = False (if the official clients would show no more than they do elsewhere) and DRAWN
(patterns of what chance has drawn, and what to write in its place). In arguments "$name" stands for what an earlier step kept under that
name.
"""


def call(tool, keep=None, by="one", **arguments):
    """A call of a tool. `keep` says what to keep: {name: field of the structure}."""
    params = {"name": tool, "arguments": arguments}
    return {"do": "ask", "by": by, "method": "tools/call", "params": params, "keep": keep or {}}


def but(doors, *steps):
    """Steps that these doors leave out, because they answer something else by design."""
    return [{**step, "but": doors} for step in steps]


def ask(method, params=None, keep=None, by="one"):
    """Any other request."""
    return {"do": "ask", "by": by, "method": method, "params": params or {}, "keep": keep or {}}


def hello(by="one"):
    """What the server says of itself in the handshake, where there is one."""
    return {"do": "hello", "by": by}


def meanwhile(waiting, deed):
    """A call that waits until it is answered because of another one."""
    return {"do": "meanwhile", "waiting": waiting, "deed": deed}


def post(body, path="/mcp", headers=None):
    """A body posted as it is, without any door's manners, to a path or an address."""
    return {"do": "post", "path": path, "headers": headers or {}, "body": body}


def crash():
    """kill -9, and the same server again."""
    return {"do": "crash"}


def follow(*uris, by="one"):
    """Asks for news of these resources, in the way the door has."""
    return {"do": "follow", "by": by, "uris": list(uris)}


def news(*uris, by="one"):
    """Waits until there has been news of each."""
    return {"do": "news", "by": by, "uris": list(uris)}


def operate(*arguments, keep=None):
    """`agon league` as its operator runs it; what it prints can be kept."""
    return {"do": "operate", "arguments": arguments, "keep": keep}


def listen(name, says):
    """A league's player that listens, and what it says to each type of message. Its address is kept
    under its name."""
    return {"do": "listen", "name": name, "says": says}


def player(name, *flags):
    """`agon player` without a league. Its address is kept under its name."""
    return {"do": "player", "name": name, "flags": flags}


def heard(name, *until):
    """What that player has been told when there has been a message of each of these types."""
    return {"do": "heard", "name": name, "until": until}


def act(action, conversation):
    """The call that an available action of the dungeon stands for."""
    tool, *words = action.split(" ", 2)
    names = {
        "move_to_room": ["direction"],
        "combat_action": ["action", "itemId" if words[:1] == ["UseItem"] else "targetMonsterId"],
        "cast_spell": ["spell", "targetMonsterId"],
        "talk_to_npc": ["npcId", "choice"],
        "inspect_item": ["itemId", "choice"],
        "save_game": [None, "load"],
    }.get(tool, ["itemId"])
    arguments = {name: word for name, word in zip(names, words) if name}
    return call(tool, conversationId=conversation, **arguments)
