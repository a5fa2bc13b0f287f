"""What the window remembers from one day to the next."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input
from ximstudio.session.folders import data_folder, settings_folder
from ximstudio.ui.look.theme import Scheme

SCHEMA = 1
MOST_RECENT = 8
"""Recent files that are remembered."""


@dataclass(frozen=True, kw_only=True)
class Recent:
    """A table or session that was opened, and how: opening it again needs no questions.

    Parameters
    ----------
    name
        The file.
    size
        How large it was: "186 genes × 79 samples"; of a session, what was in it: "3 maps".
    input
        `Input.as_values` of the last time; nothing for a session.
    session
        Whether it is a session.
    """

    name: str
    size: str = ""
    input: Mapping[str, Any] = field(default_factory=dict)
    session: bool = False

    @property
    def wanted(self) -> Input:
        """What to open: as the last time, or as it is found if that is no longer understood."""
        try:
            return Input.from_values(self.input)
        except (UserError, KeyError, TypeError, ValueError, AttributeError):
            return Input(name=self.name)


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """All that is remembered.

    Parameters
    ----------
    scheme
        Light, dark, or as the system has it.
    folder
        Where a file was opened last.
    recent
        Files, the newest first.
    layout
        Places and sizes of windows and of their parts by name, as Qt writes them.
    switches
        What was folded away, by name.
    export
        What was chosen when something was exported last, by page: plain values.
    """

    scheme: Scheme = Scheme.AUTO
    folder: str = ""
    recent: tuple[Recent, ...] = ()
    layout: Mapping[str, str] = field(default_factory=dict)
    switches: Mapping[str, bool] = field(default_factory=dict)
    export: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("layout", "switches", "export"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))


class Settings:
    """What is remembered, and the file that keeps it; without a file it is forgotten at the end.

    `pasted` is the folder for tables that came as text, and have no file of their own, `recovery`
    that for sessions that are kept by themselves.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        pasted: Path | None = None,
        recovery: Path | None = None,
    ) -> None:
        self._path = path
        self.pasted = pasted
        self.recovery = recovery
        self.now = Remembered() if path is None else _read(path)

    @property
    def forgetful(self) -> bool:
        """Whether there is no file."""
        return self._path is None

    @classmethod
    def of_this_person(cls) -> Settings:
        """The settings where the system keeps such things, or where they were moved to."""
        folder = data_folder()
        return cls(
            settings_folder() / "settings.json",
            pasted=folder / "pasted",
            recovery=folder / "recovery",
        )

    def change(self, **changes: Any) -> None:
        """Remember something else."""
        self.now = replace(self.now, **changes)
        if self._path is not None:
            # A full disk or a read-only home must not keep anybody from working.
            with suppress(OSError):
                _write(self._path, self.now)

    def remember_file(self, recent: Recent) -> None:
        """Put a file on top of the recent ones."""
        others = (one for one in self.now.recent if one.name != recent.name)
        self.change(recent=(recent, *others)[:MOST_RECENT])

    @property
    def files(self) -> frozenset[Path]:
        """All files that it takes to open the recent tables and sessions again."""
        return frozenset(path for recent in self.now.recent for path in recent.wanted.files)

    def forget_file(self, name: str) -> None:
        """Take a file off the recent ones."""
        self.change(recent=tuple(one for one in self.now.recent if one.name != name))


def _write(path: Path, remembered: Remembered) -> None:
    values = {
        "schema": SCHEMA,
        "scheme": remembered.scheme.value,
        "folder": remembered.folder,
        "recent": [asdict(recent) for recent in remembered.recent],
        "layout": dict(remembered.layout),
        "switches": dict(remembered.switches),
        "export": {page: dict(chosen) for page, chosen in remembered.export.items()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    # Whole or not at all: another window may read it, or the machine stop.
    half = path.with_name(f"{path.name}.{os.getpid()}")
    half.write_text(json.dumps(values, indent=1), encoding="utf-8")
    half.replace(path)


def _read(path: Path) -> Remembered:
    """What a file remembers; what is not understood in it is as on the first day."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        if values["schema"] != SCHEMA:
            return Remembered()
        return Remembered(
            scheme=Scheme(values["scheme"]),
            folder=str(values["folder"]),
            recent=tuple(Recent(**recent) for recent in values["recent"][:MOST_RECENT]),
            layout={str(name): str(text) for name, text in values["layout"].items()},
            switches={str(name): bool(on) for name, on in values["switches"].items()},
            # Files of earlier versions have nothing about it.
            export={str(page): dict(chosen) for page, chosen in values.get("export", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Remembered()
