"""Looks at a program for macOS without one: what it is, from which system on it runs, which libraries it
wants, and whether its signature (which the newer processors insist on) fits what it signs."""

import hashlib
import struct
from typing import NamedTuple

MAGIC = 0xFEEDFACF
PROCESSORS = {0x01000007: "x64", 0x0100000C: "arm64"}
EXECUTABLE = 2
DYLIB, WEAK_DYLIB, SIGNATURE, MINIMUM, BUILD = 0xC, 0x80000018, 0x1D, 0x24, 0x32


class Program(NamedTuple):
    processor: str
    executable: bool
    minimum: str
    libraries: list
    signed: bool


def inspect(content):
    magic, processor, _, kind, commands, _, _, _ = struct.unpack_from("<8I", content)
    assert magic == MAGIC, "not a 64-bit program for macOS"
    minimum, libraries, signed = "", [], False
    at = 32
    for _ in range(commands):
        command, size = struct.unpack_from("<II", content, at)
        if command in (DYLIB, WEAK_DYLIB):
            start = at + struct.unpack_from("<I", content, at + 8)[0]
            libraries.append(content[start : at + size].split(b"\0")[0].decode())
        elif command == MINIMUM:
            minimum = version(struct.unpack_from("<I", content, at + 8)[0])
        elif command == BUILD:
            minimum = version(struct.unpack_from("<I", content, at + 12)[0])
        elif command == SIGNATURE:
            start, length = struct.unpack_from("<II", content, at + 8)
            signed = fits(content, content[start : start + length])
        at += size
    return Program(PROCESSORS[processor], kind == EXECUTABLE, minimum, libraries, signed)


def version(packed):
    return f"{packed >> 16}.{packed >> 8 & 255}"


def fits(content, signature):
    """Whether every page has the hash that was signed."""
    count = struct.unpack_from(">I", signature, 8)[0]
    for index in range(count):
        slot, start = struct.unpack_from(">II", signature, 12 + 8 * index)
        if slot == 0:
            break
    else:
        return False
    directory = signature[start:]
    hashes, _, _, slots, limit = struct.unpack_from(">5I", directory, 16)
    size, kind, _, page = struct.unpack_from("4B", directory, 36)
    assert kind == 2, "hashed by SHA-256"
    for slot in range(slots):
        part = content[slot << page : min((slot + 1) << page, limit)]
        if hashlib.sha256(part).digest() != directory[hashes + slot * size :][:size]:
            return False
    return True
