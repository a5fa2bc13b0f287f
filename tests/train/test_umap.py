"""UMAP: umap-learn's graph and steps, and what is said where it is not installed."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from tests import twins
from ximstudio.kernels.compiler import cache_folder
from ximstudio.model import Matrix, UserError
from ximstudio.train import METHODS, checks, method_named, train
from ximstudio.train.umap import UmapLayout, graph_of, positions_of, rate_at
from ximstudio.train.umap_params import UmapParams

ROOT = Path(__file__).parents[2]
NEEDING = [method for method in METHODS if method.package is not None]


@pytest.mark.parametrize("method", NEEDING, ids=lambda method: method.key)
def test_that_without_its_package_a_method_is_refused_with_a_way_out(
    method: object, yeast: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = method_named(method.key)  # type: ignore[attr-defined]
    assert chosen.package is not None
    monkeypatch.setattr(checks, "find_spec", lambda _: None)
    with pytest.raises(UserError) as error:
        train(yeast, chosen)
    assert error.value.keys == ("method.package",)
    assert chosen.package.requirement in error.value.problems[0].way_out


def test_that_a_layout_comes_back_from_its_numbers() -> None:
    rng = np.random.default_rng(0)
    positions = rng.normal(size=(5, 2)).astype(np.float32)
    layout = UmapLayout(positions, rng.random(7), rng.random(7))
    again = UmapLayout.of(layout.moving(), 5)
    np.testing.assert_array_equal(again.positions, positions)
    np.testing.assert_array_equal(again.due, layout.due)
    np.testing.assert_array_equal(again.repelled_until, layout.repelled_until)
    np.testing.assert_array_equal(positions_of(layout.moving(), 5), positions)


def test_that_the_rate_falls_as_in_umap_learn() -> None:
    assert [rate_at(step, 10) for step in (0, 1, 2, 9)] == pytest.approx([1.0, 1.0, 0.9, 0.2])


def test_that_the_graph_is_that_of_umap_learn() -> None:
    umap = pytest.importorskip("umap", exc_type=ImportError)
    matrix = Matrix.from_array(20.0 * np.random.default_rng(0).normal(size=(80, 6)))
    found = graph_of(matrix, UmapParams(n_steps=500))
    apart = np.linalg.norm(matrix.values[:, None] - matrix.values[None], axis=2)
    weights, _, _ = umap.umap_.fuzzy_simplicial_set(apart, 15, None, "precomputed")
    theirs = weights.tocoo()
    strong = theirs.data >= theirs.data.max() / 500
    pairs = zip(theirs.row[strong].tolist(), theirs.col[strong].tolist(), strict=True)
    periods = (theirs.data.max() / theirs.data[strong]).tolist()
    expected = dict(zip(pairs, periods, strict=True))
    ours = list(zip(found.heads.tolist(), found.tails.tolist(), strict=True))
    assert set(ours) == set(expected)
    np.testing.assert_allclose(found.periods, [expected[pair] for pair in ours], rtol=1e-3)


def test_that_loops_of_umap_learn_are_compiled_once_on_a_machine() -> None:
    umap = pytest.importorskip("umap", exc_type=ImportError)
    graph_of(Matrix.from_array(np.random.default_rng(0).normal(size=(20, 3))), UmapParams())
    for loop in (umap.umap_.smooth_knn_dist, umap.umap_.compute_membership_strengths):
        assert str(loop.stats.cache_path).startswith(cache_folder())
        assert loop.stats.cache_hits or loop.stats.cache_misses


def test_that_more_neighbours_than_items_are_refused(yeast: Matrix) -> None:
    pytest.importorskip("umap", exc_type=ImportError)
    method = method_named("umap")
    with pytest.raises(UserError) as error:
        train(yeast, method, method.params(graph_neighbours=1000))  # type: ignore[call-arg]
    assert error.value.keys == ("params.graph_neighbours",)


def test_that_the_genes_are_drawn_well(yeast: Matrix) -> None:
    found = train(yeast, method_named("umap"))
    trust, continuity = twins.quality(yeast.values, found.positions)
    assert trust > 0.84
    assert continuity > 0.86


def test_that_the_package_is_asked_for_as_the_extra_has_it() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = extras["project"]["optional-dependencies"]
    package = method_named("umap").package
    assert package is not None
    assert extras["umap"] == [package.requirement]
    assert "ximstudio[umap]" in extras["gui"]
    assert package.requirement in checks.install_command(package)
    assert sys.executable in checks.install_command(package)
