"""Whether values are logarithms, linear intensities or counts, told from the values themselves."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats

LOOKED_AT = 200_000
"""Values that are looked at, taken evenly from all of them."""

LOGGED = "logged"
LINEAR = "linear"
COUNTS = "counts"
UNCLEAR = "unclear"

HIGHEST_LOG = 30.0
"""No instrument counts beyond 2^30."""

SKEWED = 8.0
"""The 99th percentile is that many medians away in linear values, but not in logarithms."""


def looks_logged(values: Floats) -> tuple[str, str]:
    """One of "logged", "linear", "counts" and "unclear", and the evidence as a sentence."""
    flat = values.ravel()
    some = flat[:: max(1, len(flat) // LOOKED_AT)]
    some = some[np.isfinite(some)]
    if len(some) < 4:
        return UNCLEAR, "There are too few values to tell."
    low, high = float(some.min()), float(some.max())
    whole = bool((some == np.floor(some)).all())
    kind, why = _below_zero(low, high, whole) if low < 0 else _from_zero(some, high, whole)
    return kind, f"Values go from {low:g} to {high:g}{why}"


def _below_zero(low: float, high: float, whole: bool) -> tuple[str, str]:
    if max(-low, high) <= HIGHEST_LOG and not whole:
        return LOGGED, ": logarithms or log-ratios, for linear values are not below 0."
    if high > 10 * HIGHEST_LOG:
        return LINEAR, ": too wide for logarithms."
    return UNCLEAR, "."


def _from_zero(some: Floats, high: float, whole: bool) -> tuple[str, str]:
    median, far = (float(value) for value in np.percentile(some, (50, 99)))
    for holds, kind, why in (
        (whole and high > HIGHEST_LOG, COUNTS, ", all whole and none below 0: counts."),
        (whole, UNCLEAR, ", all whole: small counts, scores or codes."),
        (high <= 1, UNCLEAR, ": shares, probabilities or scaled values."),
        (high > 4 * HIGHEST_LOG, LINEAR, ": too high for logarithms."),
        (
            high <= HIGHEST_LOG and far <= SKEWED * median,
            LOGGED,
            f", with a median of {median:.3g}: as logarithms of intensities do.",
        ),
    ):
        if holds:
            return kind, why
    return UNCLEAR, f", with a median of {median:.3g}."
