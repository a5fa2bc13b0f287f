"""Questions of the import dialog about a file: its guesses, in the order users expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from ximstudio.load import Choices, Guess
from ximstudio.load.account import CHOSEN
from ximstudio.load.attempt import Attempt
from ximstudio.load.sides import SIDE_KEYS
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.model.spec import AUTOMATIC, Number, Spec, TextList

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "The table": (
        *("uneven", "layout", "rows", "columns", "part", "features", "decoys", "id", "sample"),
        *("value", "repeats", "absent", "labels", "cells", "types", "discrete", "values"),
    ),
    "Its numbers": ("missing", "decimal", "thousands", "logged"),
    "The file": ("format", "encoding", "delimiter", "comment", "skip", "header_rows", "end"),
}
"""Sections of the form; guesses that are not listed follow the first section."""

BEYOND_HELP = frozenset(
    f"load.{key}"
    for key in (
        *("unreadable", "empty", "folder", "not_text", "damaged", "truncated", "bomb"),
        *("encrypted", "unknown_compression", "only_labels", "old_feather", "outside_link"),
    )
)
"""Keys of problems that no answer about the file could solve."""

ORIENTATION = "items"
"""The guess that has a switch of its own."""

MARKS = {".": "point", ",": "comma"}
ENCODINGS = (
    *("utf-8", "utf-16", "latin-1", "cp1252", "mac_roman", "cp1250", "cp1251"),
    *("shift_jis", "gb18030"),
)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One question, with the answer that was found or given.

    Parameters
    ----------
    guess
        What was found out, and why.
    chosen
        Whether the user gave the answer.
    open
        Whether it can be answered at all; else it is only format_guess.
    free
        Whether an answer besides the options can be written.
    """

    guess: Guess
    chosen: bool
    open: bool
    free: bool = False

    @property
    def key(self) -> str:
        return self.guess.key

    @property
    def options(self) -> Mapping[str, str]:
        """Return the possible answers, including the present one; empty if any text is possible."""
        options = dict(self.guess.options or {})
        if options and self.guess.value and self.guess.value not in options:
            options[self.guess.value] = self.guess.shown or self.guess.value
        return options


def entries_of(attempt: Attempt, before: Mapping[str, Guess]) -> dict[str, tuple[Entry, ...]]:
    """Return the entries of each section.

    Formats stop guessing what the user chose: `before` are the guesses that were made earlier, so
    that a choice stays on the form and can be taken back.
    """
    guesses = {guess.key: guess for guess in guesses_of(attempt)}
    defaults = Choices.defaults()
    chosen = {key for key, value in attempt.choices.as_values().items() if value != defaults[key]}
    for key in chosen - guesses.keys():
        if key in before:
            written = Choices.specs()[key].show(getattr(attempt.choices, key))
            guesses[key] = replace(before[key], value=written, shown="", reason=CHOSEN, sure=True)
    made = [
        _entry(guess, chosen=key in chosen) for key, guess in guesses.items() if key != ORIENTATION
    ]
    return _by_section(made)


def _by_section(made: Sequence[Entry]) -> dict[str, tuple[Entry, ...]]:
    """Return the entries of each section that has any; stray ones follow the first section."""
    first, *rest = SECTIONS.items()
    stray = tuple(entry.key for entry in made if entry.key not in chain(*SECTIONS.values()))
    sections = {
        section: tuple(entry for key in keys for entry in made if entry.key == key)
        for section, keys in ((first[0], first[1] + stray), *rest)
    }
    return {section: members for section, members in sections.items() if members}


def guesses_of(attempt: Attempt) -> tuple[Guess, ...]:
    """Return all guesses, including the one about the format."""
    reading = attempt.reading
    if reading is None:
        return ()
    reason = "Recognised by its content." if attempt.choices.format is None else CHOSEN
    shown = attempt.formats.get(reading.format, reading.format)
    format_guess = Guess("format", "Format", reading.format, reason, shown, attempt.formats)
    return (format_guess, *reading.guesses)


def blank_entries(attempt: Attempt) -> dict[str, tuple[Entry, ...]]:
    """Return questions about an unreadable file: its form, ways out, and earlier answers."""
    from ximstudio.load.text.dialect import DELIMITERS

    options = {"format": attempt.formats, "delimiter": DELIMITERS, "decimal": MARKS}
    values, defaults = attempt.choices.as_values(), Choices.defaults()
    specs = Choices.specs()
    named = (each for each in attempt.problems if each.form is SettingsForm.READING)
    helpful = {*SECTIONS["The file"], *(name for problem in named for name in problem.fields)}
    made = []
    for key in chain(*SECTIONS.values()):
        chosen = key in specs and values[key] != defaults[key]
        if chosen or key in specs.keys() & helpful:
            value = specs[key].show(values[key]) if chosen else ""
            reason = CHOSEN if chosen else ""
            guess = Guess(key, specs[key].label, value, reason, "found out", options.get(key))
            made.append(_entry(guess, chosen=chosen))
    return _by_section(made)


def _entry(guess: Guess, *, chosen: bool) -> Entry:
    if guess.key == "encoding":
        guess = replace(guess, options={name: name for name in ENCODINGS})
    return Entry(
        guess=guess,
        chosen=chosen,
        open=guess.key in Choices.specs(),
        free=guess.key in ("encoding", "features", "sample", *SIDE_KEYS),
    )


def with_answer(choices: Choices, key: str, text: str) -> Choices:
    """Return the choices with one answer of the user; raise UserError if it is not valid."""
    spec = Choices.specs()[key]
    return choices.replace(**{key: _parsed(spec, text)})


def _parsed(spec: Spec, text: str) -> Any:
    # In a free text, "auto" has no special meaning.
    if not isinstance(spec, Number | TextList):
        return text
    try:
        value = spec.parse(text.strip() or (AUTOMATIC if spec.automatic else ""))
    except ValueError:
        value = ...
    if value is ... or not spec.allows(value):
        raise UserError(
            key="params.bounds",
            what=f"{spec.label} cannot be {text!r}.",
            where=f"field '{spec.label}'",
            way_out=f"Give {spec.bounds}.",
        )
    return value


def without_answer(choices: Choices, key: str) -> Choices:
    """Return the choices without one answer, so that it is guessed again."""
    return choices.replace(**{key: Choices.defaults()[key]})
