"""Assemble the page of a report from its sections, write it, and read its record back."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from ximstudio import __version__
from ximstudio.export.provenance import Provenance
from ximstudio.files.atomic import appearing
from ximstudio.files.bounded import OversizedFileError, read_bounded
from ximstudio.files.columns import sound
from ximstudio.load import Report, silent
from ximstudio.load.samples import called
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap
from ximstudio.report.context import ReportContext, Section
from ximstudio.report.html import Content, Html, bullets, facts, joined, paragraph, tag
from ximstudio.report.sections.data import write_data, write_findings, write_recipe
from ximstudio.report.sections.maps import write_maps
from ximstudio.report.sections.methods import RECORD, write_methods, write_reproducing
from ximstudio.report.sections.quality import write_quality
from ximstudio.report.sections.selections import write_clusters, write_selections
from ximstudio.report.style import STYLE
from ximstudio.session.session import Session
from ximstudio.train import method_named

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""Content security policy: nothing is fetched and nothing is run, whatever the page contains."""
SECTIONS = (
    Section(key="data", title="Data", write=write_data),
    Section(key="doctor", title="Findings of the data doctor", write=write_findings),
    Section(key="recipe", title="Preparation", write=write_recipe),
    Section(key="maps", title="Maps", write=write_maps),
    Section(key="quality", title="Map quality", write=write_quality),
    Section(key="clusters", title="Clusters", write=write_clusters),
    Section(key="selections", title="Selection and sets", write=write_selections),
    Section(key="methods", title="Methods", write=write_methods),
    Section(key="reproducing", title="Reproducing the maps", write=write_reproducing),
)
"""The parts of a report, in order."""
WRITING = 0.98
"""Share of the work that is done before the file is written."""
MOST_BYTES = 2**28
"""Largest file that is read as a report."""
ELEMENT = re.compile(r"<script\b[^<>]{0,200}>")
MARK, END = re.compile(rf"""\sid=["']?{RECORD}["'\s>]"""), "</script"
"""The element with the record; limited, so that the search is linear."""


def report_html(
    session: Session, report: Report = silent, *, title: str = "", date: str = ""
) -> str:
    """Return the whole page; equal sessions give equal texts.

    Parameters
    ----------
    report
        Called with the share of the work that is done; it may raise to cancel.
    title
        The heading; '' for the names of the table and the method.
    date
        A date to be printed; '' for none, for the day on which a report is written says nothing
        about the maps.
    """
    # Broken letters in the names of runs cannot be drawn.
    runs = tuple(replace(run, name=sound(run.name)) for run in session.runs)
    context = ReportContext(session=replace(session, runs=runs), report=report)
    context.n_planned = _n_figures(context)
    title = title or _title(context)
    sections = [
        tag("section", tag("h2", each.title, id=each.key), "\n", each.write(context)) + "\n"
        for each in SECTIONS
    ]
    contents = bullets(
        (tag("a", section.title, href=f"#{section.key}") for section in SECTIONS), ordered=True
    )
    head = joined(
        [
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="generator", content=f"XIM Studio {__version__}"),
            tag("title", title),
            tag("style", Html(STYLE)),
        ],
        "\n",
    )
    body = joined(
        [
            tag("header", tag("h1", title), _about(context, date)),
            tag("nav", contents, aria_label="Contents"),
            tag("main", *map(Html, sections)),
            tag("footer", paragraph(f"Written by XIM Studio {__version__}.", kind="note")),
        ],
        "\n",
    )
    report(1.0)
    page = joined([tag("head", "\n", head), tag("body", "\n", body)], "\n")
    return f"<!DOCTYPE html>\n{tag('html', page, lang='en')}\n"


def _title(context: ReportContext) -> str:
    """Return the title: the table and the methods of the drawn maps."""
    session, matrix = context.session, context.matrix
    source = session.data.labelled.table.source if session.data is not None else ""
    source = source or ("" if matrix is None else matrix.source)
    name = called(source) if source else "No table"
    methods = dict.fromkeys(method_named(run.result.method).name for run in context.drawn)
    return f"{name}: {', '.join(methods)}" if methods else name


def _about(context: ReportContext, date: str) -> Html:
    run, words = context.session.run, context.words
    rows: list[tuple[Content, Content]] = [
        ("Date", date),
        ("Program", f"XIM Studio {__version__}"),
        ("Displayed map", None if run is None else run.name),
        ("Result hash", None if run is None else tag("code", run.result.hash)),
    ]
    what = (
        f"Report on maps of {words.items}: the data, their preparation, the maps and their quality,"
        " clusters and selections, a methods text, and a script to reproduce everything. The file"
        " is self-contained and needs no network."
    )
    return joined([paragraph(what), facts(rows)])


def _n_figures(context: ReportContext) -> int:
    """Estimate the number of figures."""
    drawn = context.drawn
    maps = sum(1 + isinstance(run.result.model, PrototypeMap) for run in drawn)
    clusters = sum(run.clustering is not None for run in drawn)
    steady = sum(run.stability is not None for run in drawn)
    marked = len(context.session.sets[:4]) + 1
    return maps + clusters + steady + marked + 2


def write_report(
    path: Path, session: Session, report: Report = silent, *, title: str = "", date: str = ""
) -> None:
    """Write the report of a session; a file that was there before stays until it is complete."""
    text = report_html(session, lambda fraction: report(WRITING * fraction), title=title, date=date)
    with appearing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
    report(1.0)


def read_report(path: Path) -> Provenance | None:
    """Read how the maps of a report were made; None if the file does not say."""
    try:
        text = read_bounded(path, MOST_BYTES).decode("utf-8", errors="replace")
    except OversizedFileError:
        return None
    except OSError as error:
        raise UserError(
            key="report.unreadable",
            what=f"The file cannot be read: {error.strerror}.",
            where=str(path),
            way_out="Give the file of a report.",
        ) from None
    found = next((each for each in ELEMENT.finditer(text) if MARK.search(each[0])), None)
    if found is None:
        return None
    return Provenance.from_text(text[found.end() :].partition(END)[0], path)
