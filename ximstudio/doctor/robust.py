"""Medians and quantiles of rows with blanks, and distances from the usual in robust units."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.prepare.summaries import TO_SD


def quantiles(ordered: Floats, share: float) -> Floats:
    """A quantile of every row whose values are in order, blanks last; NaN of rows of blanks."""
    count = ordered.shape[1] - np.isnan(ordered).sum(axis=1)
    if not ordered.shape[1]:
        return np.full(len(ordered), np.nan)
    place = share * np.maximum(count - 1, 0)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(count - 1, 0))
    rows = np.arange(len(ordered))
    weight = place - below
    return np.asarray(ordered[rows, below] * (1 - weight) + ordered[rows, above] * weight)


def middle(values: Floats) -> float:
    """Median of those that are there; NaN if none is."""
    there = values[~np.isnan(values)]
    return float(np.median(there)) if len(there) else float("nan")


def usual_deviation(values: Floats) -> float:
    """Spread of the bulk of the numbers, whatever a few of them do."""
    return TO_SD * middle(np.abs(values - middle(values)))


def middle_profile(rows: Floats) -> Floats:
    """Median of every column."""
    if np.isnan(rows).any():
        return quantiles(np.sort(np.ascontiguousarray(rows.T), axis=1), 0.5)
    return np.asarray(np.median(rows, axis=0))


def correlations(rows: Floats, profile: Floats) -> Floats:
    """Correlation of every row with a profile; blanks count as being like it. NaN if constant."""
    known = ~np.isnan(profile)
    if not known.any():
        return np.full(len(rows), np.nan)
    profile = profile[known]
    rows = np.where(np.isnan(rows[:, known]), profile, rows[:, known])
    rows = rows - rows.mean(axis=1, keepdims=True)
    profile = profile - profile.mean()
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows) * (profile @ profile))
    products = rows @ profile
    return np.asarray(
        np.divide(products, lengths, out=np.full(len(rows), np.nan), where=lengths > 0)
    )
