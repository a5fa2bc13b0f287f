"""How the steps on the left speak of a table: items are genes or samples, as they look."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ximstudio.load import Choices
from ximstudio.session import Data
from ximstudio.session.overview import FEATURE, ITEM, Overview
from ximstudio.ui.words import grouped

__all__ = ["counted", "counted_word", "grouped", "in_window", "in_words", "shortened", "spoken"]

_SIDES = re.compile(r"'[^']*'|\b([Ii]tem|[Ff]eature)(s?)\b")
"""What the core calls both sides, and quoted names, which stay as they are."""


def counted_word(word: str, n: int) -> str:
    """The word for that many."""
    return word if n == 1 else f"{word}s"


def counted(n: int, word: str) -> str:
    """How many of what: "1 gene", "1 230 genes"."""
    return f"{grouped(n)} {counted_word(word, n)}"


def shortened(text: str, data: Data) -> str:
    """A message that calls the file by its name, without its folders."""
    return text.replace(data.labelled.table.source, data.name)


def spoken(text: str, overview: Overview | None) -> str:
    """A sentence of the core in the words of this table."""
    return text if overview is None else in_words(text, overview.item, overview.feature)


def in_words(text: str, item: str, feature: str) -> str:
    """A sentence of the core with other words for both sides; quoted names stay as they are."""
    words = {ITEM: item, FEATURE: feature}

    def said(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        word = words[found[1].lower()] + found[2]
        return word.capitalize() if found[1][0].isupper() else word

    return _SIDES.sub(said, text)


_FLAGS = re.compile(
    r"(: )?--(?:read (?P<key>\w+)=[^\s,;]*?(?=[.,;]?(?:\s|$))"
    r"|labels (?P<label>'[^']*'|[^\s,;.]+)"
    r"|(?P<id>id)(?: '[^']*'| [\w{}]+)?"
    r"|(?P<part>part)(?: [A-Z]+\b)?"
    r"|(?P<annotate>annotate) \S+)"
)
"""How messages of the core name what a person can say on the command line."""


def in_window(text: str, names: Mapping[str, str] | None = None) -> str:
    """A message with the fields of the window in place of the command line's options.

    `names` is what the fields are called here, by key, where it is not what `Choices` calls them.
    """
    labels = {key: spec.label for key, spec in Choices.specs().items()} | dict(names or {})

    def named(found: re.Match[str]) -> str:
        colon = found[1] or ""
        if found["annotate"]:
            return f"{colon}“Join a table”"
        if found["label"]:
            field = f"“{labels['labels']}”"
            return f"{colon}add {found['label']} to {field}" if colon else field
        key = found["key"] or found["id"] or found["part"]
        return f"{colon}“{labels.get(key, key)}”"

    return _FLAGS.sub(named, text)
