"""Python wheels that carry the program, so that `uvx agon-server` starts it. There is no Python in them."""

import base64
import hashlib

from archives import zipped
from names import KEYWORDS, LICENSE, PYTHON_NAME, REPOSITORY, ROOT, SUMMARY, VERSION, readme


def wheel(platform, program, folder):
    stem = f"{PYTHON_NAME.replace('-', '_')}-{VERSION}"
    about = f"{stem}.dist-info"
    command = PYTHON_NAME + program.suffix
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.wheel.split("."))
    files = {
        f"{stem}.data/scripts/{command}": (program.read_bytes(), True),
        f"{about}/METADATA": (metadata().encode(), False),
        f"{about}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: agon\nRoot-Is-Purelib: false\n{tags}".encode(),
            False,
        ),
        f"{about}/licenses/LICENSE": ((ROOT / "LICENSE").read_bytes(), False),
    }
    record = "".join(f"{name},{digest(text)},{len(text)}\n" for name, (text, _) in files.items())
    record += f"{about}/RECORD,,\n"
    files[f"{about}/RECORD"] = (record.encode(), False)
    return zipped(files, folder / f"{stem}-py3-none-{platform.wheel}.whl")


def digest(content):
    sum = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return "sha256=" + sum.rstrip(b"=").decode()


def metadata():
    return f"""\
Metadata-Version: 2.4
Name: {PYTHON_NAME}
Version: {VERSION}
Summary: {SUMMARY}
Keywords: {",".join(KEYWORDS)}
License-Expression: {LICENSE}
License-File: LICENSE
Project-URL: Repository, {REPOSITORY}
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{readme()}"""
