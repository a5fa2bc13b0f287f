"""Medians and quantiles of rows with blanks, and deviations in robust units."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.prepare.summaries import TO_SD


def quantiles(ordered: Floats, share: float) -> Floats:
    """Return a quantile of every row of sorted values, blanks last; NaN for rows of blanks."""
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
    """Return the median of the known values; NaN if there are none."""
    there = values[~np.isnan(values)]
    return float(np.median(there)) if len(there) else float("nan")


def usual_deviation(values: Floats) -> float:
    """Return the spread of the bulk of the numbers, unaffected by a few of them."""
    return TO_SD * middle(np.abs(values - middle(values)))


def middle_profile(rows: Floats) -> Floats:
    """Return the median of every column."""
    if np.isnan(rows).any():
        return quantiles(np.sort(np.ascontiguousarray(rows.T), axis=1), 0.5)
    return np.asarray(np.median(rows, axis=0))


def correlations(rows: Floats, profile: Floats) -> Floats:
    """Return correlations of rows with a profile; blanks count as equal to it. NaN if constant."""
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
