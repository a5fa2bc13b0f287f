"""Facts about a table: size, missing values, names, labels."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from math import isfinite

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from ximstudio.load.text.notation import is_number
from ximstudio.model.words import counted, grouped, number, plural
from ximstudio.session import Data
from ximstudio.session.sides import items_in_rows
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label
from ximstudio.ui.widgets.message_card import Prose, prose

NAME_WIDTH = 56
MOST_LETTERS = 60
"""Maximum length of a list of classes; longer ones are counted instead."""
DIGITS = 6
"""Digits of the smallest and largest number of a label."""


class TableFacts(QWidget):
    """Two-column list of facts about a table."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(spacing.MEDIUM)
        grid.setVerticalSpacing(spacing.HAIR)
        grid.setColumnMinimumWidth(0, NAME_WIDTH)
        grid.setColumnStretch(1, 1)
        self.values: dict[str, Prose] = {}
        for row, name in enumerate(("Missing", "Names", "Labels", "Scale")):
            self.values[name] = prose()
            grid.addWidget(label(name, kind="muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.values[name], row, 1)

    def show_data(self, data: Data) -> None:
        """Show the facts about a table."""
        guesses = {guess.key: guess for guess in data.labelled.reading.guesses}
        found = {
            "Missing": missing_text(data),
            "Names": "row numbers",
            "Labels": labels_text(data),
            "Scale": "",
        }
        tips = dict.fromkeys(found, "")
        for name, key in (("Names", "id"), ("Scale", "logged")):
            if key in guesses:
                guess = guesses[key]
                found[name] = guess.shown or guess.value or found[name]
                tips[name] = guess.reason
        if "id" in guesses and guesses["id"].value:
            found["Names"] = f"column “{guesses['id'].value}”"
        if not items_in_rows(data):
            # This names the rows of the file, which are not mapped.
            features = plural(2, data.overview.feature)
            found["Names"] = f"names of the columns; {features}: {found['Names']}"
        for name, value in self.values.items():
            value.setText(found[name] or "not known")
            value.setToolTip(tips[name])


def missing_text(data: Data) -> str:
    """Return the number and share of missing values."""
    overview = data.overview
    if not overview.n_missing:
        return "no values"
    share = 100.0 * overview.missing_share
    shown = "< 0.1" if share < 0.1 else f"{share:.1f}" if share < 10 else f"{share:.0f}"
    return f"{counted(overview.n_missing, 'value')} ({shown} %)"


def labels_text(data: Data) -> str:
    """Return every label with its classes, if they are few and short."""
    return "\n".join(map(_label_text, data.overview.classes.items())) or "none"


def _label_text(label_: tuple[str, Mapping[str, int]]) -> str:
    name, classes = label_
    # Avoid joining thousands of classes that will not fit anyway.
    few = list(islice(classes.items(), MOST_LETTERS))
    listed = ", ".join(f"{text or 'blank'}\u00a0({grouped(n)})" for text, n in few)
    if len(listed) <= MOST_LETTERS:
        return f"{name}: {listed}"
    numbers = _numbers(classes)
    if numbers:
        blank = f", {grouped(classes[''])} blank" if "" in classes else ""
        ends = " to ".join(number(end, DIGITS) for end in (min(numbers), max(numbers)))
        return f"{name}: {counted(len(numbers), 'number')} from {ends}{blank}"
    return f"{name}: {counted(len(classes), 'text')}"


def _numbers(classes: Mapping[str, int]) -> list[float]:
    """Return the texts of a label as numbers; empty unless all non-blank texts are numbers."""
    texts = [text for text in classes if text]
    values = [float(text) for text in texts if is_number(text)]
    return values if len(values) == len(texts) and all(map(isfinite, values)) else []
