"""The first steps of the official clients' stories in dungeons 21 and 8."""

from steps import act, call

OFFICIAL = False

TYPESCRIPT = [
    "save_game", "save_game", "cast_spell Reveal", "move_to_room East", "combat_action Flee",
    "combat_action Attack monster-008", "save_game", "cast_spell Ward",
    "combat_action UseItem item-001", "combat_action Flee", "combat_action Attack monster-003",
    "combat_action Attack monster-002", "inspect_item feature-008", "cast_spell Ward",
    "combat_action Attack monster-101", "use_item item-001", "save_game", "rest",
    "move_to_room West", "cast_spell Ward", "combat_action Attack monster-002", "move_to_room West",
    "move_to_room East", "move_to_room South", "inspect_item feature-001", "loot_treasure item-105",
    "move_to_room North", "cast_spell Reveal", "move_to_room West", "loot_treasure item-101",
    "move_to_room West", "cast_spell Ward", "combat_action Flee", "combat_action Defend",
    "combat_action Attack monster-005", "save_game", "combat_action UseItem item-002",
    "combat_action Flee",
]
PYTHON = ["move_to_room North", "move_to_room South", "move_to_room South"]


def looks(hero):
    """What the stories do beside the way, and what they expect to be refused."""
    return [
        call("get_map", conversationId=hero),
        call("get_player_stats", conversationId=hero),
        call("inspect_item", conversationId=hero, itemId="no such thing"),
        call("move_to_room", conversationId=hero, direction="up"),
        call("combat_action", conversationId=hero, action="Flee", targetMonsterId="nobody"),
        call("get_current_room", conversationId=hero),
    ]


STEPS = [call("get_current_room", conversationId="story", seed="21")]
for turn, action in enumerate(TYPESCRIPT, 1):
    STEPS.append(act(action, "story"))
    if turn % 10 == 0:
        STEPS += looks("story")
STEPS += [
    call("get_current_room", conversationId="python", seed="8"),
    *[act(action, "python") for action in PYTHON],
    call("get_player_stats", conversationId="python"),
    call("get_map", conversationId="python"),
    call("move_to_room", conversationId="python", direction="sideways"),
]
