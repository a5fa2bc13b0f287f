"""Forms made from declared parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.spec import Choice, Number, Pair, Spec, Switch
from ximstudio.session.parameter_words import in_words, spoken, tip
from ximstudio.session.words import Words
from ximstudio.train.anchors import Pins
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.forms.fields import ChoiceField, Field, PinsField, SwitchField, TextField
from ximstudio.ui.widgets.forms.numbers import NumberField, PairField
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, label
from ximstudio.ui.widgets.look.icons import icon

NAME_WIDTH = 110
"""Longer names wrap into a second line."""


class ParamsForm(QWidget):
    """Form for any Params, with an Advanced part and messages at the fields.

    Set parameters with `show_params`; `changed` emits new ones, only if valid. The Advanced part is
    built when it is first opened or accessed. Fields of parameters without effect beside the others
    (`Spec.when`) are hidden, unless a message names them.
    """

    changed = Signal(object)
    """New valid parameters."""
    judged = Signal()
    """A field was edited; `problems` may have changed."""

    def __init__(
        self,
        params: Params,
        *,
        n_items: int | None = None,
        without: Mapping[str, Sequence[str]] | None = None,
        words: Words | None = None,
    ) -> None:
        """`n_items` determines automatic values; `without` removes options of choices.

        `words` are those of the table; without them the declarations' own words are used.
        """
        super().__init__()
        self._params = params
        self.words = Words("item", "feature") if words is None else words
        specs = params.specs()
        self._specs = {name: spoken(spec, specs, self.words) for name, spec in specs.items()}
        self._n_items = n_items
        self._risks: tuple[Problem, ...] = ()
        self.problems: tuple[Problem, ...] = ()
        """Problems of the current input; empty if it is valid."""
        self._without = without or {}
        self._built: dict[str, Field] = {}
        self.names: dict[str, QLabel] = {}
        self.advanced = False
        self._build()
        self._fill()

    @property
    def fields(self) -> Mapping[str, Field]:
        """All fields by the names of their parameters."""
        self._complete()
        return self._built

    @property
    def params(self) -> Params:
        """The last valid parameters."""
        return self._params

    @property
    def valid(self) -> bool:
        return not self.problems

    def show_params(self, params: Params, *, n_items: int | None = None) -> None:
        """Show parameters of the same class; typed text stays if they are equal."""
        same = params == self._params
        if same and n_items == self._n_items:
            return
        self._params, self._n_items = params, n_items
        if same and self.problems:
            return
        self._fill()

    def reset(self) -> None:
        """Reset all fields to the last valid parameters."""
        self._fill()
        self.judged.emit()

    def show_risks(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Mark the fields named by external problems; return problems that name none."""
        risks = tuple(problems)
        if risks != self._risks:
            self._risks = risks
            self._mark_all()
        return tuple(risk for risk in self._risks if not set(risk.fields) & set(self._specs))

    def suggest(self, name: str, words: Iterable[str]) -> None:
        """Offer words in a field of text."""
        field = self._field(name)
        if isinstance(field, TextField):
            field.suggest(words)

    def add_below(self, name: str, widget: QWidget) -> None:
        """Add a widget below a field."""
        self._field(name).add_below(widget)

    def set_advanced(self, open_: bool) -> None:
        """Open or close the Advanced part."""
        if open_:
            self._complete()
        self.advanced = open_
        self._advanced.setVisible(open_)
        self.more.setIcon(icon("chevron-down" if open_ else "chevron-right", role="accent"))

    # Building

    def _build(self) -> None:
        short = {name: spec for name, spec in self._specs.items() if not spec.advanced}
        column = vbox(self._rows(short), into=self, gap=spacing.SMALL, margins=0)
        self._conflict = label(kind="error", wrap=True)
        column.addWidget(self._conflict)
        self.more = button("Advanced", kind=ButtonKind.LINK)
        self._advanced = QWidget()
        column.addWidget(self.more)
        column.addWidget(self._advanced)
        self.more.setVisible(bool(self._hidden))
        self.more.clicked.connect(lambda: self.set_advanced(not self.advanced))
        self.set_advanced(not short)

    @property
    def _hidden(self) -> tuple[str, ...]:
        """Names of the advanced parameters."""
        return tuple(name for name, spec in self._specs.items() if spec.advanced)

    def _complete(self) -> None:
        """Build the Advanced part if it is not built yet."""
        hidden = {name: self._specs[name] for name in self._hidden}
        if self._advanced.layout() is None:
            self._advanced.setLayout(self._rows(hidden))
            self._show_values(hidden)
            self._mark_all()

    def _field(self, name: str) -> Field:
        return self._built[name] if name in self._built else self.fields[name]

    def _rows(self, specs: Mapping[str, Spec]) -> QGridLayout:
        defaults = self._params.defaults()
        rows = QGridLayout()
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setHorizontalSpacing(spacing.SMALL)
        rows.setVerticalSpacing(spacing.SMALL)
        rows.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        for number, (name, spec) in enumerate(specs.items()):
            field = field_for(spec, without=self._without.get(name, ()), words=self.words)
            field.edited.connect(self._judge)
            self._built[name] = field
            words = label(spec.label, wrap=True)
            words.setFixedWidth(NAME_WIDTH)
            words.setMinimumHeight(spacing.CONTROL)
            used = "" if spec.when is None else in_words(spec.when.text, self._specs)
            text = tip(spec, defaults[name], self.words, self.words.said(used))
            for widget in (words, field, *field.controls):
                widget.setToolTip(text)
                widget.setWhatsThis(text)
            words.setBuddy(field.controls[0])
            self.names[name] = words
            rows.addWidget(words, number, 0, top)
            rows.addWidget(field, number, 1, top)
        return rows

    # Filling and checking

    def _fill(self) -> None:
        self._show_values(self._built)
        self.problems = ()
        self._mark_all()

    def _show_values(self, names: Iterable[str]) -> None:
        known = self._params if self._n_items is None else self._params.resolved(self._n_items)
        for name in names:
            value, resolved = getattr(self._params, name), getattr(known, name)
            self._built[name].show_value(value, None if self._n_items is None else resolved)

    def _judge(self) -> None:
        # Parameters without a field keep their values.
        values = {name: getattr(self._params, name) for name in self._specs}
        wrong: list[Problem] = []
        for name, field in self._built.items():
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
        """Accept the values as parameters, or show the problems."""
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
        """Update automatic values."""
        if self._n_items is None:
            return
        known = self._params.resolved(self._n_items)
        for name, field in self._built.items():
            value, resolved = getattr(self._params, name), getattr(known, name)
            if value != resolved:
                field.show_value(value, resolved)

    def _mark_all(self) -> None:
        found = (*self.problems, *self._risks)
        by_name: dict[str, list[Problem]] = {name: [] for name in self._specs}
        for problem in found:
            for name in problem.fields:
                by_name.get(name, []).append(problem)
        for name, field in self._built.items():
            _mark(field, by_name[name])
        conflicts = [each for each in self.problems if each.key != BOUNDS]
        text = "\n".join(f"{each.what} {each.way_out}" for each in conflicts)
        self._conflict.setText(self.words.said(text))
        self._conflict.setVisible(bool(conflicts))
        self._count_changed(by_name)
        for name, field in self._built.items():
            used = self._params.matters(name) or bool(by_name[name])
            for widget in (self.names[name], field):
                if widget.isHidden() is used:
                    widget.setVisible(used)

    def _count_changed(self, by_name: Mapping[str, Sequence[Problem]]) -> None:
        """Show how many advanced parameters with an effect differ from their defaults.

        Open the part if one is invalid.
        """
        params, usual = self._params, self._params.defaults()
        changed = sum(
            getattr(params, name) != usual[name] and params.matters(name) for name in self._hidden
        )
        self.more.setText(f"Advanced, {changed} changed" if changed else "Advanced")
        if any(each.key == BOUNDS for name in self._hidden for each in by_name[name]):
            self.set_advanced(True)


def field_for(spec: Spec, *, without: Iterable[str] = (), words: Words | None = None) -> Field:
    """Return the field of a declaration; `without` removes options of a choice."""
    if isinstance(spec, Choice):
        return ChoiceField(spec, without, words)
    if isinstance(spec, Number):
        return NumberField(spec)
    if isinstance(spec, Pair):
        return PairField(spec)
    if isinstance(spec, Switch):
        return SwitchField(spec)
    if isinstance(spec, Pins):
        return PinsField(spec, words)
    return TextField(spec)


BOUNDS = "params.bounds"


def _wrong(name: str, spec: Spec, message: str) -> Problem:
    return Problem(
        key=BOUNDS,
        what=f"{spec.label} is not valid.",
        where=f"parameter '{name}'",
        fields=(name,),
        way_out=message,
    )


def _mark(field: Field, problems: Sequence[Problem]) -> None:
    errors = [each for each in problems if each.severity is Severity.ERROR]
    field.show_state("error" if errors else "warning" if problems else "")
    bounds = [each.way_out for each in problems if each.key == BOUNDS]
    field.show_message(bounds[0] if bounds else "")
