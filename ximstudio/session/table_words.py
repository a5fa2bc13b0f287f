"""Texts about a table in its own words, for the window."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ximstudio.load import Choices
from ximstudio.load.annotation.join import Joined
from ximstudio.model.problem import Problem, SettingsForm
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


def without_folder(text: str, path: str) -> str:
    """Return a message about a file that is on display, with its name instead of its path."""
    return text.replace(path, Path(path).name) if path else text


def spoken(text: str, overview: Overview | None) -> str:
    """Return a message in the words of this table."""
    return text if overview is None else in_words(text, overview.item, overview.feature)


def way_out_text(problem: Problem, names: Mapping[str, str] | None = None) -> str:
    """Return what to do, with the labels of the settings by which a table is read otherwise.

    `names` are labels of settings that differ from those of `Choices`.
    """
    if problem.form is not SettingsForm.READING or not problem.fields:
        return problem.way_out
    labels = {key: spec.label for key, spec in Choices.specs().items()} | dict(names or {})
    return f"{problem.way_out} ({', '.join(f'“{labels[name]}”' for name in problem.fields)})"


def found_text(joined: Joined, word: str, n: int) -> str:
    """Count the names that were found: "140 of 150 genes found"."""
    found = n - len(joined.not_found) - len(joined.unclear)
    unclear = f", {grouped(len(joined.unclear))} unclear" if joined.unclear else ""
    return f"{grouped(found)} of {counted(n, word)} found{unclear}"
