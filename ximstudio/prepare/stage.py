"""What one step of a recipe did to a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.table import FEATURES, ITEMS
from ximstudio.model.words import counted
from ximstudio.prepare.planned import Planned, address, within
from ximstudio.prepare.statistics import Statistics
from ximstudio.prepare.step import Applied


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """What one step did to a table."""

    planned: Planned
    before: Statistics
    after: Statistics
    notes: tuple[Problem, ...] = ()
    removed_items: tuple[str, ...] = ()
    removed_features: tuple[str, ...] = ()


def stage_of(
    number: int, each: Planned, before: Statistics, after: Statistics, applied: Applied
) -> Stage:
    """The account of one step; one that left nothing is refused."""
    place = address(number + 1, each.step.key)
    notes = [within(note, place) for note in (*applied.notes, *_surprises(before, after, each))]
    if not applied.table.n_items or not applied.table.n_features:
        side = ITEMS if not applied.table.n_items else FEATURES
        raise UserError(
            key="prepare.nothing_left",
            what=f"This step leaves no {side}: {each.sentence}",
            where=f"{place}, {applied.table.source}",
            way_out="Loosen the step, or take it out of the recipe.",
        )
    return Stage(
        planned=each,
        before=before,
        after=after,
        notes=tuple(notes),
        removed_items=applied.removed_items,
        removed_features=applied.removed_features,
    )


def _surprises(before: Statistics, after: Statistics, each: Planned) -> Iterator[Problem]:
    """Numbers that grew out of all bounds: rare, and nothing a person would look for."""
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
