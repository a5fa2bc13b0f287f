"""The program's icons as SVG, in any colour."""

from __future__ import annotations

from functools import cache

from ximstudio.assets import asset


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
