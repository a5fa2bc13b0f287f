"""Interface of a check, one of CHECKS."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.finding import Finding
from ximstudio.prepare.input import Input


class RepairPhase(IntEnum):
    """Phase of a repair: each phase relies on those before it."""

    READING = 1
    """Recognition of values."""
    NAMES = 2
    """Names of items and features."""
    ROLES = 3
    """Tallies, summaries, labels and empty lines among the measurements."""
    UNITS = 4
    """A common unit of all measurements."""
    SCALE = 5
    """Library sizes, logarithms, scales of features."""
    FILTERS = 6
    """Lines with too little information, or unlike all others."""
    BLANKS = 7
    """Treatment of missing values."""
    SIDES = 8
    """Choice of the side to be mapped."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One kind of finding.

    Parameters
    ----------
    key, name
        For programs and for users.
    about
        What the check looks for and why it matters, in a sentence or two.
    phase
        Phase of its repair; `CHECKS` has them in this order.
    look
        Function that returns at most one finding per side of the table. It changes nothing, and a
        sparse table stays sparse.
    of_measurements
        True if it needs measurements, which principal components are not.
    of_orientation
        True if it asks which side is mapped: its texts name rows and columns, and its repair is
        recommended together with others only if it is sure.
    answered
        Whether choices of the user have settled the question, so that it is not looked for.
    """

    key: str
    name: str
    about: str
    phase: RepairPhase
    look: Callable[[TableEvidence], Iterable[Finding]]
    of_measurements: bool = False
    of_orientation: bool = False
    answered: Callable[[Input], bool] = lambda _: False
