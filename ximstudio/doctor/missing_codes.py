"""Codes for missing values among the measurements, and limits of detection."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.finding import Addresses, Finding, Repair
from ximstudio.load.reading import Choices
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity
from ximstudio.model.words import counted, plural

CENSORED = "censored"
"""The guess, and the choice, for cells such as '<0.05'."""


def _look_for_codes(evidence: TableEvidence) -> Iterable[Finding]:
    codes = evidence.codes
    if not codes:
        return
    texts = [code.text for code in codes]
    there = evidence.given.values
    wanted = [code.value for code in codes]
    if isinstance(there, np.ndarray):
        rows, columns = np.nonzero(np.isin(there, wanted))
        found = Addresses(items=rows, features=columns)
    else:
        found = TableEvidence(evidence.given, measured=tuple(wanted)).cells(
            lambda cells: np.asarray(np.isin(cells, wanted))
        )
    shown = [
        f"{evidence.given.address(int(item), int(feature))}"
        for item, feature in zip(found.items[:SHOWN], found.features[:SHOWN], strict=True)
    ]
    said = " and ".join(texts) if len(texts) < 3 else ", ".join(texts)
    share = 100 * len(found) / (evidence.given.n_items * evidence.given.n_features)
    lows = evidence.tally["items"].low
    below = max(code.value for code in codes) < 0 <= np.nanmin(lows, initial=np.inf)
    why = "nothing else is below 0" if below else "all other values are far from that"
    yield Finding(
        key=MISSING_CODES.key,
        severity=Severity.WARNING,
        what=f"{said} {plural(len(texts), 'stands', 'stand')} in {counted(len(found), 'cell')}"
        f" ({share:.2g} %), as if for a missing value: {why}.",
        where=f"{evidence.given.source}: {some_of(shown, total=len(found))}",
        way_out="Read them as missing values. The findings below assume this.",
        addresses=found,
        repairs=(
            Repair(
                label=f"Read {said} as missing",
                choices={"missing": missing_with(evidence, texts)},
            ),
            Repair(
                label=f"Keep {said}: {plural(len(texts), 'it was', 'they were')} measured",
                choices={"measured": (*_measured(evidence), *texts)},
            ),
        ),
        sure=all(code.sure for code in codes),
    )


def missing_with(evidence: TableEvidence, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the choice 'missing' with these texts added."""
    guess = evidence.guess("missing")
    spelt = () if guess is None else Choices.specs()["missing"].parse(guess.value) or ()
    return tuple(dict.fromkeys((*spelt, *texts)))


def with_codes_first(finding: Finding, evidence: TableEvidence) -> Finding:
    """Return the finding with repairs that read codes as missing before steps use them."""
    if not evidence.codes:
        return finding
    texts = [code.text for code in evidence.codes]
    first = {"missing": missing_with(evidence, texts)}
    return replace(
        finding,
        repairs=tuple(
            replace(
                repair,
                label=f"{repair.label} (after reading {', '.join(texts)} as missing)",
                choices={**first, **repair.choices},
            )
            if any(each.step.of_values for each in repair.steps)
            else repair
            for repair in finding.repairs
        ),
    )


def _measured(evidence: TableEvidence) -> tuple[str, ...]:
    return tuple(f"{value:.17g}" for value in evidence.measured)


def _look_for_limits(evidence: TableEvidence) -> Iterable[Finding]:
    guess = evidence.guess(CENSORED)
    if guess is None or guess.sure:
        return
    yield Finding(
        key=LIMITS.key,
        severity=Severity.WARNING,
        what=f"{guess.reason} They are read as missing: the amount is unknown, only that"
        " it was below (or above) a limit.",
        where=f"{evidence.given.source}: {guess.shown}",
        way_out="Leave them missing, or take the limit itself, or half of it.",
        repairs=(
            Repair(label="Leave them missing", choices={CENSORED: "missing"}),
            Repair(label="Take the limit itself", choices={CENSORED: "limit"}),
            Repair(label="Take half of the limit", choices={CENSORED: "half"}),
        ),
    )


MISSING_CODES = Check(
    key="missing_codes",
    name="Codes for missing values",
    about="-9999, 999, -1 among positive values, 1e30 and the like: numbers that programs write"
    " where there is no value. As measurements they would dominate the map.",
    phase=RepairPhase.READING,
    look=_look_for_codes,
    of_measurements=True,
)
LIMITS = Check(
    key="limits",
    name="Limits instead of values",
    about="Cells such as '<0.05' or '>40': less than could be measured, or more. They can be"
    " missing, the limit, or half of it.",
    phase=RepairPhase.READING,
    look=_look_for_limits,
)
