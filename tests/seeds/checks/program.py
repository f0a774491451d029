"""Checks of the program itself: how it starts, where it listens, what it opens."""

import wire

from . import check


@check
def starts(stage, flags):
    with wire.Server(*flags) as server:
        answer = wire.Plain(server).request("tools/list")
        assert answer.status == 200, answer.raw
