"""How a map descends from a run, and what it takes over from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ximstudio.maps.classes import coloured_classes
from ximstudio.maps.label_kinds import telling_label
from ximstudio.model.params import Params
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Frozen
from ximstudio.session.plan import Plan
from ximstudio.session.run import Run
from ximstudio.session.training import Live, Training
from ximstudio.train.descendant import Descendant
from ximstudio.train.late import left_open


@dataclass(frozen=True, kw_only=True, eq=False)
class Descent:
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
    def of(cls, run: Run, what: str) -> Descent:
        """All that a map has from a run by itself."""
        return cls(
            run=run.key,
            what=what,
            input=run.input,
            frozen=run.frozen,
            coloured=coloured_classes(run.matrix.item_labels, run.coloured),
            told_by=telling_label(run.matrix, run.told_by) or "",
        )


def training_of(descendant: Descendant, *, seed: int) -> Training:
    """The training of a map that begins where an earlier one ended."""
    key = descendant.method.key
    return Training(
        matrix=descendant.matrix,
        plan=Plan(method_key=key, parameters={key: descendant.params}, seed=seed),
        start=descendant.start,
        parent=descendant.parent,
    )


def resumed(run: Run) -> Training:
    """The training of a run that was stopped, from there to its end, as if it never had been."""
    result = run.result
    return Training(
        matrix=run.matrix,
        plan=Plan(
            method_key=result.method, parameters={result.method: result.params}, seed=result.seed
        ),
        before=Live(
            step=result.step,
            n_steps=result.n_steps,
            seconds=run.seconds,
            result=result,
            curves=run.curves,
        ),
        parent=result.parent,
    )


def planned_again(run: Run) -> Params:
    """The parameters of a run for a map of its own.

    One that descends from another began with its prototypes, and late in its annealing.
    """
    params = run.result.params
    if run.result.parent is None:
        return params
    params = left_open(params)
    return params.replace(init=params.defaults()["init"]) if "init" in params.specs() else params
