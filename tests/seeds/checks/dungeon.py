"""Checks of the dungeon: how answers hang together, what is kept, whole games."""

import json
import sqlite3
import threading

import wire
from delver import Hero, step

from . import check

ROOM = ["roomId", "roomType", "description", "visited", "monsters", "items", "exits"]
PLANNED = ["use_item", "equip_item", "rest", "inspect_item", "save_game", "get_map", "cast_spell",
           "talk_to_npc"]
CORE = ["get_current_room", "get_player_stats", "move_to_room", "combat_action", "loot_treasure"]


def ask(stage, tool, **arguments):
    """An answer of this row's conversation, as a client of the seed reads it: JSON in the text."""
    return json.loads(stage.call(tool, conversationId=stage.saved["talk"], **arguments).text)


@check
def all_ask_for_a_conversation(stage):
    tools = stage.client().request("tools/list").result["tools"]
    tools = {tool["name"]: tool for tool in tools}
    for tool in [tools[name] for name in [*CORE, *PLANNED]]:
        schema = tool["inputSchema"]
        assert schema["properties"]["conversationId"]["type"] == "string", tool
        assert "conversationId" in schema["required"], tool


@check
def text_is_structure(stage):
    for tool in ["get_current_room", "get_player_stats"]:
        answer = stage.call(tool, conversationId=stage.saved["talk"])
        assert [block["type"] for block in answer.content] == ["text"], answer.content
        assert json.loads(answer.text) == answer.facts, answer.raw


@check
def visited_when_one_comes_again(stage):
    assert ask(stage, "move_to_room", direction="North")["newRoom"]["visited"] is False
    assert ask(stage, "get_current_room")["visited"] is False
    back = ask(stage, "move_to_room", direction="South")
    while not back["success"]:
        # Something is in the way; either end of the fight will do.
        ask(stage, "combat_action", action="Attack")
        back = ask(stage, "move_to_room", direction="South")
    assert back["newRoom"]["visited"] is True, back
    assert ask(stage, "get_current_room")["visited"] is True


@check
def the_new_room_is_the_current_room(stage):
    moved = ask(stage, "move_to_room", direction=stage.saved["way"])
    room = ask(stage, "get_current_room")
    for field in ROOM:
        assert moved["newRoom"][field] == room[field], (field, moved, room)


@check
def workflow(stage):
    hero = Hero(stage.call, stage.saved["talk"], 1)
    while not hero.monsters:
        assert step(hero, greedy=False), "there is no monster anywhere"
    names = [monster["name"] for monster in hero.last["newRoom"]["monsters"]]
    assert names == [monster["name"] for monster in hero.monsters], hero.last
    assert ask(stage, "combat_action", action="Attack")["success"]


@check
def treasure_is_gold(stage):
    before = ask(stage, "get_player_stats")
    looted = ask(stage, "loot_treasure")
    after = ask(stage, "get_player_stats")
    assert after["gold"] == before["gold"] + looted["item"]["value"], (before, looted, after)
    assert after["inventory"] == before["inventory"], after


@check
def loots_at_once(stage):
    before = ask(stage, "get_player_stats")["gold"]
    looted = []
    threads = [threading.Thread(target=lambda: looted.append(ask(stage, "loot_treasure")))
               for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lucky = [one for one in looted if one["success"]]
    assert len(looted) == 8 and len(lucky) == 1, looted
    assert ask(stage, "get_player_stats")["gold"] == before + lucky[0]["goldGained"]


@check
def drops(stage):
    """The blow after which something lies there, in the first dungeon where one does."""
    for seed in range(1, 20):
        hero = Hero(stage.call, f"{stage.saved['talk']} {seed}", seed)
        for _ in range(60):
            if hero.last and hero.last.get("itemsDropped"):
                for item in hero.last["itemsDropped"]:
                    assert all(isinstance(item[field], str) for field in ["id", "name", "type"])
                    assert item["id"] in [one["id"] for one in hero.room["items"]], hero.room
                return
            if hero.is_over or not step(hero, greedy=True):
                break
    raise AssertionError("nothing was dropped anywhere")


@check
def a_spoilt_game(stage):
    with wire.Server() as server:
        client = wire.Plain(server)
        room = client.call("get_current_room", conversationId="spoilt", seed="1").facts
        way = room["exits"][0]["direction"]
        client.call("move_to_room", conversationId="spoilt", direction=way)
        server.kill()
        with sqlite3.connect(server.store.removeprefix("sqlite:")) as store:
            store.execute("update turns set move = 'scribble'")
        store.close()
        server.start()
        answer = wire.Plain(server).call("get_current_room", conversationId="spoilt")
        error = json.loads(answer.text)["error"]
        assert answer.result["isError"] is True, answer.raw
        assert error["code"] == "GAME_STATE_ERROR", answer.raw
        assert error["details"]["condition"] == "GameStateCorrupted", answer.raw


@check
def goes_on_after_a_crash(stage):
    with wire.Server() as server:
        client = wire.Plain(server)
        hero = Hero(client.call, stage.saved["talk"], 1)
        for _ in range(8):
            step(hero, greedy=True)
        looks = lambda: [wire.Plain(server).call(tool, conversationId=stage.saved["talk"]).facts
                         for tool in ["get_current_room", "get_player_stats", "get_map"]]
        before = looks()
        server.kill()
        server.start()
        assert looks() == before


@check
def another_process_sees_the_same(stage):
    with wire.Stdio(stage.house.server) as client:
        for tool in ["get_current_room", "get_map"]:
            there = client.call(tool, conversationId=stage.saved["talk"]).facts
            assert there == ask(stage, tool), there


# Won by five tools with the rules as they are; if they change, another one is looked for.
WON = [60, *range(1, 60)]


def whole_game(stage):
    """Every call and answer of a dungeon that was won with the core tools alone."""
    for seed in WON:
        told = []

        def call(tool, **arguments):
            assert tool in CORE, tool
            told.append((tool, stage.call(tool, **arguments)))
            return told[-1][1]
        hero = CoreHero(call, f"{stage.saved['talk']} {seed}", seed)
        while not hero.is_over and step(hero, greedy=True):
            pass
        if hero.room["gameStatus"] == "Victory":
            return told
    raise AssertionError("no dungeon was won")


class CoreHero(Hero):
    """One who knows the five core tools only."""

    def fight(self):
        stats = self.stats
        if stats["hp"] * 2 < stats["maxHp"] and (drink := self.can("combat_action", "UseItem")):
            return self.act("combat_action", action="UseItem", itemId=drink[2])
        return self.act("combat_action", action="Attack")

    def tidy(self):
        if loot := self.can("loot_treasure"):
            self.act("loot_treasure", itemId=loot[1])
            return self.last["success"]
        return False


@check
def the_five_suffice(stage):
    """To the victory, with each answer held against its tool's schema."""
    tools = {tool["name"]: tool["outputSchema"] for tool in
             stage.client().request("tools/list").result["tools"] if tool["name"] in CORE}
    types = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
    for tool, answer in whole_game(stage):
        for name in tools[tool].get("required", []):
            assert name in answer.facts, (tool, name, answer.text)
        for name, about in tools[tool]["properties"].items():
            kind = types.get(about.get("type"))
            if kind and name in answer.facts:
                assert isinstance(answer.facts[name], kind), (tool, name, answer.text)
