"""What a record says of everything that the numbers depend on."""

from __future__ import annotations

from ximstudio.export.record import surroundings


def test_that_packages_are_named_where_a_method_needs_them() -> None:
    plain = set(surroundings("c-xim", "pca")["versions"])
    assert {"python", "numpy", "numba"} <= plain
    assert set(surroundings("t-sne", "sne", "pca")["versions"]) == plain | {"openTSNE"}
    assert set(surroundings("umap")["versions"]) == plain | {"umap-learn"}
