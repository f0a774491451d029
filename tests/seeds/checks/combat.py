"""Checks of combat: every roll is told, so every rule can be held against it."""

import functools
import re
import threading

from delver import Hero, step

from . import check
from .dungeon import ask

# Enough that both sides roll every number.
ROUNDS = 50


def strike_once(stage, **target):
    before = ask(stage, "get_current_room")["monsters"]
    hp = ask(stage, "get_player_stats")["hp"]
    return before, hp, ask(stage, "combat_action", action="Attack", **target)


@check
def strikes_a_scout(stage):
    before, hp, blow = strike_once(stage, targetMonsterId=stage.saved["monster1"])
    assert blow["success"] and blow["monsterName"] == "Goblin Scout", blow
    left = max(0, before[0]["hp"] - blow["playerDamageDealt"])
    assert blow["monsterHpRemaining"] == left, blow
    assert blow["playerHpRemaining"] == hp - blow["playerDamageTaken"], blow
    if left:
        nothing = {"monsterKilled": False, "combatOver": False, "victory": False,
                   "experienceGained": 0, "goldDropped": 0, "itemsDropped": []}
        assert nothing.items() <= blow.items(), blow


@check
def kills_a_scout(stage):
    blow = {"monsterKilled": False}
    while not blow["monsterKilled"]:
        blow = ask(stage, "combat_action", action="Attack")
        assert blow["success"], blow
    won = {"monsterKilled": True, "monsterName": "Goblin Scout", "monsterHpRemaining": 0,
           "combatOver": True, "victory": True, "experienceGained": 25, "goldDropped": 10,
           "playerDamageTaken": 0}
    assert won.items() <= blow.items(), blow
    assert isinstance(blow["itemsDropped"], list), blow


@check
def drinks_in_a_fight(stage):
    stats = ask(stage, "get_player_stats")
    monster = ask(stage, "get_current_room")["monsters"][-1]
    drink = ask(stage, "combat_action", action="UseItem", itemId="item-001")
    assert drink["success"] and drink["playerDamageDealt"] == 0, drink
    assert not drink["monsterKilled"] and not drink["combatOver"], drink
    assert (drink["monsterName"], drink["monsterHpRemaining"]) == (monster["name"], monster["hp"])
    healed = min(stats["maxHp"], stats["hp"] + 15)
    assert drink["playerHpRemaining"] == healed - drink["playerDamageTaken"], drink


@check
def turn_order(stage):
    before, _, blow = strike_once(stage)
    by = [roll["by"] for roll in blow["rolls"]]
    alive = [monster["id"] for monster in ask(stage, "get_current_room")["monsters"]
             if monster["isAlive"]]
    assert by[0] == "you" and by[1:] == alive, (by, alive, before)


class Round:
    """One round of combat: what was known before it, and what came of it."""

    def __init__(self, hero, action):
        self.monsters = {one["id"]: one for one in hero.monsters}
        self.hero = hero.stats
        self.room = hero.room
        target = min(hero.monsters, key=lambda one: one["hp"])["id"]
        self.target = self.monsters[target]
        given = {"targetMonsterId": target} if action == "Attack" else {}
        self.answer = hero.act("combat_action", action=action, **given)
        self.rolls = self.answer["rolls"]


# Rounds are fought once for all rows that look at them.
FIGHTING = threading.Lock()


@functools.cache
def _fought(call, action):
    rounds = []
    for seed in range(1, 60):
        hero = Hero(call, f"rounds of {action} {seed}", seed)
        for number in range(30):
            if hero.is_over or len(rounds) == ROUNDS:
                break
            if not hero.monsters:
                if not step(hero, greedy=False):
                    break
            elif action == "Defend" and number % 3 == 0:
                # Who only defends never wins.
                hero.fight()
            else:
                rounds.append(Round(hero, action))
        if len(rounds) == ROUNDS:
            return rounds
    raise AssertionError(f"only {len(rounds)} rounds were fought")


def fought(stage, action):
    with FIGHTING:
        return _fought(stage.client().call, action)


def hurt(force, die):
    """What a blow does, by the seed's rule: never below nothing, a six doubles."""
    damage = max(0, force + die)
    return damage * 2 if die == 6 else damage


@check
def damage_of_the_hero(stage):
    for one in fought(stage, "Attack"):
        roll = one.rolls[0]
        force = one.hero["equippedWeapon"]["damage"] - one.target["defense"]
        assert roll["damage"] == hurt(force, roll["die"]), (roll, one.target, one.hero)
        assert one.answer["playerDamageDealt"] in [roll["damage"], one.target["hp"]], one.answer
        assert 1 <= roll["die"] <= 6


