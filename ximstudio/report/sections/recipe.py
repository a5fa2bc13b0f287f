"""Preparation of the table before training, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.model.words import counted, grouped
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.stage import Stage
from ximstudio.report.context import ReportContext, absent, notes_list
from ximstudio.report.html import Content, Html, bullets, first_of, folded, joined, tag
from ximstudio.session.words import Words

MOST_REMOVED = 200
"""Most names of removed rows or columns that are printed per step."""


def write_recipe(context: ReportContext) -> Html:
    """Write every step in a sentence, with what it removed and changed."""
    session = context.session
    data = session.data
    if data is not None and data.opened is not None:
        stages = data.stages
        if not stages:
            return absent("The table was used as read: the recipe has no steps.")
        steps = [stage.planned for stage in stages]
        return bullets(
            [_stage(stage, _words(steps, n, context), context) for n, stage in enumerate(stages)],
            ordered=True,
        )
    given = data.input if data is not None else None
    if given is None and session.run is not None:
        given = session.run.input
    if given is None or not given.recipe.steps:
        return absent("The table was used as read: the recipe has no steps.")
    return bullets([_planned(each, context) for each in given.recipe.steps], ordered=True)


def _planned(planned: Planned, context: ReportContext) -> str:
    return context.words.sentence(planned) + ("" if planned.on else " (switched off)")


def _words(steps: Sequence[Planned], number: int, context: ReportContext) -> Words:
    """Return the nouns for items and features before a step, because steps may swap them."""
    later = sum(each.exchanges for each in steps[number:])
    return context.words if later % 2 == 0 else context.words.exchanged


def _stage(stage: Stage, words: Words, context: ReportContext) -> Html:
    if not stage.planned.on:
        return joined([words.sentence(stage.planned), " (switched off)"])
    parts: list[Content] = [words.sentence(stage.planned)]
    changed = ", ".join(_changes(stage))
    if changed:
        parts.append(tag("span", f" {changed}.", class_="note"))
    removed = ((stage.removed_items, words.item), (stage.removed_features, words.feature))
    for names, word in removed:
        if names:
            listed = first_of(names, MOST_REMOVED)
            parts.append(folded(f"{counted(len(names), word)} removed", listed))
    if stage.notes:
        parts.append(notes_list(stage.notes, context))
    return joined(parts)


def _changes(stage: Stage) -> list[str]:
    """List the changes in size and in blanks."""
    before, after = stage.before, stage.after
    changes = []
    if (before.n_items, before.n_features) != (after.n_items, after.n_features):
        changes.append(
            f"{grouped(before.n_items)} × {grouped(before.n_features)} → "
            f"{grouped(after.n_items)} × {grouped(after.n_features)}"
        )
    if before.missing != after.missing:
        changes.append(f"blank values {grouped(before.missing)} → {grouped(after.missing)}")
    return changes
