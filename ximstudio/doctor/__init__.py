"""The data doctor: findings in a table, their addresses, and the steps that repair them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.excel_dates import EXCEL_DATES, LOST_NAMES
from ximstudio.doctor.finding import Address, Addresses, Finding, Repair
from ximstudio.doctor.gaps import BLANKS, CONSTANT, EMPTY, INFINITE, MOSTLY_BLANK
from ximstudio.doctor.lone_values import LONE_VALUES
from ximstudio.doctor.missing_codes import LIMITS, MISSING_CODES, with_codes_first
from ximstudio.doctor.names import (
    BLANK_NAMES,
    CASE,
    CONTROL_PROBES,
    REPEATED_NAMES,
    VERSIONS,
    WHITE_SPACE,
)
from ximstudio.doctor.numeric_labels import NUMERIC_LABELS
from ximstudio.doctor.outliers import OUTLIERS
from ximstudio.doctor.proteins import DECOYS, ZEROS
from ximstudio.doctor.results import TEST_RESULTS
from ximstudio.doctor.scales import SCALES
from ximstudio.doctor.shape import DISTANCES, FEW_ONES, SCALED_MATRIX, TRANSPOSED
from ximstudio.doctor.summaries import SUMMARIES
from ximstudio.doctor.units import MIXED_UNITS, UNLOGGED
from ximstudio.load.reading import Choices, Reading, Report, silent
from ximstudio.load.sides import decided, genes_of
from ximstudio.load.text.notation import is_number
from ximstudio.model.registry import named
from ximstudio.model.table import FEATURES, ITEMS, Table
from ximstudio.prepare.input import Input, Labelled

CHECKS: tuple[Check, ...] = (
    MISSING_CODES,
    LIMITS,
    ZEROS,
    SCALED_MATRIX,
    INFINITE,
    FEW_ONES,
    DISTANCES,
    WHITE_SPACE,
    BLANK_NAMES,
    EXCEL_DATES,
    LOST_NAMES,
    VERSIONS,
    CASE,
    REPEATED_NAMES,
    DECOYS,
    TEST_RESULTS,
    NUMERIC_LABELS,
    SUMMARIES,
    CONTROL_PROBES,
    EMPTY,
    MIXED_UNITS,
    LONE_VALUES,
    SCALES,
    UNLOGGED,
    MOSTLY_BLANK,
    CONSTANT,
    OUTLIERS,
    BLANKS,
    TRANSPOSED,
)
"""All checks, in the order of their repairs."""


def check_named(key: str) -> Check:
    """Return the check with this key; refuse an unknown one with a proposal."""
    return named("check", key, CHECKS)


def settled(wanted: Input) -> frozenset[str]:
    """Return keys of the checks whose questions the user has answered by choices of reading."""
    return frozenset(check.key for check in CHECKS if check.answered(wanted))


def examine(
    table: Table,
    report: Report = silent,
    *,
    settled: Collection[str] = (),
    reading: Reading | None = None,
    measured: Collection[float] = (),
) -> tuple[Finding, ...]:
    """Examine a table; return findings in the order of their repairs.

    Parameters
    ----------
    table
        Not changed; a sparse table stays sparse. Principal components, made by the step 'pca', are
        not examined like measurements.
    settled
        Keys of checks to skip.
    reading
        Outcome of reading the file, if the table comes from one.
    measured
        Numbers that look like codes for missing values, but are known to be values.
    """
    done = 0.0
    evidence = TableEvidence(
        decided(table), halt=lambda: report(done), reading=reading, measured=tuple(measured)
    )
    checks = [check for check in CHECKS if applies(check, evidence, settled)]
    findings: list[Finding] = []
    for number, check in enumerate(checks):
        done = number / len(checks)
        report(done)
        findings += looked(check, evidence)
    report(1.0)
    return tuple(_without_repetition(findings))


def examine_input(
    wanted: Input, labelled: Labelled, table: Table, report: Report = silent
) -> tuple[Finding, ...]:
    """Examine the table of an input, after the steps of its recipe."""
    return examine(
        table,
        report,
        settled=settled(wanted),
        reading=labelled.reading,
        measured=measured_numbers(wanted.choices),
    )


def measured_numbers(choices: Choices) -> tuple[float, ...]:
    """Return numbers that the user has declared to be values, not codes."""
    texts = [text.replace(",", ".") for text in choices.measured or ()]
    return tuple(float(text) for text in texts if is_number(text))


def applies(check: Check, evidence: TableEvidence, settled: Collection[str] = ()) -> bool:
    """Return whether a check applies to the table."""
    return check.key not in settled and not (check.of_measurements and evidence.has_components)


def looked(check: Check, evidence: TableEvidence) -> tuple[Finding, ...]:
    """Run a check; bind its repairs to genes and samples; items first."""
    # A file can hold any values; results that overflow agree with nothing.
    with np.errstate(all="ignore"):
        found = [with_codes_first(finding, evidence) for finding in check.look(evidence)]
    genes = genes_of(evidence.given)
    found = [finding.bound(genes) for finding in found]
    return tuple(sorted(found, key=lambda finding: finding.side == FEATURES))


def _without_repetition(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Drop findings whose items an earlier finding sets aside already."""
    aside: dict[str, set[int]] = {ITEMS: set(), FEATURES: set()}
    for finding in findings:
        last = finding.repairs[0].steps[-1:] if finding.repairs else ()
        takes_away = any(each.step.removes or each.step.makes_labels for each in last)
        if not finding.side or not takes_away or not isinstance(finding.addresses, Addresses):
            yield finding
            continue
        along = finding.addresses
        numbers = set((along.items if finding.side == ITEMS else along.features).tolist())
        if not numbers <= aside[finding.side]:
            yield finding
        aside[finding.side] |= numbers


__all__ = [
    "CHECKS",
    "Address",
    "Addresses",
    "Check",
    "Finding",
    "Repair",
    "RepairPhase",
    "TableEvidence",
    "check_named",
    "examine",
    "examine_input",
    "settled",
]
