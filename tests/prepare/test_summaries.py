"""One number per item or feature, against numpy's and scipy's."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.prepare.tables import sparse, table_of
from ximstudio.model.arrays import Floats
from ximstudio.model.table import Table
from ximstudio.prepare import summaries

TWINS: dict[Callable[[Table, str], Floats], Callable[[Floats], Any]] = {
    summaries.counts: lambda values: (~np.isnan(values)).sum(axis=1),
    summaries.totals: lambda values: np.nansum(values, axis=1),
    summaries.means: lambda values: np.nanmean(values, axis=1),
    summaries.variances: lambda values: np.nanvar(values, axis=1, ddof=1),
    summaries.medians: lambda values: np.nanmedian(values, axis=1),
    summaries.deviations: lambda values: np.nanmedian(
        np.abs(values - np.nanmedian(values, axis=1)[:, None]), axis=1
    ),
    summaries.lowest: lambda values: np.nanmin(values, axis=1),
    summaries.highest: lambda values: np.nanmax(values, axis=1),
    summaries.lengths: lambda values: np.sqrt(np.nansum(values**2, axis=1)),
    lambda table, side: summaries.at_least(table, side, 0.5): lambda values: (values >= 0.5).sum(
        axis=1
    ),
    lambda table, side: summaries.at_least(table, side, -0.5): lambda values: (values >= -0.5).sum(
        axis=1
    ),
}

numbers = st.one_of(st.sampled_from([0.0, np.nan, 1.0, -1.0]), st.floats(-100, 100))
tables = arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(1, 8)), elements=numbers)


@pytest.mark.parametrize("summary", TWINS)
@given(values=tables)
def test_that_summaries_are_those_of_numpy(
    summary: Callable[[Table, str], Floats], values: Floats
) -> None:
    table = table_of(values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = TWINS[summary](values)
    for thin in (table, sparse(table)):
        np.testing.assert_allclose(summary(thin, "items"), expected, rtol=1e-9, atol=1e-9)
        found = summary(thin.transposed, "features")
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("summary", TWINS)
def test_that_a_line_does_not_depend_on_the_lines_beside_it(
    summary: Callable[[Table, str], Floats], monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.random.default_rng(0).normal(size=(40, 300))
    values[np.random.default_rng(1).random(values.shape) < 0.1] = np.nan
    table = table_of(values, features=[f"f{number}" for number in range(300)])
    together = summary(table, "items")
    np.testing.assert_array_equal(summary(table.transposed, "features"), together)
    monkeypatch.setattr(summaries, "BLOCK", 700)
    np.testing.assert_array_equal(summary(table, "items"), together)
    for number in (0, 7, 39):
        assert summary(table.take("items", [number]), "items")[0] == together[number]
