"""Maps that are derived from runs, and what they inherit."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ximstudio.explore.remake import initial_prototypes
from ximstudio.maps.classes import coloured_classes
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.model.method_params import MethodParams
from ximstudio.model.parent import PART, Parent
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Frozen
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.run import Run
from ximstudio.session.training import LiveTraining, Training
from ximstudio.train.annealing import left_open
from ximstudio.train.continued import Descendant
from ximstudio.train.params import suggested_shape
from ximstudio.train.warm import part_of_map


@dataclass(frozen=True, kw_only=True, eq=False)
class MapDescent:
    """Inheritance of a training from a run.

    Parameters
    ----------
    run
        Key of the run.
    what
        Name of the user's action in the undo history.
    input, frozen
        How to read the table again, and the learned values of its recipe.
    coloured
        By label: the classes whose colours come from earlier maps.
    old_label
        The label of the classes on earlier maps; '' for none.
    """

    run: str
    what: str
    input: Input
    frozen: Frozen | None = None
    coloured: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    old_label: str = ""

    @classmethod
    def of(cls, run: Run, what: str) -> MapDescent:
        """Collect what a map inherits from a run."""
        return cls(
            run=run.key,
            what=what,
            input=run.input,
            frozen=run.frozen,
            coloured=coloured_classes(run.matrix.item_labels, run.coloured),
            old_label=default_class_label(run.matrix, run.old_label) or "",
        )


def training_of(descendant: Descendant, *, seed: int) -> Training:
    """Build the training of a map that begins where an earlier one ended."""
    key = descendant.method.key
    return Training(
        matrix=descendant.matrix,
        plan=TrainingPlan(method_key=key, parameters={key: descendant.params}, seed=seed),
        start=descendant.start,
        parent=descendant.parent,
    )


def resumed(run: Run, runs: Sequence[Run]) -> Training:
    """Build the training that continues a stopped run to its end, as if it had not been stopped.

    A run that descends from another of the `runs` still needs the prototypes that it began with:
    they may have parts in which no item differs and that no training changes.
    """
    result, earlier, start = run.result, earlier_of(run, runs), None
    if result.parent is not None and earlier is not None and result.params.takes_prototypes:
        start = initial_prototypes(result.params, run.matrix, earlier.result, result.parent)
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
        start=start,
        parent=result.parent,
    )


def why_not_resumed(run: Run, runs: Sequence[Run]) -> str:
    """Return why a run cannot be resumed; '' if it can."""
    if run.result.finished:
        return "Training is complete"
    if run.result.resume is None:
        return "The state in which it was stopped is no longer available"
    has_nodes = isinstance(run.result.model, PrototypeMap)
    if run.result.parent is not None and has_nodes and earlier_of(run, runs) is None:
        return "The parent map is no longer available"
    return ""


def planned_again(params: MethodParams, parent: Parent | None) -> MethodParams:
    """Return the parameters of a map for training it from scratch.

    A derived map began with inherited prototypes and late in its annealing; both are undone.
    """
    if parent is None:
        return params
    params = left_open(params)
    return params.replace(init=params.defaults()["init"]) if "init" in params.specs() else params


def earlier_of(run: Run, runs: Sequence[Run]) -> Run | None:
    """Find the run whose map another one began from; None if there is none or it was deleted.

    This is not always the run that it was continued from: a run that was stopped and continued
    began where the stopped one had begun.
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
    """List a run and its ancestors, oldest first, as far as they exist."""
    earlier = earlier_of(run, runs)
    return (run,) if earlier is None else (*line_of(earlier, runs), run)


def ancestors_of(chosen: Sequence[Run], runs: Sequence[Run]) -> tuple[Run, ...]:
    """List the ancestors of `chosen` that are not among them, each after its own."""
    lines = [line_of(run, runs) for run in chosen]
    keys = {run.key for run in chosen}
    found = {run.key: run for line in lines for run in line if run.key not in keys}
    return tuple(found.values())


def step_words(kind: str, earlier: Run, *, items: str = "") -> str:
    """Name of the action that derives a map from an earlier one; `items` are those of a part."""
    return f"Zoom in on {items}" if kind == PART else f"Train {earlier.name} further"


def part_shape(result: Result, items: Collection[str]) -> tuple[int, int]:
    """Suggest rows and columns for a map of some items of another map.

    Estimated from their positions on the map, and so fast enough for the window.
    """
    wanted = set(items)
    rows = [row for row, name in enumerate(result.item_ids) if name in wanted]
    region = part_of_map(result, result.positions[rows])
    width, height = np.maximum(region.high - region.low, np.finfo(float).tiny)[:2]
    short, long = suggested_shape(len(rows), spread=max(width, height) / min(width, height))
    return (long, short) if height > width else (short, long)
