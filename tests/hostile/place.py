"""Where an attack takes place: servers on one store, which can be killed, and asked what is there."""

import asyncio
import pathlib
import shutil
import sqlite3
import tempfile

import wire
from caller import Caller, Lost

# A server that is well says so within this time of anything that befell it.
RECOVERY = 60
# Anybody may call as often as they like here; what is fuzzed should be reached.
FREE = ["--league-rate", "1000000"]


class Place:
    """Servers on one store."""

    def __init__(self, tally, nodes=1, flags=(), program=wire.PROGRAM):
        self.tally = tally
        self.count, self.flags, self.program = nodes, [*FREE, *flags], program
        self.nodes = []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="agon-hostile-"))

    def store(self):
        return f"sqlite:{self.folder / 'agon.db'}"

    async def __aenter__(self):
        await asyncio.to_thread(self._open)
        self.begin(self.tally)
        return self

    def begin(self, tally):
        """From here on what happens is this attack's."""
        self.tally, self.before = tally, self.memory()

    def _open(self):
        for _ in range(self.count):
            self.nodes.append(wire.Server(*self.flags, store=self.store(), program=self.program))

    async def __aexit__(self, *_):
        for node in self.nodes:
            node.close()
        await asyncio.to_thread(self.clear)

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self, node):
        """kill -9, unless it has died by itself."""
        self.look_for_deaths()
        node.kill()

    async def start_again(self, node):
        await asyncio.to_thread(node.start)

    def memory(self):
        """Of all servers together, in megabytes."""
        return sum(resident(node.process.pid) for node in self.nodes)

    def end(self, may_grow):
        """Looks back at the attack: nobody died or panicked, and memory grew by so many megabytes at
        the most."""
        self.look_for_deaths()
        self.look_for_panics()
        self.tally.weigh(self.before, self.memory(), may_grow)

    def look_for_deaths(self):
        for node in self.nodes:
            if node.process.poll() is not None:
                last = " / ".join(node.log[-3:])
                self.tally.fault("died", f"a server ended with {node.process.returncode}: {last}")

    def look_for_panics(self):
        for node in self.nodes:
            for line in node.log:
                if "panicked" in line:
                    self.tally.fault("untrue", f"a panic in the log: {line}")
            node.log.clear()

    async def ready(self, node):
        """What `/healthz` says."""
        caller = Caller(node.address)
        try:
            return (await caller.ask("GET", "/healthz", patience=5)).status == 200
        except Lost:
            return False
        finally:
            caller.close()

    async def recover(self):
        """Until every server says that it is ready."""
        for node in self.nodes:
            for _ in range(RECOVERY * 10):
                if await self.ready(node):
                    break
                await asyncio.sleep(0.1)
            else:
                self.tally.fault("untrue", f"not ready {RECOVERY} s after all was well again")

    def rows(self, sql):
        """What the store itself says."""
        path = self.store().removeprefix("sqlite:")
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30) as store:
            return store.execute(sql).fetchall()


def resident(pid):
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0)
