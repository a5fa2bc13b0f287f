"""Statistics of a table before and after a step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.prepare.tables import holed, sparse, table_of
from ximstudio.model.arrays import Floats
from ximstudio.model.table import Axis, Table
from ximstudio.prepare import statistics
from ximstudio.prepare.statistics import TableStatistics, shared_edges

numbers = st.one_of(st.sampled_from([0.0, np.nan, np.inf, -np.inf, -1.0]), st.floats(-1e6, 1e6))


@given(arrays(np.float64, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=numbers))
def test_that_statistics_are_numpys_for_any_table(values: Floats) -> None:
    table = table_of(values)
    finite = values[np.isfinite(values)]
    for thin in (table, sparse(table)):
        found = TableStatistics.of(thin)
        assert (found.n_items, found.n_features) == values.shape
        assert found.missing == np.isnan(values).sum()
        assert found.infinite == np.isinf(values).sum()
        assert found.negative == (values < 0).sum()
        assert found.zero == (values == 0).sum()
        assert not found.sampled
        if not len(finite):
            assert np.isnan([found.minimum, found.maximum, found.mean, *found.quartiles]).all()
            continue
        assert (found.minimum, found.maximum) == (finite.min(), finite.max())
        assert found.mean == pytest.approx(finite.mean(), rel=1e-9, abs=1e-9)
        np.testing.assert_allclose(
            found.quartiles, np.quantile(finite, [0.25, 0.5, 0.75]), rtol=1e-9, atol=1e-9
        )
        if len(finite) > 1:
            assert found.sd == pytest.approx(finite.std(ddof=1), rel=1e-6, abs=1e-6)


def test_that_histograms_share_their_edges_and_count_every_value() -> None:
    before, after = holed(), holed().with_values(holed().dense * 2 - 3)
    for tables in ((before, after), (sparse(before), sparse(after))):
        several = [TableStatistics.of(table) for table in tables]
        edges = shared_edges(several, 13)
        assert len(edges) == 14
        for table, each in zip(tables, several, strict=True):
            values = table.dense[np.isfinite(table.dense)]
            np.testing.assert_allclose(each.histogram(edges), np.histogram(values, edges)[0])


@pytest.mark.parametrize(
    "values",
    [[[5.0, 5.0]], [[0.0, 0.0]], [[np.nan, np.inf]], [[-1.7e308, 1.7e308]], [[1e17, 1e17 + 16]]],
)
def test_that_edges_rise_for_any_values(values: list[list[float]]) -> None:
    found = TableStatistics.of(table_of(values))
    edges = shared_edges([found])
    assert (np.diff(edges) > 0).all()
    assert np.isfinite(edges).all()
    assert found.histogram(edges).sum() == pytest.approx(found.n_finite)


def large(share_of_zeros: float) -> Table:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, 50)) + 1.0
    values[rng.random(values.shape) < share_of_zeros] = 0.0
    return Table(
        values=values,
        items=Axis(names=("i",) * 400),
        features=Axis(names=("f",) * 50),
    )


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 1.0])
def test_that_large_tables_are_sampled_and_say_so(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = large(share)
    exact = TableStatistics.of(table)
    monkeypatch.setattr(statistics, "MOST", 2000)
    monkeypatch.setattr(statistics, "SHOWN", 1000)
    for thin in (table, sparse(table)):
        found = TableStatistics.of(thin)
        assert found.sampled == (np.count_nonzero(table.dense) > 2000)
        assert found.zero == exact.zero
        assert found.sd == pytest.approx(exact.sd)
        np.testing.assert_allclose(found.quartiles, exact.quartiles, atol=0.15)
        edges = shared_edges([exact], 8)
        assert found.histogram(edges).sum() == pytest.approx(table.n_items * table.n_features)
        np.testing.assert_allclose(found.histogram(edges), exact.histogram(edges), atol=1500)
        assert len(found.shown) <= 1000


@pytest.mark.parametrize(("rest", "quartiles"), [(0.0, (0.0, 0.0, 0.0)), (np.nan, (5.0, 6.0, 7.0))])
def test_that_a_few_values_are_not_lost_among_many_zeros_or_blanks(
    rest: float, quartiles: tuple[float, float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "MOST", 5)
    monkeypatch.setattr(statistics, "PIECE", 1000)
    values = np.full((100, 50), rest)
    values[99, [3, 7, 49]] = [4.0, 6.0, 8.0]
    table = Table(values=values, items=Axis(names=("i",) * 100), features=Axis(names=("f",) * 50))
    for thin in (table, sparse(table)):
        found = TableStatistics.of(thin)
        assert not found.sampled
        assert found.quartiles == quartiles
        np.testing.assert_array_equal(found.shown, [4, 6, 8])
        edges = np.array([-1.0, 1.0, 5.0, 7.0, 9.0])
        np.testing.assert_array_equal(found.histogram(edges), [found.zero, 1, 1, 1])


def test_that_counting_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "PIECE", 1000)
    pieces: list[None] = []

    def end() -> None:
        pieces.append(None)
        if len(pieces) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        TableStatistics.of(large(0.5), end)
