"""Colours, bounds and counts that plots on the screen and on paper share."""

from __future__ import annotations

import numpy as np

from ximstudio.pictures.colours import DARK, LIGHT, mixed
from ximstudio.pictures.curves import FAINT, RunCurves, run_colour, share_bounds
from ximstudio.pictures.density import count_levels


def curves(*values: float) -> RunCurves:
    trust = np.array(values)
    return RunCurves(key="run", name="run", trust=trust, continuity=trust - 0.25)


def test_that_runs_have_the_colours_of_the_series_in_turn() -> None:
    for colours in (LIGHT, DARK):
        n_colours = len(colours.series)
        assert run_colour(1, colours) == colours.series[1]
        assert run_colour(n_colours + 1, colours) == colours.series[1]
        faint = mixed(colours.series[2], colours.surface, FAINT)
        assert run_colour(2, colours, faint=True) == faint


def test_that_the_bounds_hold_both_curves_of_all_runs() -> None:
    across, (low, high) = share_bounds([curves(0.75, 0.5), curves(0.875, 0.75, 0.625)])
    assert across == (0.0, 3.0)
    assert low < 0.25
    assert 0.875 < high <= 1.0


def test_that_no_runs_have_bounds_as_well() -> None:
    across, (low, high) = share_bounds([])
    assert across == (0.0, 1.0)
    assert low < high


def test_that_counts_go_by_their_logarithm_and_none_stays_none() -> None:
    levels = count_levels(np.array([[0.0, 1.0], [10.0, 100.0]]))
    assert levels.tolist() == [[0, 1], [128, 255]]
    assert count_levels(np.zeros((2, 2))).tolist() == [[0, 0], [0, 0]]
    assert count_levels(np.array([[3.0]])).tolist() == [[1]]
