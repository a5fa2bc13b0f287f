"""Bases of all view states: plain values, and the picture that is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any, ClassVar, Self, TypeAlias

from ximstudio.maps.palettes import PaletteScheme, default_palette, palette_named
from ximstudio.model.named_set import NamedSet
from ximstudio.model.problem import UserError
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown

Palettes: TypeAlias = tuple[tuple[PaletteScheme, str], ...]
"""The palette of every scheme, by its key."""

USUAL_PALETTES: Palettes = tuple((scheme, default_palette(scheme).key) for scheme in PaletteScheme)

Sight: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of the visible part of a drawing."""

COMMON, OWN = "common", "own"
"""Colour scales: one for all planes, or one for each."""


@dataclass(frozen=True, kw_only=True)
class PictureNeeds:
    """Parts of a session that are needed to draw a picture again, besides its maps.

    Parameters
    ----------
    sets
        The sets that are coloured, each with the number of its colour.
    clusters
        Whether clusters of the runs are visible.
    projected
        Whether items that were placed on the map later are visible.
    wander
        Whether colours show the wander of items.
    stability
        Whether the full result of the stability test is visible.
    repeated
        Whether measures are those of repetitions.
    seconds
        Whether the training time is shown.
    """

    sets: tuple[NamedSet, ...] = ()
    clusters: bool = False
    projected: bool = False
    wander: bool = False
    stability: bool = False
    repeated: bool = False
    seconds: bool = False


NO_NEEDS = PictureNeeds()
"""Maps and tables suffice."""


@dataclass(frozen=True, kw_only=True)
class ViewState:
    """Settings of a view: with what is shown, all that its picture depends on.

    Empty texts stand for whatever suits the map. Sessions and figures store states, from which
    views are restored.

    Parameters
    ----------
    palettes
        The colours for numbers.
    """

    view: ClassVar[str]
    """Key of the view whose state it is."""

    palettes: Palettes = USUAL_PALETTES

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> object:
        """Compute the picture from scratch."""
        raise NotImplementedError

    @classmethod
    def for_command(cls, label: str) -> Self:
        """Return the settings for a figure that a command draws: all items, coloured by a label."""
        return cls()

    def command_view(self, *, dots: bool) -> str:
        """Return what `--view` calls a figure of this, with dots for repetitions or without."""
        return self.view

    def pages(self, *, swept: bool) -> tuple[tuple[str, Self], ...]:
        """Return the figures that can be made, by name; the sweep only if there is one."""
        return (("", self),)

    def runs(self, shown: Shown) -> tuple[Run, ...]:
        """Return the runs that a figure shows."""
        return () if shown.run is None else (shown.run,)

    @property
    def shows_compared(self) -> bool:
        """Return whether it shows the compared runs."""
        return False

    @property
    def shows_sweep(self) -> bool:
        """Return whether it shows a sweep, whose maps are not runs."""
        return False

    def with_sets_renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same settings for sets with other names; old → new."""
        return self

    def with_palette(self, key: str) -> Self:
        """Return the same settings with these colours for numbers, where their kind is used."""
        chosen = palette_named(key)
        palettes = dict(self.palettes) | {chosen.scheme: chosen.key}
        return replace(self, palettes=tuple(palettes.items()))

    def work(self, shown: Shown, *, table: bool = False) -> PictureNeeds:
        """Return the user's work that the picture shows, with the `table` below maps."""
        return NO_NEEDS

    def as_values(self) -> dict[str, Any]:
        """Return plain values for JSON without the defaults; `from_values` reads them back."""
        values = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }
        if "palettes" in values:
            values["palettes"] = [key for _, key in self.palettes]
        return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Read a state from plain values; whatever is not understood keeps its default."""
        given = {}
        for field in fields(cls):
            if field.name not in values:
                continue
            value = _read(values[field.name], field.name, like=field.default)
            if value is not None:
                given[field.name] = value
        return cls(**given)


@dataclass(frozen=True, kw_only=True)
class CanvasState(ViewState):
    """Settings of a canvas.

    Parameters
    ----------
    hidden
        Names of the classes that are switched off in the legend.
    rows, columns
        Number of rows and columns by which a map that repeats is moved across its seams.
    repeated
        Whether the map is repeated beyond its seams.
    sight
        The visible part, once the user has zoomed or moved; None for all of it.
    """

    hidden: tuple[str, ...] = ()
    rows: int = 0
    columns: int = 0
    repeated: bool = False
    sight: Sight | None = None


@dataclass(frozen=True, kw_only=True)
class PlanesState(ViewState):
    """Planes of a map, all or one.

    Parameters
    ----------
    by, option
        The order of the planes, and the feature or label that it depends on.
    scaling
        Whether equal colours mean equal values on all planes; '' for what suits them.
    search
        Only planes whose names contain these words are shown.
    enlarged
        The plane that is shown alone; '' for all.
    """

    scalings: ClassVar[tuple[str, ...]] = (COMMON, OWN)
    """Values of `scaling`."""
    described: ClassVar[str]
    """Their name in the legend of a figure."""

    by: str = ""
    option: str = ""
    scaling: str = ""
    search: str = ""
    enlarged: str = ""


def _read(value: Any, name: str, *, like: Any) -> Any:
    """Return a value if it is of the kind of a field, else None."""
    if name == "palettes":
        return _palettes(value)
    if name == "sight":
        return _sight(value)
    if isinstance(like, tuple):
        texts = isinstance(value, list) and all(isinstance(text, str) for text in value)
        return tuple(value) if texts else None
    if isinstance(like, bool) or isinstance(value, bool):
        return value if isinstance(like, bool) and isinstance(value, bool) else None
    if isinstance(like, float) and isinstance(value, int | float) and isfinite(value):
        return float(value)
    return value if type(value) is type(like) else None


def _palettes(value: Any) -> Palettes | None:
    if not isinstance(value, list):
        return None
    chosen = dict(USUAL_PALETTES)
    for key in value:
        try:
            palette = palette_named(key)
        except (UserError, TypeError, KeyError, ValueError, StopIteration):
            continue
        chosen[palette.scheme] = palette.key
    return tuple(chosen.items())


def _sight(value: Any) -> Sight | None:
    if not isinstance(value, list) or len(value) != 4:
        return None
    if not all(type(number) in (int, float) and isfinite(number) for number in value):
        return None
    left, top, right, bottom = map(float, value)
    return (left, top, right, bottom) if left < right and top < bottom else None
