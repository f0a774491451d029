"""Holds that versions and names agree in everything a release consists of, and that each part keeps the
rules of the place it is for. DIST names the folder that packaging/pack.py has filled."""

import email
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tomllib
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import names  # noqa: E402

DIST = pathlib.Path(os.environ["DIST"])


def only(pattern):
    [found] = DIST.glob(pattern)
    return found


def in_tar(path, end):
    with tarfile.open(path) as archive:
        [name] = [name for name in archive.getnames() if re.fullmatch(end, name)]
        return archive.extractfile(name).read()


class Source(unittest.TestCase):
    def test_every_crate_has_the_version_of_the_workspace(self):
        command = ["cargo", "metadata", "--no-deps", "--format-version=1", "--offline"]
        told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
        for package in json.loads(told)["packages"]:
            self.assertEqual(package["version"], names.VERSION, package["name"])
            self.assertEqual(package["rust_version"], rust_version(), package["name"])
            for dependency in package["dependencies"]:
                if dependency.get("path") and dependency["kind"] is None:
                    self.assertEqual(dependency["req"], f"^{names.VERSION}", package["name"])

    def test_the_changelog_tells_of_this_version(self):
        headings = re.findall(r"^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text(), re.M)
        self.assertEqual(headings[0], names.VERSION)

    def test_the_documents_name_the_compiler_that_is_needed(self):
        said = set()
        for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")]:
            said |= set(re.findall(r"\bRust (\d+\.\d+)", path.read_text()))
        self.assertEqual(said, {rust_version()})

    def test_the_launcher_looks_for_the_packages_there_are(self):
        launcher = (ROOT / "packaging/agon.js").read_text()
        self.assertIn(f"`{names.NPM_NAME}-${{process.platform}}-${{process.arch}}`", launcher)


def rust_version():
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]


class Parts(unittest.TestCase):
    """Only platforms whose program was there have parts; the first of them always has."""

    def platforms(self):
        found = [name for name in names.PLATFORMS if list(DIST.glob(f"agon-*-{name.label}.*"))]
        self.assertEqual(found[0], names.PLATFORMS[0])
        return found

    def test_archives_carry_program_readme_and_licence(self):
        for platform in self.platforms():
            path = only(f"agon-*-{platform.label}.*")
            stem = f"agon-{names.VERSION}-{platform.label}"
            if path.suffix == ".zip":
                self.assertEqual(path.name, f"{stem}.zip")
                inside = zipfile.ZipFile(path).namelist()
            else:
                self.assertEqual(path.name, f"{stem}.tar.gz")
                inside = tarfile.open(path).getnames()
            for name in [platform.program, "README.md", "LICENSE"]:
                self.assertIn(f"{stem}/{name}", inside)

    def test_the_source_archive_brings_the_pages(self):
        path = DIST / f"agon-{names.VERSION}-source.tar.gz"
        inside = tarfile.open(path).getnames()
        for name in ["Cargo.lock", "crates/server/pages/built", "crates/server/pages/chat/board.html"]:
            self.assertIn(f"agon-{names.VERSION}-source/{name}", inside)
        self.assertFalse([name for name in inside if "node_modules" in name])

    def test_crates_go_by_names_that_are_free(self):
        free = [*names.CRATES.values(), "agon"]
        made = {f"{name}-{names.VERSION}.crate" for name in free}
        self.assertEqual({path.name for path in DIST.glob("*.crate")}, made)
        path = f"agon-{names.VERSION}"
        about = tomllib.loads(in_tar(DIST / f"{path}.crate", f"{path}/Cargo.toml").decode())
        for plain, name in names.CRATES.items():
            dependency = about["dependencies"][plain]
            self.assertEqual(dependency, {"version": names.VERSION, "package": name})
        readme = in_tar(DIST / f"{path}.crate", f"{path}/README.md").decode()
        self.assertIn(f"mcp-name: {names.MCP_NAME}", readme)
        self.assertTrue(in_tar(DIST / f"{path}.crate", f"{path}/pages/chat/board.html"))

    def test_wheels(self):
        for platform in self.platforms():
            path = DIST / f"agon_server-{names.VERSION}-py3-none-{platform.wheel}.whl"
            with zipfile.ZipFile(path) as wheel:
                read = lambda end: wheel.read(f"agon_server-{names.VERSION}.dist-info/{end}")  # noqa: E731
                about = email.message_from_bytes(read("METADATA"))
                self.assertEqual(about["Name"], names.PYTHON_NAME)
                self.assertEqual(about["Version"], names.VERSION)
                self.assertRegex(about.get_payload(), rf"(?m)^mcp-name: {re.escape(names.MCP_NAME)}$")
                for line in read("RECORD").decode().splitlines()[:-1]:
                    name, _, size = line.rsplit(",", 2)
                    self.assertEqual(wheel.getinfo(name).file_size, int(size))

    def test_npm(self):
        stem = f"{names.NPM_NAME}-{names.VERSION}.tgz"
        launcher = json.loads(in_tar(DIST / stem, "package/package.json"))
        self.assertEqual(launcher["name"], names.NPM_NAME)
        self.assertEqual(launcher["mcpName"], names.MCP_NAME)
        carriers = {f"{names.NPM_NAME}-{platform.node}" for platform in names.PLATFORMS}
        self.assertEqual(launcher["optionalDependencies"], dict.fromkeys(carriers, names.VERSION))
        for platform in self.platforms():
            path = DIST / f"{names.NPM_NAME}-{platform.node}-{names.VERSION}.tgz"
            about = json.loads(in_tar(path, "package/package.json"))
            self.assertEqual(about["name"], f"{names.NPM_NAME}-{platform.node}")
            self.assertEqual(about["version"], names.VERSION)
            with tarfile.open(path) as package:
                self.assertTrue(package.getmember(f"package/{platform.program}").mode & 0o100)

    def test_the_bundle(self):
        with zipfile.ZipFile(DIST / f"agon-{names.VERSION}.mcpb") as bundle:
            about = json.loads(bundle.read("manifest.json"))
            self.assertEqual((about["manifest_version"], about["version"]), ("0.3", names.VERSION))
            self.assertIn("createGame", [tool["name"] for tool in about["tools"]])
            self.assertTrue(about["prompts"])
            for prompt in about["prompts"]:
                for blank in prompt["arguments"]:
                    self.assertIn(f"${{arguments.{blank}}}", prompt["text"])
            config = about["server"]["mcp_config"]
            commands = [config, *config["platform_overrides"].values()]
            for command in commands:
                path = command["command"].removeprefix("${__dirname}/")
                self.assertEqual(bundle.getinfo(path).external_attr >> 16, 0o100755, path)
            for name in ["icon.png", "PRIVACY.md", "LICENSE"]:
                self.assertTrue(bundle.read(name))

    def test_sums(self):
        lines = (DIST / "SHA256SUMS").read_text().splitlines()
        sums = dict(reversed(line.split("  ")) for line in lines)
        self.assertEqual(set(sums), {path.name for path in DIST.iterdir()} - {"SHA256SUMS"})
        for name, sum in sums.items():
            self.assertEqual(hashlib.sha256((DIST / name).read_bytes()).hexdigest(), sum, name)


