"""Context that all sections of a report share: the session, its words, and the figures so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ximstudio.export.figure_legend import figure_legend
from ximstudio.export.places import named, names_of_files
from ximstudio.figures.look import Look
from ximstudio.load import Report, silent
from ximstudio.load.samples import PREFIX, called
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.report.html import COARSE, FINE, Html, bullets, inline_figure, joined, paragraph, tag
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState

MOST_MAPS = 6
"""Most runs that are drawn; all others are in the tables."""
LARGE = 2_500_000
"""Letters of all figures from which on further ones are coarser, so that pages open fast."""
MOST = 50
"""Messages that are printed; the rest are counted."""


@dataclass(kw_only=True, eq=False)
class ReportContext:
    """A report in progress.

    Parameters
    ----------
    report
        Called with the share of the work that is done; it may raise to cancel.
    legends
        The legends of all figures so far: their number is that of the next figure.
    n_planned, n_letters
        Estimated number of figures, which are most of the work, and size of those so far.
    """

    session: Session
    report: Report = silent
    legends: list[str] = field(default_factory=list)
    n_planned: int = 1
    n_letters: int = 0

    @cached_property
    def words(self) -> Words:
        """Return the nouns for items and features."""
        if self.session.data is not None:
            return Words.of(self.session.data)
        return Words() if self.matrix is None else Words.of_matrix(self.matrix)

    @cached_property
    def drawn(self) -> tuple[Run, ...]:
        """Return the runs that are drawn: displayed, compared and starred ones come first."""
        session = self.session
        first = [] if session.run is None else [session.run]
        starred = [run for run in session.runs if run.starred]
        wanted = [*first, *session.compared_runs, *starred, *reversed(session.runs)]
        by_key = {run.key: run for run in wanted}
        return tuple(by_key.values())[:MOST_MAPS]

    @property
    def matrix(self) -> Matrix | None:
        """Return the table whose items are named."""
        return self.session.matrix

    def said(self, text: str) -> str:
        """Put a sentence into the words of the table, with files reduced to their names.

        A report is for others, who must not see the author's folders.
        """
        for place, name in self._places:
            text = text.replace(place, name)
        return self.words.said(text)

    @cached_property
    def _places(self) -> list[tuple[str, str]]:
        session = self.session
        inputs = [run.input for run in session.runs]
        inputs += [] if session.data is None else [session.data.input]
        names = [name for given in inputs for name in names_of_files(given)]
        found = {name: called(name) if name.startswith(PREFIX) else named(name) for name in names}
        if session.data is not None:
            source = session.data.labelled.table.source
            found[source] = called(source)
        # A longer path may contain a shorter one.
        ordered = sorted(found.items(), key=lambda each: -len(each[0]))
        return [(place, name) for place, name in ordered if place and place != name]

    def figure(
        self,
        run: Run,
        state: ViewState,
        *,
        width_mm: float,
        legend: str = "",
        of_run: bool = True,
        marked: Selection = NOTHING,
    ) -> Html:
        """Draw a view of a run with its legend below; if it cannot be drawn, say why.

        `legend` replaces the view's own words; the name of the run precedes it, if the figure is
        about one (`of_run`). `marked` items are emphasised.
        """
        from ximstudio.views.figure import figure_of  # slow: imports matplotlib

        self.report(min(len(self.legends) / self.n_planned, 1.0))
        shown = Shown.of(run, self.session)
        fineness = FINE if self.n_letters < LARGE else COARSE
        look = Look(width_mm=width_mm, font_size=8.0, dpi=fineness.inside_dpi)
        plan = FigurePlan(state=state, selection=marked, look=look)
        number = len(self.legends) + 1
        try:
            figure = figure_of(shown, plan)
            caption_text = figure_legend(shown, plan, number=None)
        except UserError as error:
            return joined(
                paragraph(self.said(problem.what), kind="absent") for problem in error.problems
            )
        caption_text = f"{run.name}: {legend or caption_text}" if of_run else legend or caption_text
        self.legends.append(caption_text)
        name = f"f{number}"
        picture = inline_figure(figure, look, name=name, spoken=caption_text, fineness=fineness)
        self.n_letters += len(picture)
        caption = tag("figcaption", tag("b", f"Figure {number}."), " ", caption_text)
        return Html(tag("figure", picture, caption, id=f"figure-{number}") + "\n")


def absent(text: str) -> Html:
    """Return the note for a section without content."""
    return paragraph(text, kind="absent")


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the report: its anchor and heading; `write` writes its content, never empty."""

    key: str
    title: str
    write: Callable[[ReportContext], Html]


def notes_list(problems: Sequence[Problem], context: ReportContext) -> Html:
    """List messages one below the other."""
    entries = [message(problem, context) for problem in problems[:MOST]]
    if len(problems) > MOST:
        entries.append(tag("span", f"… and {len(problems) - MOST} more", class_="note"))
    return bullets(entries, kind="messages")


def message(problem: Problem, context: ReportContext) -> Html:
    """Format one message with its severity, place and way out."""
    severity = str(problem.severity)
    return joined(
        [
            tag("span", severity, class_=f"severity {severity}"),
            " ",
            tag("b", context.said(problem.what)),
            tag("br"),
            tag("span", "Where: ", context.said(problem.address), class_="note"),
            tag("br"),
            tag("span", "What to do: ", context.said(problem.way_out)),
        ]
    )
