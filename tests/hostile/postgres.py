"""A Postgres of one's own, thrown away afterwards; it can be stopped, frozen, cut off and cancelled."""

import asyncio
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile

from place import Place


def quiet_port():
    """A port that is still free in a moment: below those that the system gives to whoever asks for any."""
    while True:
        port = random.randrange(15_000, 30_000)
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Cluster:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="agon-postgres-"))
        self.data = self.folder / "data"
        self.port = quiet_port()
        if os.getuid() == 0:
            # It refuses to be run by root.
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.run("initdb", "-A", "trust", "-U", "agon", "--no-sync", "-E", "UTF8", "--locale", "C",
                 "-D", self.data)
        self.start()
        self.ask("create database agon", "postgres")

    def run(self, name, *arguments):
        installed = sorted(pathlib.Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        command = [str(installed[-1]) if installed else name, *map(str, arguments)]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        # Not piped: a server that is started keeps these open.
        subprocess.run(command, cwd="/", check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        settings = (f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off "
                    f"-c max_connections=200 -c unix_socket_directories={self.folder}")
        self.run("pg_ctl", "-D", self.data, "-w", "-l", self.folder / "log", "-o", settings, "start")

    def stop(self):
        """As a power cut would have it."""
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")

    def freeze(self, is_frozen):
        """All its processes stand still, or go on."""
        first = int((self.data / "postmaster.pid").read_text().split("\n")[0])
        children = pathlib.Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for pid in [first, *map(int, children)]:
            try:
                os.kill(pid, signal.SIGSTOP if is_frozen else signal.SIGCONT)
            except ProcessLookupError:
                pass

    def ask(self, sql, database="agon"):
        """Rows, as texts."""
        command = ["psql", "-XAtq", "-h", "127.0.0.1", "-p", str(self.port), "-U", "agon", "-F", "\t",
                   "-c", sql, database]
        told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
        return [tuple(line.split("\t")) for line in told.stdout.splitlines()]

    def close(self):
        try:
            self.freeze(False)
            self.stop()
        except (OSError, subprocess.CalledProcessError):
            pass
        shutil.rmtree(self.folder, ignore_errors=True)


class Line:
    """The way from the servers to Postgres. It can be cut, and it can swallow answers."""

    def __init__(self, port):
        self.to = port
        self.open = set()
        self.is_cut = False
        # Set while answers go through.
        self.answers = asyncio.Event()
        self.answers.set()

    async def listen(self):
        self.server = await asyncio.start_server(self.carry, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def carry(self, reader, writer):
        if self.is_cut:
            writer.close()
            return
        try:
            there = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:
            writer.close()
            return
        pair = [writer, there[1]]
        self.open.update(pair)
        await asyncio.gather(self.pump(reader, there[1], asks=True),
                             self.pump(there[0], writer, asks=False))
        self.open.difference_update(pair)

    async def pump(self, reader, writer, asks):
        try:
            while some := await reader.read(1 << 16):
                if not asks:
                    await self.answers.wait()
                writer.write(some)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    def cut(self):
        """From now on nobody gets through, and whoever was through hears nothing more."""
        self.is_cut = True
        for writer in self.open:
            writer.transport.abort()

    def mend(self):
        self.is_cut = False
        self.answers.set()

    def close(self):
        self.cut()
        self.answers.set()
        self.server.close()


class Nodes(Place):
    """Three servers on one Postgres, which they reach by a line of ours."""

    def __init__(self, tally, flags=()):
        super().__init__(tally, nodes=3, flags=flags)

    def store(self):
        return f"postgres://agon@127.0.0.1:{self.line.port}/agon"

    async def __aenter__(self):
        self.cluster = await asyncio.to_thread(Cluster)
        self.line = Line(self.cluster.port)
        await self.line.listen()
        return await super().__aenter__()

    async def __aexit__(self, *fault):
        await super().__aexit__(*fault)
        self.line.close()
        await asyncio.to_thread(self.cluster.close)

    def rows(self, sql):
        return self.cluster.ask(sql)
