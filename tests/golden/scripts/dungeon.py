"""All thirteen tools of the dungeon: one adventure to its end, and what is refused on the way."""

from steps import act, call

HERO = "golden"
# Dungeon 8, from the gate to the hero's death.
TALE = [
    "cast_spell Reveal", "move_to_room North", "move_to_room South", "save_game",
    "move_to_room North", "loot_treasure item-101", "inspect_item feature-004",
    "loot_treasure item-102", "rest", "move_to_room East", "talk_to_npc npc-003 secret",
    "move_to_room West", "loot_treasure item-103", "save_game", "equip_item item-002", "save_game",
    "move_to_room East", "move_to_room North", "combat_action UseItem item-101",
    "combat_action UseItem item-001", "combat_action Defend", "combat_action Attack monster-007",
    "cast_spell Firebolt monster-006", "combat_action UseItem item-001", "cast_spell Mend",
    "combat_action UseItem item-001", "combat_action UseItem item-002", "combat_action Flee",
    "equip_item item-101", "use_item item-001", "move_to_room East",
    "combat_action UseItem item-002", "combat_action Defend", "combat_action UseItem item-101",
    "combat_action UseItem item-002", "combat_action UseItem item-001",
    "combat_action Attack monster-004", "combat_action UseItem item-101", "combat_action Flee",
]


def look(hero=HERO):
    return [call(tool, conversationId=hero)
            for tool in ["get_current_room", "get_player_stats", "get_map"]]


def tried(hero):
    """What goes wrong wherever the hero is, and changes nothing."""
    wrong = [
        ("move_to_room", {}),
        ("move_to_room", {"direction": "up"}),
        ("move_to_room", {"direction": 5}),
        ("move_to_room", {"direction": None}),
        ("move_to_room", {"direction": ""}),
        ("combat_action", {}),
        ("combat_action", {"action": "Dance"}),
        ("combat_action", {"action": "Attack", "targetMonsterId": "nobody"}),
        ("combat_action", {"action": "UseItem"}),
        ("combat_action", {"action": "use_item", "itemId": "item-999"}),
        ("loot_treasure", {"itemId": "item-999"}),
        ("use_item", {}),
        ("use_item", {"itemId": "item-999"}),
        ("equip_item", {"itemId": "x" * 200}),
        ("equip_item", {"itemId": "item-999"}),
        ("inspect_item", {"itemId": "no such thing"}),
        ("cast_spell", {}),
        ("cast_spell", {"spell": "Wish"}),
        ("talk_to_npc", {}),
        ("talk_to_npc", {"npcId": "nobody"}),
        ("save_game", {"load": "save-9"}),
        ("save_game", {"name": ["a"]}),
    ]
    return [call(tool, conversationId=hero, **arguments) for tool, arguments in wrong]


CONVERSATIONS = [
    call("get_current_room"),
    *[call("get_current_room", conversationId=id_) for id_ in
      [None, "", "  ", 5, "a\nb", "x" * 129]],
    call("get_map"),
    call("get_current_room", conversationId="other", seed=-1),
    call("get_current_room", conversationId="by a word", seed="a word"),
    call("get_current_room", conversationId="by a number", seed=12),
    call("get_current_room", conversationId="by a number", seed=13),
]

# A key makes a call safe to repeat.
KEYS = [
    call("get_current_room", conversationId="keys", seed="8"),
    call("move_to_room", conversationId="keys", direction="n", requestId="k1"),
    call("move_to_room", conversationId="keys", direction="n", requestId="k1"),
    call("move_to_room", conversationId="keys", direction="South", requestId="k1"),
    call("move_to_room", conversationId="keys", direction="West"),
    call("loot_treasure", conversationId="keys"),
    call("loot_treasure", conversationId="keys", itemId="item-102"),
    call("get_player_stats", conversationId="keys", hp=999, gold=999),
]

FIGHT = TALE.index("combat_action Defend")

STEPS = [
    *CONVERSATIONS,
    *KEYS,
    call("get_current_room", conversationId=HERO, seed="8"),
    *look()[1:],
    *tried(HERO),
    act("combat_action Attack", HERO),
    *[act(action, HERO) for action in TALE[:FIGHT]],
    *look(),
    *tried(HERO),
    *[call(tool, conversationId=HERO, **arguments) for tool, arguments in [
        ("move_to_room", {"direction": "South"}), ("rest", {}), ("save_game", {"load": "save-1"}),
        ("loot_treasure", {}), ("equip_item", {"itemId": "item-002"})]],
    *[act(action, HERO) for action in TALE[FIGHT:]],
    *look(),
    *[call(tool, conversationId=HERO, **arguments) for tool, arguments in [
        ("move_to_room", {"direction": "North"}), ("combat_action", {"action": "Attack"}),
        ("rest", {}), ("save_game", {}), ("cast_spell", {"spell": "Mend"}), ("talk_to_npc", {})]],
]
