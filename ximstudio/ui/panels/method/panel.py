"""Method step: the method and its parameters."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ximstudio.jobs import Task
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import Problem, UserError
from ximstudio.session import Data
from ximstudio.session.plan import CheckedPlan, TrainingPlan, checked
from ximstudio.session.presets import Preset
from ximstudio.session.words import Words
from ximstudio.train.checks import PACKAGE, install_command
from ximstudio.train.schedules import schedules
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.help import HelpDialog, choice_text
from ximstudio.ui.panels.curves import AnnealingPlot
from ximstudio.ui.panels.method.fields import PinsNote, SeedRow, method_menu
from ximstudio.ui.panels.method.presets import PresetChoice
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.messages import put_on_clipboard
from ximstudio.ui.widgets.boxes import STRETCH, vbox
from ximstudio.ui.widgets.forms.form import ParamsForm
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, label, line
from ximstudio.ui.widgets.message_card import TONES, MessageCard, clear

CHECK_AFTER = 300
"""Milliseconds without a change before a plan is checked."""
NOT_HERE = {"init": ("given",)}
"""Options that a form cannot offer: custom prototypes are given on the command line."""


class MethodPanel(Panel):
    """Presets, methods, a form made from the method's declarations, and the annealing plot."""

    key = "method"
    name = "Method"
    icon = "method"

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions)
        self.presets = PresetChoice()
        self.method = method_menu()
        self.explain = button(
            "What is XIM, and when should I use it?",
            kind=ButtonKind.LINK,
            tip="XIM compared with SOM, UMAP, t-SNE and PCA, in a few sentences",
        )
        self.summary = label(kind="muted", wrap=True)
        self.forms: dict[str, ParamsForm] = {}
        self._form_place = QVBoxLayout()
        self._words = Words()
        self._advanced = False
        self._seed_row = SeedRow()
        self.seed, self.dice = self._seed_row.edit, self._seed_row.dice
        self.plot = AnnealingPlot()
        self.pins = PinsNote(actions)
        self._warnings = vbox(gap=spacing.SMALL)
        self._shown: tuple[TrainingPlan, Data | None] | None = None
        self._checked: CheckedPlan | None = None
        self._warned: tuple[Problem, ...] = ()
        self._checking = JobSlot(actions.jobs, self)
        self._lay_out()
        self.presets.chosen.connect(self._use)
        self.presets.refused.connect(actions.jobs.refused)
        if self.presets.kept.trouble is not None:
            actions.jobs.refused.emit((self.presets.kept.trouble,))
        self.method.activated.connect(lambda: actions.choose_method(self.method.currentData()))
        self._seed_row.given.connect(self._set_seed)
        self.explain.clicked.connect(self._explain)

    @property
    def form(self) -> ParamsForm:
        """The form of the chosen method."""
        return self._form_for(self.user_actions.session.plan.method_key)

    @property
    def done(self) -> bool:
        """True if the settings are valid."""
        return self.matrix is not None and self.form.valid

    def show_session(self) -> None:
        """Show the plan."""
        plan, data, matrix = self.user_actions.session.plan, self.data, self.matrix
        if self._shown is not None and self._shown[0] is plan and self._shown[1] is data:
            return
        self._shown = (plan, data)
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
        self._report_problems()
        if matrix is not None and not self._is_checked:
            self._check(matrix)
        else:
            self._checking.stop()

    # Building

    def _lay_out(self) -> None:
        vbox(
            label("Preset", kind="section"),
            self.presets,
            spacing.SMALL,
            label("Method", kind="section"),
            self.method,
            self.summary,
            self.explain,
            spacing.SMALL,
            self._warnings,
            self.pins,
            line(),
            spacing.SMALL,
            self._form_place,
            self._seed_row,
            spacing.SMALL,
            self.plot,
            STRETCH,
            into=self,
            gap=spacing.HAIR,
            margins=(0, spacing.SMALL, spacing.HAIR, spacing.LARGE),
        )

    def _form_for(self, key: str) -> ParamsForm:
        self._speak(Words.of(self.data))
        if key not in self.forms:
            params = self.user_actions.session.plan.params
            form = ParamsForm(params, without=NOT_HERE, words=self._words)
            form.set_advanced(self._advanced)
            form.changed.connect(self.user_actions.set_params)
            form.judged.connect(self._report_problems)
            self.forms[key] = form
            self._form_place.addWidget(form)
        return self.forms[key]

    def _speak(self, words: Words) -> None:
        """Rebuild the forms if a table uses other words."""
        if words == self._words:
            return
        self._words = words
        self._advanced = any(form.advanced for form in self.forms.values())
        for form in self.forms.values():
            form.hide()
            form.deleteLater()
        self.forms = {}
        self._seed_row.speak(words)

    # Actions of the user

    def _use(self, preset: Preset) -> None:
        plan = self.user_actions.session.plan
        try:
            self.user_actions.set_plan(preset.applied(plan), f"Use preset {preset.name}")
        except UserError as error:
            self.user_actions.jobs.refused.emit(error.problems)
            self.presets.show_plan(plan)

    def _explain(self) -> None:
        page = HelpDialog(self.window())
        page.finished.connect(page.deleteLater)
        page.show_about(choice_text())

    def _set_seed(self, seed: int) -> None:
        if seed != self.user_actions.session.plan.seed:
            self.user_actions.set_seed(seed)

    # Checking

    def _report_problems(self) -> None:
        self.user_actions.set_obstacles(self.key, self.form.problems)

    @property
    def _is_checked(self) -> bool:
        judged, plan = self._checked, self.user_actions.session.plan
        return (
            judged is not None
            and self.data is not None
            and judged.matrix is self.matrix
            and (judged.plan.method_key, judged.plan.params) == (plan.method_key, plan.params)
        )

    def _check(self, matrix: Matrix) -> None:
        """Check the plan in the background, once the user stops changing it."""
        plan = self.user_actions.session.plan

        def work(_: Task[float, CheckedPlan]) -> CheckedPlan:
            return checked(matrix, plan)

        job = Job(label="Checking the settings", work=work, done=self._take_checked, quiet=True)
        self._checking.start(job, delay=CHECK_AFTER)

    def _take_checked(self, judged: CheckedPlan) -> None:
        self._checked = judged
        self._show_checked()

    def _show_checked(self) -> None:
        """Show risks at their fields and above the form."""
        judged = self._checked
        found = judged.problems if judged is not None and self._is_checked else ()
        self.form.show_risks(found)
        if found == self._warned:
            return
        self._warned = found
        clear(self._warnings)
        specs, said = self.form.params.specs(), Words.of(self.data).said
        for problem in found:
            card = MessageCard(
                TONES[problem.severity],
                said(problem.what),
                # Fields that it names are marked; do not repeat their names.
                where="" if specs.keys() & set(problem.fields) else said(problem.where),
                way_out=said(problem.way_out),
            )
            package = self.user_actions.session.plan.method.package
            if problem.key == PACKAGE and package is not None:
                card.add_action(self._copying(install_command(package)))
                card.end_actions()
            self._warnings.addWidget(card)

    @staticmethod
    def _copying(command: str) -> QWidget:
        """Return a button that copies a command for the terminal."""
        made = button("Copy the command", size=Size.SMALL, icon_name="copy", tip=command)
        made.setObjectName("copy-command")
        made.clicked.connect(lambda: put_on_clipboard(command))
        return made
