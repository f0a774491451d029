"""server.json, by which the MCP registry knows of agon (schema of 2025-12-11)."""

import hashlib
import json

from names import MCP_NAME, NPM_NAME, PYTHON_NAME, RELEASE, REPOSITORY, SUMMARY, VERSION

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
STDIO = {"transport": {"type": "stdio"}}


def server(bundle):
    return {
        "$schema": SCHEMA,
        "name": MCP_NAME,
        "title": "agon",
        "description": SUMMARY,
        "version": VERSION,
        "repository": {"url": REPOSITORY, "source": "github"},
        "packages": [
            {
                "registryType": "mcpb",
                "identifier": f"{RELEASE}/{bundle.name}",
                "version": VERSION,
                "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
                **STDIO,
            },
            {"registryType": "pypi", "identifier": PYTHON_NAME, "version": VERSION, **STDIO},
            {"registryType": "npm", "identifier": NPM_NAME, "version": VERSION, **STDIO},
        ],
    }


def write(bundle, folder):
    path = folder / "server.json"
    path.write_text(json.dumps(server(bundle), indent=2) + "\n")
    return path
