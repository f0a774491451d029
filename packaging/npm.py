"""The npm packages: a launcher, `npx agon-mcp`, and for each platform one that carries the program.

npm installs of the platforms' packages only the one that fits.
"""

import json
import shutil
import subprocess

from names import (
    KEYWORDS, LICENSE, MCP_NAME, NPM_NAME, PLATFORMS, REPOSITORY, ROOT, SUMMARY, VERSION, readme,
)  # fmt: skip

COMMON = {
    "version": VERSION,
    "license": LICENSE,
    "repository": {"type": "git", "url": f"git+{REPOSITORY}.git"},
}


def launcher():
    return {
        "name": NPM_NAME,
        "description": SUMMARY,
        **COMMON,
        "mcpName": MCP_NAME,
        "keywords": KEYWORDS,
        "bin": {NPM_NAME: "agon.js"},
        "files": ["agon.js"],
        "engines": {"node": ">=18"},
        "optionalDependencies": {of(platform): VERSION for platform in PLATFORMS},
    }


def of(platform):
    """The package that carries the program for this platform; agon.js looks for it by this name."""
    return f"{NPM_NAME}-{platform.node}"


def carrier(platform):
    system, processor = platform.node.split("-")
    return {
        "name": of(platform),
        "description": f"The program of {NPM_NAME} for {platform.label}",
        **COMMON,
        "os": [system],
        "cpu": [processor],
        "files": [platform.program],
    }


def packages(programs, stage, folder):
    """Packs the launcher and a package for each of these platforms."""
    laid = stage / NPM_NAME
    lay(laid, launcher(), readme())
    shutil.copy(ROOT / "packaging/agon.js", laid)
    yield pack(laid, folder)
    for platform, program in programs.items():
        laid = stage / of(platform)
        manifest = carrier(platform)
        lay(laid, manifest, f"{manifest['description']}. Use `npx {NPM_NAME}`.\n")
        (laid / program.name).hardlink_to(program)
        yield pack(laid, folder)


def lay(folder, manifest, text):
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n")
    (folder / "README.md").write_text(text)
    shutil.copy(ROOT / "LICENSE", folder)


def pack(laid, folder):
    command = ["npm", "pack", "--silent", "--pack-destination", folder.resolve()]
    name = subprocess.run(command, cwd=laid, check=True, capture_output=True, text=True).stdout
    return folder / name.strip()
