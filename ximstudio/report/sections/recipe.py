"""What was done to the table before training, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.model.words import counted, grouped
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.stage import Stage
from ximstudio.report.context import ReportContext, Section, absent
from ximstudio.report.html import Content, Html, bullets, folded, joined, tag
from ximstudio.report.messages import notes_list
from ximstudio.session.words import Words

MOST_REMOVED = 200
"""Names of what a step removed that are printed."""


def write_recipe(telling: ReportContext) -> Html:
    """Every step in a sentence, with what it removed and changed."""
    session = telling.session
    data = session.data
    if data is not None and data.opened is not None:
        stages = data.stages
        if not stages:
            return absent("The table was used as it was read: the recipe has no steps.")
        steps = [stage.planned for stage in stages]
        return bullets(
            [_stage(stage, _words(steps, n, telling), telling) for n, stage in enumerate(stages)],
            ordered=True,
        )
    given = data.input if data is not None else None
    if given is None and session.run is not None:
        given = session.run.input
    if given is None or not given.recipe.steps:
        return absent("The table was used as it was read: the recipe has no steps.")
    return bullets([_planned(each, telling) for each in given.recipe.steps], ordered=True)


def _planned(planned: Planned, telling: ReportContext) -> str:
    return telling.words.sentence(planned) + ("" if planned.on else " (switched off)")


def _words(steps: Sequence[Planned], number: int, telling: ReportContext) -> Words:
    """What items and features are called before a step: sides may be exchanged from there on."""
    later = sum(each.exchanges for each in steps[number:])
    return telling.words if later % 2 == 0 else telling.words.exchanged


def _stage(stage: Stage, words: Words, telling: ReportContext) -> Html:
    if not stage.planned.on:
        return joined([words.sentence(stage.planned), " (switched off)"])
    parts: list[Content] = [words.sentence(stage.planned)]
    changed = ", ".join(_changes(stage))
    if changed:
        parts.append(tag("span", f" {changed}.", class_="note"))
    removed = ((stage.removed_items, words.item), (stage.removed_features, words.feature))
    for names, word in removed:
        if names:
            listed = ", ".join(names[:MOST_REMOVED])
            more = len(names) - MOST_REMOVED
            rest = f", and {grouped(more)} more" if more > 0 else ""
            parts.append(folded(f"{counted(len(names), word)} removed", f"{listed}{rest}"))
    if stage.notes:
        parts.append(notes_list(stage.notes, telling))
    return joined(parts)


def _changes(stage: Stage) -> list[str]:
    """What became of the size, and of blanks."""
    before, after = stage.before, stage.after
    told = []
    if (before.n_items, before.n_features) != (after.n_items, after.n_features):
        told.append(
            f"{grouped(before.n_items)} × {grouped(before.n_features)} → "
            f"{grouped(after.n_items)} × {grouped(after.n_features)}"
        )
    if before.missing != after.missing:
        told.append(f"blank values {grouped(before.missing)} → {grouped(after.missing)}")
    return told


SECTION = Section(key="recipe", title="Preparation", write=write_recipe)
