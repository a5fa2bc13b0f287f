"""What views show: a map with its data, finished or while it trains."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

from ximstudio.maps.label_kinds import default_class_label
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet
from ximstudio.model.result import Result
from ximstudio.session.judged import Judged
from ximstudio.session.run import Run
from ximstudio.session.training_curves import TrainingCurves

if TYPE_CHECKING:
    from ximstudio.session.session import Session

_turn = threading.Lock()


@dataclass(frozen=True, kw_only=True, eq=False)
class Shown:
    """A result to look at.

    Parameters
    ----------
    result, matrix
        The map, and the table it shows.
    run
        The run it is the result of; None while it trains.
    evidence
        What measures look at, once they were taken; None before.
    curves
        Live measures over the steps of training.
    chosen
        The run that a person chose to see, also while another one trains; None if there is none.
    runs, compared
        All runs of the session, and those that are seen side by side.
    judged
        What repeating compared runs found; None if nobody asked for it.
    sets
        All sets of the session, for views that colour by them.
    coloured
        By label: the classes that have their colours from an earlier map.
    told_by
        The label that told classes on earlier maps; '' if none did.
    """

    result: Result
    matrix: Matrix
    run: Run | None = None
    evidence: MapEvidence | None = None
    curves: TrainingCurves | None = None
    chosen: Run | None = None
    runs: tuple[Run, ...] = ()
    compared: tuple[Run, ...] = ()
    judged: Judged | None = None
    sets: tuple[NamedSet, ...] = ()
    coloured: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    told_by: str = ""

    @classmethod
    def of(cls, run: Run, session: Session) -> Self:
        """A finished run of a session, as views see it."""
        return cls(
            result=run.result,
            matrix=run.matrix,
            run=run,
            evidence=run.evidence,
            chosen=run,
            runs=session.runs,
            compared=session.compared_runs,
            judged=session.judged,
            sets=session.sets,
            coloured=run.coloured,
            told_by=run.told_by,
        )

    @property
    def telling(self) -> str:
        """The label whose classes are shown unless a person chooses; '' if none has classes."""
        return default_class_label(self.matrix, self.told_by) or ""

    @property
    def live(self) -> bool:
        """Whether it is being trained."""
        return self.run is None


Picture = TypeVar("Picture")
RenderRequest: TypeAlias = Callable[[Shown], Picture]
"""What a view needs to draw: computed in the lane from what is shown, with the view's options."""

RenderRequests: TypeAlias = Mapping[str, RenderRequest[object]]
Pictures: TypeAlias = Mapping[str, object]
"""By the key of the pane that asks."""


def pictures_of(shown: Shown, requests: RenderRequests) -> Pictures:
    """Make the pictures that are requested.

    One thread at a time, for requests remember what they worked out: a training that begins makes
    its first pictures while the last ones of another map may still be made.
    """
    with _turn:
        return {key: request(shown) for key, request in requests.items()}
