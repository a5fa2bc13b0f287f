"""HTML in which names from files are escaped, and figures inside a page."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from ximstudio.figures.files import figure_bytes
from ximstudio.figures.look import Look
from ximstudio.files.columns import sound
from ximstudio.model.words import counted, grouped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VOID: Final = frozenset({"br", "hr", "img", "meta"})
"""Elements without an end tag."""
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Characters that HTML forbids; they occur in names in files."""


class Html(str):
    """A text that is HTML already; any other text is escaped."""

    __slots__ = ()


Content = str | Html | None
"""Content of an element: HTML, or a text to be escaped; None for nothing."""

NOTHING = Html()


def safe(text: Content) -> Html:
    """Escape a text."""
    if text is None:
        return NOTHING
    if isinstance(text, Html):
        return text
    return Html(escape(CONTROLS.sub("\ufffd", sound(text)), quote=True))


def joined(parts: Iterable[Content], between: str = "") -> Html:
    """Join several pieces."""
    return Html(safe(between).join(map(safe, parts)))


def tag(name: str, /, *content: Content, **attributes: str | int | bool | None) -> Html:
    """Return an element; attributes None and False are left out, `class_` and `for_` lose their _.

    Underscores in the middle of a name are hyphens: aria_label.
    """
    written = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        known = key.rstrip("_").replace("_", "-")
        written.append(f" {known}" if value is True else f' {known}="{safe(str(value))}"')
    opened = f"<{name}{''.join(written)}>"
    if name in VOID:
        return Html(opened)
    return Html(f"{opened}{joined(content)}</{name}>")


def paragraph(*content: Content, kind: str | None = None) -> Html:
    """A paragraph."""
    return Html(tag("p", *content, class_=kind) + "\n")


def bullets(entries: Iterable[Content], *, ordered: bool = False, kind: str | None = None) -> Html:
    """Return a list; nothing for no entries."""
    lines = [tag("li", entry) for entry in entries]
    if not lines:
        return NOTHING
    return Html(tag("ol" if ordered else "ul", joined(lines, "\n"), class_=kind) + "\n")


def first_of(texts: Sequence[str], most: int, word: str = "") -> str:
    """List the first of many texts, and the number of the others, with the word for one."""
    more = len(texts) - most
    rest = f", and {counted(more, word) if word else grouped(more)} more" if more > 0 else ""
    return ", ".join(texts[:most]) + rest


def folded(summary: Content, *content: Content) -> Html:
    """Return a part that opens on a click, without a script."""
    return Html(tag("details", tag("summary", summary), *content) + "\n")


def facts(rows: Iterable[tuple[Content, Content]]) -> Html:
    """Return a table of names and values; empty values are left out."""
    lines = [
        tag("tr", tag("th", name, scope="row"), tag("td", value)) for name, value in rows if value
    ]
    if not lines:
        return NOTHING
    return _scrolled(tag("table", tag("tbody", joined(lines, "\n")), class_="facts"))


def table(
    heads: Sequence[Content],
    rows: Iterable[Sequence[Content]],
    *,
    caption: Content = None,
    numbers: Iterable[int] = (),
) -> Html:
    """Return a table whose first column names its rows; columns in `numbers` are right-aligned."""
    right = set(numbers)

    def kind(place: int) -> str | None:
        return "number" if place in right else None

    head = [tag("th", text, scope="col", class_=kind(n)) for n, text in enumerate(heads)]
    lines = [
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(tag("td", cell, class_=kind(n)) for n, cell in enumerate(row[1:], start=1)),
        )
        for row in rows
    ]
    return _scrolled(
        tag(
            "table",
            tag("caption", caption) if caption else None,
            tag("thead", tag("tr", *head)),
            tag("tbody", joined(lines, "\n")),
        )
    )


def _scrolled(content: Html) -> Html:
    """Let wide tables scroll inside their frame."""
    return Html(tag("div", content, class_="wide", tabindex=0, role="group") + "\n")


@dataclass(frozen=True, kw_only=True)
class Fineness:
    """Limits of the size of a figure in a page: with more letters of SVG, it is drawn in pixels.

    The resolutions are those of dense clouds inside SVG, and of figures in pixels.
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
    png = figure_bytes(figure, ".png", look=replace(look, dpi=fineness.pixels_dpi))
    return tag("img", src=f"data:image/png;base64,{b64encode(png).decode('ascii')}", alt=spoken)


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
