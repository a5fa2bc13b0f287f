"""Tables that are in order, and the same with one thing wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ximstudio.doctor import Finding, examine
from ximstudio.model.arrays import Floats
from ximstudio.model.table import FEATURES, ITEMS, Axis, Table

N_GENES, N_SAMPLES = 60, 12
GENES = tuple(f"YAL{number:03}C" for number in range(1, N_GENES + 1))
SAMPLES = tuple(f"patient {number}" for number in range(1, N_SAMPLES + 1))


def logs(n_items: int = N_GENES, n_features: int = N_SAMPLES, seed: int = 0) -> Floats:
    """Logarithms of intensities: every gene has its level, and samples differ a little."""
    rng = np.random.default_rng(seed)
    levels = rng.uniform(4, 12, size=(n_items, 1))
    return np.asarray(levels + rng.normal(scale=0.7, size=(n_items, n_features)))


def table(
    values: Floats | None = None,
    items: Sequence[str] | None = None,
    features: Sequence[str] | None = None,
) -> Table:
    """A table of genes and samples in which nothing is wrong, but for what is given."""
    n_items = len(items) if items is not None else len(values) if values is not None else N_GENES
    n_features = values.shape[1] if values is not None else len(features or SAMPLES)
    names = GENES if n_items <= N_GENES else tuple(f"ENSG{n:011}" for n in range(n_items))
    return Table(
        values=logs(n_items, n_features) if values is None else values,
        items=Axis(names=tuple(items or names[:n_items])),
        features=Axis(names=tuple(features or (f"patient {n}" for n in range(1, n_features + 1)))),
    )


def distances() -> Table:
    """How far some genes are from each other."""
    values = logs()
    apart = np.sqrt(((values[:, None] - values) ** 2).sum(axis=2))
    return table(apart, features=GENES)


def changed(places: Any, value: Any, start: Table | None = None) -> Table:
    """A table with other values in some places."""
    start = table() if start is None else start
    values = start.dense.copy()
    values[places] = value
    return start.with_values(values)


def named(side: str, names: dict[int, str], start: Table | None = None) -> Table:
    """A table with other names in some places."""
    start = table() if start is None else start
    axis = start.axis(side)
    new = [names.get(number, name) for number, name in enumerate(axis.names)]
    return start.with_axis(side, axis.with_names(new))


def with_column(name: str, values: Any) -> Table:
    """A table with one more feature."""
    start = table()
    return table(np.column_stack([start.dense, values]), features=(*SAMPLES, name))


def with_row(name: str, values: Any) -> Table:
    """A table with one more item."""
    start = table(logs(N_GENES - 1))
    return table(np.vstack([start.dense, values]), items=(*GENES[:-1], name))


def as_sparse(start: Table) -> Table:
    """The same table, its values held sparsely."""
    return start.with_values(sparse.csr_array(start.dense))


def found(start: Table, key: str, side: str = "") -> Finding:
    """The one finding of a kind."""
    (one,) = [each for each in examine(start) if (each.key, each.side) == (key, side)]
    return one


def keys(start: Table) -> list[tuple[str, str]]:
    """What is found: keys and sides."""
    return [(finding.key, finding.side) for finding in examine(start)]


def counts() -> Floats:
    rng = np.random.default_rng(1)
    levels = rng.gamma(1.0, 200.0, size=(N_GENES, 1)) + 5
    return rng.poisson(levels, size=(N_GENES, N_SAMPLES)).astype(np.float64)


def unnamed_counts() -> Table:
    """Counts of taxa in samples, more samples than taxa: no name tells which are which."""
    rng = np.random.default_rng(4)
    levels = rng.gamma(1.0, 300.0, size=(1, 15)) + 5
    return table(
        rng.poisson(levels, size=(60, 15)).astype(np.float64),
        items=[f"S{number:02}" for number in range(60)],
        features=[f"Candidatus taxon {number}" for number in range(15)],
    )


def beside_genes(columns: dict[str, Any], n_items: int = 40) -> Table:
    """Samples in rows, logarithms of genes in columns, and these columns before them."""
    symbols = ("TP53", "BRCA1", "EGFR", "MYC", "KRAS", "PTEN", "RB1", "VHL", "APC", "ATM", "CDK4")
    genes = tuple(f"{name}{letter}" for letter in "ABCD" for name in symbols)
    values = logs(len(genes), n_items).T
    return table(
        np.column_stack([*columns.values(), values]),
        items=[f"Pat{number}" for number in range(n_items)],
        features=(*columns, *genes),
    )


def clinical() -> dict[str, Floats]:
    """What is known about forty patients."""
    rng = np.random.default_rng(5)
    return {
        "status": rng.integers(0, 2, 40).astype(np.float64),
        "age": rng.integers(40, 80, 40).astype(np.float64),
        "survival_days": rng.exponential(900, 40).round(),
        "BMI": rng.normal(26, 4, 40).round(1),
    }


def chemistry(n_items: int = 60) -> Table:
    """Measurements of wines, each in a unit of its own."""
    rng = np.random.default_rng(7)
    centres = {"alcohol": 13.0, "malic acid": 2.3, "ash": 2.4, "magnesium": 99.0, "proline": 750.0}
    values = [rng.normal(centre, centre / 6, n_items) for centre in centres.values()]
    return table(
        np.column_stack(values).round(2),
        items=[f"wine {number}" for number in range(n_items)],
        features=tuple(centres),
    )


def _blanks() -> Table:
    rng = np.random.default_rng(2)
    return changed((rng.random((N_GENES, N_SAMPLES)) < 0.1,), np.nan)


def _many_genes() -> Table:
    return table(logs(700), items=tuple(f"ENSG{number:011}" for number in range(700)))


def _odd_sample() -> Table:
    start = _many_genes()
    rng = np.random.default_rng(3)
    values = start.dense.copy()
    values[:, 4] += 4
    values[:, 7] = rng.permutation(values[:, 7])
    return start.with_values(values)


def _linear_among_logs() -> Table:
    values = logs()
    values[:, 3:5] = 2 ** values[:, 3:5]
    return table(values)


def _dates() -> Table:
    return named(ITEMS, {2: "1-Mar", 9: "2-Sep", 17: "Dec-01"})


DEFECTS: dict[str, Callable[[], list[Table]]] = {
    "transposed": lambda: [table().transposed],
    "few": lambda: [table(logs(3)), table(logs(60, 2))],
    "scaled_matrix": lambda: [table(logs() - 8.0), as_sparse(table(logs() - 8.0))],
    "distances": lambda: [distances()],
    "repeated_names": lambda: [
        named(ITEMS, {5: GENES[1], 7: GENES[1], 9: GENES[2]}),
        named(FEATURES, {5: SAMPLES[1]}),
        changed((0, 0), np.inf, named(ITEMS, {5: GENES[1]})),
        as_sparse(named(ITEMS, {5: GENES[1]})),
    ],
    "blank_names": lambda: [
        named(ITEMS, {5: "", 7: "---", 9: "", 11: "unnamed 1"}),
        named(FEATURES, {0: " "}),
        named(ITEMS, {3: "NA", 4: "#N/A"}),
    ],
    "excel_dates": lambda: [
        _dates(),
        named(ITEMS, {1: "1-Mar", 4: "1-Mar", 6: "2-Mar", 8: "MARCHF2"}),
        named(ITEMS, {1: "44256", 4: "2001-03-01"}),
        _dates().transposed,
    ],
    "lost_names": lambda: [named(ITEMS, {3: "2.31E+13", 5: "2.31E+13", 8: "5-Jan"})],
    "white_space": lambda: [
        named(ITEMS, {3: " YAL004C", 5: "YAL006C\t"}),
        named(FEATURES, {3: "patient  4", 4: "patient\u00a05"}),
    ],
    "case": lambda: [
        named(ITEMS, {3: "yal001c", 5: "Yal001C"}),
        named(FEATURES, {3: "Patient 1"}),
        changed((0, 0), -np.inf, named(ITEMS, {3: "yal001c"})),
    ],
    "versions": lambda: [
        table(items=[f"ENSG{number:011}.{number % 9 + 1}" for number in range(60)]),
        named(ITEMS, {3: "NM_000546.5", 5: "NM_000546.6"}),
    ],
    "controls": lambda: [named(ITEMS, {3: "AFFX-BioB-5_at", 5: "ERCC-00002"})],
    "infinite": lambda: [
        changed(([0, 3], [2, 4]), [np.inf, -np.inf]),
        as_sparse(changed((0, 2), np.inf)),
    ],
    "empty": lambda: [
        changed((slice(None), 4), np.nan),
        changed(([3, 8],), np.nan),
        as_sparse(changed(([3, 8],), np.nan)),
    ],
    "constant": lambda: [
        changed((slice(None), 4), 7.0),
        changed(([3, 8],), 0.0),
        as_sparse(changed(([3, 8],), 0.0)),
    ],
    "mostly_blank": lambda: [
        changed((slice(0, 40), 4), np.nan),
        changed((6, slice(0, 7)), np.nan),
    ],
    "blanks": lambda: [_blanks(), changed((0, 0), np.inf, _blanks()), as_sparse(_blanks())],
    "numeric_labels": lambda: [
        with_column("cluster", np.arange(N_GENES) % 2 * 3.0 + 5),
        with_column("unknown", np.arange(N_GENES) % 4 * 1.0),
        with_column("p-value", np.linspace(0.001, 1, N_GENES)),
        with_row("batch", np.arange(N_SAMPLES) % 2 * 1.0),
        beside_genes(clinical()),
        beside_genes(clinical()).transposed,
        named(FEATURES, {0: "cluster"}, with_column("cluster", np.arange(N_GENES) % 2 * 1.0)),
    ],
    "test_results": lambda: [
        table(logs(60, 4), features=["logFC", "AveExpr", "P.Value", "adj.P.Val"]),
        table(logs(60, 8), features=["log2FoldChange", "padj", *SAMPLES[:6]]),
        table(logs(60, 8), features=["avg_log2FC", "p_val", *SAMPLES[:6]]).transposed,
    ],
    "missing_codes": lambda: [
        changed(([5, 5, 8], [5, 6, 1]), -9999.0, table(logs(200))),
        changed((5, 5), -999.0),
        changed((slice(0, 40), slice(0, 10)), 999.0),
        changed(([1, 2, 3], [0, 1, 2]), 1e30, table(counts())),
        changed(([1, 2, 3], [0, 1, 2]), -1.0, table(counts())),
        as_sparse(changed(([1, 2], [0, 1]), -1.0, table(counts()))),
    ],
    "limits": lambda: [changed((5, 5), np.nan)],
    "zero_intensities": lambda: [changed(([5, 5, 8], [5, 6, 1]), 0.0)],
    "decoys": lambda: [
        named("items", {3: "CON__P00761", 7: "REV__Q9Y6K9"}),
        named("items", {3: "contam_sp|P00761|TRYP_PIG"}),
        named("features", {3: "REV__Q9Y6K9"}, table().transposed),
    ],
    "lone_values": lambda: [
        changed((5, 5), 8125.0),
        changed(([5, 5, 8], [5, 6, 1]), -8125.5, table(logs(200))),
        as_sparse(changed((5, 5), 8125.0)),
        changed((5, 5), 8125.0).transposed,
    ],
    "summaries": lambda: [
        with_column("Total", table().dense.sum(axis=1)),
        with_column("Mean", table().dense.mean(axis=1).round(2)),
        with_row("Sum", logs(N_GENES - 1).sum(axis=0)),
        with_column("x", table().dense.sum(axis=1)),
        named(ITEMS, {59: "__no_feature"}),
        as_sparse(with_column("Total", table().dense.sum(axis=1))),
    ],
    "scales": lambda: [chemistry()],
    "mixed_units": lambda: [_linear_among_logs(), _linear_among_logs().transposed],
    "unlogged": lambda: [
        table(2 ** logs()),
        table(counts()),
        changed((slice(0, 9), 2), -40.0, table(2 ** logs())),
        as_sparse(table(counts())),
        changed((3, 3), -np.inf, table(2 ** logs())),
        changed(([3, 4], [3, 3]), np.inf, table(counts())),
        table(2 ** np.random.default_rng(6).normal(size=(N_GENES, N_SAMPLES))),
        unnamed_counts(),
    ],
    "outliers": lambda: [_odd_sample(), _odd_sample().transposed],
}
"""Key of a check → tables in which it finds something."""
