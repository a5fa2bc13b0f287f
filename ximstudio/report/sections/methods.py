"""The methods section of a paper with its references, and the legends of all figures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ximstudio.export.methods_text import session_methods
from ximstudio.model.problem import UserError
from ximstudio.report.context import ReportContext, Section, absent
from ximstudio.report.html import Html, bullets, folded, joined, paragraph, safe, tag

CITED = re.compile(r"\[(\d+(?:(?:, ?|–)\d+)*)(, [a-z][^\]]*)?\]")
"""Numbers of references, and maybe where in them: "[7, 8]", "[3, eq. 25]"."""
NUMBER = re.compile(r"\d+")


def write_methods(telling: ReportContext) -> Html:
    """How the drawn maps were made, in good English, to be copied."""
    if not telling.session.runs:
        return absent("There is no map whose making could be described.")
    try:
        text = session_methods(telling.session, [run.key for run in telling.drawn])
    except UserError as error:
        return absent(telling.said(error.problems[0].what))
    n_cited = len(text.references)
    told = [paragraph(_linked(telling.said(each), n_cited)) for each in text.paragraphs]
    cited = [
        tag("li", reference, id=f"reference-{place}")
        for place, reference in enumerate(text.references, start=1)
    ]
    return joined(
        [
            tag("div", *told, class_="prose"),
            tag("h3", "References"),
            tag("ol", joined(cited, "\n"), class_="references"),
            _legends(telling.legends),
        ]
    )


def _linked(text: str, n_cited: int) -> Html:
    """The text with its citations leading to the references."""

    def linked(found: re.Match[str]) -> str:
        return f"[{NUMBER.sub(one, found[1])}{found[2] or ''}]"

    def one(found: re.Match[str]) -> str:
        number = int(found[0])
        if not 1 <= number <= n_cited:
            return found[0]
        return f'<a href="#reference-{number}">{number}</a>'

    return Html(CITED.sub(linked, safe(text)))


def _legends(legends: Sequence[str]) -> Html:
    if not legends:
        return Html()
    entries = [f"Figure {number}. {text}" for number, text in enumerate(legends, start=1)]
    return folded("Legends of all figures, to be copied", bullets(entries, kind="plain"))


SECTION = Section(key="methods", title="Methods", write=write_methods)
