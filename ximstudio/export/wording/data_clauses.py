"""Sentences about the table: origin, missing values and preparation."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.export.wording.described import Described
from ximstudio.load.samples import called, sample_of
from ximstudio.model.citations import Citations
from ximstudio.model.clauses import listed, percent, quoted, shortened
from ximstudio.model.metric import PRECOMPUTED, metric_of
from ximstudio.model.parent import CONTINUED, CONTINUED_ALONE, PART
from ximstudio.model.words import counted, grouped, plural
from ximstudio.prepare.recipe import Planned
from ximstudio.prepare.side_words import USUAL, SideWords
from ximstudio.session.words import Words

VOWELS = "aeiou"


def data_sentences(one: Described, citations: Citations, *, trained: bool = True) -> Iterator[str]:
    """Describe the table and its preparation; `trained` if not all of its maps are PCA planes."""
    matrix, prepared = one.matrix, any(step.on for step in one.steps.steps)
    sample = sample_of(one.input.name)
    cited = ""
    if sample is not None:
        cited = citations.of(*(f"{text.strip()}." for text in sample.citation.split(";")))
    size = f"{counted(matrix.n_items, 'item')} × {counted(matrix.n_features, 'feature')}"
    if metric_of(one.result.params) == PRECOMPUTED:
        size = f"the distances between {counted(matrix.n_items, 'item')}"
    columns = " (items in its columns)" if one.input.choices.items == "columns" else ""
    name = f"{quoted(called(one.input.name))}{columns}{cited}"
    if one.input.joinings:
        files = [quoted(called(joining.name)) for joining in one.input.joinings]
        name += f", with labels from {listed(files)},"
    if prepared:
        yield f"The table {name} was prepared by {_preparation(one)}."
    if one.result.parent is not None:
        yield f"Training used {size}, from the table {name} and an earlier map."
    elif prepared:
        yield f"The prepared table comprised {size}."
    else:
        yield f"The table {name} comprised {size} and was used without further preparation."
    yield from _missing(one, "distances and training" if trained else "distances")


def _preparation(one: Described) -> str:
    words = Words.of_matrix(one.matrix).sides
    steps = [done(step, words) for step in one.steps.steps if step.on]
    learnt = ""
    if one.input.frozen is not None:
        learnt = ", with the values that these steps had learned from an earlier table"
    return "; then ".join(steps) + learnt


def done(step: Planned, words: SideWords = USUAL) -> str:
    """Describe a step in a form that follows the word "by"."""
    sentence = step.said(words).rstrip(".")
    if sentence.startswith("Of "):
        # "Of items with the same name, keep the first": the object comes first.
        about, _, what = sentence.partition(", ")
        verb, _, rest = what.partition(" ")
        return f"{gerund(verb)}, {about[:1].lower()}{about[1:]}, {rest}"
    verb, _, rest = sentence.partition(" ")
    return f"{gerund(verb)} {rest}"


def gerund(verb: str) -> str:
    """Return the form of a verb that follows "by": "Drop" → "dropping"."""
    stem = verb.lower()
    if stem.endswith("e") and not stem.endswith("ee"):
        return f"{stem[:-1]}ing"
    short = sum(letter in VOWELS for letter in stem) == 1 and len(stem) > 2
    if short and stem[-2] in VOWELS and stem[-1] not in "wxy":
        return f"{stem}{stem[-1]}ing"
    return f"{stem}ing"


def _missing(one: Described, what: str) -> Iterator[str]:
    n_missing, n_values = one.matrix.n_missing, one.matrix.values.size
    if not n_missing:
        return
    share = percent(n_missing / n_values)
    were, they = (plural(n_missing, *pair) for pair in (("was", "were"), ("it was", "they were")))
    yield (
        f"Of its values, {grouped(n_missing)} ({share}) {were} missing; {they} not imputed:"
        f" {what} used the features that two vectors had in common, scaled up to the full number"
        " of features."
    )


def descent_sentences(one: Described) -> Iterator[str]:
    """Describe which map it descends from, and what it inherited."""
    parent = one.result.parent
    if parent is None:
        return
    earlier = "an earlier map"
    if one.parent is not None:
        size = counted(len(one.parent.result.item_ids), "item")
        earlier = f"an earlier map by {one.parent.method.name} of {size}"
    began = "its prototypes began as the prototypes of that map, and its annealing began late"
    items = counted(len(one.result.item_ids), "item")
    if parent.kind == PART:
        chosen = f"It shows {items} that were chosen from {earlier}"
        laid = "its prototypes began as those of that map in their region, and its annealing late"
        yield f"{chosen}; {laid}." if "init" in one.params.specs() else f"{chosen}."
    else:
        further = {
            CONTINUED: "further items, trained together",
            CONTINUED_ALONE: "further items alone",
        }
        yield f"It continues {earlier} with {further.get(parent.kind, 'the same items')}; {began}."


def projection_sentences(one: Described) -> Iterator[str]:
    """Describe items of other tables that were placed after training."""
    if one.projected:
        files = [f"{counted(n, 'item')} of {quoted(name)}" for name, n in one.projected]
        were = "was" if one.n_projected == 1 else "were"
        yield (
            f"After training, {shortened(files)} {were} placed on it, prepared like those it was"
            " trained on."
        )
