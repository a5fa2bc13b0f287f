"""Which form a stored session has, and how older forms become the newest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from ximstudio.model.problem import UserError
from ximstudio.store.json_values import JsonValue, damaged

FORMAT = "ximstudio session"
SCHEMA = 6
"""The form that is written. Any change of what `nouns.described` tells is another one."""

Document: TypeAlias = dict[str, Any]
Migration: TypeAlias = Callable[[Document], Document]


def _with_makers(document: Document) -> Document:
    """Schema 1 did not say what maps were made with: the program that saved them is known alone."""
    made_with = {"program": document["program"], "versions": {}, "platform": {}}
    session = document["session"]
    runs = [{**run, "made_with": made_with} for run in session["runs"]]
    return {**document, "session": {**session, "runs": runs}}


def _with_colours(document: Document) -> Document:
    """In schema 2 the colour of a set was that of its place alone."""
    session = document["session"]
    sets = [{**each, "colour": None} for each in session["sets"]]
    return {**document, "session": {**session, "sets": sets}}


def _with_defaults(document: Document) -> Document:
    """Nothing to do: what an older schema lacks and that has a default takes it when it is read."""
    return document


MIGRATIONS: Mapping[int, Migration] = MappingProxyType(
    {1: _with_makers, 2: _with_colours, 3: _with_defaults, 4: _with_defaults, 5: _with_defaults}
)
"""By schema: what makes the document of the next one of it. Arrays are named in it, and stay."""


def migrated(
    document: Any,
    where: str,
    *,
    newest: int = SCHEMA,
    migrations: Mapping[int, Migration] = MIGRATIONS,
) -> Document:
    """The document in the newest form; one of a newer program is refused, and so is no document."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise not_a_session(where)
    schema = JsonValue(document.get("schema"), f"{where}: schema").whole(low=1)
    if schema > newest:
        raise UserError(
            key="session.newer",
            what="The session was saved by a newer version of the program"
            f" (schema {schema}; this one knows up to {newest}).",
            where=where,
            way_out="Update XIM Studio, and open it again.",
        )
    found: Document = document
    while schema < newest:
        try:
            found = migrations[schema](found)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, UserError):
                raise
            raise damaged(where, f"it is not as schema {schema} was") from None
        schema += 1
    return found


def not_a_session(where: str) -> UserError:
    """The file is something else."""
    return UserError(
        key="session.not_ours",
        what="This is no session of XIM Studio.",
        where=where,
        way_out="Open a file that was saved as a session (.xims).",
    )
