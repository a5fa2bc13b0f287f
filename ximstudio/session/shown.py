"""The input of views: a map with its data, finished or during training."""

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
from ximstudio.session.run import Judged, Run, TrainingCurves

if TYPE_CHECKING:
    from ximstudio.session.session import Session

_turn = threading.Lock()


@dataclass(frozen=True, kw_only=True, eq=False)
class Shown:
    """A result on display.

    Parameters
    ----------
    result, matrix
        The map and its table.
    run
        The run of the result; None during training.
    evidence
        Intermediate values of the measures; None before these are computed.
    curves
        Live measures over the steps of training.
    chosen
        The run that the user has chosen to see, also while another one trains; None for none.
    runs, compared
        All runs of the session, and those that are compared.
    judged
        Results of retraining the compared runs; None before they are computed.
    sets
        All sets of the session, for views that colour by them.
    coloured
        By label: the classes whose colours come from an earlier map.
    old_label
        The label of the classes on earlier maps; '' for none.
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
    old_label: str = ""

    @classmethod
    def of(cls, run: Run, session: Session) -> Self:
        """Return a finished run of a session for display."""
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
            old_label=run.old_label,
        )

    @property
    def class_label(self) -> str:
        """The label whose classes are shown by default; '' if no label has classes."""
        return default_class_label(self.matrix, self.old_label) or ""

    @property
    def live(self) -> bool:
        """True if it is being trained."""
        return self.run is None


Picture = TypeVar("Picture")
RenderRequest: TypeAlias = Callable[[Shown], Picture]
"""Computes what a view draws, in the background, from what is shown and the view's options."""

RenderRequests: TypeAlias = Mapping[str, RenderRequest[object]]
Pictures: TypeAlias = Mapping[str, object]
"""Results by the key of the pane that requested them."""


def pictures_of(shown: Shown, requests: RenderRequests) -> Pictures:
    """Compute the requested pictures.

    One thread at a time, as requests cache intermediate values: a new training computes its first
    pictures while the last ones of another map may still be computed.
    """
    with _turn:
        return {key: request(shown) for key, request in requests.items()}