EXACT = re.compile(r"\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?")
REGISTRIES = {"npm", "pypi", "cargo", "nuget", "oci", "mcpb"}
LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
# What the MCP registry asks of a server.json of 2025-12-11, and of each package in it.
OF_SERVER = {
    "the schema of 2025-12-11": lambda it: it["$schema"].endswith("/schemas/2025-12-11/server.schema.json"),
    "a name with one slash": lambda it: it["name"].count("/") == 1 and len(it["name"]) <= 200,
    "a namespace in reverse": lambda it: re.fullmatch(rf"{LABEL}(\.{LABEL})+", it["name"].split("/")[0]),
    "a plain name": lambda it: re.fullmatch(r"[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?", it["name"].split("/")[1]),
    "a description": lambda it: 1 <= len(it["description"]) <= 100,
    "a title": lambda it: 1 <= len(it.get("title", "x")) <= 100,
    "an exact version": lambda it: EXACT.fullmatch(it["version"]) and len(it["version"]) <= 255,
    "packages": lambda it: it["packages"],
    "a repository": lambda it: it["repository"]["url"].startswith("https://") and it["repository"]["source"],
}
OF_PACKAGE = {
    "a registry": lambda it: it["registryType"] in REGISTRIES,
    "an identifier": lambda it: it["identifier"] and " " not in it["identifier"],
    "an exact version": lambda it: EXACT.fullmatch(it["version"]),
    "a transport": lambda it: it["transport"]["type"] in {"stdio", "streamable-http", "sse"},
    "a sum": lambda it: it["registryType"] != "mcpb" or re.fullmatch(r"[0-9a-f]{64}", it["fileSha256"]),
    "a release": lambda it: it["registryType"] != "mcpb"
    or re.match(r"https://(github|gitlab)\.com/[^/]+/[^/]+/.*releases/.*mcp", it["identifier"]),
}
# The same rules must refuse these.
BAD = [
    ("a name with one slash", {"name": "io.github.somebody/agon/server"}),
    ("a name with one slash", {"name": "agon"}),
    ("a namespace in reverse", {"name": "agon/agon"}),
    ("a description", {"description": ""}),
    ("a description", {"description": "x" * 101}),
    ("an exact version", {"version": "latest"}),
    ("an exact version", {"version": "^0.1.0"}),
]


class Registry(unittest.TestCase):
    def setUp(self):
        self.server = json.loads((DIST / "server.json").read_text())

    def test_server_json_keeps_the_rules(self):
        for rule, holds in OF_SERVER.items():
            self.assertTrue(holds(self.server), f"server.json wants {rule}")
        for package in self.server["packages"]:
            for rule, holds in OF_PACKAGE.items():
                self.assertTrue(holds(package), f"{package['identifier']} wants {rule}")

    def test_the_rules_refuse_what_breaks_them(self):
        for rule, fault in BAD:
            self.assertFalse(OF_SERVER[rule](self.server | fault), f"{rule}: {fault}")

    def test_it_names_what_is_published(self):
        identifiers = {it["registryType"]: it["identifier"] for it in self.server["packages"]}
        bundle = f"agon-{names.VERSION}.mcpb"
        self.assertEqual(self.server["name"], names.MCP_NAME)
        self.assertEqual({it["version"] for it in [self.server, *self.server["packages"]]}, {names.VERSION})
        self.assertEqual(identifiers["pypi"], names.PYTHON_NAME)
        self.assertEqual(identifiers["npm"], names.NPM_NAME)
        self.assertTrue(identifiers["mcpb"].endswith(f"/{bundle}"))
        [package] = [it for it in self.server["packages"] if it["registryType"] == "mcpb"]
        self.assertEqual(package["fileSha256"], hashlib.sha256((DIST / bundle).read_bytes()).hexdigest())


if __name__ == "__main__":
    unittest.main()
