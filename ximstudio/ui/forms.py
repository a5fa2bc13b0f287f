"""Forms for sets of parameters, made from their declarations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.spec import Spec
from ximstudio.ui.form_field import Field
from ximstudio.ui.form_fields import TextField, field_for
from ximstudio.ui.form_words import in_words, named_in, spoken, tip
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, button, label
from ximstudio.ui.look.icons import icon
from ximstudio.ui.words import Words

NAME_WIDTH = 110
"""Names longer than this go on in a second line: the fields need the room."""


class ParamsForm(QWidget):
    """A form for any Params: short part, Advanced part, and what is wrong at every field.

    Give it parameters by `show_params`; it gives new ones by `changed`, and only valid ones.
    """

    changed = Signal(object)
    """New parameters, all bounds and conflicts checked."""
    judged = Signal()
    """A field was edited: `problems` may be others."""

    def __init__(
        self,
        params: Params,
        *,
        n_items: int | None = None,
        without: Mapping[str, Sequence[str]] | None = None,
        words: Words | None = None,
    ) -> None:
        """`n_items` says what automatic values come to; `without` leaves options of choices out.

        `words` are those of the table; without them the declarations speak as they are written.
        """
        super().__init__()
        self._params = params
        self.words = Words("item", "feature") if words is None else words
        specs = params.specs()
        self._specs = {name: spoken(spec, specs, self.words) for name, spec in specs.items()}
        self._n_items = n_items
        self._risks: tuple[Problem, ...] = ()
        self.problems: tuple[Problem, ...] = ()
        """What is wrong with the form as it stands; empty if it is valid."""
        self.fields: dict[str, Field] = {
            name: field_for(spec, without=(without or {}).get(name, ()), words=self.words)
            for name, spec in self._specs.items()
        }
        self.names: dict[str, QLabel] = {}
        self.advanced = False
        self._build(self._specs, params.defaults())
        for field in self.fields.values():
            field.edited.connect(self._judge)
        self._fill()

    @property
    def params(self) -> Params:
        """The last valid parameters."""
        return self._params

    @property
    def valid(self) -> bool:
        return not self.problems

    def show_params(self, params: Params, *, n_items: int | None = None) -> None:
        """Show parameters of the same class; what a person is typing stays if they are the same."""
        same = params == self._params
        if same and n_items == self._n_items:
            return
        self._params, self._n_items = params, n_items
        if same and self.problems:
            return
        self._fill()

    def reset(self) -> None:
        """Put the last valid parameters back into all fields."""
        self._fill()
        self.judged.emit()

    def show_risks(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Mark the fields that problems found elsewhere name; those that name none come back."""
        risks = tuple(problems)
        if risks != self._risks:
            self._risks = risks
            self._mark_all()
        return tuple(risk for risk in self._risks if not named_in(risk.where, self.fields))

    def suggest(self, name: str, words: Iterable[str]) -> None:
        """Offer words in a field of text."""
        field = self.fields[name]
        if isinstance(field, TextField):
            field.suggest(words)

    def add_below(self, name: str, widget: QWidget) -> None:
        """Put something below a field."""
        self.fields[name].add_below(widget)

    def set_advanced(self, open_: bool) -> None:
        """Open or close the Advanced part."""
        self.advanced = open_
        self._advanced.setVisible(open_)
        self.more.setIcon(icon("chevron-down" if open_ else "chevron-right", role="accent"))

    # Building

    def _build(self, specs: Mapping[str, Spec], defaults: Mapping[str, Any]) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(spacing.SMALL)
        short = {name: spec for name, spec in specs.items() if not spec.advanced}
        hidden = {name: spec for name, spec in specs.items() if spec.advanced}
        column.addLayout(self._rows(short, defaults))
        self._conflict = label(kind="error")
        self._conflict.setWordWrap(True)
        column.addWidget(self._conflict)
        self.more = button("Advanced", kind=Kind.LINK)
        self._advanced = QWidget()
        self._advanced.setLayout(self._rows(hidden, defaults))
        column.addWidget(self.more)
        column.addWidget(self._advanced)
        self.more.setVisible(bool(hidden))
        self.more.clicked.connect(lambda: self.set_advanced(not self.advanced))
        self.set_advanced(not short)

    def _rows(self, specs: Mapping[str, Spec], defaults: Mapping[str, Any]) -> QGridLayout:
        rows = QGridLayout()
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setHorizontalSpacing(spacing.SMALL)
        rows.setVerticalSpacing(spacing.SMALL)
        rows.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        for number, (name, spec) in enumerate(specs.items()):
            field, words = self.fields[name], label(spec.label)
            words.setWordWrap(True)
            words.setFixedWidth(NAME_WIDTH)
            words.setMinimumHeight(spacing.CONTROL)
            told = tip(spec, defaults[name], self.words)
            for widget in (words, field, *field.controls):
                widget.setToolTip(told)
                widget.setWhatsThis(told)
            words.setBuddy(field.controls[0])
            self.names[name] = words
            rows.addWidget(words, number, 0, top)
            rows.addWidget(field, number, 1, top)
        return rows

    # Filling and judging

    def _fill(self) -> None:
        known = self._params if self._n_items is None else self._params.resolved(self._n_items)
        for name, field in self.fields.items():
            value, resolved = getattr(self._params, name), getattr(known, name)
            field.show_value(value, None if self._n_items is None else resolved)
        self.problems = ()
        self._mark_all()

    def _judge(self) -> None:
        values: dict[str, Any] = {}
        wrong: list[Problem] = []
        for name, field in self.fields.items():
            try:
                values[name] = field.read()
            except ValueError as error:
                wrong.append(_wrong(name, field.spec, str(error)))
        if not wrong:
            wrong = self._take(values)
        self.problems = tuple(wrong)
        self._mark_all()
        self.judged.emit()

    def _take(self, values: Mapping[str, Any]) -> list[Problem]:
        """Make the values the form's parameters, or say what stands against them."""
        try:
            params = type(self._params)(**values)
        except UserError as error:
            return list(error.problems)
        if params != self._params:
            self._params = params
            self._risks = ()
            self._show_resolved()
            self.changed.emit(params)
        return []

    def _show_resolved(self) -> None:
        """Automatic values may follow from what was changed."""
        if self._n_items is None:
            return
        known = self._params.resolved(self._n_items)
        for name, field in self.fields.items():
            value, resolved = getattr(self._params, name), getattr(known, name)
            if value != resolved:
                field.show_value(value, resolved)

    def _mark_all(self) -> None:
        found = (*self.problems, *self._risks)
        by_name: dict[str, list[Problem]] = {name: [] for name in self.fields}
        for problem in found:
            for name in named_in(problem.where, self.fields):
                by_name[name].append(problem)
        for name, field in self.fields.items():
            _mark(field, by_name[name])
        conflicts = [each for each in self.problems if each.key != BOUNDS]
        self._conflict.setText(self.words.said(_told(conflicts, self._specs)))
        self._conflict.setVisible(bool(conflicts))
        self._count_changed(by_name)

    def _count_changed(self, by_name: Mapping[str, Sequence[Problem]]) -> None:
        """Say how much of the closed part is not as usual, and open it for what is wrong."""
        usual = self._params.defaults()
        hidden = [name for name, field in self.fields.items() if field.spec.advanced]
        changed = sum(getattr(self._params, name) != usual[name] for name in hidden)
        self.more.setText(f"Advanced, {changed} changed" if changed else "Advanced")
        if any(each.key == BOUNDS for name in hidden for each in by_name[name]):
            self.set_advanced(True)


BOUNDS = "params.bounds"


def _wrong(name: str, spec: Spec, message: str) -> Problem:
    return Problem(
        key=BOUNDS,
        what=f"{spec.label} is not allowed as it stands.",
        where=f"parameter '{name}'",
        way_out=message,
    )


def _mark(field: Field, problems: Sequence[Problem]) -> None:
    errors = [each for each in problems if each.severity is Severity.ERROR]
    field.show_state("error" if errors else "warning" if problems else "")
    bounds = [each.way_out for each in problems if each.key == BOUNDS]
    field.show_message(bounds[0] if bounds else "")


def _told(problems: Sequence[Problem], specs: Mapping[str, Spec]) -> str:
    return "\n".join(f"{each.what} {in_words(each.way_out, specs)}" for each in problems)
