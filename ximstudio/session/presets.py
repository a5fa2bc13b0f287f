"""Presets: named settings, some of the program and the user's own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import Problem, UserError
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.preferences_file import PreferencesFile, Values, settings_folder
from ximstudio.train import method_named

SCHEMA = 1
Entries: TypeAlias = list[Any]
"""Presets as stored in the file."""

KEPT = {"shape"}
"""The size of the map follows the data: a preset that does not name it leaves it alone."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A method and changes to its defaults, under a name.

    `own` distinguishes the user's presets from those of the program.
    """

    name: str
    method_key: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    own: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", MappingProxyType(dict(self.changes)))

    def params(self, plan: TrainingPlan) -> MethodParams:
        """The preset's parameters; the map's size is the plan's, unless the preset names one."""
        made = method_named(self.method_key).params.from_values(self.changes)
        present = plan.params.as_values()
        kept = (present.keys() & made.specs().keys() & KEPT) - self.changes.keys()
        return made.replace(**{name: present[name] for name in kept})

    def applied(self, plan: TrainingPlan) -> TrainingPlan:
        """Return the plan with these settings; the seed stays."""
        return plan.with_method(self.method_key).with_params(self.params(plan))

    def holds(self, plan: TrainingPlan) -> bool:
        """Return whether the plan already follows this preset."""
        try:
            return plan.method_key == self.method_key and self.params(plan) == plan.params
        except UserError:
            # The map does not suit this preset's values, such as an odd torus of hexagons.
            return False


PRESETS: tuple[Preset, ...] = (
    Preset(
        name="Balanced",
        about="Groups and the overall picture in balance: a good first map of any table.",
        method_key="c-xim",
    ),
    Preset(
        name="Clear clusters",
        about="Groups keep their distance, and little is torn or put falsely together.",
        method_key="c-xim",
        changes={"repulsion": 0.4, "reach": (1.2, 0.2)},
    ),
    Preset(
        name="Smooth overview",
        about="Soft transitions with clear ridges between regions, over most of the map.",
        method_key="xim",
        changes={"repulsion": 0.1, "reach": (1.2, 0.4), "width": (None, 1.5)},
    ),
    Preset(
        name="The report's settings",
        about="c-XIM by the report's rules (TR 16, 24, 25) on 30 × 30 nodes. The numbers are ours,"
        " found on the report's genes.",
        method_key="c-xim",
        changes={
            "shape": (30, 30),
            "lattice": "rectangular",
            "toroidal": False,
            "repulsion": 0.25,
            "reach": (2.5, 0.2),
            "width": (None, 0.4),
            "step": (0.45, 0.02),
            "annealing": "exponential",
            "best_match": "distance",
            "rule": "weighted",
        },
    ),
    Preset(
        name="Classic SOM",
        about="Kohonen's map without repulsion: all of the map is used, distances mean little.",
        method_key="som",
    ),
)

NAMES = frozenset(preset.name for preset in PRESETS)


def preset_of(name: str, plan: TrainingPlan) -> Preset:
    """Save the plan under a name, with every value, as later versions may have other defaults."""
    return Preset(name=name, method_key=plan.method_key, changes=plan.params.as_values(), own=True)


def holding(plan: TrainingPlan, presets: Iterable[Preset]) -> Preset | None:
    """Find the preset that the plan follows; the user's own come first."""
    found = [preset for preset in presets if preset.holds(plan)]
    return next((preset for preset in found if preset.own), found[0] if found else None)


def plan_for_another_table(plan: TrainingPlan, presets: Iterable[Preset]) -> TrainingPlan:
    """Plan for a newly opened table: the preset that was followed, or the defaults.

    Settings made for one table (its size, metric, number of steps) may be wrong for the next;
    settings for all tables belong into a preset.
    """
    preset = holding(plan, presets)
    return TrainingPlan() if preset is None else preset.applied(TrainingPlan())


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return the name, with a number added if it is taken."""
    number = 2
    name = wanted
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    return name


def presets_file() -> Path:
    """File of the user's presets."""
    return settings_folder() / "presets.json"


class OwnPresets:
    """The user's presets in a file; entries that this version does not understand stay in it."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = PreferencesFile(presets_file() if path is None else path)

    @property
    def trouble(self) -> Problem | None:
        """The problem with the file when it was last read; None if there was none."""
        return self._file.trouble

    def read(self) -> tuple[Preset, ...]:
        """Read all usable presets, in the order of the file."""
        return _understood(_entries(self._file.read()))

    def keep(self, preset: Preset) -> tuple[Preset, ...]:
        """Add a preset, or replace the one of the same name."""

        def edit(entries: Entries) -> Entries:
            if any(_is(each, preset.name) for each in entries):
                return [_entry(preset) if _is(each, preset.name) else each for each in entries]
            # An entry of another version may have the name without being visible here.
            name = free_name(preset.name, _names(entries))
            return [*entries, _entry(replace(preset, name=name))]

        return self._change(edit)

    def rename(self, old: str, new: str) -> tuple[Preset, ...]:
        """Rename a preset; if the name is taken, a number is added."""

        def edit(entries: Entries) -> Entries:
            others = [each for each in entries if not _is(each, old)]
            name = free_name(new, NAMES | _names(others))
            return [{**each, "name": name} if _is(each, old) else each for each in entries]

        return self._change(edit)

    def delete(self, name: str) -> tuple[Preset, ...]:
        """Remove a preset."""
        return self._change(lambda entries: [each for each in entries if not _is(each, name)])

    def _change(self, edit: Callable[[Entries], Entries]) -> tuple[Preset, ...]:
        def changed(values: Values) -> Values:
            # Keep the number of a later version, as its entries are kept, too.
            schema = values.get("schema", SCHEMA)
            return {**values, "schema": schema, "presets": edit(_entries(values))}

        try:
            values = self._file.change(changed)
        except OSError as error:
            raise UserError(
                key="presets.write",
                what="The preset could not be saved.",
                where=f"{self._file.path}: {error.strerror or error}",
                way_out="Free disk space, or make the folder writable.",
            ) from error
        return _understood(_entries(values))


def _entries(values: Values) -> Entries:
    entries = values.get("presets")
    return entries if isinstance(entries, list) else []


def _entry(preset: Preset) -> Values:
    return {"name": preset.name, "method": preset.method_key, "changes": dict(preset.changes)}


def _name(entry: Any) -> str | None:
    """Name of an entry; None if it has none."""
    name = entry.get("name") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else None


def _is(entry: Any, name: str) -> bool:
    """Return whether an entry is the usable preset of this name."""
    return _name(entry) == name and _preset(entry) is not None


def _names(entries: Entries) -> set[str]:
    return {name for each in entries if (name := _name(each)) is not None}


def _understood(entries: Entries) -> tuple[Preset, ...]:
    return tuple(preset for preset in map(_preset, entries) if preset is not None)


def _preset(entry: Any) -> Preset | None:
    """Read a preset; None if this version does not understand it."""
    name = _name(entry)
    if name is None:
        return None
    try:
        method = method_named(entry["method"])
        params = method.params.from_values(entry["changes"])
        known = {name: getattr(params, name) for name in entry["changes"]}
    except (UserError, KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    return Preset(name=name, method_key=method.key, changes=known, own=True)
