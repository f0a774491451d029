"""Checks of chess: what several do at once, what the person's page holds, whole games."""

import re
import threading

from . import check


@check
def same(stage, one, other):
    assert one == other, f"{one!r} is not {other!r}"


def wait_for_turn(stage, seat="$seat", by="one"):
    """As the seeds have it: whoever is told of a timeout calls again."""
    while True:
        answer = stage.client(by).call("waitForNextTurn", game_id=stage.fill(seat))
        if not answer.text.startswith("Timeout"):
            return answer


@check
def turn(stage):
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
