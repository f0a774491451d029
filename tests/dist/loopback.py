"""A package index on this machine, for Python and for npm, of what is in one folder."""

import base64
import hashlib
import http.server
import json
import pathlib
import tarfile
import threading


class Index:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        index = self

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_HEAD(self):
                self.do_GET()

            def do_GET(self):
                kind, body = index.answer(self.path.split("?")[0].strip("/"))
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path):
        """What kind of text this is, and the text; nothing where there is nothing."""
        if path.startswith("files/"):
            file = self.folder / pathlib.Path(path).name
            return "application/octet-stream", file.read_bytes() if file.is_file() else b""
        if path.startswith("simple/"):
            stem = path.split("/")[1].replace("-", "_")
            names = [file.name for file in self.folder.glob(f"{stem}-*.whl")]
            links = [f'<a href="/files/{name}">{name}</a>' for name in names]
            return "text/html", "\n".join(links).encode()
        return "application/json", self.package(path)

    def package(self, name):
        for file in self.folder.glob("*.tgz"):
            with tarfile.open(file) as archive:
                about = json.load(archive.extractfile("package/package.json"))
            if about["name"] != name:
                continue
            content = file.read_bytes()
            about["dist"] = {
                "tarball": f"{self.url}/files/{file.name}",
                "shasum": hashlib.sha1(content).hexdigest(),
                "integrity": "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode(),
            }
            version = about["version"]
            told = {"name": name, "dist-tags": {"latest": version}, "versions": {version: about}}
            return json.dumps(told).encode()
        return b""
