"""Card of one step of the recipe."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from ximstudio.model.params import Params
from ximstudio.model.words import counted
from ximstudio.session import Data
from ximstudio.session.step_accounts import Account
from ximstudio.session.words import shortened
from ximstudio.ui.panels.prepare.histogram import ChangePicture
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.forms.form import ParamsForm
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, Tone, button, mark, tool_button
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.message_card import TONES, Fold, MessageCard, clear, prose

MOST_NAMES = 500
"""Number of removed names that are listed; the rest is counted."""
LIST_HEIGHT = 84
SWITCH_WIDTH = 34
"""Width without the space that Qt reserves for text."""
REMOVED = "prepare.removed"
"""Key of the note that is replaced by a list of names."""


class StepCard(QFrame):
    """Card with a switch, a sentence, histograms and parameters; it emits the user's changes."""

    switched = Signal(bool)
    changed = Signal(object)
    """New parameters."""
    moved = Signal(int)
    """The user moves the step: −1 up, 1 down."""
    removed = Signal()

    def __init__(self, account: Account, data: Data) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.account = account
        self.switch = QCheckBox()
        self.switch.setProperty("kind", "switch")
        self.switch.setFixedSize(SWITCH_WIDTH, spacing.CONTROL_SMALL)
        self.switch.clicked.connect(self.switched)
        self._sentence = prose()
        self.opener = tool_button("chevron-right", tip="Parameters and details", size=Size.SMALL)
        self.opener.clicked.connect(lambda: self.set_open(not self.is_open))
        self.picture = ChangePicture()
        self._summary = prose(kind="caption")
        self._problems = vbox(gap=spacing.HAIR)
        self.form: ParamsForm | None = None
        self._body = self._built_body()
        top = Qt.AlignmentFlag.AlignTop
        head = hbox((self.switch, top), (self._sentence, 1), (self.opener, top), gap=spacing.SMALL)
        self._sentence.setMinimumHeight(spacing.CONTROL_SMALL)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        # The arrow at the right already has a margin.
        below = vbox(
            self.picture,
            self._summary,
            self._problems,
            self._body,
            gap=spacing.SMALL,
            margins=(0, 0, spacing.HAIR, 0),
        )
        vbox(
            head,
            below,
            into=self,
            gap=spacing.SMALL,
            margins=(spacing.MEDIUM, spacing.SMALL + 2, spacing.SMALL, spacing.SMALL + 2),
        )
        self.set_open(False)
        self.show_account(account, data, last=False)

    def _built_body(self) -> QWidget:
        body = QWidget()
        self._about = prose(kind="caption")
        self._form_place = QVBoxLayout()
        self._names = Fold()
        self._list = QPlainTextEdit()
        self._list.setReadOnly(True)
        self._list.setFixedHeight(LIST_HEIGHT)
        self._names.column.addWidget(self._list)
        self._notes = vbox(gap=spacing.SMALL)
        self.up = button(
            "Up",
            kind=ButtonKind.GHOST,
            size=Size.SMALL,
            icon_name="chevron-up",
            tip="Move this step up",
        )
        self.down = button(
            "Down",
            kind=ButtonKind.GHOST,
            size=Size.SMALL,
            icon_name="chevron-down",
            tip="Move this step down",
        )
        self.remove = button("Remove", kind=ButtonKind.GHOST, size=Size.SMALL, icon_name="delete")
        self.up.clicked.connect(lambda: self.moved.emit(-1))
        self.down.clicked.connect(lambda: self.moved.emit(1))
        self.remove.clicked.connect(self.removed)
        actions = hbox(
            self.up, self.down, STRETCH, self.remove, gap=0, margins=(-spacing.SMALL, 0, 0, 0)
        )
        vbox(
            self._about,
            self._form_place,
            self._names,
            self._notes,
            actions,
            into=body,
            gap=spacing.SMALL,
            margins=0,
        )
        return body

    @property
    def is_open(self) -> bool:
        return not self._body.isHidden()

    @property
    def problem_keys(self) -> tuple[str, ...]:
        """Keys of the problems shown at this step."""
        return tuple(problem.key for problem in self.account.problems)

    def set_open(self, open: bool) -> None:  # noqa: A002
        """Show or hide the parameters."""
        if open and self.form is None and self.account.planned.params.specs():
            self._make_form()
        self._body.setVisible(open)
        self.opener.setIcon(icon("chevron-down" if open else "chevron-right", role="muted"))

    def _make_form(self) -> None:
        words = self.account.words
        self.form = ParamsForm(self.account.planned.params, words=words)
        self.form.changed.connect(self._change)
        self._form_place.addWidget(self.form)
        self.form.show_risks(self.account.problems)

    def _change(self, params: Params) -> None:
        self.changed.emit(params)

    def show_account(self, account: Account, data: Data, *, last: bool) -> None:
        """Show the current state of the step; text that the user is typing stays."""
        self.account = account
        planned = account.planned
        self.switch.setChecked(planned.on)
        self.switch.setToolTip("Apply this step" if not planned.on else "Skip this step")
        self.switch.setAccessibleName(account.words.said(planned.step.name))
        sentence = account.words.sentence(planned)
        self._sentence.setText(sentence.replace(" + ", "\u00a0+\u00a0"))
        self._about.setText(account.words.said(planned.step.about))
        mark(self._sentence, "kind", "" if planned.on else "muted")
        if self.form is not None and self.form.words != account.words:
            # Rows and columns were exchanged before this step.
            self.form.hide()
            self.form.deleteLater()
            self._make_form()
        elif self.form is not None:
            self.form.show_params(planned.params)
            self.form.show_risks(account.problems)
        self._suggest(data)
        stage, change = account.stage, account.change
        self.picture.setVisible(account.values_changed)
        if stage is not None and change is not None:
            self.picture.show_change(change, stage.before, stage.after)
        self._summary.setText(account.summary)
        self._summary.setVisible(bool(account.summary))
        self._show_problems(data)
        self._show_removed()
        self._show_notes(data)
        self.up.setEnabled(account.number > 0)
        self.down.setEnabled(not last)

    def _said(self, text: str, data: Data) -> str:
        return self.account.words.said(shortened(text, data))

    def _suggest(self, data: Data) -> None:
        if self.form is not None and "label" in self.form.params.specs():
            table = data.table
            self.form.suggest("label", (*table.items.labels, *table.features.labels))

    def _show_problems(self, data: Data) -> None:
        clear(self._problems)
        account = self.account
        for problem in account.problems:
            card = MessageCard(
                Tone.DANGER,
                self._said(problem.what, data),
                where=self._said(problem.where, data),
                way_out=self._said(problem.way_out, data),
                framed=False,
            )
            self._problems.addWidget(card)

    def _show_removed(self) -> None:
        stage = self.account.stage
        names = () if stage is None else (*stage.removed_items, *stage.removed_features)
        self._names.setVisible(bool(names))
        if not names:
            return
        self._names.set_title(f"{counted(len(names), 'name')} removed")
        more = len(names) - MOST_NAMES
        rest = [f"… and {more} more"] if more > 0 else []
        self._list.setPlainText("\n".join([*names[:MOST_NAMES], *rest]))

    def _show_notes(self, data: Data) -> None:
        clear(self._notes)
        account = self.account
        for note in () if account.stage is None else account.stage.notes:
            removed = note.key == REMOVED
            card = MessageCard(
                Tone.NOTE if removed else TONES[note.severity],
                self._said(note.what, data),
                where="" if removed else self._said(note.where, data),
                way_out="" if removed else self._said(note.way_out, data),
                framed=False,
            )
            self._notes.addWidget(card)
