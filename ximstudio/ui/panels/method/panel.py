"""The method and its parameters."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ximstudio.jobs import Task
from ximstudio.model.problem import Problem, UserError
from ximstudio.session import Data
from ximstudio.session.plan import Plan
from ximstudio.session.presets import Preset
from ximstudio.session.words import Words
from ximstudio.train.checks import PACKAGE, install_command
from ximstudio.train.schedules import schedules
from ximstudio.ui.desk import Job
from ximstudio.ui.form_words import in_words, named_in
from ximstudio.ui.forms import ParamsForm
from ximstudio.ui.help import HelpDialog, choice_text
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, Size, button, label, line
from ximstudio.ui.messages import put_on_clipboard
from ximstudio.ui.panels.data_cards import TONES, MessageCard, clear
from ximstudio.ui.panels.method_annealing import AnnealingPlot
from ximstudio.ui.panels.method_check import Checked, checked
from ximstudio.ui.panels.method_menu import method_menu
from ximstudio.ui.panels.method_pins import PinsNote
from ximstudio.ui.panels.method_presets import PresetChoice
from ximstudio.ui.panels.method_seed import SeedRow
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.studio import Studio

CHECKING = "Checking the settings"
CHECK_AFTER = 300
"""Milliseconds without a change before a plan is judged."""
NOT_HERE = {"init": ("given",)}
"""Options that need more than a form: prototypes of one's own come by the command line."""


