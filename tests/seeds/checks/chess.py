"""Checks of chess: what several do at once, what the person's page holds, whole games."""

import re
import threading

from . import check


@check
def same(stage, one, other):
    """both are the same"""
    assert one == other, f"{one!r} is not {other!r}"


def wait_for_turn(stage, seat="$seat", by="one"):
    """As the seeds have it: whoever is told of a timeout calls again."""
    while True:
        answer = stage.client(by).call("waitForNextTurn", game_id=stage.fill(seat))
        if not answer.text.startswith("Timeout"):
            return answer


@check
def turn(stage):
    """`waitForNextTurn(game_id)`, again after a timeout"""
    return wait_for_turn(stage)


@check
def wakes(stage):
    """One waits, the other moves, and the first is told."""
    told = []
    waiting = threading.Thread(
        target=lambda: told.append(wait_for_turn(stage, "$other_seat", "other")))
    waiting.start()
    stage.client().call("finishTurn", game_id=stage.fill("$seat"), move="e2e4")
    waiting.join()
    assert told, "the waiting call was not answered"
    for part in ["It is your turn.", "**Last move**: e2e4", "finishTurn"]:
        assert part in told[0].text, f"{part!r} is not in {told[0].text}"


def embedded_page(stage):
    created = stage.call("createGame", type="human", color="black", showUi=True)
    assert created.resource, f"no page came: {created.raw}"
    return created.resource["text"]


@check
def page(stage, has=(), hasnt=()):
    text = embedded_page(stage)
    for part in has:
        assert part in text, f"{part!r} is not in the page"
    for pattern in hasnt:
        found = re.search(pattern, text)
        assert not found, f"the page has {found[0]!r}"


@check
def posts(stage):
    text = embedded_page(stage)
    quote = "[`\"']"
    for pattern in [
        rf"type:{quote}action{quote},\s*action:{quote}finishTurn{quote},\s*payload:"
        r"\s*\{\s*game_id:\w+,\s*move:\w+,\s*claim_win:\w+\s*\}",
        rf"parent\.postMessage\(\w+,\s*{quote}\*{quote}\)",
    ]:
        assert re.search(pattern, text), f"{pattern!r} does not match the page"


@check
def waits_alone(stage):
    """While a call waits, others on its connection are answered; it is answered after the move."""
    client, told = stage.client("other"), []
    waiting = threading.Thread(
        target=lambda: told.append(wait_for_turn(stage, "$other_seat", "other")))
    waiting.start()
    for _ in range(3):
        assert not client.request("tools/list").refused
    assert not told, f"nobody has moved, and still: {told[0].text}"
    stage.client().call("finishTurn", game_id=stage.fill("$seat"), move="e2e4")
    waiting.join()
    assert "It is your turn." in told[0].text, told[0].text


def next_tool(answer):
    """The tool that an answer names as the next."""
    found = re.search(r"\*\*Next Action\*\*: .*?`(\w+)\(", answer.text)
    return found[1] if found else None


@check
def against_the_computer(stage, color):
    """A whole game, led by nothing but the next action that each answer names."""
    # A computer that plays well makes short work of one who does not.
    answer = stage.call("createGame", type="computer", color=color, difficulty=6)
    stage.saved |= {"game": answer.facts["game_id"], "pass": answer.facts["pass"]}
    assert next_tool(answer) == ("finishTurn" if color == "white" else "waitForNextTurn")
    while "Game Over: " not in answer.text:
        assert not answer.refused, answer.text
        if next_tool(answer) == "waitForNextTurn":
            answer = wait_for_turn(stage)
            continue
        assert next_tool(answer) == "finishTurn", answer.text
        # The last legal move is often a king's or a rook's, which ends games sooner.
        move = re.findall(r"(\w+) \([^)]+\)", answer.text.split("**Legal moves**: ")[1])[-1]
        answer = stage.call("finishTurn", game_id=stage.fill("$seat"), move=move)
    assert re.search(r"Game Over: (White wins|Black wins|Draw) by ", answer.text), answer.text
    assert "No further actions needed" in answer.text, answer.text


def board_pass(answer):
    """The pass that the person's page carries."""
    assert answer.resource, f"no page came: {answer.text}"
    return re.search(r'"game_id":"([0-9a-f]+-[0-9a-f]+)"', answer.resource["text"])[1]


@check
def against_a_person(stage, color):
    """A person at the embedded page against the agent, to the fool's mate."""
    moves = ["f2f3", "e7e5", "g2g4", "d8h4"]
    answer = stage.call("createGame", type="human", color=color, showUi=True)
    seat = answer.facts["pass"] if stage.door == "plain" else answer.facts["game_id"]
    agents = color == "white"
    for number, move in enumerate(moves):
        last = number == len(moves) - 1
        if agents:
            answer = stage.call("finishTurn", game_id=seat, move=move)
            if not last:
                assert "UI returned for human" in answer.text, answer.text
        else:
            moved = stage.call("finishTurn", game_id=board_pass(answer), move=move)
            assert "Move accepted" in moved.text, moved.text
            answer = stage.call("waitForNextTurn", game_id=seat)
            assert last or "It is your turn." in answer.text, answer.text
        agents = not agents
    end = stage.call("waitForNextTurn", game_id=seat)
    for told in [answer, end]:
        assert "Game Over: Black wins by Checkmate" in told.text, told.text
        assert "No further actions needed" in told.text, told.text


@check
def two_agents(stage):
    """Each agent waits while the other thinks, until both are told the end."""
    created = stage.client("one").call("createGame", type="agent")
    stage.saved |= {"game": created.facts["game_id"], "pass": created.facts["pass"]}
    joined = stage.client("other").call("joinGame", game_id=created.facts["game_id"])
    stage.saved["other_pass"] = joined.facts["pass"]
    ends = {}

    def play(by, seat, answer, moves):
        while "Game Over: " not in answer.text:
            if next_tool(answer) == "waitForNextTurn":
                answer = wait_for_turn(stage, seat, by)
            else:
                answer = stage.client(by).call(
                    "finishTurn", game_id=stage.fill(seat), move=moves.pop(0))
        ends[by] = answer.text
    threads = [
        threading.Thread(target=play, args=("one", "$seat", created, ["f2f3", "g2g4"])),
        threading.Thread(target=play, args=("other", "$other_seat", joined, ["e7e5", "d8h4"])),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for by in ["one", "other"]:
        assert "Game Over: Black wins by Checkmate" in ends.get(by, ""), f"{by}: {ends.get(by)}"
