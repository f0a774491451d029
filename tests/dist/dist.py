"""Takes everything that `make dist` left as a stranger would, up to the first move, and prints a table.

Started by ./run, which has made a clean Debian (no Rust, no Node, no home folder) and a network of our own.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from contextlib import contextmanager

import macho
from loopback import Index

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "packaging"))
import names  # noqa: E402

DIST = ROOT / "target/dist"
TOOLS = ROOT / "target/dist-tools"
CLIENTS = HERE.parent / "clients"
NOBODY = 65534
# What a person is promised, from the command to the first move.
PROMISED = 30


class NotBuilt(Exception):
    """Something is not in target/dist."""


@contextmanager
def clean_root():
    """The Debian as it was made; whatever happens in it is gone afterwards."""
    folder = TOOLS / "rooms"
    shutil.rmtree(folder, ignore_errors=True)
    parts = {name: folder / name for name in ["upper", "work", "root"]}
    for part in parts.values():
        part.mkdir(parents=True)
    root = parts["root"]
    options = f"lowerdir={TOOLS / 'root'},upperdir={parts['upper']},workdir={parts['work']}"
    run("mount", "-t", "overlay", "overlay", "-o", options, root)
    for name in ["proc", "dev"]:
        run("mount", "--rbind", f"/{name}", root / name)
    # Nobody's: without a home folder, and with nothing of ours to be found.
    (root / "stranger").mkdir()
    os.chown(root / "stranger", NOBODY, NOBODY)
    try:
        yield root
    finally:
        run("umount", "--recursive", "--lazy", root)


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def inside(root, *command, **environment):
    """A command as nobody in particular gives it in there."""
    told = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "TMPDIR": "/stranger",
        # There is no home, so they say where games are kept.
        "XDG_DATA_HOME": "/stranger/data",
        "MCP_DISABLE_BROWSER": "1",
    }
    told = [f"{name}={value}" for name, value in (told | environment).items()]
    enter = ["chroot", f"--userspec={NOBODY}:{NOBODY}", str(root)]
    return [*enter, "env", "-i", "-C", "/stranger", *told, *command]


def first_move(script, command, **environment):
    """Has the official client start this and play; the client's own start counts as well."""
    client = [CLIENTS / "run", script, *command]
    done = subprocess.run(client, capture_output=True, text=True, timeout=600, env=os.environ | environment)
    if done.returncode != 0:
        raise AssertionError((done.stdout + done.stderr)[:2000])
    return done.stdout.strip()


def part(pattern):
    found = list(DIST.glob(pattern))
    if not found:
        raise NotBuilt(f"there is no {pattern} in target/dist")
    [only] = found
    return only


def archive(script):
    with clean_root() as root:
        begun = time.monotonic()
        run("tar", "xzf", part("agon-*-linux-x64.tar.gz"), "-C", root / "stranger", "--strip-components=1")
        first_move(script, inside(root, "/stranger/agon"))
        return time.monotonic() - begun


def archive_on_arm():
    with clean_root() as root:
        shutil.copy(shutil.which("qemu-aarch64-static"), root / "usr/bin/qemu")
        begun = time.monotonic()
        run("tar", "xzf", part("agon-*-linux-arm64.tar.gz"), "-C", root / "stranger", "--strip-components=1")
        first_move("first_move.py", inside(root, "qemu", "/stranger/agon"))
        return time.monotonic() - begun


def bundle():
    with clean_root() as root:
        begun = time.monotonic()
        run("unzip", "-q", part("*.mcpb"), "-d", root / "stranger")
        config = json.loads((root / "stranger/manifest.json").read_text())["server"]["mcp_config"]
        config |= config["platform_overrides"]["linux"]
        command = [word.replace("${__dirname}", "/stranger") for word in [config["command"], *config["args"]]]
        first_move("first_move.py", inside(root, *command))
        return time.monotonic() - begun


def wheel():
    index = Index(DIST)
    with clean_root() as root:
        shutil.copy(TOOLS / "venv/bin/uvx", root / "usr/bin/uvx")
        shutil.copy(TOOLS / "venv/bin/uv", root / "usr/bin/uv")
        begun = time.monotonic()
        settings = {"UV_DEFAULT_INDEX": f"{index.url}/simple", "UV_CACHE_DIR": "/stranger/uv"}
        settings |= {"UV_PYTHON_DOWNLOADS": "never"}
        first_move("first_move.py", inside(root, "uvx", names.PYTHON_NAME, **settings))
        return time.monotonic() - begun


