"""The style sheet: every control in the theme's colours and the one scale of spacing."""

from __future__ import annotations

from string import Template

from ximstudio.pictures.colours import Colours, mixed
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text
from ximstudio.ui.widgets.look.sheet import buttons, fields, frames, lists
from ximstudio.ui.widgets.look.svg import glyphs, register

PARTS = (frames, buttons, fields, lists)


def style_sheet(colours: Colours) -> str:
    """Qt style sheet of the whole window in these colours."""
    # The window's colour tells themes apart: pictures are cached by path.
    folder = f"look/{colours.window[1:]}"
    register(folder, glyphs(colours))
    words = {**colours.named, **_edges(colours), **_sizes(), "glyphs": f":/{folder}"}
    return "\n".join(Template(part.SHEET).substitute(words) for part in PARTS)


def _edges(colours: Colours) -> dict[str, str]:
    """Quiet edges of banners: a little darker than their backdrop."""
    named = colours.named
    return {
        f"{tone}_edge": mixed(named[f"{tone}_soft"], named[tone], 0.22)
        for tone in ("accent", "success", "warning", "danger")
    }


def _sizes() -> dict[str, str]:
    """Pixels by name, as the parts of the sheet call them."""
    inner = {"small": spacing.CONTROL_SMALL, "normal": spacing.CONTROL}
    inner["large"] = spacing.CONTROL_LARGE
    # Style sheets count heights without the border of one pixel on each side.
    heights = {f"height_{name}": f"{height - 2}px" for name, height in inner.items()}
    gaps = {
        name.lower(): f"{getattr(spacing, name)}px"
        for name in ("HAIR", "SMALL", "MEDIUM", "LARGE", "WIDE", "RADIUS", "RADIUS_SMALL")
    }
    texts = {f"text_{size.name.lower()}": f"{size.value}px" for size in Text}
    return heights | gaps | texts | {"radius_large": f"{spacing.RADIUS_LARGE}px"}
