"""What a process says to a client that is connected already and asks for the handshake."""

from scripts.protocol import INITIALIZE
from steps import ask
from wire import Stdio

DOORS = [Stdio]

STEPS = [ask("server/discover"), ask("initialize", INITIALIZE)]
