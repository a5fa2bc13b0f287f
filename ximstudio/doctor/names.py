"""Detection of blank, untidy, versioned and repeated names, and of control probes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import SIDES, TableEvidence, once, severity_of
from ximstudio.doctor.excel_dates import mangled, new_names
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.repairs import counted, drop, finite_first, rename, renaming
from ximstudio.load.annotation.matching import tidy, without_version
from ximstudio.model import words
from ximstudio.model.problem import Severity
from ximstudio.prepare.planned import Planned, planned

NO_NAMES = frozenset(
    {"", "na", "n/a", "nan", "null", "none", "-", "--", "---", "#n/a", "#name?", "#ref!", "#value!"}
)
# Affymetrix, Agilent and Illumina controls, and RNAs that are spiked into samples.
CONTROLS = re.compile(
    r"AFFX[-_].+|ERCC-\d{5}|\(\+\)E1A_r60_.+|\(-\)3xSLv1|GE_BrightCorner|DarkCorner"
    r"|NegativeControl|ETG\d+_\d+|Ctl_.+|r60_.+|RPC[_-].*control.*|SIRV\d+|sequin[_-].+"
    r"|phix(?:[_-]?174)?",
    re.IGNORECASE,
)
CONTROLS_OF_GENES = re.compile(
    r"(?:POS|NEG)_[A-H](?:\([\d.]+\))?|RNA[_ -]?spike.*|spike[_ -]?in.*"
    r"|(?:neg|pos)(?:ative|itive)?[_ ]?control[\W_]?\d*",
    re.IGNORECASE,
)
"""Further names of controls, if the side is genes: samples may have them, too."""
WAYS = {
    "mean": "Take the mean of those with the same name",
    "max": "Keep the one with the largest mean of each name",
    "first": "Keep the first of each name",
    "suffix": "Keep all and number them: 'NAME.2', 'NAME.3', …",
}


def _look_for_blanks(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        new = unnamed(evidence, side)
        found = list(new)
        if not found:
            continue
        yield Finding(
            key=BLANK_NAMES.key,
            severity=severity_of(evidence, side, found),
            side=side,
            what=f"{counted(side, found)} without a name, or with one that says there is none.",
            where=evidence.where(side, found),
            way_out="Give them names, or remove them; choose another column as id if it has more.",
            addresses=evidence.along(side, found),
            repairs=(
                rename(evidence, side, new, "Name them 'unnamed 1', 'unnamed 2', …"),
                drop(evidence, side, found),
            ),
            sure=False,
        )


@once
def unnamed(evidence: TableEvidence, side: str) -> dict[int, str]:
    """Return those without a name: number → a unique new name."""
    names = evidence.axis(side).names
    taken = set(names)
    new: dict[int, str] = {}
    number = 1
    for place, name in enumerate(names):
        if name.strip().lower() not in NO_NAMES:
            continue
        while f"unnamed {number}" in taken:
            number += 1
        new[place] = f"unnamed {number}"
        number += 1
    return new


def _look_for_white_space(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        names = evidence.axis(side).names
        new = {n: tidy(name) for n, name in enumerate(names) if tidy(name) != name}
        if new:
            yield Finding(
                key=WHITE_SPACE.key,
                severity=Severity.NOTE,
                side=side,
                what=f"{counted(side, list(new))} with white space around the name, or with tabs,"
                " line ends or several spaces in it: other tables will not match.",
                where=evidence.where(side, list(new)),
                way_out="Rename them.",
                addresses=evidence.along(side, list(new)),
                repairs=(rename(evidence, side, new, "Leave single spaces between words only"),),
            )


def _look_for_versions(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        names = evidence.axis(side).names
        new = {n: without_version(name) for n, name in enumerate(names)}
        new = {n: name for n, name in new.items() if name != names[n]}
        if new:
            merged = len(names) - len({new.get(n, name) for n, name in enumerate(names)})
            already = len(names) - len(set(names))
            clashes = words.counted(merged - already, "name")
            clash = f" {clashes} would then repeat." if merged > already else ""
            yield Finding(
                key=VERSIONS.key,
                severity=Severity.NOTE,
                side=side,
                what=f"{counted(side, list(new))} with a version at the end of the name (.12):"
                f" annotations and gene sets often come without.{clash}",
                where=evidence.where(side, list(new)),
                way_out="Rename them, or leave them: annotations are matched with and without.",
                addresses=evidence.along(side, list(new)),
                repairs=(rename(evidence, side, new, "Take the versions off"),),
                sure=merged == already,
            )


def _look_for_case(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        names = evidence.axis(side).names
        groups: dict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(names):
            if name.strip().lower() not in NO_NAMES:
                groups[name.casefold()].append(number)
        alike = [
            numbers
            for numbers in groups.values()
            if len(numbers) > 1 and len({names[n] for n in numbers}) > 1
        ]
        if not alike:
            continue
        found = sorted(n for numbers in alike for n in numbers)
        first = {n: names[numbers[0]] for numbers in alike for n in numbers[1:]}
        changed = {n: name for n, name in first.items() if names[n] != name}
        step = renaming(evidence, side, changed)
        genes = evidence.is_genes(side)
        yield Finding(
            key=CASE.key,
            severity=Severity.WARNING if genes else Severity.NOTE,
            side=side,
            what=f"Names that differ in capital letters only: {counted(side, found)}. One"
            " gene twice, or genes of two species.",
            where=evidence.where(side, found),
            way_out="Merge them if they are the same; leave them if the table holds two species.",
            addresses=evidence.along(side, found),
            repairs=tuple(
                Repair(
                    label=label,
                    steps=(*finite_first(evidence), step, planned("repeated", axis=side, how=how)),
                )
                for how, label in (
                    ("mean", "Spell them alike and take their mean"),
                    ("first", "Spell them alike and keep the first of each"),
                )
            ),
            sure=False,
        )


def _look_for_controls(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        names = evidence.axis(side).names
        found = [n for n, name in enumerate(names) if CONTROLS.fullmatch(name.strip())]
        if side == evidence.gene_side:
            more = [n for n, name in enumerate(names) if CONTROLS_OF_GENES.fullmatch(name.strip())]
            found = sorted({*found, *more})
        if found and len(found) < len(names):
            yield Finding(
                key=CONTROL_PROBES.key,
                severity=Severity.NOTE,
                side=side,
                what=f"Control probes or spiked-in RNAs: {counted(side, found)}.",
                where=evidence.where(side, found),
                way_out="Remove them before a map of genes is made.",
                addresses=evidence.along(side, found),
                repairs=(drop(evidence, side, found),),
            )


def _look_for_repeated(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        names = evidence.axis(side).names
        counts = Counter(names)
        strangers = _strangers(evidence, side)
        found = [n for n, name in enumerate(names) if counts[name] > 1 and n not in strangers]
        if not found:
            continue
        twice = len({names[number] for number in found})
        # Several probes of a gene are averaged; samples of one name are most likely different ones.
        recommended = ("suffix",) if side == evidence.sample_side else ()
        yield Finding(
            key=REPEATED_NAMES.key,
            severity=Severity.ERROR,
            side=side,
            what=f"Names that occur more than once: {twice}, for {counted(side, found)}.",
            where=evidence.where(side, found),
            way_out="Merge them, keep one of each, or number them; or choose another column as id.",
            addresses=evidence.along(side, found),
            repairs=tuple(
                Repair(label=WAYS[how], steps=_steps(evidence, side, how, strangers))
                for how in dict.fromkeys((*recommended, *WAYS))
            ),
        )


def _strangers(evidence: TableEvidence, side: str) -> dict[int, str]:
    """Return those that share a name but differ, with new names: they must not be merged.

    Blanks, genes that became the same date, and clones that became the same number.
    """
    names = evidence.axis(side).names
    changed = mangled(evidence, side)
    two_genes = {number: ways for number, ways in changed.symbols.items() if len(ways) > 1}
    lost = {number: f"{names[number]} (number {number + 1})" for number in changed.lost}
    return {**unnamed(evidence, side), **new_names(names, two_genes, "today"), **lost}


def _steps(
    evidence: TableEvidence, side: str, how: str, strangers: dict[int, str]
) -> tuple[Planned, ...]:
    names = evidence.axis(side).names
    counts = Counter(names)
    apart = {number: new for number, new in strangers.items() if counts[names[number]] > 1}
    return (
        *((renaming(evidence, side, apart),) if apart else ()),
        *(finite_first(evidence) if how in {"mean", "max"} else ()),
        planned("repeated", axis=side, how=how),
    )


BLANK_NAMES = Check(
    key="blank_names",
    name="Blank names",
    about="Items or features without a name, or named NA, ---, #N/A and the like: they cannot be"
    " distinguished or looked up.",
    phase=RepairPhase.NAMES,
    look=_look_for_blanks,
)
WHITE_SPACE = Check(
    key="white_space",
    name="White space in names",
    about="Spaces around names, or tabs, line ends and several spaces within, keep them from"
    " matching annotations.",
    phase=RepairPhase.NAMES,
    look=_look_for_white_space,
)
VERSIONS = Check(
    key="versions",
    name="Versions at the end of names",
    about="Accessions such as ENSG00000141510.12 or NM_000546.6 carry a version that annotations"
    " and gene sets often lack.",
    phase=RepairPhase.NAMES,
    look=_look_for_versions,
)
CASE = Check(
    key="case",
    name="Names that differ in capital letters only",
    about="brca1 and BRCA1: one gene in two rows, or genes of two species in one table.",
    phase=RepairPhase.NAMES,
    look=_look_for_case,
)
CONTROL_PROBES = Check(
    key="controls",
    name="Control probes",
    about="AFFX probes, ERCC spike-ins and the like measure the experiment, not the samples.",
    phase=RepairPhase.ROLES,
    look=_look_for_controls,
)
REPEATED_NAMES = Check(
    key="repeated_names",
    name="Repeated names",
    about="Several probes of one gene, or a column pasted twice. A map needs one name for each.",
    phase=RepairPhase.NAMES,
    look=_look_for_repeated,
)
