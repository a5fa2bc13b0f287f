"""A figure → what stands in a page: SVG with names of its own, or pixels where it is too large."""

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
    """How much a figure may take of a page.

    Parameters
    ----------
    most_svg
        Letters; a figure that takes more is drawn in pixels.
    inside_dpi, pixels_dpi
        Resolution of dense clouds inside SVG, and of figures in pixels.
    """

    most_svg: int
    inside_dpi: float
    pixels_dpi: float


FINE = Fineness(most_svg=500_000, inside_dpi=160.0, pixels_dpi=180.0)
"""Sharp on screens and on paper."""
COARSE = Fineness(most_svg=120_000, inside_dpi=100.0, pixels_dpi=110.0)
"""For what comes late in a page that is large already."""
SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
REFERENCE = re.compile(r"url\(#([^)]+)\)")
LEFT_OUT = frozenset({"metadata", "style", "title", "desc"})
"""Parts that a page has no use for: a style in a figure would be one for the whole page."""


def inline_figure(
    figure: Figure, look: Look, *, name: str, told: str, fineness: Fineness = FINE
) -> Html:
    """The figure as an element of a page; `name` keeps its parts apart from those of others.

    `told` is what people hear who do not see it.
    """
    content = figure_bytes(figure, ".svg", look=look)
    drawn = inline_svg(content.decode("utf-8"), name=name, told=told)
    if len(drawn) <= fineness.most_svg:
        return drawn
    pixels = replace(look, dpi=fineness.pixels_dpi)
    return _image(figure_bytes(figure, ".png", look=pixels), told=told)


def inline_svg(text: str, *, name: str, told: str) -> Html:
    """An SVG file as a part of a page: ids and what refers to them begin with its name.

    A second figure with the same ids would else be drawn with the first one's clips and marks.
    """
    # Names may hold what no XML may; matplotlib writes them as they are.
    root = ElementTree.fromstring(CONTROLS.sub("\ufffd", sound(text)))  # noqa: S314 – our own, written a moment ago
    _plain(root, name, set())
    width = root.attrib.pop("width", "")
    root.attrib.pop("height", None)
    root.attrib.pop("version", None)
    root.attrib |= {"role": "img", "aria-label": told, "style": f"width:{width}"}
    return Html(ElementTree.tostring(root, encoding="unicode").strip())


def _plain(element: ElementTree.Element, name: str, taken: set[str]) -> None:
    """Take name spaces off, as pages want it, and put the figure's name before every id.

    matplotlib names images after their pixels: of two that are equal, the second has no name then.
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


def _image(png: bytes, *, told: str) -> Html:
    return tag("img", src=f"data:image/png;base64,{b64encode(png).decode('ascii')}", alt=told)
