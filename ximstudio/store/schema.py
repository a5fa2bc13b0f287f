"""Version of the session format, and migrations from older versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from ximstudio.model.problem import UserError
from ximstudio.store.json_values import JsonValue, damaged

FORMAT = "ximstudio session"
SCHEMA = 7
"""The version that is written. Any change of `schema_types.described()` needs a new one."""

Document: TypeAlias = dict[str, Any]
Migration: TypeAlias = Callable[[Document], Document]


def _with_makers(document: Document) -> Document:
    """Add `made_with`: schema 1 recorded only the program that saved the session."""
    made_with = {"program": document["program"], "versions": {}, "platform": {}}
    session = document["session"]
    runs = [{**run, "made_with": made_with} for run in session["runs"]]
    return {**document, "session": {**session, "runs": runs}}


def _with_colours(document: Document) -> Document:
    """Add `colour`: in schema 2 the position of a set determined its colour."""
    session = document["session"]
    sets = [{**each, "colour": None} for each in session["sets"]]
    return {**document, "session": {**session, "sets": sets}}


def _with_defaults(document: Document) -> Document:
    """Do nothing: fields that an older schema lacks take their defaults when they are read."""
    return document


MIGRATIONS: Mapping[int, Migration] = MappingProxyType(
    {1: _with_makers, 2: _with_colours, **dict.fromkeys(range(3, SCHEMA), _with_defaults)}
)
"""By schema: function that converts a document to the next schema. Arrays stay."""


def migrated(
    document: Any,
    where: str,
    *,
    newest: int = SCHEMA,
    migrations: Mapping[int, Migration] = MIGRATIONS,
) -> Document:
    """Convert a document to the newest schema; refuse newer ones and anything else."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise not_a_session(where)
    schema = JsonValue(document.get("schema"), f"{where}: schema").whole(low=1)
    if schema > newest:
        raise UserError(
            key="session.newer",
            what="The session was saved by a newer version of the program"
            f" (schema {schema}; this one knows up to {newest}).",
            where=where,
            way_out="Update XIM Studio, then open the session again.",
        )
    found: Document = document
    for number in range(schema, newest):
        try:
            found = migrations[number](found)
        except UserError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError):
            raise damaged(where, f"it does not follow schema {number}") from None
    return found


def not_a_session(where: str) -> UserError:
    """Error: the file is something else."""
    return UserError(
        key="session.not_ours",
        what="This is not a session of XIM Studio.",
        where=where,
        way_out="Open a file that was saved as a session (.xims).",
    )
