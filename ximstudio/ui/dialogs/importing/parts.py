"""The two halves of the import dialog: preview and questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import (
    QFrame,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from ximstudio.load import Guess
from ximstudio.load.attempt import Attempt, Preview
from ximstudio.load.questions import ORIENTATION, Entry
from ximstudio.model.problem import Problem
from ximstudio.model.words import counted
from ximstudio.session.words import COLUMN, ROW, way_out_text, without_folder
from ximstudio.ui.dialogs.importing.form import GuessForm
from ximstudio.ui.dialogs.importing.preview import LABELS, NAMES, VALUES, PreviewTable
from ximstudio.ui.dialogs.importing.refused import RefusedFile, hint_title
from ximstudio.ui.dialogs.importing.side_switch import OrientationSwitch, PreviewLegend
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, Tone, button, label, line
from ximstudio.ui.widgets.message_card import TONES, Fold, MessageCard, clear, prose

FORM_WIDTH = 320
MOST_TITLE = 40
"""Maximum length of a button's text."""
MOST_PROBLEMS = 3
"""Maximum number of listed problems; the rest is counted."""
QUESTIONS_AT_ONCE = 2
"""Number of questions laid out per slice."""


class FilePreview(QWidget):
    """Start of the file: name, problems and first rows."""

    hint_wanted = Signal(object)
    """Choices with which the user wants to read the file: name → value."""

    def __init__(self, title: str, path: str) -> None:
        super().__init__()
        self._path = path
        called = label(title, kind="heading")
        called.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._about = label(kind="muted")
        self.problems = vbox(gap=spacing.SMALL)
        self.switch = OrientationSwitch()
        self._legend = PreviewLegend()
        self.table = PreviewTable()
        self.refused = RefusedFile(path)
        self.refused.hint_wanted.connect(self.hint_wanted)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.refused)
        self._pages.addWidget(self._built_page())
        heads = vbox(called, self._about, gap=2)
        vbox(
            heads,
            self.problems,
            (self._pages, 1),
            into=self,
            gap=spacing.MEDIUM,
            margins=(spacing.WIDE, spacing.LARGE, spacing.WIDE, spacing.LARGE),
        )

    def _built_page(self) -> QWidget:
        above = hbox(self.switch, STRETCH, gap=spacing.SMALL)
        page = QWidget()
        vbox(above, (self.table, 1), self._legend, into=page, gap=spacing.MEDIUM, margins=0)
        return page

    def show_attempt(self, attempt: Attempt, known: Mapping[str, Guess]) -> None:
        """Show an attempt; if it failed, the last preview stays."""
        preview, nothing = attempt.preview, self._pages.currentWidget() is self.refused
        self._show_problems(() if nothing else attempt.problems, known)
        if preview is None:
            if nothing:
                self.refused.show_problems(attempt.problems, known)
            return
        self._about.setText(about(attempt, preview))
        self._pages.setCurrentIndex(1)
        self.switch.show_preview(preview, known.get(ORIENTATION))
        roles: tuple[str, ...] = (NAMES,) if "id" in known else ()
        roles += (LABELS, VALUES) if "labels" in known else ()
        if _is_rearranged(attempt):
            roles = ()
        named = attempt.choices.id
        if named is None:
            named = known["id"].value if "id" in known else ""
        self.table.show_preview(preview, named=named, roles=roles)
        self._legend.show_preview(preview)

    def _show_problems(self, problems: Sequence[Problem], known: Mapping[str, Guess]) -> None:
        clear(self.problems)
        for problem in problems[:MOST_PROBLEMS]:
            card = card_of(problem, Tone.DANGER, known, path=self._path)
            add_hint(card, problem, known, self.hint_wanted)
            self.problems.addWidget(card)
        more = len(problems) - MOST_PROBLEMS
        if more > 0:
            self.problems.addWidget(label(f"… and {more} more.", kind="muted"))


