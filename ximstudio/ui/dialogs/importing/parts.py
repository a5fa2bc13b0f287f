"""The two halves of the import dialog: the preview on the left, the questions on the right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from ximstudio.load import Guess
from ximstudio.model.problem import Problem
from ximstudio.model.words import counted
from ximstudio.session.overview import COLUMN, ROW
from ximstudio.ui.dialogs.import_entries import ORIENTATION, Entry
from ximstudio.ui.dialogs.import_form import GuessForm
from ximstudio.ui.dialogs.import_preview import LABELS, NAMES, VALUES, PreviewTable
from ximstudio.ui.dialogs.import_reading import Attempt, Preview
from ximstudio.ui.dialogs.import_refused import Refused, hint_title
from ximstudio.ui.dialogs.import_switch import Legend, OrientationSwitch
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, Size, Tone, button, label, line
from ximstudio.ui.panels.data_cards import TONES, Fold, MessageCard, clear, prose
from ximstudio.ui.panels.data_words import in_window

FORM_WIDTH = 320
MOST_TITLE = 40
"""Letters on a button of a card."""
MOST_PROBLEMS = 3
"""Problems told one by one; the rest is counted."""
QUESTIONS_AT_ONCE = 2
"""Questions that are laid out without a breath in between."""


class Beginning(QWidget):
    """The beginning of the file: what it is called, what is wrong with it, its first rows."""

    hint_wanted = Signal(object)
    """Choices by which the user wants the file to be read: name → value."""

    def __init__(self, title: str, path: str) -> None:
        super().__init__()
        self._path = path
        called = label(title, kind="heading")
        called.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._about = label(kind="muted")
        self.problems = QVBoxLayout()
        self.problems.setSpacing(spacing.SMALL)
        self.switch = OrientationSwitch()
        self._legend = Legend()
        self.table = PreviewTable()
        self.refused = Refused(path)
        self.refused.hint_wanted.connect(self.hint_wanted)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.refused)
        self._pages.addWidget(self._built_page())
        heads = QVBoxLayout()
        heads.setSpacing(2)
        heads.addWidget(called)
        heads.addWidget(self._about)
        column = QVBoxLayout(self)
        column.setContentsMargins(spacing.WIDE, spacing.LARGE, spacing.WIDE, spacing.LARGE)
        column.setSpacing(spacing.MEDIUM)
        column.addLayout(heads)
        column.addLayout(self.problems)
        column.addWidget(self._pages, 1)

    def _built_page(self) -> QWidget:
        above = QHBoxLayout()
        above.setSpacing(spacing.SMALL)
        above.addWidget(self.switch)
        above.addStretch(1)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(spacing.MEDIUM)
        column.addLayout(above)
        column.addWidget(self.table, 1)
        column.addWidget(self._legend)
        return page

    def show_attempt(self, attempt: Attempt, known: Mapping[str, Guess]) -> None:
        """Show what could be read; if nothing could, what was read before stays."""
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
    """All that was found out about a file, to be corrected, and the notes about it."""

    hint_wanted = Signal(object)
    """Choices by which the user wants the file to be read: name → value."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self.form = GuessForm()
        self.notes = Fold(open=True)
        self._summary = prose(kind="muted")
        self.to_notes = button("", kind=Kind.LINK, size=Size.SMALL, icon_name="chevron-down")
        self.to_notes.clicked.connect(self._go_to_notes)
        self.to_notes.hide()
        top = QVBoxLayout()
        top.setSpacing(spacing.HAIR)
        top.addWidget(self._summary)
        top.addWidget(self.to_notes, alignment=Qt.AlignmentFlag.AlignLeft)
        self._line = line()
        page = QFrame()
        page.setProperty("kind", "panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(*([spacing.LARGE] * 4))
        column.setSpacing(spacing.LARGE)
        column.addLayout(top)
        for widget in (self.form, self._line, self.notes):
            column.addWidget(widget)
        column.addStretch(1)
        self._line.hide()
        self.notes.hide()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        self._scroll, self._column = scroll, column
        self.setFixedWidth(FORM_WIDTH + 2 * spacing.LARGE)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(line(upright=True))
        row.addWidget(scroll)
        self.hide()

    def fill(
        self,
        sections: Mapping[str, Sequence[Entry]],
        known: Mapping[str, Guess],
        notes: Sequence[Problem],
    ) -> Iterator[None]:
        """Ask, and tell what is to be noted; in pieces between which the window can breathe.

        Questions that are there already are answered at once: somebody may be writing in them.
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
        told = f"{counted(len(notes), 'note')} about the file"
        self.notes.set_title(told)
        self.to_notes.setText(told)
        self.to_notes.setVisible(bool(notes))
        for note in notes:
            card = card_of(note, TONES[note.severity], known, path=self._path, framed=False)
            add_hint(card, note, known, self.hint_wanted)
            self.notes.column.addWidget(card)

    def _go_to_notes(self) -> None:
        """Bring the notes into sight, which stand below all questions."""
        self.notes.set_open(True)
        self._column.activate()
        bar = self._scroll.verticalScrollBar()
        bar.setValue(min(self.notes.y() - spacing.LARGE, bar.maximum()))

    def show_blank(self, sections: Mapping[str, Sequence[Entry]]) -> None:
        """Ask how the file is written, of which nothing could be read."""
        self.form.show_entries(sections)
        self._summary.setText("If you know how the file is written, say it here.")
        self.show()


def add_hint(
    card: MessageCard, problem: Problem, known: Mapping[str, Guess], wanted: SignalInstance
) -> None:
    """Put a button on a card that follows the problem's hint, if it has one."""
    if not problem.hint:
        return
    names = {key: guess.label for key, guess in known.items()}
    title = hint_title(problem.hint, names)
    # The notes are narrow; what is cut is in the tooltip.
    follow = button(
        title if len(title) <= MOST_TITLE else f"{title[:MOST_TITLE]}…", size=Size.SMALL
    )
    follow.setToolTip(title.replace("&&", "&"))
    follow.clicked.connect(lambda: wanted.emit(problem.hint))
    card.add_action(follow)
    card.end_actions()


def card_of(
    problem: Problem, tone: Tone, known: Mapping[str, Guess], *, path: str, framed: bool = True
) -> MessageCard:
    """A problem as a card that names the fields of the dialog, and the file without its folders."""
    names = {key: guess.label for key, guess in known.items()}
    return MessageCard(
        tone,
        problem.what,
        where=problem.where.replace(path, Path(path).name) if path else problem.where,
        way_out=in_window(problem.way_out, names),
        framed=framed,
    )


def _is_rearranged(attempt: Attempt) -> bool:
    """Whether columns of the preview are not those of the file: a click could not name them."""
    found = () if attempt.reading is None else attempt.reading.guesses
    return any(
        guess.key == "features" or (guess.key == "layout" and guess.value == "long")
        for guess in found
    )


def about(attempt: Attempt, preview: Preview) -> str:
    """Format and size of a file, in one line."""
    assert attempt.reading is not None
    unknown = preview.row_word in (ROW, COLUMN)
    rows = counted(preview.n_rows, "row" if unknown else preview.row_word)
    columns = counted(preview.n_columns, "column" if unknown else preview.column_word)
    name = attempt.formats.get(attempt.reading.format, attempt.reading.format)
    return f"{name}  ·  {rows} × {columns}"


def summary(unsure: int) -> str:
    """What a person is asked to do."""
    if not unsure:
        return "This is how the file is understood. Change what is not right."
    if unsure == 1:
        return "One answer could be wrong; please check what is marked."
    return f"{unsure} answers could be wrong; please check what is marked."


def _growing(sections: Mapping[str, Sequence[Entry]]) -> Iterator[dict[str, Sequence[Entry]]]:
    """The first questions, then some more of them, and so on, but not all."""
    entries = [(section, entry) for section, some in sections.items() for entry in some]
    for number in range(QUESTIONS_AT_ONCE, len(entries), QUESTIONS_AT_ONCE):
        first: dict[str, list[Entry]] = {}
        for section, entry in entries[:number]:
            first.setdefault(section, []).append(entry)
        yield dict(first)
