"""One bundle (.mcpb) for hosts that install by a click: a program for each system, and what it offers.

The tools and prompts in its manifest are those that the program itself tells.
"""

import json
import struct

import asking
from archives import zipped
from names import KEYWORDS, LICENSE, OWNER, REPOSITORY, ROOT, SUMMARY, VERSION

# Hosts choose by the system alone; on Linux this looks at the processor as well.
LINUX = """\
#!/bin/sh
case $(uname -m) in
  aarch64 | arm64) exec "$(dirname "$0")/agon-linux-arm64" "$@" ;;
  *) exec "$(dirname "$0")/agon-linux-x64" "$@" ;;
esac
"""
LONG = """\
Chess against the computer, another agent or a person at a board, and by the same tools connect four,
Othello, Hex, gomoku, Nim, two pokers and more; a dungeon that the model narrates while the server holds
the rules and rolls the dice; and leagues under a referee. Every move is saved before it is answered.

What it keeps and whom it calls is in PRIVACY.md: games are kept on this machine, and nothing is sent
anywhere unless a league of yours names an agent elsewhere."""


def bundle(programs, host, folder):
    """`host` is a program that runs here, and is asked what it offers."""
    servers = {}
    by_name = {platform.node: program for platform, program in programs.items()}
    for name in ["linux-x64", "linux-arm64"]:
        if name in by_name:
            servers[f"server/agon-{name}"] = by_name[name].read_bytes()
            servers["server/agon-linux"] = LINUX.encode()
    macs = [by_name[name] for name in ["darwin-x64", "darwin-arm64"] if name in by_name]
    if macs:
        servers["server/agon-darwin"] = universal([program.read_bytes() for program in macs])
    if "win32-x64" in by_name:
        servers["server/agon.exe"] = by_name["win32-x64"].read_bytes()
    commands = {"linux": "agon-linux", "darwin": "agon-darwin", "win32": "agon.exe"}
    commands = {system: f"server/{name}" for system, name in commands.items() if f"server/{name}" in servers}

    files = {"manifest.json": (json.dumps(manifest(commands, host), indent=2).encode(), False)}
    for name, path in {
        "icon.png": "packaging/icon.png",
        "README.md": "README.md",
        "LICENSE": "LICENSE",
        "PRIVACY.md": "docs/privacy.md",
    }.items():
        files[name] = ((ROOT / path).read_bytes(), False)
    files |= {name: (content, True) for name, content in servers.items()}
    return zipped(files, folder / f"agon-{VERSION}.mcpb")


def manifest(commands, host):
    tools, prompts = asking.offers(host)
    first = next(iter(commands.values()))
    overrides = {system: {"command": f"${{__dirname}}/{path}"} for system, path in commands.items()}
    return {
        "manifest_version": "0.3",
        "name": "agon",
        "display_name": "agon",
        "version": VERSION,
        "description": SUMMARY,
        "long_description": LONG,
        "author": {"name": OWNER},
        "repository": {"type": "git", "url": f"{REPOSITORY}.git"},
        "icon": "icon.png",
        "server": {
            "type": "binary",
            "entry_point": first,
            "mcp_config": {
                "command": f"${{__dirname}}/{first}",
                "args": [],
                "env": {},
                "platform_overrides": overrides,
            },
        },
        "tools": tools,
        "prompts": prompts,
        "tools_generated": True,
        "keywords": KEYWORDS,
        "license": LICENSE,
        "compatibility": {"platforms": list(commands)},
    }


def universal(programs):
    """Programs for several processors as one file, of which macOS runs the one that fits."""
    align = 14
    offset, table, body = 1 << align, b"", b""
    for program in programs:
        processor, model = struct.unpack_from("<II", program, 4)
        table += struct.pack(">IIIII", processor, model, offset, len(program), align)
        room = -len(program) % (1 << align)
        body += program + bytes(room)
        offset += len(program) + room
    head = struct.pack(">II", 0xCAFEBABE, len(programs)) + table
    return head.ljust(1 << align, b"\0") + body
