"""Repairs that several checks propose, each a few steps of a recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.finding import Repair
from ximstudio.model.arrays import Ints
from ximstudio.prepare.planned import Planned, planned
from ximstudio.prepare.removal import counted_on


def drop(
    evidence: TableEvidence, side: str, numbers: Sequence[int] | Ints, label: str = ""
) -> Repair:
    """Repair that removes some items or features, and no others of the same name."""
    steps, names = unmistakable(evidence, side, numbers)
    label = label or f"Remove {'this' if len(numbers) == 1 else 'these'} {counted(side, numbers)}"
    return Repair(label=label, steps=(*steps, planned("drop", axis=side, names=names)))


def rename(evidence: TableEvidence, side: str, new: Mapping[int, str], label: str) -> Repair:
    """Repair that gives some items or features new names."""
    return Repair(label=label, steps=(renaming(evidence, side, new),))


def renaming(evidence: TableEvidence, side: str, new: Mapping[int, str]) -> Planned:
    """Return the step that gives the numbered ones their new names."""
    names = evidence.axis(side).names
    numbers = sorted(new)
    old = [names[number] for number in numbers]
    every = Counter(names)
    # Places tie a recipe to one table, so they are only given where a name alone is not enough.
    places = [number + 1 for number in numbers] if any(every[name] > 1 for name in old) else []
    return planned(
        "rename", axis=side, old=old, new=[new[number] for number in numbers], places=places
    )


def unmistakable(
    evidence: TableEvidence, side: str, numbers: Sequence[int] | Ints
) -> tuple[tuple[Planned, ...], tuple[str, ...]]:
    """Return names that mean exactly the numbered ones, and the step that gives such names."""
    steps, names = made_distinct(evidence, side, numbers)
    return steps, tuple(dict.fromkeys(names.values()))


def made_distinct(
    evidence: TableEvidence, side: str, numbers: Sequence[int] | Ints
) -> tuple[tuple[Planned, ...], dict[int, str]]:
    """The same, with the name of each number."""
    names = evidence.axis(side).names
    meant = {int(number) for number in numbers}
    others = {name for number, name in enumerate(names) if number not in meant}
    mistakable = [number for number in sorted(meant) if names[number] in others]
    new = {number: _free(names[number], number, others) for number in mistakable}
    return (
        (renaming(evidence, side, new),) if new else (),
        {number: new.get(number, names[number]) for number in sorted(meant)},
    )


def as_label(evidence: TableEvidence, side: str, numbers: Sequence[int] | Ints) -> Repair:
    """Repair that makes labels of features, or of items, that hold no expression."""
    steps, names = unmistakable(evidence, side, numbers)
    return Repair(
        label=f"Make labels of {counted(side, numbers)}",
        steps=(*steps, planned("make_label", axis=side, names=names)),
    )


def finite_first(evidence: TableEvidence) -> tuple[Planned, ...]:
    """Return the step for infinite values, for steps that refuse them, if there are any."""
    return (planned("infinite"),) if len(evidence.infinite) else ()


def counted(side: str, numbers: Sequence[int] | Ints) -> str:
    """Return a count with its noun: "1 item", "3 items"."""
    return counted_on(side, len(numbers))


def _free(name: str, number: int, taken: set[str]) -> str:
    new = f"{name} (number {number + 1})"
    while new in taken:
        new += "'"
    return new
