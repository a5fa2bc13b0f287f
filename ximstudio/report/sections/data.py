"""The table: how it was read, findings of the data doctor, and its preparation, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ximstudio.export.places import named
from ximstudio.load import Guess
from ximstudio.load.samples import called, sample_of
from ximstudio.model.matrix import Matrix
from ximstudio.model.table import Table
from ximstudio.model.words import counted, grouped, number
from ximstudio.prepare.planned import Planned
from ximstudio.prepare.stage import Stage
from ximstudio.report.context import ReportContext, absent, notes_list
from ximstudio.report.html import (
    Content,
    Html,
    bullets,
    facts,
    first_of,
    folded,
    joined,
    paragraph,
    tag,
)
from ximstudio.session.data import Data
from ximstudio.session.words import Words

MOST_CLASSES, MOST_LETTERS = 12, 240
"""Most texts of a label that are named, and their total length; the rest are counted."""
MOST_LABELS = 30
MOST_REMOVED = 200
"""Most names of removed rows or columns that are printed per step."""


def write_data(context: ReportContext) -> Html:
    """Write file, size, blanks and labels of the table, as read and as trained on."""
    data, matrix = context.session.data, context.matrix
    if data is None and matrix is None:
        return absent("No table was opened.")
    if data is None:
        assert matrix is not None
        return joined([_matrix_facts(matrix, context), absent(_NO_TABLE)])
    return joined(
        [
            _file_facts(data, matrix, context),
            _guesses(data, context),
            _joins(data, context),
            _notes(data, context),
        ]
    )


_NO_TABLE = (
    "The file of the table is not available. Only the data that the maps were trained on are"
    " described, not how the file was read, nor findings of the data doctor."
)


def write_findings(context: ReportContext) -> Html:
    """Write all findings, as in the window, and what prevents training."""
    data = context.session.data
    if data is None:
        return absent("The table is not available and was not examined.")
    problems = (*data.problems, *(finding.problem for finding in data.findings))
    if not problems:
        return paragraph("The data doctor found no problems in the prepared table.")
    number = counted(len(problems), "point")
    return joined(
        [
            paragraph(f"The data doctor found {number} to note in the prepared table."),
            notes_list(problems, context),
        ]
    )


def _file_facts(data: Data, matrix: Matrix | None, context: ReportContext) -> Html:
    read = data.labelled.table
    sample = sample_of(read.source)
    rows: list[tuple[Content, Content]] = [
        ("File", called(read.source)),
        ("About", None if sample is None else f"{sample.about} {sample.citation}"),
        ("Format", data.labelled.reading.format),
        ("As read", _size(read, context)),
        ("Blank values", _blanks(read)),
    ]
    if data.input.recipe.steps or data.input.frozen is not None:
        rows += [
            ("After the recipe", _size(data.table, context)),
            ("Blank then", _blanks(data.table)),
        ]
    rows += [(f"Label “{name}”", text) for name, text in _labels(data.overview.classes)]
    if matrix is not None:
        rows.append(("Fingerprint", tag("code", matrix.fingerprint)))
    return facts(rows)


def _matrix_facts(matrix: Matrix, context: ReportContext) -> Html:
    table = Table.of(matrix)
    return facts(
        [
            ("File", called(matrix.source)),
            ("As trained on", _size(table, context)),
            ("Blank values", _blanks(table)),
            ("Labels", ", ".join(matrix.item_labels)),
            ("Fingerprint", tag("code", matrix.fingerprint)),
        ]
    )


def _size(table: Table, context: ReportContext) -> str:
    return context.words.size(table.n_items, table.n_features)


def _blanks(table: Table) -> str:
    if not table.n_missing:
        return "none"
    share = 100.0 * table.n_missing / max(table.n_items * table.n_features, 1)
    return f"{grouped(table.n_missing)} ({number(share, 2)}\u202f%)"


def _labels(classes: Mapping[str, Mapping[str, int]]) -> Iterator[tuple[str, str]]:
    """Yield every label with its most frequent texts."""
    for place, (name, counts) in enumerate(classes.items()):
        if place == MOST_LABELS:
            yield "…", f"and {counted(len(classes) - place, 'label')} more"
            return
        if len(counts) > MOST_CLASSES and max(counts.values()) == 1:
            yield name, f"{counted(len(counts), 'text')}, each once"
            continue
        texts_found = [f"{text or 'blank'} ({grouped(n)})" for text, n in counts.items()]
        n_named = MOST_CLASSES
        while n_named > 1 and sum(map(len, texts_found[:n_named])) > MOST_LETTERS:
            n_named -= 1
        yield name, first_of(texts_found, n_named, "text")


def _guesses(data: Data, context: ReportContext) -> Html:
    """List what was inferred about the file, and why."""
    guesses = (*data.labelled.reading.guesses, *data.labelled.guesses)
    if not guesses:
        return Html()
    entries = bullets(_guess(each, context) for each in guesses)
    return joined([tag("h3", "How the file was read"), entries])


def _guess(guess: Guess, context: ReportContext) -> Html:
    value = guess.shown or guess.value or "none"
    unsure = "" if guess.sure else " (to be checked)"
    reason = f": {context.said(guess.reason)}" if guess.reason else ""
    return joined([tag("b", guess.label), f" – {context.said(value)}{unsure}{reason}"])


def _joins(data: Data, context: ReportContext) -> Html:
    if not data.input.joinings:
        return Html()
    entries: list[Content] = []
    for joining, found in zip(data.input.joinings, data.labelled.joined, strict=False):
        n_found = sum(map(len, found.found.values()))
        total = n_found + len(found.not_found)
        labels = ", ".join(found.labels.values())
        word = context.words.item if found.axis == "items" else context.words.feature
        entries.append(
            f"{named(joining.name)}: labels {labels}, by the column “{found.on}”;"
            f" {grouped(n_found)} of {counted(total, word)} found"
        )
    return joined([tag("h3", "Joined files"), bullets(entries)])


def _notes(data: Data, context: ReportContext) -> Html:
    notes = (*data.labelled.reading.notes, *data.labelled.joins)
    if not notes:
        return paragraph("Nothing in the file was left out.", kind="note")
    return folded(f"{counted(len(notes), 'note')} about the file", notes_list(notes, context))


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
