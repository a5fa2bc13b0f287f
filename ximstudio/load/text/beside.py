"""Refuse tables that lie side by side in a text, each with names of its own."""

from __future__ import annotations

from ximstudio.load.headers import is_id_name
from ximstudio.load.text.understood import Understood
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.model.words import counted

SHARED = 0.3
"""Share of names that a second column of names has in common with the first."""

AGREEING = 0.5
"""Share of rows with equal names above which both belong to one table."""


def beside(found: Understood, *, name: str, word: str) -> UserError | None:
    """Return the error if a second table lies beside the first, else None.

    Its names are those of the first in another order, and numbers follow them.
    """
    column = _second_names(found)
    if column is None or not found.layout.header:
        return None
    columns = found.columns
    mine = [columns.called(one) for one in found.features if one < column]
    others = [one for one in found.features if one > column]
    if not mine or not others:
        return None
    # A name that both tables use cannot be chosen.
    clear = not {*mine} & {columns.called(one) for one in others}
    way_out = "Save each table in a file of its own"
    if clear:
        way_out += "; to read the first, choose its columns"
    return UserError(
        key="load.side_by_side",
        what=f"Another table lies beside the first: '{columns.called(column)}' in column"
        f" {columns.place(column)} names other rows, and {counted(len(others), 'column')} of"
        " numbers follow.",
        where=f"{name}, {word} {int(found.block.lines[0])} and below",
        way_out=f"{way_out}.",
        fields=("features",) if clear else (),
        form=SettingsForm.READING,
        hint={"features": tuple(mine)} if clear else {},
    )


def _second_names(found: Understood) -> int | None:
    """Return the second column of names: under the same header, or after an empty column."""
    if found.id is None:
        return None
    names = found.columns.names
    first = [text.strip() for text in found.block.texts[found.id]]
    for column in found.labels:
        if column <= found.id or column in found.coded or not is_id_name(names[column]):
            continue
        if names[column] != names[found.id] and not _is_blank(found, column - 1):
            continue
        other = [text.strip() for text in found.block.texts[column]]
        named = {text for text in other if text}
        alike = sum(one == two for one, two in zip(first, other, strict=True))
        if len(named & {*first}) >= SHARED * max(len(named), 1) and alike < AGREEING * len(named):
            return column
    return None


def _is_blank(found: Understood, column: int) -> bool:
    """Return whether a column has neither a name nor a cell."""
    if found.columns.names[column]:
        return False
    return column not in found.features and not any(
        text.strip() for text in found.block.texts.get(column, ())
    )