def rage(monster):
    """What is added to its attack once it has been hit hard, by what is told of it."""
    told = re.match(r"\+(\d+) attack from half", monster.get("manner", ""))
    return int(told[1]) if told else 0


def blows_of_monsters(rounds):
    for one in rounds:
        for roll in one.rolls:
            if roll["by"] in one.monsters and roll["for"] == "attack":
                monster = one.monsters[roll["by"]]
                force = monster["attack"] - one.hero["equippedArmor"]["defense"]
                angry = hurt(force + rage(monster), roll["die"])
                damage = hurt(force, roll["die"])
                yield one, roll, angry if roll["damage"] == angry else damage


@check
def damage_of_monsters(stage):
    blows = list(blows_of_monsters(fought(stage, "Attack")))
    for one, roll, damage in blows:
        assert roll["damage"] == damage, (roll, one.monsters, one.hero)
    for one in fought(stage, "Attack"):
        # Poison and fire roll dice of their own.
        taken = sum(roll["damage"] for roll in one.rolls if roll["by"] != "you")
        assert one.answer["playerDamageTaken"] in [taken, one.hero["hp"]], one.answer


@check
def sixes_double(stage):
    rounds = fought(stage, "Attack")
    own = [(one, one.rolls[0]) for one in rounds if one.rolls[0]["die"] == 6]
    theirs = [(one, roll) for one, roll, _ in blows_of_monsters(rounds) if roll["die"] == 6]
    assert own and theirs, "nobody rolled a six"
    for one, roll in own:
        force = one.hero["equippedWeapon"]["damage"] - one.target["defense"]
        assert roll["damage"] == 2 * max(0, force + 6), roll
    for one, roll in theirs:
        monster = one.monsters[roll["by"]]
        force = monster["attack"] - one.hero["equippedArmor"]["defense"]
        assert roll["damage"] in [2 * (force + 6), 2 * (force + rage(monster) + 6)], roll


@check
def defending_halves(stage):
    blows = list(blows_of_monsters(fought(stage, "Defend")))
    assert any(damage > 1 for _, _, damage in blows)
    for one, roll, damage in blows:
        assert roll["damage"] == damage // 2, (roll, one.monsters, one.hero)


@check
def fleeing(stage):
    """From a first fight in many dungeons, once each: what the die says, happens."""
    fled = {True: 0, False: 0}
    for seed in range(1, 60):
        if min(fled.values()) >= 2:
            return
        hero = Hero(stage.call, f"{stage.saved['talk']} {seed}", seed)
        while not hero.monsters and step(hero, greedy=False):
            pass
        if not hero.monsters:
            continue
        here, exits = hero.room["roomId"], hero.room["exits"]
        answer = hero.act("combat_action", action="Flee")
        got_away = hero.room["roomId"] != here
        assert answer["rolls"][0]["for"] == "flee", answer
        assert got_away == (answer["rolls"][0]["die"] >= 4), answer
        if got_away:
            there = [exit["roomId"] for exit in exits if not exit["isLocked"]]
            assert hero.room["roomId"] in there, (answer, exits)
            # Some monsters strike at who leaves, with a die.
            parting = sum(roll.get("damage", 0) for roll in answer["rolls"])
            over = {"combatOver": True, "victory": False, "playerDamageTaken": parting}
            assert over.items() <= answer.items(), answer
            assert answer["newRoom"]["roomId"] == hero.room["roomId"], answer
        fled[got_away] += 1
    raise AssertionError(f"not both ends of fleeing were seen: {fled}")


@check
def flees_and_comes_back(stage):
    hero = Hero(stage.call, stage.saved["talk"])
    here, wounds = hero.room["roomId"], [one["hp"] for one in hero.monsters]
    while hero.room["roomId"] == here:
        assert not hero.is_over, "the hero died; nothing can be said of fleeing"
        hero.act("combat_action", action="Flee")
    back = next(exit for exit in hero.room["exits"] if exit["roomId"] == here)
    assert hero.act("move_to_room", direction=back["direction"])["success"]
    assert [one["hp"] for one in hero.monsters] == wounds, hero.monsters


@check
def the_fatal_round(stage):
    for seed in range(1, 20):
        hero = Hero(stage.call, f"{stage.saved['talk']} {seed}", seed)
        while not hero.is_over and step(hero, greedy=False):
            pass
        if hero.room["gameStatus"] == "Dead":
            fatal = {"success": True, "playerHpRemaining": 0, "combatOver": True, "victory": False}
            assert fatal.items() <= hero.last.items(), hero.last
            return
    raise AssertionError("nobody died")
