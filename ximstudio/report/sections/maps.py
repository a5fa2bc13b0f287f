"""The maps: all runs in a table, and the most important ones as figures."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.params import Params
from ximstudio.model.result import PrototypeMap
from ximstudio.model.words import counted, grouped
from ximstudio.report.context import MOST_MAPS, ReportContext, absent
from ximstudio.report.html import Content, Html, facts, folded, joined, paragraph, table, tag
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.session.words import Words
from ximstudio.train import method_named
from ximstudio.views.compare.state import CompareState
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.state import PositionsState

MAP_MM, WIDE_MM = 85.0, 174.0
"""Width of a map beside another, and of several in one figure."""
HASH = 12
"""Letters of a hash that distinguish runs."""
MOST_RUNS = 100


def write_maps(context: ReportContext) -> Html:
    """Write a line per run, the compared ones side by side, and the most important one by one."""
    session = context.session
    if not session.runs:
        return absent("No map was trained.")
    drawn = context.drawn
    parts: list[Content] = [_runs(session, drawn, context.words)]
    if len(session.compared_runs) > 1:
        first = session.compared_runs[0]
        parts.append(tag("h3", "Maps side by side", id="compared"))
        parts.append(context.figure(first, CompareState(), width_mm=WIDE_MM, of_run=False))
    parts += [_run(run, context) for run in drawn]
    return joined(parts)


def _runs(session: Session, drawn: tuple[Run, ...], words: Words) -> Html:
    """Return a table of name, method, seed and hash of every run."""
    rows = []
    for run in session.runs[:MOST_RUNS]:
        result = run.result
        name: Content = run.name
        if run in drawn:
            name = tag("a", run.name, href=f"#{_address(run, session)}")
        rows.append(
            [
                name,
                method_named(result.method).name,
                grouped(run.matrix.n_items),
                _grid(run) or "–",
                str(result.seed),
                "" if result.finished else "stopped early",
                tag("code", result.hash[:HASH], class_="short"),
            ]
        )
    stopped = any(not run.result.finished for run in session.runs)
    heads = ["Run", "Method", words.items.capitalize(), "Nodes", "Seed", "Training", "Result"]
    if not stopped:
        heads.remove("Training")
        rows = [[*row[:5], row[6]] for row in rows]
    made = table(heads, rows, numbers=(2, 3, 4), caption="All maps of the session")
    said = []
    if len(session.runs) > MOST_RUNS:
        said.append(f"{counted(len(session.runs) - MOST_RUNS, 'run')} more are not listed.")
    if len(session.runs) > len(drawn):
        said.append(
            f"Figures show {len(drawn)} of {counted(len(session.runs), 'run')}: the displayed one,"
            f" then compared, starred and the newest ones, {MOST_MAPS} at most."
        )
    return joined([made, paragraph(" ".join(said), kind="note") if said else None])


def _run(run: Run, context: ReportContext) -> Html:
    """Write one map: nodes, positions, and its parameters."""
    session, result = context.session, run.result
    method = method_named(result.method)
    marks = [
        word
        for word, holds in (
            ("displayed", run.key == session.shown),
            ("compared", run.key in session.compared),
            ("starred", run.starred),
        )
        if holds
    ]
    about = f"{method.name}: {context.said(method.summary)}"
    figures = []
    if isinstance(result.model, PrototypeMap):
        figures.append(context.figure(run, MapState(), width_mm=MAP_MM))
    figures.append(context.figure(run, PositionsState(), width_mm=MAP_MM))
    parent = session.parent_of(run)
    origin = None if parent is None else parent.name
    details = facts(
        [
            ("Marked as", ", ".join(marks)),
            ("Derived from", origin),
            ("Nodes", _grid(run)),
            ("Seed", str(result.seed)),
            ("Steps", _steps(run)),
            ("Result hash", tag("code", result.hash)),
        ]
    )
    params = result.params.resolved(run.matrix.n_items)
    return tag(
        "article",
        tag(
            "div",
            tag("h3", run.name, id=_address(run, session)),
            paragraph(about),
            tag("div", *figures, class_="side-by-side"),
            class_="together",
        ),
        details,
        folded(f"All {len(params.specs())} parameters", facts(_parameters(params, context)))
        if params.specs()
        else None,
    )


def _address(run: Run, session: Session) -> str:
    return f"run-{session.runs.index(run) + 1}"


def _grid(run: Run) -> str:
    model = run.result.model
    return grouped(model.grid.n_nodes) if isinstance(model, PrototypeMap) else ""


def _steps(run: Run) -> str:
    result = run.result
    if not result.n_steps:
        return ""
    done = grouped(result.step)
    return done if result.finished else f"{done} of {grouped(result.n_steps)}, then stopped"


def _parameters(params: Params, context: ReportContext) -> Iterator[tuple[Content, Content]]:
    for name, spec in params.specs().items():
        yield context.said(spec.label), spec.show(getattr(params, name)) or "–"
