"""The first steps of the official clients' stories in dungeons 21 and 8."""

from steps import act, call

TYPESCRIPT = [
    "save_game", "save_game", "cast_spell Reveal", "move_to_room East", "combat_action Flee",
    "combat_action Attack monster-009", "save_game", "cast_spell Ward",
    "combat_action UseItem item-001", "combat_action Flee", "combat_action Attack monster-008",
    "combat_action Attack monster-007", "save_game", "cast_spell Ward",
    "combat_action Attack monster-007", "rest", "move_to_room West", "move_to_room South",
    "cast_spell Reveal", "save_game", "cast_spell Reveal", "rest", "move_to_room East",
    "move_to_room West", "save_game load save-1", "move_to_room East", "save_game",
    "move_to_room West", "save_game", "cast_spell Reveal", "rest", "move_to_room North",
    "cast_spell Reveal", "save_game", "move_to_room South", "move_to_room North",
    "cast_spell Reveal", "save_game load save-1", "move_to_room East", "rest",
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
