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
    """One bundled table, with where it comes from."""

    key: str
    title: str
    about: str
    citation: str
    path: Path
    id: str
    labels: tuple[str, ...]


@cache
def samples() -> dict[str, Sample]:
    """All bundled samples by key."""
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
    """The sample with this key; unknown ones are refused with a proposal."""
    known("sample", key, samples())
    return samples()[key]
