"""Report of what one step of a recipe did to a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.table import FEATURES, ITEMS
from ximstudio.model.words import counted
from ximstudio.prepare.planned import Planned, within
from ximstudio.prepare.statistics import TableStatistics
from ximstudio.prepare.step import StepResult


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """Report of what one step did to a table."""

    planned: Planned
    before: TableStatistics
    after: TableStatistics
    notes: tuple[Problem, ...] = ()
    removed_items: tuple[str, ...] = ()
    removed_features: tuple[str, ...] = ()


def stage_of(
    number: int, each: Planned, before: TableStatistics, after: TableStatistics, applied: StepResult
) -> Stage:
    """Return the report of one step; refuse a step that left nothing."""
    notes = [
        within(note, number + 1, each.step.key)
        for note in (*applied.notes, *_surprises(before, after, each))
    ]
    if not applied.table.n_items or not applied.table.n_features:
        side = ITEMS if not applied.table.n_items else FEATURES
        raise UserError(
            key="prepare.nothing_left",
            what=f"This step leaves no {side}: {each.sentence}",
            where=applied.table.source,
            way_out="Loosen the step, or remove it from the recipe.",
        )
    return Stage(
        planned=each,
        before=before,
        after=after,
        notes=tuple(notes),
        removed_items=applied.removed_items,
        removed_features=applied.removed_features,
    )


def _surprises(before: TableStatistics, after: TableStatistics, each: Planned) -> Iterator[Problem]:
    """Yield notes on numbers that overflowed: rare, and hard to find otherwise."""
    counts: Mapping[str, int] = {
        "infinite": after.infinite - before.infinite,
        "missing": after.missing - before.missing - before.infinite,
    }
    for word, count in counts.items():
        if count > 0:
            yield Problem(
                key=f"prepare.became_{word}",
                what=f"{counted(count, 'value')} became {word}: the numbers are too large for this"
                " step.",
                where=each.step.name,
                way_out="Look for wrong values in the file, or take logarithms first.",
                severity=Severity.WARNING,
            )
