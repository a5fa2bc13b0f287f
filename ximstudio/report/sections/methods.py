"""Sections about making the maps: methods text with legends, script, and records of all runs."""

from __future__ import annotations

import re

from ximstudio.export.methods_text import session_methods
from ximstudio.export.places import without_places
from ximstudio.export.provenance import Provenance
from ximstudio.model.problem import UserError
from ximstudio.report.context import ReportContext, absent
from ximstudio.report.html import Html, bullets, folded, joined, paragraph, safe, tag
from ximstudio.reproduce.receipt import receipt_of
from ximstudio.reproduce.script import script_text
from ximstudio.train.record import record_of_run

CITED = re.compile(r"\[(\d+(?:(?:, ?|–)\d+)*)(, [a-z][^\]]*)?\]")
"""Citations: "[7, 8]", or with a place in the reference, "[3, eq. 25]"."""
NUMBER = re.compile(r"\d+")
SCRIPT = "maps.py"
RECORD = "provenance"
"""Id of the element that holds the record."""
UNSAFE = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
"""Characters that could end the element or begin another, with their equivalents in JSON."""


def write_methods(context: ReportContext) -> Html:
    """Write a methods text on the drawn maps, ready to be copied."""
    if not context.session.runs:
        return absent("There is no map to describe.")
    try:
        text = session_methods(context.session, [run.key for run in context.drawn])
    except UserError as error:
        return absent(context.said(error.problems[0].what))
    n_cited = len(text.references)
    paragraphs = [paragraph(_linked(context.said(each), n_cited)) for each in text.paragraphs]
    cited = [
        tag("li", reference, id=f"reference-{place}")
        for place, reference in enumerate(text.references, start=1)
    ]
    legends = bullets(
        (f"Figure {number}. {text}" for number, text in enumerate(context.legends, start=1)),
        kind="plain",
    )
    return joined(
        [
            tag("div", *paragraphs, class_="prose"),
            tag("h3", "References"),
            tag("ol", joined(cited, "\n"), class_="references"),
            folded("Legends of all figures, ready to copy", legends) if legends else None,
        ]
    )


def _linked(text: str, n_cited: int) -> Html:
    """Link the citations in a text to the references."""

    def linked(found: re.Match[str]) -> str:
        return f"[{NUMBER.sub(one, found[1])}{found[2] or ''}]"

    def one(found: re.Match[str]) -> str:
        number = int(found[0])
        if not 1 <= number <= n_cited:
            return found[0]
        return f'<a href="#reference-{number}">{number}</a>'

    return Html(CITED.sub(linked, safe(text)))


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
    """Return the records of all runs as JSON, for programs; browsers do not execute it."""
    runs = tuple(map(record_of_run, context.session.runs))
    figure = {"report": 1, "drawn": [run.key for run in context.drawn]}
    record = Provenance(title="Report", figure=figure, runs=runs).text.translate(UNSAFE)
    return Html(f'<script type="application/json" id="{RECORD}">{record}</script>\n')
