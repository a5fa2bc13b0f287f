"""Fonts of figures: one that comes with the program, and fallbacks for letters it lacks.

Liberation Sans is as wide as Arial and Helvetica, letter by letter, so that text stays in its place
when a journal replaces it by one of those. It is loaded from the program's own files under a name
of its own, so that fonts installed on a computer cannot change a figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ximstudio.assets import asset

if TYPE_CHECKING:
    from matplotlib.font_manager import FontEntry

PAPER, WIDE = "XIM Studio Paper", "XIM Studio Wide"
"""Names by which matplotlib knows our font and the one it brings, which has more letters."""
STYLES = ("Regular", "Bold", "Italic", "BoldItalic")
WIDE_STYLES = ("", "-Bold", "-Oblique", "-BoldOblique")
FAR = (
    "Arial Unicode MS",
    "Microsoft YaHei", "Microsoft JhengHei", "SimHei", "SimSun",
    "Yu Gothic", "Meiryo", "MS Gothic", "Malgun Gothic",
    "PingFang SC", "Heiti SC", "Heiti TC", "Hiragino Sans GB", "Apple SD Gothic Neo",
    "Noto Sans CJK SC", "Noto Sans SC", "Noto Sans CJK JP", "Source Han Sans SC",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback",
)  # fmt: skip
"""System fonts with Chinese, Japanese and Korean letters, in order of preference."""
MOST_FAR = 2
CSS = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif"
"""Fonts that an SVG asks for: every computer has one of them."""
NO_LETTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that no font draws and XML forbids; they occur in names in tables."""

_filling = Lock()


def printable(text: str) -> str:
    """Replace every unprintable character by a mark; the length stays the same."""
    return NO_LETTERS.sub("\ufffd", text)


def families() -> list[str]:
    """Return the fonts for matplotlib, each for letters that those before it lack."""
    with _filling:
        return [PAPER, WIDE, *_registered()]


@cache
def _registered() -> tuple[str, ...]:
    """Register our fonts with matplotlib, once; return the installed fallback families."""
    import matplotlib as mpl

    far = tuple(_far())
    _register(PAPER, [asset("fonts", f"LiberationSans-{style}.ttf") for style in STYLES])
    its_own = Path(mpl.get_data_path(), "fonts", "ttf")
    _register(WIDE, [its_own / f"DejaVuSans{style}.ttf" for style in WIDE_STYLES])
    return far


def _register(name: str, files: list[Path]) -> None:
    from matplotlib.font_manager import fontManager

    for path in files:
        before = len(fontManager.ttflist)
        fontManager.addfont(path)
        # One entry per file, whatever other names it contains.
        fontManager.ttflist[before:] = [replace(fontManager.ttflist[before], name=name)]


def _far() -> Iterator[str]:
    """Return the installed families with East Asian letters, under names of ours."""
    from matplotlib.font_manager import fontManager

    installed: dict[str, list[FontEntry]] = {}
    for entry in fontManager.ttflist:
        if entry.name in FAR and _is_truetype(Path(entry.fname)):
            installed.setdefault(entry.name, []).append(entry)
    for name in sorted(installed, key=FAR.index)[:MOST_FAR]:
        alias = f"{WIDE}: {name}"
        for style in ("normal", "italic"):
            for weight in (400, 700):
                # Few of them have all styles, and matplotlib warns about each missing one.
                nearest = _nearest(installed[name], style, weight)
                fontManager.ttflist.append(replace(nearest, name=alias, style=style, weight=weight))
        yield alias


def _nearest(entries: list[FontEntry], style: str, weight: int) -> FontEntry:
    """Return the font of a family that is closest to the requested style."""
    from matplotlib.font_manager import weight_dict

    def misfit(entry: FontEntry) -> tuple[int, bool]:
        own = entry.weight
        heaviness = own if isinstance(own, int) else weight_dict.get(own, 400)
        return abs(heaviness - weight), entry.style != style

    return min(entries, key=misfit)


def _is_truetype(path: Path) -> bool:
    """Return whether the outlines are TrueType; matplotlib embeds all others in a PDF wrongly."""
    try:
        with path.open("rb") as file:
            kind = file.read(4)
            if kind == b"ttcf":
                file.seek(12)
                file.seek(int.from_bytes(file.read(4), "big"))
                kind = file.read(4)
    except OSError:
        return False
    return kind in (b"\0\1\0\0", b"true")
