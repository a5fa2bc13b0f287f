"""Statistics of a selection: its values, its distinctive features, and its labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ximstudio.explore.names import are_names
from ximstudio.explore.profiles import pieces, spread, summed
from ximstudio.kernels.parallel import check_here
from ximstudio.maps.label_kinds import is_scale
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import known
from ximstudio.model.selection import Selection

ROUNDING = 1e-12
"""Deviations up to this share of a value are rounding errors."""
NO_P_VALUES = (
    "No p-values: the selection was made on a map of the same values that are compared here, so"
    " that any test would find differences."
)
"""Note shown beside the distinctive features of a selection."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SelectionStatistics:
    """All values of a selection, and how its features differ from those of the rest.

    Parameters
    ----------
    n_items, n_all
        Number of items in the selection, and in the table.
    mean, sd, median
        Of all known values of the selection; NaN if there are none.
    n_values, n_blank
        Number of values, and of missing ones.
    features
        Numbers of features, most distinctive first: by the size of their standardised difference,
        ties in table order. Features without one are left out.
    rest
        Mean of the rest, one per feature of the table.
    differences
        Mean of the selection minus that of the rest.
    standardised
        The same divided by the standard deviation within both (Cohen's d); NaN where either has no
        value or nothing varies.
    """

    n_items: int
    n_all: int
    mean: float
    sd: float
    median: float
    n_values: int
    n_blank: int
    features: Ints
    rest: Floats
    differences: Floats
    standardised: Floats


@dataclass(frozen=True, kw_only=True)
class Enrichment:
    """Frequency of one text of a label in a selection.

    Parameters
    ----------
    here, everywhere
        Number of items with the text, in the selection and in the table.
    expected
        Expected number in a random selection of the same size.
    p
        Probability of at least as many (hypergeometric); `q` is p after Benjamini and Hochberg,
        over all texts that were tested together.
    """

    label: str
    text: str
    here: int
    everywhere: int
    expected: float
    p: float
    q: float


def statistics_of(matrix: Matrix, selection: Selection) -> SelectionStatistics:
    """Compute the statistics of a selection against the rest of the table; see `NO_P_VALUES`."""
    chosen = selection.mask(matrix.item_ids)
    inside, outside = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    n, mean, squares = _per_feature(matrix, inside)
    n_rest, mean_rest, squares_rest = _per_feature(matrix, outside)
    differences = mean - mean_rest
    size = np.fmax(np.abs(mean), np.abs(mean_rest))
    standardised = _standardised(differences, n + n_rest, squares + squares_rest, size)
    total = float(n.sum())
    centre = float((n * np.nan_to_num(mean)).sum() / total) if total else np.nan
    around = squares + n * np.nan_to_num(mean - centre) ** 2
    ranked = np.argsort(-np.abs(standardised), kind="stable")
    return SelectionStatistics(
        n_items=len(inside),
        n_all=matrix.n_items,
        mean=centre,
        sd=float(spread(np.array([total]), np.array([around.sum()]))[0]),
        median=_median(matrix, inside, int(total)),
        n_values=len(inside) * matrix.n_features,
        n_blank=len(inside) * matrix.n_features - int(total),
        features=frozen(ranked[~np.isnan(standardised[ranked])]),
        rest=frozen(mean_rest),
        differences=frozen(differences),
        standardised=frozen(standardised),
    )


def enrichment_of(
    matrix: Matrix, selection: Selection, labels: Iterable[str] | None = None
) -> tuple[Enrichment, ...]:
    """Test the texts of labels for enrichment in the selection, most significant first.

    By default all labels that are classes are tested. Items without a text do not count for that
    label. Texts that the selection does not have count as tests but are not listed.
    """
    from scipy.stats import false_discovery_control, hypergeom

    wanted = class_labels(matrix) if labels is None else tuple(labels)
    chosen = selection.mask(matrix.item_ids)
    found: list[tuple[str, str, int, int, float, float]] = []
    for label in wanted:
        check_here()
        known("label", label, matrix.item_labels)
        texts = matrix.item_labels[label]
        everywhere = Counter(text for text in texts if text)
        here = Counter(texts[row] for row in np.flatnonzero(chosen) if texts[row])
        n_all, n_here = everywhere.total(), here.total()
        for text, count in everywhere.items():
            check_here()
            p = float(hypergeom.sf(here[text] - 1, n_all, count, n_here))
            found.append((label, text, here[text], count, n_here * count / n_all, min(p, 1.0)))
    if not found:
        return ()
    adjusted = false_discovery_control([each[-1] for each in found])
    listed = [
        Enrichment(
            label=label, text=text, here=here, everywhere=count, expected=expected, p=p, q=float(q)
        )
        for (label, text, here, count, expected, p), q in zip(found, adjusted, strict=True)
        if here
    ]
    return tuple(sorted(listed, key=lambda each: each.p))


def class_labels(matrix: Matrix) -> tuple[str, ...]:
    """Labels that are classes: neither numbers on a scale nor names."""
    return tuple(
        label
        for label, texts in matrix.item_labels.items()
        if not is_scale(texts) and (not are_names(texts) or len(set(texts) - {""}) <= 2)
    )


def _per_feature(matrix: Matrix, rows: Ints) -> tuple[Floats, Floats, Floats]:
    parts = (matrix.values[some] for some in pieces(rows, matrix.n_features))
    return summed(parts, matrix.n_features)


def _standardised(differences: Floats, n: Floats, squares: Floats, size: Floats) -> Floats:
    """Differences in standard deviations within both groups; NaN where nothing varies."""
    within = np.sqrt(squares / np.maximum(n - 2.0, 1.0))
    # Rounding leaves the last digits of equal values, however large they are.
    varies = (n > 2.0) & (within > ROUNDING * size)
    return np.where(varies, differences / np.where(varies, within, 1.0), np.nan)


def _median(matrix: Matrix, rows: Ints, n_known: int) -> float:
    """Median of all known values of some items, `n_known` in number."""
    if not n_known:
        return np.nan
    # One copy of the values, sorted in place: a selection may be the whole table.
    values, begin = np.empty(n_known, dtype=matrix.values.dtype), 0
    for some in pieces(rows, matrix.n_features):
        part = matrix.values[some]
        part = part[~np.isnan(part)]
        values[begin : begin + len(part)] = part
        begin += len(part)
    return float(np.median(values, overwrite_input=True))
