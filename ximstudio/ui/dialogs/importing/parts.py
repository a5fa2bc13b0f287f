"""The two halves of the import dialog: preview, or why there is none, and questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QStackedWidget, QWidget

from ximstudio.load import Choices, Guess
from ximstudio.load.attempt import Attempt, Preview
from ximstudio.load.questions import ORIENTATION, Entry
from ximstudio.model.problem import Problem
from ximstudio.model.words import counted
from ximstudio.session.words import COLUMN, ROW, way_out_text, without_folder
from ximstudio.ui.dialogs.importing.form import GuessForm
from ximstudio.ui.dialogs.importing.preview import (
    LABELS,
    NAMES,
    VALUES,
    OrientationSwitch,
    PreviewLegend,
    PreviewTable,
)
from ximstudio.ui.widgets.boxes import STRETCH, Stretch, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, Tone, button, label, line, mark
from ximstudio.ui.widgets.look.icons import icon_pixmap
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.message_card import TONES, Fold, MessageCard, clear, prose

REFUSED_WIDTH = 440
SIGN = 40
MOST_LETTERS = 60
"""Maximum length of a value on a button."""
FORM_WIDTH = 320
MOST_TITLE = 40
"""Maximum length of a button's text."""
MOST_PROBLEMS = 3
"""Maximum number of listed problems; the rest is counted."""
QUESTIONS_AT_ONCE = 2
"""Number of questions laid out per slice."""


def hint_title(hint: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the text of a button that follows a hint: "Read with Missing values: failed".

    `names` are names of fields that differ from those of `Choices`.
    """
    specs = Choices.specs()
    parts = []
    for key, value in hint.items():
        shown = ", ".join(value) if isinstance(value, tuple) else specs[key].show(value)
        short = shown if len(shown) <= MOST_LETTERS else f"{shown[:MOST_LETTERS]}…"
        parts.append(f"{names.get(key, specs[key].label)}: {short or 'none'}")
    return f"Read with {'; '.join(parts)}".replace("&", "&&")


class RefusedFile(QWidget):
    """Page that shows why a file could not be read."""

    hint_wanted = Signal(object)
    """Choices with which the user wants to read the file: name → value."""
    another_wanted = Signal()
    """The user wants to choose another file."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._sign = QLabel()
        self._sign.setFixedHeight(SIGN)
        self.what = label(kind="muted")
        self._where, self.way_out = label(kind="caption"), label()
        self._more = label(kind="muted")
        self.hint = button("", kind=ButtonKind.PRIMARY)
        self.hint.clicked.connect(lambda: self.hint_wanted.emit(self._hint))
        self._hint: Mapping[str, Any] = {}
        self.another = button("Choose another file…")
        self.another.clicked.connect(self.another_wanted)
        column = vbox(Stretch(2), into=self, gap=spacing.SMALL)
        for part in (self._sign, self.what, self._where, self.way_out, self._more):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            part.setTextFormat(Qt.TextFormat.PlainText)
            part.setWordWrap(part is not self._sign)
            column.addWidget(part, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(spacing.SMALL)
        for made in (self.hint, self.another):
            column.addWidget(made, alignment=Qt.AlignmentFlag.AlignHCenter)
            made.hide()
        column.addStretch(3)
        self._say(self.what, "The first rows will be shown here.")
        the_theme().follow(self._tint)

    def show_problems(self, problems: Sequence[Problem], known: Mapping[str, Guess]) -> None:
        """Show the first problem and the number of others."""
        first, *others = problems
        names = names_of(known)
        mark(self.what, "kind", "heading")
        for part, text in (
            (self.what, first.what),
            (self._where, without_folder(first.where, self._path)),
            (self.way_out, way_out_text(first, names)),
            (self._more, f"… and {counted(len(others), 'more problem')}." if others else ""),
        ):
            self._say(part, text)
            part.setVisible(bool(text))
        self._hint = next((problem.hint for problem in problems if problem.hint), {})
        self.hint.setVisible(bool(self._hint))
        self.hint.setText(hint_title(self._hint, names))
        # Pasted cells have no file to replace.
        self.another.setVisible(bool(self._path))
        self._tint()

    def _say(self, part: QLabel, text: str) -> None:
        part.setText(text)
        # A centring layout ignores the height-for-width of wrapped text.
        part.ensurePolished()
        part.setFixedSize(REFUSED_WIDTH, max(part.heightForWidth(REFUSED_WIDTH), 0))

    def _tint(self) -> None:
        if not self.way_out.text():
            return
        scale = self.devicePixelRatioF()
        self._sign.setPixmap(icon_pixmap("error", SIGN, role="danger", scale=scale))


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
        page = QWidget()
        above = hbox(self.switch, STRETCH, gap=spacing.SMALL)
        vbox(above, (self.table, 1), self._legend, into=page, gap=spacing.MEDIUM, margins=0)
        self._pages.addWidget(page)
        heads = vbox(called, self._about, gap=2)
        vbox(
            heads,
            self.problems,
            (self._pages, 1),
            into=self,
            gap=spacing.MEDIUM,
            margins=(spacing.WIDE, spacing.LARGE, spacing.WIDE, spacing.LARGE),
        )

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
        roles: tuple[str, ...] = ()
        if not _is_rearranged(attempt):
            given = {NAMES: "id", LABELS: "labels", VALUES: "labels"}
            roles = tuple(role for role, key in given.items() if key in known)
        named = attempt.choices.id
        if named is None:
            named = known["id"].value if "id" in known else ""
        self.table.show_preview(preview, named=named, roles=roles)
        self._legend.show_preview(preview)

    def _show_problems(self, problems: Sequence[Problem], known: Mapping[str, Guess]) -> None:
        clear(self.problems)
        for problem in problems[:MOST_PROBLEMS]:
            card = message_card(problem, Tone.DANGER, known, self.hint_wanted, path=self._path)
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
            tone, wanted = TONES[note.severity], self.hint_wanted
            card = message_card(note, tone, known, wanted, path=self._path, framed=False)
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


def message_card(
    problem: Problem,
    tone: Tone,
    known: Mapping[str, Guess],
    wanted: SignalInstance,
    *,
    path: str,
    framed: bool = True,
) -> MessageCard:
    """Return a card of a problem, with the dialog's field names and without folders.

    If the problem has a hint, a button that follows it emits `wanted`.
    """
    names = names_of(known)
    where, way_out = without_folder(problem.where, path), way_out_text(problem, names)
    card = MessageCard(tone, problem.what, where=where, way_out=way_out, framed=framed)
    if problem.hint:
        title = hint_title(problem.hint, names)
        # The notes are narrow; the tooltip has the full text.
        short = title if len(title) <= MOST_TITLE else f"{title[:MOST_TITLE]}…"
        follow = button(short, size=Size.SMALL, tip=title.replace("&&", "&"))
        follow.clicked.connect(lambda: wanted.emit(problem.hint))
        card.add_action(follow)
        card.end_actions()
    return card


def names_of(known: Mapping[str, Guess]) -> dict[str, str]:
    """Return key → name of the field of each guess."""
    return {key: guess.label for key, guess in known.items()}


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
