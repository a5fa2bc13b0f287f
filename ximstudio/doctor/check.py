"""What a check has to offer to be one of CHECKS."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

from ximstudio.doctor.evidence import Evidence
from ximstudio.doctor.finding import Finding


class Phase(IntEnum):
    """When a finding is to be repaired: each phase relies on those before it."""

    READING = 1
    """What is a value at all."""
    NAMES = 2
    """What items and features are called."""
    ROLES = 3
    """Which of them are tallies, summaries, labels or empty, and no measurements."""
    UNITS = 4
    """Whether all measurements are in one unit."""
    SCALE = 5
    """Library sizes, logarithms, scales of features."""
    FILTERS = 6
    """What says too little, or is unlike all others."""
    BLANKS = 7
    """What is to become of missing values."""
    SIDES = 8
    """What is to be mapped."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One kind of finding.

    Parameters
    ----------
    key, name
        For programs and for people.
    about
        What is looked for, and why it matters, in a sentence or two.
    phase
        When it is to be repaired; `CHECKS` has them in this order.
    look
        What is found: at most one finding per side of the table. Nothing is changed, and a sparse
        table stays sparse.
    of_measurements
        Whether it takes the values for measurements, which principal components are not.
    """

    key: str
    name: str
    about: str
    phase: Phase
    look: Callable[[Evidence], Iterable[Finding]]
    of_measurements: bool = False
