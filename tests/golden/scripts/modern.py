"""What only a client without sessions hears, in version 2026-07-28."""

from scripts.protocol import INITIALIZE
from steps import ask
from wire import Modern

DOORS = [Modern]

STEPS = [
    ask("server/discover"),
    # These methods went with the sessions.
    ask("ping"),
    ask("resources/subscribe", {"uri": "league://standings"}),
    ask("resources/unsubscribe", {"uri": "league://standings"}),
    ask("initialize", INITIALIZE),
]
