"""How a map descends from a run, and what it takes over from it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ximstudio.explore.descended import start_again
from ximstudio.maps.classes import coloured_classes
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.model.arrays import Floats
from ximstudio.model.params import Params
from ximstudio.model.parent import PART, Parent
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Frozen
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.run import Run
from ximstudio.session.training import LiveTraining, Training
from ximstudio.train.descendant import Descendant
from ximstudio.train.late import left_open
from ximstudio.train.params import MapParams
from ximstudio.train.part import chosen_rows


@dataclass(frozen=True, kw_only=True, eq=False)
class MapDescent:
    """What a training has from a run.

    Parameters
    ----------
    run
        Key of the run.
    what
        What a person did, as it is named where it can be taken back.
    input, frozen
        How the table can be had again, and what the steps of its recipe have learnt.
    coloured
        By label: the classes that have their colours from earlier maps.
    told_by
        The label that told classes on earlier maps; '' if none did.
    """

    run: str
    what: str
    input: Input
    frozen: Frozen | None = None
    coloured: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    told_by: str = ""

    @classmethod
    def of(cls, run: Run, what: str) -> MapDescent:
        """All that a map has from a run by itself."""
        return cls(
            run=run.key,
            what=what,
            input=run.input,
            frozen=run.frozen,
            coloured=coloured_classes(run.matrix.item_labels, run.coloured),
            told_by=default_class_label(run.matrix, run.told_by) or "",
        )


def training_of(descendant: Descendant, *, seed: int) -> Training:
    """The training of a map that begins where an earlier one ended."""
    key = descendant.method.key
    return Training(
        matrix=descendant.matrix,
        plan=TrainingPlan(method_key=key, parameters={key: descendant.params}, seed=seed),
        start=descendant.start,
        parent=descendant.parent,
    )


def resumed(run: Run, runs: Sequence[Run]) -> Training:
    """The training of a run that was stopped, from there to its end, as if it never had been.

    One that descends from another of the `runs` still needs the prototypes that it began with: they
    may have parts in which no item differs, and which no training changes.
    """
    result = run.result
    return Training(
        matrix=run.matrix,
        plan=TrainingPlan(
            method_key=result.method, parameters={result.method: result.params}, seed=result.seed
        ),
        before=LiveTraining(
            step=result.step,
            n_steps=result.n_steps,
            seconds=run.seconds,
            result=result,
            curves=run.curves,
        ),
        start=_start_of(run, earlier_of(run, runs)),
        parent=result.parent,
    )


def _start_of(run: Run, earlier: Run | None) -> Floats | None:
    """The prototypes that a run had from an earlier one; None if it had none."""
    params, parent = run.result.params, run.result.parent
    if parent is None or earlier is None or not isinstance(params, MapParams):
        return None
    around = None
    if parent.kind == PART:
        around = earlier.result.positions[chosen_rows(earlier.result, items=parent.item_ids)]
    return start_again(earlier.result, run.matrix, params, around=around, folder=parent.folder)


def planned_again(params: Params, parent: Parent | None) -> Params:
    """The parameters of a map for one of its own.

    One that descends from another began with its prototypes, and late in its annealing.
    """
    if parent is None:
        return params
    params = left_open(params)
    return params.replace(init=params.defaults()["init"]) if "init" in params.specs() else params


def earlier_of(run: Run, runs: Sequence[Run]) -> Run | None:
    """The run whose map another one began from; None for a map of its own, or if it is gone.

    That is not always the one it was continued from: a run that was stopped and went on began where
    the stopped one had begun.
    """
    parent = run.result.parent
    if parent is None:
        return None
    before = itertools.takewhile(lambda other: other.key != run.key, runs)
    found = [
        other
        for other in before
        if other.result.hash == parent.result_hash
        and other.matrix.fingerprint == parent.data_fingerprint
    ]
    return next((other for other in found if other.key == run.parent), found[0] if found else None)


def line_of(run: Run, runs: Sequence[Run]) -> tuple[Run, ...]:
    """A run after all that it descends from, the first of them first, as far as they are there."""
    earlier = earlier_of(run, runs)
    return (run,) if earlier is None else (*line_of(earlier, runs), run)


def ancestors_of(chosen: Sequence[Run], runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs that some descend from and that are not among them, each after its own."""
    lines = [line_of(run, runs) for run in chosen]
    keys = {run.key for run in chosen}
    found = {run.key: run for line in lines for run in line if run.key not in keys}
    return tuple(found.values())


def step_words(kind: str, earlier: Run, *, items: str = "") -> str:
    """What is done to make a map from an earlier one, for people; `items` are those of a part."""
    return f"Zoom in on {items}" if kind == PART else f"Train {earlier.name} further"
