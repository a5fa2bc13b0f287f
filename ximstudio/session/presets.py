"""Presets: settings with a name, four that come with the program and those a person keeps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ximstudio.model.params import Params
from ximstudio.model.problem import UserError
from ximstudio.session.folders import settings_folder
from ximstudio.session.plan import Plan
from ximstudio.train import method_named

SCHEMA = 1

KEPT = ("shape",)
"""The size of the map follows the data: a preset that does not name it leaves it alone."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A method and changes to its defaults, under a name.

    `own` tells a person's presets from those that come with the program.
    """

    name: str
    method_key: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    own: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", MappingProxyType(dict(self.changes)))

    def params(self, plan: Plan) -> Params:
        """The parameters it asks for; the size of the map is the plan's, unless it names one."""
        made = method_named(self.method_key).params.from_values(self.changes)
        names = made.specs()
        present = plan.params.as_values()
        kept = {
            name: present[name]
            for name in KEPT
            if name in names and name in present and name not in self.changes
        }
        return made.replace(**kept)

    def applied(self, plan: Plan) -> Plan:
        """The plan with these settings; the seed stays."""
        params = self.params(plan)
        return plan.with_method(self.method_key).with_params(params)

    def holds(self, plan: Plan) -> bool:
        """Whether the plan is already what this preset asks for."""
        return plan.method_key == self.method_key and self.params(plan) == plan.params


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


def preset_of(name: str, plan: Plan) -> Preset:
    """The plan under a name, with every value: defaults of later versions may be others."""
    return Preset(name=name, method_key=plan.method_key, changes=plan.params.as_values(), own=True)


def holding(plan: Plan, presets: Iterable[Preset]) -> Preset | None:
    """The preset that the plan follows; a person's own before ours."""
    found = [preset for preset in presets if _holds(preset, plan)]
    return next((preset for preset in found if preset.own), found[0] if found else None)


def _holds(preset: Preset, plan: Plan) -> bool:
    try:
        return preset.holds(plan)
    except UserError:
        # A map that this preset's own values do not go with, such as an odd torus of hexagons.
        return False


def free_name(wanted: str, presets: Iterable[Preset]) -> str:
    """The name, with a number behind it if it is taken."""
    taken = {preset.name for preset in presets}
    number = 2
    name = wanted
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    return name


def presets_file() -> Path:
    """Where a person's presets are kept."""
    return settings_folder() / "presets.json"


class OwnPresets:
    """A person's presets, kept in a file that is replaced as a whole."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = presets_file() if path is None else path

    def read(self) -> tuple[Preset, ...]:
        """All that can be used; what a file of another version holds beyond that is passed over."""
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
            entries = stored["presets"] if stored["schema"] <= SCHEMA else []
            made = [_preset(entry) for entry in entries]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return ()
        return tuple(preset for preset in made if preset is not None)

    def keep(self, preset: Preset) -> tuple[Preset, ...]:
        """Add a preset, in place of one with its name."""
        mine = replace(preset, own=True)
        others = self.read()
        if any(other.name == mine.name for other in others):
            return self._write(mine if other.name == mine.name else other for other in others)
        return self._write((*others, mine))

    def rename(self, old: str, new: str) -> tuple[Preset, ...]:
        """Give a preset another name; if that is taken, with a number."""
        mine = self.read()
        name = free_name(new, (other for other in (*PRESETS, *mine) if other.name != old))
        return self._write(
            replace(preset, name=name) if preset.name == old else preset for preset in mine
        )

    def delete(self, name: str) -> tuple[Preset, ...]:
        """Remove a preset."""
        return self._write(preset for preset in self.read() if preset.name != name)

    def _write(self, presets: Iterable[Preset]) -> tuple[Preset, ...]:
        kept = tuple(presets)
        entries = [
            {"name": each.name, "method": each.method_key, "changes": dict(each.changes)}
            for each in kept
        ]
        text = json.dumps({"schema": SCHEMA, "presets": entries}, indent=1, ensure_ascii=False)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            beside = self.path.with_suffix(".new")
            beside.write_text(text, encoding="utf-8")
            beside.replace(self.path)
        except OSError as error:
            raise UserError(
                key="presets.write",
                what="Presets could not be kept.",
                where=f"{self.path}: {error.strerror or error}",
                way_out="Free some space, or make the folder writable.",
            ) from error
        return kept


def _preset(entry: Mapping[str, Any]) -> Preset | None:
    """A preset from a file; None if this version does not understand it."""
    try:
        method = method_named(entry["method"])
        params = method.params.from_values(entry["changes"])
    except UserError:
        return None
    known = {name: getattr(params, name) for name in entry["changes"]}
    return Preset(name=str(entry["name"]), method_key=method.key, changes=known, own=True)
