"""How to make the maps again: a script with its receipt, and the record for programs."""

from __future__ import annotations

from ximstudio.export.places import without_places
from ximstudio.export.provenance import Provenance
from ximstudio.export.record import record_of_run
from ximstudio.model.problem import UserError
from ximstudio.report.context import ReportContext, Section, absent
from ximstudio.report.html import Html, folded, joined, paragraph, tag
from ximstudio.reproduce.receipt import receipt_of
from ximstudio.reproduce.script import script_text

SCRIPT = "maps.py"
RECORD = "provenance"
"""Id of the element that holds the record."""
UNSAFE = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
"""Letters that could end the element or begin another; inside texts of JSON these mean the same."""


def write_reproducing(telling: ReportContext) -> Html:
    """The script of the drawn maps, and the records of all."""
    session = telling.session
    if not session.runs:
        return joined([absent("There is no map to make again."), record_element(telling)])
    try:
        receipt = receipt_of(session.runs, [run.key for run in telling.drawn])
        runs = {key: without_places(entry) for key, entry in receipt["runs"].items()}
        script = script_text({**receipt, "runs": runs}, SCRIPT)
    except UserError as error:
        written = absent(telling.said(error.problems[0].what))
    else:
        about = (
            f"Save this as {SCRIPT} beside the data files that it names."
            f" “ximstudio verify {SCRIPT}” makes the maps again and compares each with its receipt:"
            " to the last bit on the same platform, within a tolerance elsewhere."
        )
        written = joined(
            [paragraph(about), folded(f"The script {SCRIPT}", tag("pre", tag("code", script)))]
        )
    told = (
        "This file carries, for programs, the record of every map: fingerprint of the data, recipe,"
        " method, all parameters, seed, versions and result hash. It holds no folder names."
    )
    return joined([written, paragraph(told, kind="note"), record_element(telling)])


def record_element(telling: ReportContext) -> Html:
    """The records of all runs as JSON, which no browser runs."""
    record = provenance_of(telling).text.translate(UNSAFE)
    return Html(f'<script type="application/json" id="{RECORD}">{record}</script>\n')


def provenance_of(telling: ReportContext) -> Provenance:
    """What the page tells programs about the maps in it."""
    runs = tuple(record_of_run(run) for run in telling.session.runs)
    drawn = [run.key for run in telling.drawn]
    return Provenance(title="Report", figure={"report": 1, "drawn": drawn}, runs=runs)


SECTION = Section(key="reproducing", title="How to make the maps again", write=write_reproducing)
