"""Figures inside a page: SVG with unique ids, or pixels where it is too large."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from ximstudio.figures.files import figure_bytes
from ximstudio.figures.look import Look
from ximstudio.files.columns import sound
from ximstudio.report.html import CONTROLS, Html, tag

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, kw_only=True)
class Fineness:
    """Limits of the size of a figure in a page.

    Parameters
    ----------
    most_svg
        Most letters of SVG; a larger figure is drawn in pixels.
    inside_dpi, pixels_dpi
        Resolution of dense clouds inside SVG, and of figures in pixels.
    """

    most_svg: int
    inside_dpi: float
    pixels_dpi: float


FINE = Fineness(most_svg=500_000, inside_dpi=160.0, pixels_dpi=180.0)
"""Sharp on screens and on paper."""
COARSE = Fineness(most_svg=120_000, inside_dpi=100.0, pixels_dpi=110.0)
"""For late figures in a page that is large already."""
SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
REFERENCE = re.compile(r"url\(#([^)]+)\)")
LEFT_OUT = frozenset({"metadata", "style", "title", "desc"})
"""Parts that a page must not have: a style in a figure would apply to the whole page."""


def inline_figure(
    figure: Figure, look: Look, *, name: str, spoken: str, fineness: Fineness = FINE
) -> Html:
    """Return the figure as an element of a page; `name` makes its ids unique.

    `spoken` is the text for screen readers.
    """
    content = figure_bytes(figure, ".svg", look=look)
    drawn = inline_svg(content.decode("utf-8"), name=name, spoken=spoken)
    if len(drawn) <= fineness.most_svg:
        return drawn
    pixels = replace(look, dpi=fineness.pixels_dpi)
    return _image(figure_bytes(figure, ".png", look=pixels), spoken=spoken)


def inline_svg(text: str, *, name: str, spoken: str) -> Html:
    """Return an SVG file as part of a page: its ids and references begin with its name.

    Otherwise a second figure with the same ids would use the first one's clips and marks.
    """
    # Names may contain what XML forbids; matplotlib writes them as they are.
    root = ElementTree.fromstring(CONTROLS.sub("\ufffd", sound(text)))  # noqa: S314 – our own, written a moment ago
    _plain(root, name, set())
    width = root.attrib.pop("width", "")
    root.attrib.pop("height", None)
    root.attrib.pop("version", None)
    root.attrib |= {"role": "img", "aria-label": spoken, "style": f"width:{width}"}
    return Html(ElementTree.tostring(root, encoding="unicode").strip())


def _plain(element: ElementTree.Element, name: str, taken: set[str]) -> None:
    """Remove namespaces, as HTML requires, and put the figure's name before every id.

    matplotlib names images after their pixels: of two equal ones, the second loses its id.
    """
    element.tag = element.tag.rpartition("}")[2]
    for key, value in list(element.attrib.items()):
        if key.startswith("{"):
            del element.attrib[key]
        if key == "id" and value in taken:
            del element.attrib[key]
        elif key == "id":
            taken.add(value)
            element.attrib[key] = f"{name}-{value}"
        elif key in ("href", f"{{{XLINK}}}href"):
            here = value.startswith("#")
            element.attrib["href"] = f"#{name}-{value[1:]}" if here else value
        elif "url(#" in value:
            element.attrib[key] = REFERENCE.sub(rf"url(#{name}-\1)", value)
    for child in list(element):
        if child.tag.rpartition("}")[2] in LEFT_OUT:
            element.remove(child)
        else:
            _plain(child, name, taken)


def _image(png: bytes, *, spoken: str) -> Html:
    return tag("img", src=f"data:image/png;base64,{b64encode(png).decode('ascii')}", alt=spoken)
