"""Leagues of agents that listen, as strangers write them, from registration to the end: all that
each of them hears, and what it is answered.

Who wins does not hang on what is drawn: of two who say the same, neither is right alone. Connect four
stands for all games that the protocols were not made for, which are told by their cards.
"""

import wire
from scripts.league_messages import registration, request, tool
from steps import heard, listen, operate, post

DOORS = [wire.Plain]
DRAWN = [
    (r'(?<="drawn_number":)\d+', "<number>"),
    (r'(?<="number_parity":)"\w+"', "<parity>"),
    (r"\d+ was drawn", "<number> was drawn"),
    (r"\b[0-9a-f]{64}\b", "<hash>"),
    # Who is first of two equals.
    (r'"P0\d","display_name":"choices_\w+","points"', '"<one>","display_name":"<one>","points"'),
    (r'(?<="draw_seed":")\d+|^\d{9,20}$', "<seed>"),
]
# How it ends, for each agent.
LAST = {"league.v1": ["GAME_END"],
        "league.v2": ["GAME_OVER", "ROUND_ANNOUNCEMENT", "ROUND_COMPLETED",
                      "LEAGUE_STANDINGS_UPDATE", "LEAGUE_COMPLETED"]}


def shows(number):
    return {"MOVE_REQUEST": {"message_type": "MOVE_RESPONSE", "move": {"number": number}}}


def chooses(parity):
    return {"GAME_INVITATION": {"message_type": "GAME_JOIN_ACK", "accept": True},
            "CHOOSE_PARITY_CALL": {"message_type": "CHOOSE_PARITY_RESPONSE",
                                   "parity_choice": parity}}


def drops(column):
    """The same column in every turn, in either protocol."""
    return {"GAME_INVITATION": {"message_type": "GAME_JOIN_ACK", "accept": True},
            "MOVE_REQUEST": {"message_type": "MOVE_RESPONSE", "move": {"text": column}},
            "GAME_MOVE_CALL": {"message_type": "GAME_MOVE_RESPONSE",
                               "move_data": {"move": column}}}


def played(league, protocol, game, *says):
    """A league of two agents: one registers by a tool, the other by the message's name."""
    tooled, plain = f"{league}_by_tool", f"{league}_by_type"

    def registered(name):
        said = registration(name, f"${name}", league_id=league, protocol=protocol)
        if game not in ("even-odd", "parity"):
            said["player_meta"]["game_types"] = [game]
        return said

    return [
        operate("create", league, "--game", game),
        listen(tooled, says[0]),
        listen(plain, says[1]),
        post(tool("register_player", registered(tooled))),
        post(request("LEAGUE_REGISTER_REQUEST", registered(plain))),
        operate("start", league),
        heard(tooled, *LAST[protocol]),
        heard(plain, *LAST[protocol]),
    ]


STEPS = [
    *played("numbers", "league.v1", "even-odd", shows(3), shows(2)),
    *played("wrong", "league.v1", "even-odd", shows(3), shows(9)),
    *played("choices", "league.v2", "parity", chooses("even"), chooses("even")),
    *played("neither", "league.v2", "parity", chooses("even"), chooses("Even number")),
    # Four in one column, while the other fills the next.
    *played("columns", "league.v1", "connect-four", drops("1"), drops("2")),
    *played("columns_too", "league.v2", "connect-four", drops("1"), drops("2")),
]
