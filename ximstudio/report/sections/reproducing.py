"""Reproduction of the maps: a script with its expected results, and the record for programs."""

from __future__ import annotations

from ximstudio.export.places import without_places
from ximstudio.export.provenance import Provenance
from ximstudio.model.problem import UserError
from ximstudio.report.context import ReportContext, absent
from ximstudio.report.html import Html, folded, joined, paragraph, tag
from ximstudio.reproduce.receipt import receipt_of
from ximstudio.reproduce.script import script_text
from ximstudio.train.record import record_of_run

SCRIPT = "maps.py"
RECORD = "provenance"
"""Id of the element that holds the record."""
UNSAFE = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
"""Characters that could end the element or begin another, with their equivalents in JSON."""


def write_reproducing(context: ReportContext) -> Html:
    """Write the script of the drawn maps, and the records of all."""
    session = context.session
    if not session.runs:
        return joined([absent("There is no map to reproduce."), record_element(context)])
    try:
        receipt = receipt_of(session.runs, [run.key for run in context.drawn])
        runs = {key: without_places(entry) for key, entry in receipt["runs"].items()}
        script = script_text({**receipt, "runs": runs}, SCRIPT)
    except UserError as error:
        written = absent(context.said(error.problems[0].what))
    else:
        about = (
            f"Save this as {SCRIPT} beside the data files that it names."
            f" “ximstudio verify {SCRIPT}” retrains the maps and compares each with the expected"
            " result: exactly on the same platform, within a tolerance elsewhere."
        )
        written = joined(
            [paragraph(about), folded(f"The script {SCRIPT}", tag("pre", tag("code", script)))]
        )
    about_record = (
        "This file contains a machine-readable record of every map: fingerprint of the data,"
        " recipe, method, all parameters, seed, versions and result hash, but no folder names."
    )
    return joined([written, paragraph(about_record, kind="note"), record_element(context)])


def record_element(context: ReportContext) -> Html:
    """Return the records of all runs as JSON, which browsers do not execute."""
    record = provenance_of(context).text.translate(UNSAFE)
    return Html(f'<script type="application/json" id="{RECORD}">{record}</script>\n')


def provenance_of(context: ReportContext) -> Provenance:
    """Return the record of the maps in the page, for programs."""
    runs = tuple(record_of_run(run) for run in context.session.runs)
    drawn = [run.key for run in context.drawn]
    return Provenance(title="Report", figure={"report": 1, "drawn": drawn}, runs=runs)
