"""What a check has to offer to be one of CHECKS."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ximstudio.doctor.evidence import Evidence
from ximstudio.doctor.finding import Finding


@dataclass(frozen=True, kw_only=True)
class Check:
    """One kind of finding.

    Parameters
    ----------
    key, name
        For programs and for people.
    about
        What is looked for, and why it matters, in a sentence or two.
    look
        What is found: at most one finding per side of the table. Nothing is changed, and a sparse
        table stays sparse.
    of_measurements
        Whether it takes the values for measurements, which principal components are not.
    """

    key: str
    name: str
    about: str
    look: Callable[[Evidence], Iterable[Finding]]
    of_measurements: bool = False
