"""`ximstudio inspect`: what is understood of a file, what is wrong with it, and what repairs it."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator
from typing import Any

from ximstudio.commands.console import say
from ximstudio.commands.input import Delivery, Order, repair_option
from ximstudio.commands.steps import text_of
from ximstudio.commands.watching import watch
from ximstudio.doctor import Finding
from ximstudio.load import Choices, Guess
from ximstudio.load.formats import FORMATS
from ximstudio.model.problem import Problem
from ximstudio.model.table import FEATURES, ITEMS, Axis, Table
from ximstudio.prepare.recipe import Stage

WIDTH = 96
SHOWN = 3
"""Rows and columns of the table that are printed at its corner."""

SCHEMA = 1


def inspect(options: argparse.Namespace) -> int:
    """Print what is understood and found; the exit code."""
    order = Order.of(options)
    found = watch(order.carry_out, quiet=options.json, discard=lambda: None)
    if options.json:
        say(json.dumps(as_values(found), indent=2, ensure_ascii=False))
    else:
        say("\n".join(as_lines(found)))
    return 0


def as_values(found: Delivery) -> dict[str, Any]:
    """Everything for programs."""
    opened = found.opened
    return {
        "schema": SCHEMA,
        "source": opened.labelled.table.source,
        "format": opened.reading.format,
        "read": _table_values(opened.labelled.table),
        "prepared": _table_values(opened.prepared.table),
        "guesses": [_guess_values(guess) for guess in opened.reading.guesses],
        "notes": [_problem_values(note) for note in opened.notes],
        "steps": [_stage_values(stage) for stage in opened.prepared.stages],
        "findings": [_finding_values(finding) for finding in found.findings],
    }


def _table_values(table: Table) -> dict[str, Any]:
    return {
        "items": table.n_items,
        "features": table.n_features,
        "missing_values": table.n_missing,
        "sparse": table.is_sparse,
        "item_names": list(table.items.names[:SHOWN]),
        "feature_names": list(table.features.names[:SHOWN]),
        "item_labels": list(table.items.labels),
        "feature_labels": list(table.features.labels),
    }


def _guess_values(guess: Guess) -> dict[str, Any]:
    return {
        "key": guess.key,
        "label": guess.label,
        "value": guess.value,
        "reason": guess.reason,
        "options": None if guess.options is None else dict(guess.options),
        "sure": guess.sure,
    }


def _problem_values(problem: Problem) -> dict[str, Any]:
    return {
        "key": problem.key,
        "severity": str(problem.severity),
        "what": problem.what,
        "where": problem.where,
        "way_out": problem.way_out,
    }


def _stage_values(stage: Stage) -> dict[str, Any]:
    return {
        "step": text_of(stage.planned),
        "on": stage.planned.on,
        "sentence": stage.planned.sentence,
        "removed_items": list(stage.removed_items),
        "removed_features": list(stage.removed_features),
    }


def _finding_values(finding: Finding) -> dict[str, Any]:
    return {
        **_problem_values(finding.problem),
        "sure": finding.sure,
        "addresses": [
            {ITEMS: address.item, FEATURES: address.feature} for address in finding.addresses
        ],
        "repairs": [
            {"label": repair.label, "steps": [text_of(step) for step in repair.steps]}
            for repair in finding.repairs
        ],
    }


def as_lines(found: Delivery) -> Iterator[str]:
    """Everything for people."""
    opened = found.opened
    table = opened.prepared.table
    name = next(one.name for one in FORMATS if one.key == opened.reading.format)
    yield f"{table.source}: {name}"
    yield from _size(table)
    yield ""
    yield "Understood (a wrong guess is set right by its name in brackets: --read NAME=VALUE)"
    for guess in opened.reading.guesses:
        name = f" [{guess.key}]" if guess.key in Choices.specs() else ""
        mark = "" if guess.sure else "  ← please look"
        yield f"  {guess.label}{name}: {guess.shown or guess.value}{mark}"
        yield from _wrapped(guess.reason, 6)
    if opened.prepared.stages:
        yield ""
        yield "Done to the table"
        for number, stage in enumerate(opened.prepared.stages, start=1):
            yield from _wrapped(f"{number}. {stage.planned.sentence}", 2)
    if opened.notes:
        yield ""
        yield "Not in the table as it is in the file"
        for note in opened.notes:
            yield from _wrapped(f"- {note.what} {note.where}", 2)
    yield ""
    if not found.findings:
        yield "The doctor finds nothing wrong."
        return
    yield f"The doctor finds {len(found.findings)} thing(s)"
    for finding in found.findings:
        yield from _finding(finding)


def _size(table: Table) -> Iterator[str]:
    blanks = f"{table.n_missing} blank(s)" if table.n_missing else "no blanks"
    yield f"  {table.n_items} items × {table.n_features} features, {blanks}"
    yield f"  items:    {_some(table.items)}"
    yield f"  features: {_some(table.features)}"


def _some(axis: Axis) -> str:
    more = ", …" if len(axis) > SHOWN else ""
    labels = f"; labels: {', '.join(axis.labels)}" if axis.labels else ""
    return ", ".join(axis.names[:SHOWN]) + more + labels


def _finding(finding: Finding) -> Iterator[str]:
    yield ""
    yield from _wrapped(f"{finding.severity}: {finding.what}", 2)
    yield from _wrapped(f"where:   {finding.where}", 6)
    yield from _wrapped(f"way out: {finding.way_out}", 6)
    for number, repair in enumerate(finding.repairs):
        yield from _wrapped(f"repair:  {repair.label}:", 6)
        # On a line of its own, however long: it is there to be copied.
        yield f"{' ' * 15}{repair_option(finding, number)}"


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