def npm():
    index = Index(DIST)
    with clean_root() as root:
        # Node as its own packages bring it: the program, npm beside it, and the C++ library.
        node = pathlib.Path(shutil.which("node")).resolve()
        shutil.copy(node, root / "usr/bin/node")
        modules = pathlib.Path(shutil.which("npm")).resolve().parents[1]
        shutil.copytree(modules, root / "usr/lib/node_modules/npm", symlinks=True)
        (root / "usr/bin/npx").symlink_to("../lib/node_modules/npm/bin/npx-cli.js")
        begun = time.monotonic()
        settings = {"npm_config_registry": index.url, "npm_config_cache": "/stranger/npm"}
        settings |= {"npm_config_update_notifier": "false"}
        first_move("first_move.py", inside(root, "npx", "--yes", names.NPM_NAME, **settings))
        return time.monotonic() - begun


def windows():
    folder = TOOLS / "windows"
    shutil.rmtree(folder, ignore_errors=True)
    settings = {"WINEPREFIX": str(TOOLS / "wine"), "WINEDEBUG": "-all", "MCP_DISABLE_BROWSER": "1"}
    # A Windows is made once; that is no part of the time.
    run("wine", "cmd", "/c", "exit", env=os.environ | settings, stdin=subprocess.DEVNULL, capture_output=True)
    begun = time.monotonic()
    zipfile.ZipFile(part("agon-*-windows-x64.zip")).extractall(folder)
    [program] = folder.glob("*/agon.exe")
    shutil.copy(TOOLS / "bcryptprimitives.dll", program.parent)
    first_move("first_move.py", ["wine", str(program)], **settings)
    return time.monotonic() - begun


def macos(platform):
    content = archive_member(part(f"agon-*-{platform.label}.tar.gz"), "agon")
    program = macho.inspect(content)
    system, processor = platform.node.split("-")
    wheel = platform.wheel.removeprefix("macosx_").split("_")
    assert (program.processor, program.executable) == (processor, True), program
    assert program.minimum == f"{wheel[0]}.{wheel[1]}", f"it runs from macOS {program.minimum} on"
    strange = [name for name in program.libraries if not name.startswith(("/usr/lib/", "/System/Library/"))]
    assert not strange, strange
    assert program.signed or processor == "x64", "its signature does not fit"
    return None


def archive_member(path, name):
    with tarfile.open(path) as archive:
        [member] = [member for member in archive.getmembers() if member.name.endswith(f"/{name}")]
        return archive.extractfile(member).read()


def validated():
    packer = HERE / "node_modules/.bin/mcpb"
    folder = TOOLS / "unpacked"
    shutil.rmtree(folder, ignore_errors=True)
    run(packer, "unpack", part("*.mcpb"), folder, capture_output=True)
    run(packer, "validate", folder / "manifest.json", capture_output=True)


def wheels_checked():
    run(TOOLS / "venv/bin/twine", "check", "--strict", *sorted(DIST.glob("*.whl")), capture_output=True)


def crates_built():
    """Here Node cannot be started, as on a machine that has none."""
    hidden = [pathlib.Path(shutil.which(name)).resolve() for name in ["node", "npm"]]
    for program in hidden:
        run("mount", "--bind", "/dev/null", program)
    try:
        run(ROOT / "packaging/crates.py", capture_output=True)
    finally:
        for program in hidden:
            run("umount", program)


def agreed():
    run(sys.executable, "-B", HERE / "agree.py", env=os.environ | {"DIST": str(DIST)}, capture_output=True)


ROWS = {
    "versions and names agree; server.json": agreed,
    ".mcpb by its packer": validated,
    "wheels by twine": wheels_checked,
    "crates, packed and built without Node": crates_built,
    "archive, Python client": lambda: archive("first_move.py"),
    "archive, TypeScript client": lambda: archive("first-move.js"),
    ".mcpb, Linux": bundle,
    "uvx agon-server": wheel,
    "npx agon-mcp": npm,
    "archive, arm64 (emulated)": archive_on_arm,
    "archive, Windows (wine)": windows,
} | {f"archive, {platform.label} (inspected)": lambda platform=platform: macos(platform)
     for platform in names.PLATFORMS if platform.system == "darwin"}  # fmt: skip


def main(wanted):
    failed = 0
    print(f"{'what':40} {'seconds to the first move':>26}")
    for name, row in ROWS.items():
        if wanted and wanted not in name:
            continue
        try:
            seconds = row()
            late = seconds is not None and seconds > PROMISED and "emulated" not in name
            said = "holds" if seconds is None else f"{seconds:.1f}{', late' if late else ''}"
        except NotBuilt:
            failed += 1
            said = "not built"
        except (AssertionError, subprocess.SubprocessError, OSError) as error:
            failed += 1
            said = "FAILED"
            print(error, getattr(error, "stderr", "") or "", file=sys.stderr)
        print(f"{name:40} {said:>26}", flush=True)
    return 1 if failed else 0


sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
