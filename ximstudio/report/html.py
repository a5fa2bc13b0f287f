"""HTML in which names from files are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from ximstudio.files.columns import sound

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
