"""Where rows of the dungeon begin: places and plights, each reached by playing there.

A scene answers what its rows may refer to: the room, its exits, who and what is there.
"""

from delver import Hero, walk

SCENES = {}
AROUND = ["North", "South", "East", "West"]


def scene(name, goal, **how):
    SCENES[name] = lambda stage: describe(walk(stage, name, goal, **how))


def describe(hero):
    """What a row may speak of."""
    room = hero.room
    exits = {exit["direction"]: exit for exit in room["exits"]}
    known = {"room": room["roomId"], "turn": room["turn"], "hp": hero.stats["hp"],
             "wall": next((one for one in AROUND if one not in exits), None)}
    known["wall_word"] = (known["wall"] or "").lower()
    for direction, exit in exits.items():
        name = "locked" if exit["isLocked"] else "way"
        known.setdefault(name, direction)
        known.setdefault(name + "_to", exit["roomId"])
    for number, monster in enumerate(hero.monsters, 1):
        known |= {f"monster{number}": monster["id"], f"monster{number}_name": monster["name"],
                  f"monster{number}_hp": monster["hp"]}
    for number, item in enumerate(room["items"], 1):
        known |= {f"item{number}": item["id"], f"item{number}_name": item["name"],
                  f"item{number}_value": item["value"]}
    return known


def fresh(stage):
    return describe(Hero(stage.call, stage.saved["talk"], 1))


SCENES["a new dungeon"] = fresh


def calm(hero):
    return not hero.monsters and not hero.is_over


def lies(hero, kind):
    """Whether one thing of this type lies here, and nothing else."""
    items = hero.room["items"]
    return calm(hero) and len(items) == 1 and items[0]["type"] == kind


scene("nothing lies here", lambda hero: calm(hero) and not hero.room["items"])
scene("a way north into the unknown",
      lambda hero: calm(hero) and any(
          exit["direction"] == "North" and not exit["isLocked"]
          and exit["roomId"] not in hero.entered | {hero.room["roomId"]}
          for exit in hero.room["exits"]), most=3)
scene("several things lie here", lambda hero: calm(hero) and len(hero.room["items"]) > 1, most=4)
scene("two things lie here", lambda hero: calm(hero) and len(hero.room["items"]) == 2, most=40)
scene("a weapon and more lie here",
      lambda hero: calm(hero) and any(
          item["name"] == "Iron Sword" for item in hero.room["items"][:1]), most=4)
scene("treasure lies here", lambda hero: calm(hero) and any(
    item["type"] == "Treasure" and item["value"] > 0 for item in hero.room["items"][:1]), most=40)
scene("one treasure lies here",
      lambda hero: lies(hero, "Treasure") and hero.room["items"][0]["value"] > 0, most=40)
scene("one weapon lies here", lambda hero: lies(hero, "Weapon"), most=40)
scene("armor lies here", lambda hero: calm(hero) and any(
    item["name"] == "Plate Armor" for item in hero.room["items"][:1]), greedy=True)
scene("one potion lies here", lambda hero: lies(hero, "Potion"), most=40)
scene("a locked door",
      lambda hero: calm(hero) and any(exit["isLocked"] for exit in hero.room["exits"]), most=60)
scene("a fight", lambda hero: len(hero.monsters) == 1, most=4)
scene("a Goblin Scout",
      lambda hero: [one["name"] for one in hero.monsters] == ["Goblin Scout"], most=6)
scene("two monsters", lambda hero: len(hero.monsters) == 2, most=6)
scene("wounded in a fight",
      lambda hero: hero.monsters and hero.stats["hp"] < 25 and hero.stats["level"] == 1, most=10)
scene("wounded after a fight",
      lambda hero: calm(hero) and 5 < hero.stats["hp"] < 25 and hero.stats["level"] == 1, most=20)
scene("a dropped item",
      lambda hero: calm(hero) and hero.last and hero.last.get("itemsDropped"), most=30)
scene("a second level", lambda hero: calm(hero) and hero.stats["level"] == 2, greedy=True)
scene("a full bag",
      lambda hero: calm(hero) and hero.room["items"]
      and hero.room["items"][0]["type"] in ["Weapon", "Armor"]
      and len(hero.stats["inventory"]) == 10, greedy=True, most=300)
scene("an Iron Sword in hand",
      lambda hero: hero.stats["equippedWeapon"]["name"] == "Iron Sword", greedy=True)
scene("a dead hero", lambda hero: hero.room["gameStatus"] == "Dead")
scene("somebody to talk to", lambda hero: calm(hero) and hero.can("talk_to_npc"), most=30)
