"""The methods section of a paper with its references, and the legends of all figures."""

from __future__ import annotations

import re

from ximstudio.export.methods_text import session_methods
from ximstudio.model.problem import UserError
from ximstudio.report.context import ReportContext, absent
from ximstudio.report.html import Html, bullets, folded, joined, paragraph, safe, tag

CITED = re.compile(r"\[(\d+(?:(?:, ?|–)\d+)*)(, [a-z][^\]]*)?\]")
"""Citations: "[7, 8]", or with a place in the reference, "[3, eq. 25]"."""
NUMBER = re.compile(r"\d+")


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
