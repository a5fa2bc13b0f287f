"""What was done to the table before training, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.model.words import counted, grouped, in_words
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.stage import Stage
from ximstudio.report.html import Content, Html, bullets, folded, joined, tag
from ximstudio.report.messages import notes_list
from ximstudio.report.telling import Section, Telling, absent

ORIENTATION = "orientation"
"""Key of the step that exchanges items and features."""
MOST_REMOVED = 200
"""Names of what a step removed that are printed."""


def write_recipe(telling: Telling) -> Html:
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


def _planned(planned: Planned, telling: Telling) -> str:
    return telling.said(planned.sentence) + ("" if planned.on else " (switched off)")


def _words(steps: Sequence[Planned], number: int, telling: Telling) -> tuple[str, str]:
    """What items and features are called before a step: sides may be exchanged from there on."""
    words = (telling.words.item, telling.words.feature)
    later = sum(each.on and each.step.key == ORIENTATION for each in steps[number:])
    return words if later % 2 == 0 else (words[1], words[0])


def _stage(stage: Stage, words: tuple[str, str], telling: Telling) -> Html:
    if not stage.planned.on:
        return joined([in_words(stage.planned.sentence, *words), " (switched off)"])
    parts: list[Content] = [in_words(stage.planned.sentence, *words)]
    changed = ", ".join(_changes(stage))
    if changed:
        parts.append(tag("span", f" {changed}.", class_="note"))
    for names, word in ((stage.removed_items, words[0]), (stage.removed_features, words[1])):
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
