"""Settings that the window keeps between sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ximstudio.model.problem import Problem, UserError
from ximstudio.prepare.input import Input
from ximstudio.session.preferences_file import PreferencesFile, Values, data_folder, settings_folder
from ximstudio.ui.widgets.look.theme import Scheme

SCHEMA = 1
MOST_RECENT = 8
"""Recent files that are kept."""


@dataclass(frozen=True, kw_only=True)
class Recent:
    """A table or session that was opened, and how, so that it can be opened again at once.

    Parameters
    ----------
    name
        The file.
    size
        Size of a table: "186 genes × 79 samples"; contents of a session: "3 maps".
    input
        `Input.as_values` of the last time; empty for a session.
    session
        Whether it is a session.
    """

    name: str
    size: str = ""
    input: Mapping[str, Any] = field(default_factory=dict)
    session: bool = False

    @property
    def wanted(self) -> Input:
        """The input to open: as the last time, or with defaults if that cannot be read."""
        try:
            return Input.from_values(self.input)
        except (UserError, KeyError, TypeError, ValueError, AttributeError):
            return Input(name=self.name)


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """All settings.

    Parameters
    ----------
    scheme
        Light, dark, or as the system.
    folder
        Folder of the file that was opened last.
    recent
        Recent files, the newest first.
    layout
        Geometry of windows and splitters by name, as Qt writes it.
    switches
        Parts that are folded, and hints that were closed, by name.
    export
        The last choices of the export dialog by page, as plain values.
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
    """The settings and their file; without a file they are lost at the end.

    Several windows share the file, and each writes only what changed in it. `pasted` is the folder
    for tables pasted as text, `recovery` that for autosaved sessions.
    """

    def __init__(
        self, path: Path | None = None, *, pasted: Path | None = None, recovery: Path | None = None
    ) -> None:
        self._file = None if path is None else PreferencesFile(path)
        self.pasted = pasted
        self.recovery = recovery
        self.now = Remembered() if self._file is None else _understood(self._file.read())

    @property
    def forgetful(self) -> bool:
        """True if there is no file."""
        return self._file is None

    @property
    def trouble(self) -> Problem | None:
        """The problem when the file was read last; None without one."""
        return None if self._file is None else self._file.trouble

    @classmethod
    def of_this_person(cls) -> Settings:
        """Return the settings in the system's folder, or in that which the environment names."""
        folder = data_folder()
        return cls(
            settings_folder() / "settings.json",
            pasted=folder / "pasted",
            recovery=folder / "recovery",
        )

    def change(self, **changes: Any) -> None:
        """Change fields; of mappings, only the entries that differ."""
        before = self.now

        def edit(found: Remembered) -> Remembered:
            merged = {
                name: _merged(getattr(before, name), value, getattr(found, name))
                for name, value in changes.items()
            }
            return replace(found, **merged)

        self._change(edit)

    def remember_file(self, recent: Recent) -> None:
        """Move a file to the top of the recent ones."""

        def edit(found: Remembered) -> Remembered:
            others = (one for one in found.recent if one.name != recent.name)
            return replace(found, recent=(recent, *others)[:MOST_RECENT])

        self._change(edit)

    @property
    def files(self) -> frozenset[Path]:
        """All files that the recent tables and sessions need."""
        return frozenset(path for recent in self.now.recent for path in recent.wanted.files)

    def forget_file(self, name: str) -> None:
        """Remove a file from the recent ones."""
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
            # A full disk or a read-only home must not stop the program.
            self.now = edit(self.now)
        else:
            self.now = _understood(values)


def _merged(before: Any, wanted: Any, found: Any) -> Any:
    """Return the new value; of a mapping, the stored one with the changed entries."""
    if not isinstance(wanted, Mapping):
        return wanted
    gone = before.keys() - wanted.keys()
    changed = {name: value for name, value in wanted.items() if before.get(name) != value}
    return {name: value for name, value in {**found, **changed}.items() if name not in gone}


def _values(remembered: Remembered) -> Values:
    """Return plain values for the file; `_understood` reads them."""
    return {name: write(getattr(remembered, name)) for name, (_, write) in _FIELDS.items()}


def _understood(values: Values) -> Remembered:
    """Return the settings of a file; defaults where it cannot be read."""
    known: dict[str, Any] = {}
    for name, (read, _) in _FIELDS.items():
        try:
            known[name] = read(values[name])
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
    return Remembered(**known)


def _recent(entries: Any) -> tuple[Recent, ...]:
    """Return the recent files; entries of later versions may have more fields."""
    names = {each.name for each in fields(Recent)}
    found = [
        Recent(**{name: value for name, value in entry.items() if name in names})
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("name"), str)
    ]
    return tuple(each for each in found if isinstance(each.size, str))[:MOST_RECENT]


def _pages(found: Any) -> dict[str, Any]:
    return {str(page): dict(chosen) for page, chosen in found.items()}


_FIELDS: Mapping[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "scheme": (Scheme, lambda scheme: scheme.value),
    "folder": (str, str),
    "recent": (_recent, lambda recent: [asdict(each) for each in recent]),
    "layout": (lambda found: {str(name): str(text) for name, text in found.items()}, dict),
    "switches": (lambda found: {str(name): bool(on) for name, on in found.items()}, dict),
    "export": (_pages, _pages),
}
"""By field: how to read its plain value from the file, and how to write it."""
