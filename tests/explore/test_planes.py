"""Planes: which look alike, and which is called so."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.explore import planes as explored
from ximstudio.explore.planes import correlations_with, names_with, similarity_order
from ximstudio.model import Grid, PrototypeMap


def of_kinds(n_each: int = 8) -> tuple[PrototypeMap, np.ndarray]:
    """Planes of three kinds, shuffled, and the kind of each."""
    rng = np.random.default_rng(0)
    shapes, kinds = rng.normal(size=(3, 30)), rng.permutation(np.repeat(np.arange(3), n_each))
    planes = shapes[kinds] * rng.uniform(1, 3, (len(kinds), 1)) + 0.1 * rng.normal(
        size=(len(kinds), 30)
    )
    return PrototypeMap(grid=Grid(5, 6), prototypes=np.ascontiguousarray(planes.T)), kinds


@pytest.mark.parametrize("by", ["tree", "projection"])
def test_that_planes_of_one_kind_are_neighbours(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if by == "projection":
        monkeypatch.setattr(explored, "MOST_IN_TREE", 5)
    model, kinds = of_kinds()
    order = similarity_order(model)
    assert sorted(order.tolist()) == list(range(24))
    assert (np.diff(kinds[order]) != 0).sum() == 2


def test_that_flat_planes_come_last() -> None:
    model, _ = of_kinds()
    prototypes = model.prototypes.copy()
    prototypes[:, [3, 7]] = 2.0
    order = similarity_order(PrototypeMap(grid=model.grid, prototypes=prototypes))
    assert order[-2:].tolist() == [3, 7]
    assert sorted(order.tolist()) == list(range(24))


def test_that_correlations_are_those_of_numpy() -> None:
    model, _ = of_kinds()
    expected = np.asarray(np.corrcoef(model.prototypes.T))[5]
    np.testing.assert_allclose(correlations_with(model, 5), expected, atol=1e-9)


def test_that_a_plane_that_does_not_vary_correlates_with_none() -> None:
    model, _ = of_kinds()
    prototypes = model.prototypes.copy()
    prototypes[:, 2] = -1.0
    found = correlations_with(PrototypeMap(grid=model.grid, prototypes=prototypes), 5)
    assert np.isnan(found[2])
    assert found[5] == pytest.approx(1.0)
    assert np.isfinite(np.delete(found, 2)).all()


def test_that_names_are_found_whatever_their_letters_and_the_best_first() -> None:
    names = ("heat shock", "Shock", "cold", "shocking", "HEAT")
    assert names_with(names, "shock") == (1, 3, 0)
    assert names_with(names, " heat ") == (4, 0)
    assert names_with(names, "x") == ()
    assert names_with(names, "") == (0, 1, 2, 3, 4)


def test_that_very_many_planes_are_ordered() -> None:
    rng = np.random.default_rng(1)
    model = PrototypeMap(grid=Grid(3, 3), prototypes=rng.normal(size=(9, 20_000)))
    order = similarity_order(model)
    assert sorted(order.tolist()) == list(range(20_000))
    alike = np.diag(np.asarray(np.corrcoef(model.prototypes.T[order[:200]])), 1).mean()
    assert alike > 0.1
