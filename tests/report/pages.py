"""A page as a reader's program sees it: elements, ids, references, texts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"br", "hr", "img", "meta", "input", "link"})
LOADING = frozenset({"src", "srcset", "data", "poster", "action", "formaction", "background"})
"""Attributes whose address is fetched, or led to."""


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""
    """Its own text and that of all elements in it."""
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> list[Element]:
        found = [self] if self.tag == tag else []
        return found + [each for child in self.children for each in child.all(tag)]

    def every(self) -> list[Element]:
        return [self, *(each for child in self.children for each in child.every())]

    def by_id(self, name: str) -> Element:
        (found,) = (each for each in self.every() if each.attributes.get("id") == name)
        return found

    def rows(self) -> list[list[str]]:
        """The cells of every row of a table."""
        return [
            [cell.text for cell in row.children if cell.tag in ("td", "th")]
            for row in self.all("tr")
        ]


class Page(HTMLParser):
    """The tree of a page; an element that is not closed, or closed twice, is an error."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("page", {})
        self._open = [self.root]
        self.feed(text)
        self.close()
        assert self._open == [self.root], f"not closed: {[each.tag for each in self._open]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in {tag}: {names}"
        made = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(made)
        if tag not in VOID:
            self._open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert any(each.tag == "svg" for each in self._open), f"<{tag}/> outside of a drawing"
        self._open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, f"</{tag}> in {self._open[-1].tag}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for each in self._open:
            each.text += data

    @property
    def ids(self) -> Counter[str]:
        return Counter(
            each.attributes["id"] for each in self.root.every() if "id" in each.attributes
        )

    @property
    def references(self) -> set[str]:
        """Ids that something in the page refers to."""
        found = set()
        for each in self.root.every():
            for name, value in each.attributes.items():
                if name == "href" and value.startswith("#"):
                    found.add(value[1:])
                found |= set(re.findall(r"url\(#([^)]*)\)", value))
        return found

    @property
    def loaded(self) -> set[str]:
        """Addresses outside of the page that a browser would fetch or offer."""
        found = set()
        for each in self.root.every():
            for name, value in each.attributes.items():
                if name in LOADING or name.endswith("href"):
                    found.add(value)
                found |= set(re.findall(r"url\(([^)]*)\)", value))
        for style in self.root.all("style"):
            found |= set(re.findall(r"url\(([^)]*)\)|@import[^;]*", style.text))
        return {value for value in found if not value.startswith(("#", "data:image/png;base64,"))}

    def section(self, key: str) -> Element:
        """The section with the heading of this id."""
        (found,) = (
            each
            for each in self.root.all("section")
            if each.children and each.children[0].attributes.get("id") == key
        )
        return found
