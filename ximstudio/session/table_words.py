"""Texts about a table in its own words, for the window."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ximstudio.load import Choices
from ximstudio.load.annotation.join import Joined
from ximstudio.model.shell import unescaped
from ximstudio.model.words import counted, grouped, in_words
from ximstudio.session import Data
from ximstudio.session.overview import Overview
from ximstudio.session.words import name_of


def shortened(text: str, data: Data) -> str:
    """Shorten a message about the open table by the name of its file."""
    source = data.labelled.table.source
    place = text.removeprefix(f"{source}: ")
    if place != text:
        place = place[:1].upper() + place[1:]
    return place.replace(source, name_of(data))


def spoken(text: str, overview: Overview | None) -> str:
    """Return a message in the words of this table."""
    return text if overview is None else in_words(text, overview.item, overview.feature)


_FLAGS = re.compile(
    r"(: )?--(?:read (?:\"(?P<quoted>\w+)=[^\"]*\"|(?P<key>\w+)=[^\s,;]*?(?=[.,;]?(?:\s|$)))"
    r"|labels[ =](?P<label>\"[^\"]*\"|'[^']*'|[^\s,;.]+)"
    r"|(?P<id>id)(?:=(?:\"[^\"]*\")?| '[^']*'| \"[^\"]*\"| [\w{}]+)?"
    r"|(?P<part>part)(?: [A-Z]+\b)?"
    r"|(?P<features>features)(?: '[^']*'(?: or '[^']*')*)?"
    r"|(?P<annotate>annotate) \S+)"
)
"""Command-line options in messages."""


_SAMPLE = re.compile(r"\bgive 'sample:\w+'")
"""Names of sample data in messages."""


def in_window(text: str, names: Mapping[str, str] | None = None) -> str:
    """Replace command-line options in a message by the fields of the window.

    `names` are the labels of the fields here, by key, where they differ from those of `Choices`.
    """
    labels = {key: spec.label for key, spec in Choices.specs().items()} | dict(names or {})

    def named(found: re.Match[str]) -> str:
        colon = found[1] or ""
        if found["annotate"]:
            return f"{colon}“Join a table”"
        if found["label"]:
            field = f"“{labels['labels']}”"
            label = unescaped(found["label"].strip("'\""))
            return f"{colon}add '{label}' to {field}" if colon else field
        key = found["quoted"] or found["key"] or found["id"] or found["part"] or found["features"]
        return f"{colon}“{labels.get(key, key)}”"

    return _SAMPLE.sub("open an example", _FLAGS.sub(named, text))


def found_text(joined: Joined, word: str, n: int) -> str:
    """Count the names that were found: "140 of 150 genes found"."""
    found = n - len(joined.not_found) - len(joined.unclear)
    unclear = f", {grouped(len(joined.unclear))} unclear" if joined.unclear else ""
    return f"{grouped(found)} of {counted(n, word)} found{unclear}"
