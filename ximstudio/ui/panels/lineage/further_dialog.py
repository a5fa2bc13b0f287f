"""Dialog that asks how to train a run further."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QDialog, QRadioButton, QWidget

from ximstudio.model.spec import Number
from ximstudio.model.words import counted
from ximstudio.session import Run
from ximstudio.session.parameter_words import number_text
from ximstudio.session.words import Words, share_text
from ximstudio.ui.actions.derived_maps import DerivedMaps, Further, length_of, usual_length
from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.forms.numbers import NumberEdit
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, label, mark

WIDTH = 460
ABOUT = (
    "Training resumes late in the annealing, so the layout of the map is kept. The result is "
    "a new run; this run does not change."
)


class FurtherDialog(QDialog):
    """Choice of how and how long to train further; unavailable options show the reason."""

    def __init__(self, parent: QWidget, derived_maps: DerivedMaps, run: Run, words: Words) -> None:
        super().__init__(parent)
        self.setWindowTitle("Train further")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        give_help(self, ABOUT)
        self._derived_maps, self._run = derived_maps, run
        self.ways: dict[Further, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self.column = vbox(into=self, gap=spacing.HAIR, margins=spacing.WIDE)
        self.column.addWidget(label(f"Train {run.name} further", kind="title", wrap=True))
        self.column.addWidget(label(ABOUT, kind="muted", wrap=True))
        self.column.addSpacing(spacing.SMALL)
        for how, (name, description) in _ways(derived_maps, run, words).items():
            self._add(how, name, description)
        self._add_length()
        self._add_answers()
        first = next(way for way in self.ways.values() if way.isEnabled())
        first.setChecked(True)
        first.setFocus()
        self._follow()

    @property
    def how(self) -> Further:
        """The chosen option."""
        return next(how for how, way in self.ways.items() if way.isChecked())

    def _add(self, how: Further, name: str, description: str) -> None:
        way = QRadioButton(name)
        why_not = self._derived_maps.why_not(self._run, how)
        way.setEnabled(not why_not)
        way.setAccessibleDescription(why_not or description)
        self._group.addButton(way)
        self.ways[how] = way
        way.toggled.connect(self._follow)
        below = label(f"{why_not}." if why_not else description, kind="caption", wrap=True)
        below.setContentsMargins(spacing.WIDE, 0, 0, spacing.HAIR)
        self.column.addWidget(way)
        self.column.addWidget(below)

    def _add_length(self) -> None:
        params = self._run.result.params
        spec = params.specs().get(length_of(self._run))
        self.length: NumberEdit | None = None
        self._length_name = label("")
        if not isinstance(spec, Number) or self._derived_maps.why_not(self._run, Further.STEPS):
            return
        self.length = NumberEdit(spec, spec.label)
        self.length.setFixedWidth(120)
        self.length.setText(number_text(usual_length(self._run)))
        self.length.textEdited.connect(self._follow)
        self._length_name.setText(spec.label)
        self._length_name.setBuddy(self.length)
        row = hbox(self._length_name, self.length, STRETCH, gap=spacing.SMALL)
        self.column.addSpacing(spacing.SMALL)
        self.column.addLayout(row)

    def _add_answers(self) -> None:
        self.go = button("Train further", kind=ButtonKind.PRIMARY)
        cancel = button("Cancel")
        cancel.setAutoDefault(False)
        self.go.setDefault(True)
        self.go.clicked.connect(self._begin)
        cancel.clicked.connect(self.reject)
        answers = hbox(STRETCH, cancel, self.go, gap=spacing.SMALL)
        self.column.addSpacing(spacing.MEDIUM)
        self.column.addLayout(answers)

    def _follow(self) -> None:
        """Enable the length field if it applies, and mark invalid input."""
        if self.length is None:
            return
        chosen = self.how is not Further.RESUME
        self.length.setEnabled(chosen)
        wrong = chosen and self._n_steps is None
        mark(self.length, "state", "error" if wrong else "")
        self.go.setEnabled(not wrong)

    @property
    def _n_steps(self) -> int | None:
        if self.length is None:
            return None
        try:
            return int(self.length.read())
        except ValueError:
            return None

    def _begin(self) -> None:
        n_steps = None if self.how is Further.RESUME else self._n_steps
        self._derived_maps.train_further(self._run, self.how, n_steps=n_steps)
        self.accept()


def _ways(derived_maps: DerivedMaps, run: Run, words: Words) -> dict[Further, tuple[str, str]]:
    """Return name and description of each option."""
    result, n_new = run.result, derived_maps.n_new(run)
    new = f"the {n_new} new {words.items}" if n_new > 1 else f"the new {words.item}"
    own = counted(run.matrix.n_items, words.item)
    ways = {
        Further.STEPS: (f"With its own {own}", "More steps, until the map has converged."),
        Further.ITEMS: (
            f"Add {new if n_new else f'new {words.items}'} of the table",
            "Together with its own, prepared in the same way.",
        ),
        Further.NEW: (
            f"Continue with {new if n_new else f'new {words.items}'} only",
            f"Its own {words.items} are left out of training and of the new map.",
        ),
    }
    if result.finished:
        return ways
    done = share_text(result.step / max(result.n_steps, 1))
    resume = ("Continue to the planned end", f"It was stopped at {done}.")
    return {Further.RESUME: resume} | ways
