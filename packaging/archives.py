"""Archives for people who unpack and run: the program, its man page and completions, README, LICENSE.

Files are written in one order and with one date, so that the same program makes the same archive.
"""

import gzip
import io
import subprocess
import tarfile
import zipfile

from names import ROOT, VERSION

SHELLS = {"bash": "agon.bash", "zsh": "_agon", "fish": "agon.fish", "powershell": "agon.ps1"}
EPOCH = (1980, 1, 1, 0, 0, 0)


def extras(program):
    """What the program says of itself, for the shell and for man."""
    found = {}
    for shell, name in SHELLS.items():
        found[f"completions/{name}"] = said(program, "completions", shell)
    found["man/agon.1"] = said(program, "man")
    return found


def said(program, *arguments):
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True).stdout


def contents(program, about):
    """Name to (bytes, whether it is run)."""
    files = {program.name: (program.read_bytes(), True)}
    for name in ["README.md", "LICENSE"]:
        files[name] = ((ROOT / name).read_bytes(), False)
    for name, text in about.items():
        files[name] = (text, False)
    return files


def archive(platform, program, about, folder):
    stem = f"agon-{VERSION}-{platform.label}"
    files = contents(program, about)
    files = {f"{stem}/{name}": file for name, file in files.items()}
    if platform.system == "win32":
        return zipped(files, folder / f"{stem}.zip")
    return tarred(files, folder / f"{stem}.tar.gz")


def zipped(files, path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, (content, runs) in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, content)
    return path


def tarred(files, path):
    with (
        path.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, (content, runs) in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755 if runs else 0o644
            archive.addfile(entry, io.BytesIO(content))
    return path


def tree():
    """Every file that git keeps, and the built pages."""
    # Whoever builds, root for instance, may read a tree that belongs to somebody else.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    paths += sorted((ROOT / "crates/server/pages").rglob("*"))
    return [path for path in paths if path.is_file()]


def source(folder):
    """The whole tree as one archive, which builds without Node."""
    stem = f"agon-{VERSION}-source"
    files = {
        f"{stem}/{path.relative_to(ROOT)}": (path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for path in tree()
    }
    return tarred(files, folder / f"{stem}.tar.gz")