class MethodPanel(Panel):
    """Presets, methods, a form made from the method's declarations, and the annealing to come."""

    key = "method"
    name = "Method"
    icon = "method"

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.presets = PresetChoice()
        self.method = method_menu()
        self.explain = button("What is XIM, and when to choose it", kind=Kind.LINK)
        self.explain.setToolTip("XIM beside SOM, UMAP, t-SNE and PCA, in a few sentences")
        self.summary = label(kind="muted")
        self.summary.setWordWrap(True)
        self.forms: dict[str, ParamsForm] = {}
        self._form_place = QVBoxLayout()
        self._words = Words()
        self._advanced = False
        self._seed_row = SeedRow()
        self.seed, self.dice = self._seed_row.edit, self._seed_row.dice
        self.plot = AnnealingPlot()
        self.pins = PinsNote(studio)
        self._warnings = QVBoxLayout()
        self._warnings.setSpacing(spacing.SMALL)
        self._shown: tuple[Plan, Data | None] | None = None
        self._checked: Checked | None = None
        self._warned: tuple[Problem, ...] = ()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(CHECK_AFTER)
        self._later.timeout.connect(self._check)
        self._lay_out()
        self.presets.chosen.connect(self._use)
        self.presets.refused.connect(studio.desk.refused)
        if self.presets.kept.trouble is not None:
            studio.desk.refused.emit((self.presets.kept.trouble,))
        self.method.activated.connect(lambda: studio.choose_method(self.method.currentData()))
        self._seed_row.given.connect(self._set_seed)
        self.explain.clicked.connect(self._explain)

    @property
    def form(self) -> ParamsForm:
        """The form of the chosen method."""
        return self._form_for(self.studio.session.plan.method_key)

    @property
    def done(self) -> bool:
        """Whether the settings can be trained with."""
        data = self.studio.session.data
        return data is not None and data.matrix is not None and self.form.valid

    @property
    def ready(self) -> bool:
        """Whether there is a table to choose a method for."""
        return self.studio.session.data is not None

    def show_session(self) -> None:
        """Show the plan."""
        plan, data = self.studio.session.plan, self.studio.session.data
        if self._shown is not None and self._shown[0] is plan and self._shown[1] is data:
            return
        self._shown = (plan, data)
        matrix = None if data is None else data.matrix
        n_items = None if matrix is None else matrix.n_items
        self.presets.show_plan(plan)
        self.method.setCurrentIndex(self.method.findData(plan.method_key))
        self.summary.setText(plan.method.summary)
        self.summary.setToolTip(f"Defined by {plan.method.equations}")
        chosen = self.form
        chosen.show_params(plan.params, n_items=n_items)
        for form in self.forms.values():
            form.setVisible(form is chosen)
        self.pins.show_plan(plan, self._words)
        self._seed_row.show_seed(plan.seed)
        planned = schedules(plan.params, n_items or 0)
        self.plot.setVisible(planned is not None)
        if planned is not None:
            self.plot.show_schedules(planned)
        self._show_checked()
        self._hinder()
        if matrix is not None and not self._is_checked:
            self._later.start()

    # Building

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, spacing.SMALL, spacing.HAIR, spacing.LARGE)
        column.setSpacing(spacing.HAIR)
        column.addWidget(label("Preset", kind="section"))
        column.addWidget(self.presets)
        column.addSpacing(spacing.SMALL)
        column.addWidget(label("Method", kind="section"))
        column.addWidget(self.method)
        column.addWidget(self.summary)
        column.addWidget(self.explain)
        column.addSpacing(spacing.SMALL)
        column.addLayout(self._warnings)
        column.addWidget(self.pins)
        column.addWidget(line())
        column.addSpacing(spacing.SMALL)
        column.addLayout(self._form_place)
        column.addWidget(self._seed_row)
        column.addSpacing(spacing.SMALL)
        column.addWidget(self.plot)
        column.addStretch(1)

    def _form_for(self, key: str) -> ParamsForm:
        self._speak(Words.of(self.studio.session.data))
        if key not in self.forms:
            params = self.studio.session.plan.params
            form = ParamsForm(params, without=NOT_HERE, words=self._words)
            form.set_advanced(self._advanced)
            form.changed.connect(self.studio.set_params)
            form.judged.connect(self._hinder)
            self.forms[key] = form
            self._form_place.addWidget(form)
        return self.forms[key]

    def _speak(self, words: Words) -> None:
        """Make the forms anew where a table calls its sides otherwise."""
        if words == self._words:
            return
        self._words = words
        self._advanced = any(form.advanced for form in self.forms.values())
        for form in self.forms.values():
            form.hide()
            form.deleteLater()
        self.forms = {}
        self._seed_row.speak(words)

    # What a person does

    def _use(self, preset: Preset) -> None:
        plan = self.studio.session.plan
        try:
            self.studio.set_plan(preset.applied(plan), f"Use preset {preset.name}")
        except UserError as error:
            self.studio.desk.refused.emit(error.problems)
            self.presets.show_plan(plan)

    def _explain(self) -> None:
        page = HelpDialog(self.window())
        page.finished.connect(page.deleteLater)
        page.show_about(choice_text())

    def _set_seed(self, seed: int) -> None:
        if seed != self.studio.session.plan.seed:
            self.studio.set_seed(seed)

    # Judging

    def _hinder(self) -> None:
        self.studio.hinder(self.key, self.form.problems)

    @property
    def _is_checked(self) -> bool:
        judged, session = self._checked, self.studio.session
        return (
            judged is not None
            and session.data is not None
            and judged.matrix is session.data.matrix
            and (judged.plan.method_key, judged.plan.params)
            == (session.plan.method_key, session.plan.params)
        )

    def _check(self) -> None:
        """Have the plan judged in the lane."""
        data, plan = self.studio.session.data, self.studio.session.plan
        matrix = None if data is None else data.matrix
        if matrix is None or self._is_checked:
            return

        def work(task: Task[float, Checked]) -> Checked:
            task.check()
            return checked(matrix, plan)

        self.studio.desk.forget(lambda job: job.doing == CHECKING)
        self.studio.desk.start(Job(doing=CHECKING, work=work, done=self._take_checked, quiet=True))

    def _take_checked(self, judged: Checked) -> None:
        self._checked = judged
        self._show_checked()

    def _show_checked(self) -> None:
        """Show risks at their fields and above the form."""
        judged = self._checked
        current = judged is not None and self._is_checked
        found = judged.problems if judged is not None and current else ()
        self.form.show_risks(found)
        if found == self._warned:
            return
        self._warned = found
        clear(self._warnings)
        specs, said = self.form.params.specs(), Words.of(self.studio.session.data).said
        for problem in found:
            card = MessageCard(
                TONES[problem.severity],
                said(problem.what),
                # Fields that it names are marked; their names need not be said again.
                where="" if named_in(problem.where, specs) else said(problem.where),
                way_out=said(in_words(problem.way_out, specs)),
            )
            package = self.studio.session.plan.method.package
            if problem.key == PACKAGE and package is not None:
                card.add_action(self._copying(install_command(package)))
                card.end_actions()
            self._warnings.addWidget(card)

    @staticmethod
    def _copying(command: str) -> QWidget:
        """A button that copies a command, to be pasted into a terminal."""
        made = button("Copy the command", size=Size.SMALL, icon_name="copy", tip=command)
        made.setObjectName("copy-command")
        made.clicked.connect(lambda: put_on_clipboard(command))
        return made
