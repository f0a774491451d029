"""What does not fit into data: named checks that rows refer to.

A check is called with the stage it is played on and what the row gives. It answers what came, to be
judged like any answer, or nothing; what does not hold is an AssertionError.
"""

CHECKS = {}


def check(function):
    CHECKS[function.__name__] = function
    return function


from . import chess, combat, dungeon, league, limits, program  # noqa: E402  they need `check`
