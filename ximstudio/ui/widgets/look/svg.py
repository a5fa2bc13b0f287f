"""Icons and images of the style sheet as SVG, in any colour, readable by Qt from memory."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache

from PySide6.QtCore import QResource

from ximstudio.assets import asset
from ximstudio.pictures.colours import Colours


@cache
def icon_names() -> tuple[str, ...]:
    """Names of all icons, sorted."""
    return tuple(sorted(path.stem for path in asset("icons").glob("*.svg")))


@cache
def icon_source(name: str) -> str:
    """The icon as SVG; it is drawn in `currentColor`."""
    if name not in icon_names():
        raise KeyError(f"There is no icon {name!r}; there are {', '.join(icon_names())}.")
    return asset("icons", f"{name}.svg").read_text(encoding="utf-8")


def tinted(name: str, colour: str) -> bytes:
    """The icon as SVG in one colour."""
    return icon_source(name).replace("currentColor", colour).encode()


_SWITCH = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 18">'
    '<rect x="0.5" y="0.5" width="29" height="17" rx="8.5" fill="{track}" stroke="{edge}"/>'
    '<circle cx="{x}" cy="9" r="6" fill="{knob}"/></svg>'
)
_DOT = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<circle cx="8" cy="8" r="3" fill="{colour}"/></svg>'
)


def glyphs(colours: Colours) -> dict[str, bytes]:
    """Return file name → SVG of every image of the style sheet."""
    return {
        "check.svg": tinted("check", colours.accent_text),
        "check-menu.svg": tinted("check", colours.accent),
        "minus.svg": tinted("minus", colours.accent_text),
        "dot.svg": _DOT.format(colour=colours.accent_text).encode(),
        "close.svg": tinted("close", colours.muted),
        "close-hover.svg": tinted("close", colours.text),
        "down.svg": tinted("chevron-down", colours.muted),
        "down-off.svg": tinted("chevron-down", colours.disabled),
        "up.svg": tinted("chevron-up", colours.muted),
        "up-off.svg": tinted("chevron-up", colours.disabled),
        "right.svg": tinted("chevron-right", colours.muted),
        "left.svg": tinted("chevron-left", colours.muted),
        "switch-off.svg": _switch(colours.sunken, colours.axis, colours.axis, on=False),
        "switch-on.svg": _switch(colours.accent, colours.accent, colours.accent_text, on=True),
        "switch-disabled.svg": _switch(colours.sunken, colours.border, colours.disabled, on=False),
        "switch-on-disabled.svg": _switch(
            colours.border_strong, colours.border_strong, colours.surface, on=True
        ),
    }


def _switch(track: str, edge: str, knob: str, *, on: bool) -> bytes:
    return _SWITCH.format(track=track, edge=edge, knob=knob, x=21 if on else 9).encode()


_DIRECTORY = 2
_ANY_COUNTRY, _C_LANGUAGE = 0, 1

# A style sheet names its pictures by path, and ours are tinted while the program runs. Written to
# a temporary folder they could be cleaned away under a program that runs for weeks. So they are
# packed in the format of Qt's own resource compiler (version 1, unchanged since Qt 4).
_kept: dict[str, bytes] = {}
"""Qt reads the bytes in place, so they must live as long as the program."""


def register(root: str, files: Mapping[str, bytes]) -> None:
    """Make `files` readable as ":/root/name"; the same root is registered once only."""
    if root in _kept:
        return
    _kept[root] = packed(files)
    if not QResource.registerResourceData(_kept[root], f"/{root}"):
        raise RuntimeError(f"Qt refused the pictures of {root!r}.")


def packed(files: Mapping[str, bytes]) -> bytes:
    """One folder of files as Qt's resource compiler would write it."""
    # Qt looks names up by bisection over their hashes.
    ordered = sorted(files, key=_hash)
    names, data = b"", b""
    tree = struct.pack(">IHII", 0, _DIRECTORY, len(ordered), 1)
    for name in ordered:
        tree += struct.pack(">IHHHI", len(names), 0, _ANY_COUNTRY, _C_LANGUAGE, len(data))
        names += struct.pack(">HI", len(name), _hash(name)) + name.encode("utf-16-be")
        data += struct.pack(">I", len(files[name])) + files[name]
    header = struct.calcsize(">4sIIII")
    offsets = (header, header + len(tree), header + len(tree) + len(data))
    return struct.pack(">4sIIII", b"qres", 1, *offsets) + tree + data + names


def _hash(name: str) -> int:
    value = 0
    for letter in name:
        value = (value << 4) + ord(letter)
        value ^= (value & 0xF0000000) >> 23
        value &= 0x0FFFFFFF
    return value
