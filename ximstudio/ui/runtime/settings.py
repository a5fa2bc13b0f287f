"""What the window remembers from one day to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ximstudio.model.problem import Problem, UserError
from ximstudio.prepare.input import Input
from ximstudio.session.folders import data_folder, settings_folder
from ximstudio.session.preferences_file import PreferencesFile, Values
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

    Windows that are open at the same time share the file, and each changes only what its user
    changed. `pasted` is the folder for tables that came as text, and have no file of their own,
    `recovery` that for sessions that are kept by themselves.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        pasted: Path | None = None,
        recovery: Path | None = None,
    ) -> None:
        self._file = None if path is None else PreferencesFile(path)
        self.pasted = pasted
        self.recovery = recovery
        self.now = Remembered() if self._file is None else _understood(self._file.read())

    @property
    def forgetful(self) -> bool:
        """Whether there is no file."""
        return self._file is None

    @property
    def trouble(self) -> Problem | None:
        """What was wrong with the file when it was read last; None if nothing was."""
        return None if self._file is None else self._file.trouble

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
        """Remember something else; of mappings, only the entries that differ are changed."""
        before = self.now

        def edit(found: Remembered) -> Remembered:
            merged = {
                name: _merged(getattr(before, name), value, getattr(found, name))
                for name, value in changes.items()
            }
            return replace(found, **merged)

        self._change(edit)

    def remember_file(self, recent: Recent) -> None:
        """Put a file on top of the recent ones."""

        def edit(found: Remembered) -> Remembered:
            others = (one for one in found.recent if one.name != recent.name)
            return replace(found, recent=(recent, *others)[:MOST_RECENT])

        self._change(edit)

    @property
    def files(self) -> frozenset[Path]:
        """All files that it takes to open the recent tables and sessions again."""
        return frozenset(path for recent in self.now.recent for path in recent.wanted.files)

    def forget_file(self, name: str) -> None:
        """Take a file off the recent ones."""
        self._change(
            lambda found: replace(
                found, recent=tuple(one for one in found.recent if one.name != name)
            )
        )

    def _change(self, edit: Callable[[Remembered], Remembered]) -> None:
        if self._file is None:
            self.now = edit(self.now)
            return
        try:
            values = self._file.change(
                lambda values: {"schema": SCHEMA, **values, **_values(edit(_understood(values)))}
            )
        except OSError:
            # A full disk or a read-only home must not keep anybody from working.
            self.now = edit(self.now)
        else:
            self.now = _understood(values)


def _merged(before: Any, wanted: Any, found: Any) -> Any:
    """What is wanted; of a mapping, what is found with the entries that are to be others."""
    if not isinstance(wanted, Mapping):
        return wanted
    gone = before.keys() - wanted.keys()
    changed = {name: value for name, value in wanted.items() if before.get(name) != value}
    return {name: value for name, value in {**found, **changed}.items() if name not in gone}


def _values(remembered: Remembered) -> Values:
    """Plain values for the file; `_understood` reads them back."""
    return {
        "scheme": remembered.scheme.value,
        "folder": remembered.folder,
        "recent": [asdict(recent) for recent in remembered.recent],
        "layout": dict(remembered.layout),
        "switches": dict(remembered.switches),
        "export": {page: dict(chosen) for page, chosen in remembered.export.items()},
    }


def _understood(values: Values) -> Remembered:
    """What a file remembers; each thing that is not understood is as on the first day."""
    readers: dict[str, Callable[[Any], Any]] = {
        "scheme": Scheme,
        "folder": str,
        "recent": _recent,
        "layout": lambda found: {str(name): str(text) for name, text in found.items()},
        "switches": lambda found: {str(name): bool(on) for name, on in found.items()},
        "export": lambda found: {str(page): dict(chosen) for page, chosen in found.items()},
    }
    known: dict[str, Any] = {}
    for name, reader in readers.items():
        try:
            known[name] = reader(values[name])
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
    return Remembered(**known)


def _recent(entries: Any) -> tuple[Recent, ...]:
    """The recent files that can be told; entries of later versions may tell more of them."""
    names = {each.name for each in fields(Recent)}
    found = [
        Recent(**{name: value for name, value in entry.items() if name in names})
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("name"), str)
    ]
    return tuple(each for each in found if isinstance(each.size, str))[:MOST_RECENT]
