"""`ximstudio inspect`: print how a file is read, what is wrong with it, and how to repair it."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from ximstudio.commands.console import say
from ximstudio.commands.input import Delivery, TableRequest, in_words_of, repair_option, size_text
from ximstudio.commands.options import field_options, hint_options
from ximstudio.commands.steps import text_of
from ximstudio.commands.watching import State, watch
from ximstudio.doctor import Finding
from ximstudio.doctor.sequence import Proposal, proposals
from ximstudio.jobs import Task
from ximstudio.load import Choices, Guess
from ximstudio.load.format import format_named
from ximstudio.model import words
from ximstudio.model.problem import Problem
from ximstudio.model.table import Axis, Table
from ximstudio.model.words import counted
from ximstudio.prepare.recipe import Stage
from ximstudio.prepare.statistics import TableStatistics
from ximstudio.session.words import Words

WIDTH = 96
SHOWN = 3
"""Rows and columns of the printed corner of the table."""

MOST_ADDRESSES = 1000
"""Maximum number of places of a finding in JSON; all are counted."""

SCHEMA = 1
NUMBERS = ("minimum", "first_quartile", "median", "third_quartile", "maximum", "mean", "sd")
"""Names of the statistics of all values in JSON."""


def inspect(options: argparse.Namespace) -> int:
    """Print how the file is read and the findings; return the exit code."""
    order = TableRequest.of(options)

    def work(task: Task[State, Any]) -> tuple[Delivery, tuple[Proposal, ...]]:
        found = order.carry_out(task)
        table = found.opened.prepared.table
        return found, proposals(
            found.input,
            found.opened.labelled,
            table,
            lambda fraction: task.report(State(doing="Examining", fraction=fraction)),
        )

    found, proposed = watch(work, quiet=options.json, discard=lambda: None)
    if options.json:
        say(json.dumps(as_values(found, proposed), indent=2, ensure_ascii=False))
    else:
        say("\n".join(as_lines(found, proposed)))
    return 0


def as_values(found: Delivery, proposed: Sequence[Proposal]) -> dict[str, Any]:
    """Return everything as plain values for JSON."""
    opened = found.opened
    table = opened.prepared.table
    return {
        "schema": SCHEMA,
        "source": opened.labelled.table.source,
        "format": opened.reading.format,
        "read": _table_values(opened.labelled.table),
        "prepared": _table_values(table),
        "guesses": [_guess_values(guess) for guess in opened.reading.guesses],
        "joining": [_guess_values(guess) for guess in opened.labelled.guesses],
        "notes": [_problem_values(note) for note in opened.notes],
        "steps": [_stage_values(stage) for stage in opened.prepared.stages],
        "findings": [_finding_values(finding, table) for finding in found.findings],
        "proposed": [
            {
                **_problem_values(each.finding.problem),
                "side": each.finding.side,
                "repair": str(each.wish),
                "options": _option(each) if each.finding.repairs else "",
                "together": each.together,
            }
            for each in proposed
        ],
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
        "where": problem.address,
        "way_out": problem.way_out,
        "fields": list(problem.fields),
        "hint": dict(problem.hint),
    }


def _stage_values(stage: Stage) -> dict[str, Any]:
    return {
        "step": text_of(stage.planned),
        "on": stage.planned.on,
        "sentence": stage.planned.sentence,
        "before": _statistics_values(stage.before),
        "after": _statistics_values(stage.after),
        "removed_items": list(stage.removed_items),
        "removed_features": list(stage.removed_features),
    }


def _statistics_values(statistics: TableStatistics) -> dict[str, Any]:
    low, high = statistics.minimum, statistics.maximum
    numbers = (low, *statistics.quartiles, high, statistics.mean, statistics.sd)
    return {
        "items": statistics.n_items,
        "features": statistics.n_features,
        "missing": statistics.missing,
        # JSON knows neither NaN nor infinity.
        **{
            name: value if isfinite(value) else None
            for name, value in zip(NUMBERS, numbers, strict=True)
        },
    }


def _finding_values(finding: Finding, table: Table) -> dict[str, Any]:
    return {
        **_problem_values(finding.problem),
        "side": finding.side,
        "sure": finding.sure,
        "n_addresses": len(finding.addresses),
        "addresses": [
            {
                "item": None if item is None else table.items.names[item],
                "item_number": item,
                "feature": None if feature is None else table.features.names[feature],
                "feature_number": feature,
            }
            for item, feature in finding.addresses[:MOST_ADDRESSES]
        ],
        "repairs": [
            {
                "label": repair.label,
                "steps": [text_of(step) for step in repair.steps],
                "choices": dict(repair.choices),
            }
            for repair in finding.repairs
        ],
    }


def as_lines(found: Delivery, proposed: Sequence[Proposal]) -> Iterator[str]:
    """Return everything as lines of text."""
    opened = found.opened
    table = opened.prepared.table
    called = Words.of_table(table)
    form = format_named(opened.reading.format)
    assert form is not None
    yield f"{table.source}: {form.name}"
    yield from _size(table)
    yield ""
    yield "Read as follows (to correct a guess, use its name in brackets: --read NAME=VALUE)"
    for guess in (*opened.reading.guesses, *opened.labelled.guesses):
        name = f" [{guess.key}]" if guess.key in Choices.specs() else ""
        mark = "" if guess.sure else "  ← please check"
        shown = called.said(guess.shown) or guess.value
        yield f"  {guess.label}{name}: {shown}{mark}"
        yield from _wrapped(called.said(guess.reason), 6)
    if opened.prepared.stages:
        yield ""
        yield "Preparation (with the quartiles of all values before and after)"
        for number, stage in enumerate(opened.prepared.stages, start=1):
            yield from _wrapped(f"{number}. {called.sentence(stage.planned)}", 2)
            yield f"     {_statistics(stage.before)}  →  {_statistics(stage.after)}"
    if opened.notes:
        yield ""
        yield "Differences between the file and the table"
        for note in (in_words_of(table, each) for each in opened.notes):
            yield from _wrapped(f"- {note.what} {note.address}", 2)
            yield from _wrapped(note.way_out, 4)
            if note.hint:
                yield f"    try: {hint_options(note.hint)}"
            if options := field_options(note):
                yield f"    options: {options}"
    for note in found.asked:
        yield ""
        yield from _wrapped(f"- {note.what}", 2)
    yield ""
    if not found.findings:
        yield "The data doctor found no problems."
        return
    yield from _examined(found, proposed, called)


def _examined(found: Delivery, proposed: Sequence[Proposal], called: Words) -> Iterator[str]:
    """Return the findings in the order of repair."""
    present = {(finding.key, finding.side): finding for finding in found.findings}
    yield (f"The data doctor has {counted(len(found.findings), 'finding')}, in the order of repair")
    for number, each in enumerate(proposed, start=1):
        here = present.pop((each.finding.key, each.finding.side), None)
        yield from _finding(number, each, here, called)
    for finding in present.values():
        yield ""
        yield from _wrapped(
            f"- {finding.severity} [{finding.key}]: {called.said(finding.what)} The repairs above "
            "also fix this.",
            2,
        )
    together = [_option(each) for each in proposed if each.together]
    if len(together) > 1:
        yield ""
        yield "All recommended repairs, to add after the file name"
        yield f"  {' '.join(together)}"


def _statistics(statistics: TableStatistics) -> str:
    low, middle, high = statistics.quartiles
    size = f"{statistics.n_items}×{statistics.n_features}"
    return f"{size}, {' | '.join(words.number(value) for value in (low, middle, high))}"


def _size(table: Table) -> Iterator[str]:
    blanks = counted(table.n_missing, "blank") if table.n_missing else "no blanks"
    called = Words.of_table(table)
    yield f"  {size_text(table)}, {blanks}"
    width = max(len(called.items), len(called.features)) + 1
    yield f"  {called.items + ':':{width}} {_some(table.items)}"
    yield f"  {called.features + ':':{width}} {_some(table.features)}"


def _some(axis: Axis) -> str:
    more = ", …" if len(axis) > SHOWN else ""
    labels = f"; labels: {', '.join(axis.labels)}" if axis.labels else ""
    return ", ".join(axis.names[:SHOWN]) + more + labels


def _finding(number: int, proposal: Proposal, here: Finding | None, called: Words) -> Iterator[str]:
    """Return the lines of a finding after the repairs above; `here`: of the current table."""
    finding = proposal.finding
    yield ""
    doubt = "" if finding.sure else " (check first)"
    later = "" if here else " (after the repairs above)"
    what = called.said(finding.what)
    yield from _wrapped(f"{number}. {finding.severity} [{finding.key}]{doubt}{later}: {what}", 2)
    yield from _wrapped(f"where:   {called.said(finding.where)}", 6)
    yield from _wrapped(f"way out: {called.said(finding.way_out)}", 6)
    if finding.hint and not finding.repairs:
        yield f"      try:     {hint_options(finding.hint)}"
    both = bool(proposal.wish.side)
    for place, repair in enumerate(proposal.finding.repairs):
        option = repair_option(proposal.finding, place, both=both)
        if place == 0 and proposal.together:
            yield from _wrapped(f"repair:  {called.said(repair.label)}:", 6)
            # On its own line, however long, so that it can be copied.
            yield f"{' ' * 15}{option}"
        else:
            word = "if so:  " if place == 0 else "or:     "
            yield from _wrapped(f"{word} {option} – {called.said(repair.label)}", 6)


def _option(proposal: Proposal) -> str:
    return repair_option(proposal.finding, 0, both=bool(proposal.wish.side))


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
