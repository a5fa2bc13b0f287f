"""Sample data that come with the program."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ximstudio.assets import asset
from ximstudio.model.params import known

PREFIX = "sample:"


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One bundled table, with its origin."""

    key: str
    title: str
    about: str
    citation: str
    path: Path
    id: str
    labels: tuple[str, ...]


@cache
def samples() -> dict[str, Sample]:
    """Return all bundled samples by key."""
    entries = tomllib.loads(asset("samples", "samples.toml").read_text(encoding="utf-8"))
    return {
        key: Sample(
            key=key,
            title=entry["title"],
            about=entry["about"],
            citation=entry["citation"],
            path=asset("samples", entry["file"]),
            id=entry["id"],
            labels=tuple(entry["labels"]),
        )
        for key, entry in entries.items()
    }


def sample_named(key: str) -> Sample:
    """Return the sample with this key; refuse an unknown one with a suggestion."""
    known("sample", key, samples())
    return samples()[key]


def sample_of(source: str) -> Sample | None:
    """Return the sample that a table came from; None if it came from elsewhere."""
    return samples().get(source.removeprefix(PREFIX)) if source.startswith(PREFIX) else None


def called(source: str) -> str:
    """Return the display name of a table: a sample's title, or a file's name without folders."""
    sample = sample_of(source)
    return source.replace("\\", "/").rsplit("/", 1)[-1] if sample is None else sample.title
