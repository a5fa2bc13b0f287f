"""Planes: which look alike, and which is called so."""

from __future__ import annotations

import numpy as np
import pytest

from ximstudio.explore import planes as explored
from ximstudio.explore.planes import correlations_with, names_with, similarity_order
from ximstudio.model.arrays import Floats, Ints


def of_kinds(n_each: int = 8) -> tuple[Floats, Ints]:
    """Planes of three kinds, shuffled, and the kind of each."""
    rng = np.random.default_rng(0)
    shapes, kinds = rng.normal(size=(3, 30)), rng.permutation(np.repeat(np.arange(3), n_each))
    noise = 0.1 * rng.normal(size=(len(kinds), 30))
    return shapes[kinds] * rng.uniform(1, 3, (len(kinds), 1)) + noise, kinds


@pytest.mark.parametrize("by", ["tree", "projection", "projection of some"])
@pytest.mark.parametrize("n_blanks", [0, 40])
def test_that_planes_of_one_kind_are_neighbours(
    by: str, n_blanks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by != "tree":
        monkeypatch.setattr(explored, "MOST_IN_TREE", 5)
    if by == "projection of some":
        monkeypatch.setattr(explored, "MOST_ACROSS", 15)
    planes, kinds = of_kinds()
    planes.flat[np.random.default_rng(1).permutation(planes.size)[:n_blanks]] = np.nan
    order = similarity_order(planes)
    assert sorted(order.tolist()) == list(range(24))
    assert (np.diff(kinds[order]) != 0).sum() == 2


def test_that_flat_planes_come_last() -> None:
    planes, _ = of_kinds()
    planes[[3, 7]] = 2.0
    order = similarity_order(planes)
    assert order[-2:].tolist() == [3, 7]
    assert sorted(order.tolist()) == list(range(24))


def test_that_correlations_are_those_of_numpy() -> None:
    planes, _ = of_kinds()
    expected = np.asarray(np.corrcoef(planes))[5]
    np.testing.assert_allclose(correlations_with(planes, 5), expected, atol=1e-9)


def test_that_a_plane_that_does_not_vary_correlates_with_none() -> None:
    planes, _ = of_kinds()
    planes[2] = -1.0
    found = correlations_with(planes, 5)
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
    planes = rng.normal(size=(20_000, 9))
    order = similarity_order(planes)
    assert sorted(order.tolist()) == list(range(20_000))
    alike = np.diag(np.asarray(np.corrcoef(planes[order[:200]])), 1).mean()
    assert alike > 0.1
