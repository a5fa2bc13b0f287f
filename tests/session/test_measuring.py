"""Measuring a run: all measures, or an end in the middle of one."""

from __future__ import annotations

import pytest

from tests.ui.maps_to_show import run_of
from ximstudio.jobs import Stopped, Task
from ximstudio.measure.catalogue import MEASURES
from ximstudio.session import Run
from ximstudio.session.measuring import measured


class Counting(Task[float, Run]):
    """A task that notes how often it is asked inside measures, and ends at the n-th time."""

    def __init__(self, n: int) -> None:
        super().__init__(lambda _: run_of("som"))
        self.reports: list[float] = []
        self.n_checks = 0
        self._n = n

    def report(self, news: float) -> None:
        self.reports.append(news)

    def check(self) -> None:
        self.n_checks += 1
        if self.n_checks >= self._n:
            raise Stopped


def test_that_a_measured_run_has_measures_and_evidence() -> None:
    task = Counting(10**9)
    run = measured(run_of("som"), task.report, task.check)
    assert run.evidence is not None
    assert {"trustworthiness", "spearman", "quantisation_error"} <= set(run.measures or {})
    assert len(task.reports) == len(MEASURES)


@pytest.mark.parametrize("n", [1, 5, 10])
def test_that_it_ends_in_the_middle_of_a_measure(n: int) -> None:
    task = Counting(n)
    with pytest.raises(Stopped):
        measured(run_of("som"), task.report, task.check)
    assert task.n_checks == n
    assert len(task.reports) < len(MEASURES)
