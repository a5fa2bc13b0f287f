"""What is wrong with a table, where, and which steps of a recipe repair it."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ximstudio.doctor.check import Check
from ximstudio.doctor.distances import DISTANCES
from ximstudio.doctor.evidence import Evidence
from ximstudio.doctor.excel_dates import EXCEL_DATES, LOST_NAMES
from ximstudio.doctor.finding import Address, Addresses, Finding, Repair
from ximstudio.doctor.gaps import BLANKS, CONSTANT, EMPTY, INFINITE, MOSTLY_BLANK
from ximstudio.doctor.lone import LONE_VALUES
from ximstudio.doctor.names import BLANK_NAMES, CASE, CONTROL_PROBES, VERSIONS, WHITE_SPACE
from ximstudio.doctor.numeric_labels import NUMERIC_LABELS
from ximstudio.doctor.outliers import OUTLIERS
from ximstudio.doctor.repeated import REPEATED_NAMES
from ximstudio.doctor.results import TEST_RESULTS
from ximstudio.doctor.shape import FEW_ONES, TRANSPOSED
from ximstudio.doctor.summaries import SUMMARIES
from ximstudio.doctor.units import MIXED_UNITS, UNLOGGED
from ximstudio.load.reading import Report, silent
from ximstudio.load.sides import decided, genes_of
from ximstudio.model.problem import Severity
from ximstudio.model.table import Table
from ximstudio.prepare.input import Input

CHECKS: tuple[Check, ...] = (
    TRANSPOSED,
    FEW_ONES,
    DISTANCES,
    REPEATED_NAMES,
    BLANK_NAMES,
    EXCEL_DATES,
    LOST_NAMES,
    WHITE_SPACE,
    CASE,
    VERSIONS,
    CONTROL_PROBES,
    INFINITE,
    EMPTY,
    CONSTANT,
    MOSTLY_BLANK,
    BLANKS,
    TEST_RESULTS,
    NUMERIC_LABELS,
    SUMMARIES,
    MIXED_UNITS,
    UNLOGGED,
    LONE_VALUES,
    OUTLIERS,
)
"""Everything that is looked for."""

SEVEREST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def settled(wanted: Input) -> frozenset[str]:
    """Keys of the checks whose questions a person has answered by how the table is to be read."""
    turned = [each for each in wanted.recipe.steps if each.on and each.step.key == "orientation"]
    chosen = turned or wanted.choices.items == "columns"
    return frozenset({TRANSPOSED.key}) if chosen else frozenset()


def examine(
    table: Table, report: Report = silent, *, settled: Collection[str] = ()
) -> tuple[Finding, ...]:
    """What there is to say about a table: the severest first, then by place.

    Checks that are `settled` are passed over.

    Findings about the whole table come before those about some of its items, features or cells. The
    table is not changed, and a sparse one is not written out. Principal components, which the step
    'pca' leaves, are not examined as if they were measurements.
    """
    done = 0.0
    table = decided(table)
    evidence = Evidence(table, halt=lambda: report(done))
    checks = [
        check
        for check in CHECKS
        if check.key not in settled and not (check.of_measurements and evidence.has_components)
    ]
    findings: list[Finding] = []
    for number, check in enumerate(checks):
        done = number / len(checks)
        report(done)
        # Values may be anything that a file can hold; what overflows agrees with nothing.
        with np.errstate(all="ignore"):
            findings += check.look(evidence)
    report(1.0)
    genes = genes_of(table)
    return tuple(sorted((finding.bound(genes) for finding in findings), key=_order))


def _order(finding: Finding) -> tuple[int, int, int]:
    first = finding.addresses[0] if len(finding.addresses) else Address(item=None, feature=None)
    item = -1 if first.item is None else first.item
    feature = -1 if first.feature is None else first.feature
    return SEVEREST_FIRST.index(finding.severity), item, feature


__all__ = [
    "CHECKS",
    "Address",
    "Addresses",
    "Check",
    "Evidence",
    "Finding",
    "Repair",
    "examine",
    "settled",
]