class Questions(QWidget):
    """Questions and notes about a file."""

    hint_wanted = Signal(object)
    """Choices with which the user wants to read the file: name → value."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self.form = GuessForm()
        self.notes = Fold(open=True)
        self._summary = prose(kind="muted")
        self.to_notes = button("", kind=ButtonKind.LINK, size=Size.SMALL, icon_name="chevron-down")
        self.to_notes.clicked.connect(self._go_to_notes)
        self.to_notes.hide()
        top = vbox(self._summary, (self.to_notes, Qt.AlignmentFlag.AlignLeft), gap=spacing.HAIR)
        self._line = line()
        page = QFrame()
        page.setProperty("kind", "panel")
        column = vbox(
            top,
            self.form,
            self._line,
            self.notes,
            STRETCH,
            into=page,
            gap=spacing.LARGE,
            margins=spacing.LARGE,
        )
        self._line.hide()
        self.notes.hide()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        self._scroll, self._column = scroll, column
        self.setFixedWidth(FORM_WIDTH + 2 * spacing.LARGE)
        hbox(line(upright=True), scroll, into=self, gap=0, margins=0)
        self.hide()

    def fill(
        self,
        sections: Mapping[str, Sequence[Entry]],
        known: Mapping[str, Guess],
        notes: Sequence[Problem],
    ) -> Iterator[None]:
        """Yield the slices that fill in questions and notes.

        Existing questions are updated at once: the user may be typing in them.
        """
        self.show()
        if not self.form.fields:
            for some in _growing(sections):
                self.form.show_entries(some)
                yield
        self.form.show_entries(sections)
        yield
        self._show_notes(known, notes)

    def _show_notes(self, known: Mapping[str, Guess], notes: Sequence[Problem]) -> None:
        orientation = known.get(ORIENTATION)
        unsure = self.form.n_unsure + (orientation is not None and not orientation.sure)
        self._summary.setText(summary(unsure))
        clear(self.notes.column)
        self._line.setVisible(bool(notes))
        self.notes.setVisible(bool(notes))
        heading = f"{counted(len(notes), 'note')} about the file"
        self.notes.set_title(heading)
        self.to_notes.setText(heading)
        self.to_notes.setVisible(bool(notes))
        for note in notes:
            card = card_of(note, TONES[note.severity], known, path=self._path, framed=False)
            add_hint(card, note, known, self.hint_wanted)
            self.notes.column.addWidget(card)

    def _go_to_notes(self) -> None:
        """Scroll to the notes below the questions."""
        self.notes.set_open(True)
        self._column.activate()
        bar = self._scroll.verticalScrollBar()
        bar.setValue(min(self.notes.y() - spacing.LARGE, bar.maximum()))

    def show_blank(self, sections: Mapping[str, Sequence[Entry]]) -> None:
        """Show the questions for an unreadable file."""
        self.form.show_entries(sections)
        self._summary.setText("If you know how the file is written, enter it here.")
        self.show()


def add_hint(
    card: MessageCard, problem: Problem, known: Mapping[str, Guess], wanted: SignalInstance
) -> None:
    """Add a button that follows the hint of a problem, if it has one."""
    if not problem.hint:
        return
    names = {key: guess.label for key, guess in known.items()}
    title = hint_title(problem.hint, names)
    # The notes are narrow; the tooltip has the full text.
    follow = button(
        title if len(title) <= MOST_TITLE else f"{title[:MOST_TITLE]}…",
        size=Size.SMALL,
        tip=title.replace("&&", "&"),
    )
    follow.clicked.connect(lambda: wanted.emit(problem.hint))
    card.add_action(follow)
    card.end_actions()


def card_of(
    problem: Problem, tone: Tone, known: Mapping[str, Guess], *, path: str, framed: bool = True
) -> MessageCard:
    """Return a card of a problem, with the dialog's field names and without folders."""
    names = {key: guess.label for key, guess in known.items()}
    return MessageCard(
        tone,
        problem.what,
        where=without_folder(problem.where, path),
        way_out=way_out_text(problem, names),
        framed=framed,
    )


def _is_rearranged(attempt: Attempt) -> bool:
    """Return whether the columns of the preview differ from those of the file."""
    found = () if attempt.reading is None else attempt.reading.guesses
    return any(
        guess.key == "features" or (guess.key == "layout" and guess.value == "long")
        for guess in found
    )


def about(attempt: Attempt, preview: Preview) -> str:
    """Return format and size of a file in one line."""
    assert attempt.reading is not None
    unknown = preview.row_word in (ROW, COLUMN)
    rows = counted(preview.n_rows, "row" if unknown else preview.row_word)
    columns = counted(preview.n_columns, "column" if unknown else preview.column_word)
    name = attempt.formats.get(attempt.reading.format, attempt.reading.format)
    return f"{name}  ·  {rows} × {columns}"


def summary(unsure: int) -> str:
    """Return what the user should do."""
    if not unsure:
        return "This is how the file will be read. Change what is wrong."
    if unsure == 1:
        return "One setting may be wrong; please check the marked field."
    return f"{unsure} settings may be wrong; please check the marked fields."


def _growing(sections: Mapping[str, Sequence[Entry]]) -> Iterator[dict[str, Sequence[Entry]]]:
    """Yield growing prefixes of the questions, without the whole list."""
    entries = [(section, entry) for section, some in sections.items() for entry in some]
    for number in range(QUESTIONS_AT_ONCE, len(entries), QUESTIONS_AT_ONCE):
        first: dict[str, list[Entry]] = {}
        for section, entry in entries[:number]:
            first.setdefault(section, []).append(entry)
        yield dict(first)
