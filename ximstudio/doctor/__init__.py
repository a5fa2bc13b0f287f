"""What is wrong with a table, where, and which steps of a recipe repair it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from ximstudio.doctor.check import Check, Phase
from ximstudio.doctor.distances import DISTANCES
from ximstudio.doctor.evidence import Evidence
from ximstudio.doctor.excel_dates import EXCEL_DATES, LOST_NAMES
from ximstudio.doctor.finding import REMOVING, Address, Addresses, Finding, Repair
from ximstudio.doctor.gaps import BLANKS, CONSTANT, EMPTY, INFINITE, MOSTLY_BLANK
from ximstudio.doctor.lone import LONE_VALUES
from ximstudio.doctor.missing_codes import LIMITS, MISSING_CODES, with_codes_first
from ximstudio.doctor.names import BLANK_NAMES, CASE, CONTROL_PROBES, VERSIONS, WHITE_SPACE
from ximstudio.doctor.numeric_labels import NUMERIC_LABELS
from ximstudio.doctor.outliers import OUTLIERS
from ximstudio.doctor.proteins import DECOYS, ZEROS
from ximstudio.doctor.repeated import REPEATED_NAMES
from ximstudio.doctor.results import TEST_RESULTS
from ximstudio.doctor.scales import SCALES
from ximstudio.doctor.shape import FEW_ONES, TRANSPOSED
from ximstudio.doctor.summaries import SUMMARIES
from ximstudio.doctor.units import MIXED_UNITS, UNLOGGED
from ximstudio.load.reading import Choices, Reading, Report, silent
from ximstudio.load.sides import decided, genes_of
from ximstudio.load.text.notation import is_number
from ximstudio.model.table import FEATURES, ITEMS, Table
from ximstudio.prepare.input import Input, Labelled

CHECKS: tuple[Check, ...] = (
    MISSING_CODES,
    LIMITS,
    ZEROS,
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
"""Everything that is looked for, in the order in which it is to be repaired."""

ORDER = {check.key: number for number, check in enumerate(CHECKS)}


def settled(wanted: Input) -> frozenset[str]:
    """Keys of the checks whose questions a person has answered by how the table is to be read."""
    turned = [each for each in wanted.recipe.steps if each.on and each.step.key == "orientation"]
    chosen = turned or wanted.choices.items == "columns"
    return frozenset({TRANSPOSED.key}) if chosen else frozenset()


def examine(
    table: Table,
    report: Report = silent,
    *,
    settled: Collection[str] = (),
    reading: Reading | None = None,
    measured: Collection[float] = (),
) -> tuple[Finding, ...]:
    """What there is to say about a table, in the order in which it is to be repaired.

    Parameters
    ----------
    table
        Is not changed, and a sparse one is not written out. Principal components, which the step
        'pca' leaves, are not examined as if they were measurements.
    settled
        Keys of checks that are passed over.
    reading
        How the file was understood, if the table comes from one.
    measured
        Numbers that look like codes for missing values, but are known to be values.
    """
    done = 0.0
    evidence = Evidence(
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
    """What there is to say about the table of an input, after the steps of its recipe."""
    return examine(
        table,
        report,
        settled=settled(wanted),
        reading=labelled.reading,
        measured=measured_numbers(wanted.choices),
    )


def measured_numbers(choices: Choices) -> tuple[float, ...]:
    """Numbers that a person says are values, not codes."""
    texts = [text.replace(",", ".") for text in choices.measured or ()]
    return tuple(float(text) for text in texts if is_number(text))


def applies(check: Check, evidence: Evidence, settled: Collection[str] = ()) -> bool:
    """Whether a check has anything to look at."""
    return check.key not in settled and not (check.of_measurements and evidence.has_components)


def looked(check: Check, evidence: Evidence) -> tuple[Finding, ...]:
    """What a check finds, with repairs bound to genes and samples; items first."""
    # Values may be anything that a file can hold; what overflows agrees with nothing.
    with np.errstate(all="ignore"):
        found = [with_codes_first(finding, evidence) for finding in check.look(evidence)]
    genes = genes_of(evidence.given)
    found = [finding.bound(genes) for finding in found]
    return tuple(sorted(found, key=lambda finding: finding.side == FEATURES))


def _without_repetition(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings without those about nothing but what an earlier one sets aside already."""
    aside: dict[str, set[int]] = {ITEMS: set(), FEATURES: set()}
    for finding in findings:
        first = finding.repairs[0].steps[-1:] if finding.repairs else ()
        takes_away = bool(first) and first[0].step.key in {*REMOVING, "make_label"}
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
    "Evidence",
    "Finding",
    "Phase",
    "Repair",
    "examine",
    "examine_input",
    "settled",
]
