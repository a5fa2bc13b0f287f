"""Views of maps: their settings, pictures, figures and legends. `VIEWS` lists them all."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ximstudio.model.params import known
from ximstudio.views.common.kind import ViewKind
from ximstudio.views.compare import COMPARE
from ximstudio.views.features import FEATURES
from ximstudio.views.heat_map import HEAT_MAP
from ximstudio.views.map import MAP
from ximstudio.views.portraits import PORTRAITS
from ximstudio.views.positions import POSITIONS
from ximstudio.views.quality import QUALITY

if TYPE_CHECKING:
    from ximstudio.views.common.state import ViewState

VIEWS: tuple[ViewKind, ...] = (
    MAP,
    POSITIONS,
    QUALITY,
    FEATURES,
    HEAT_MAP,
    PORTRAITS,
    COMPARE,
)
"""All views in the order of the tabs. Read it as `views.VIEWS`, because tests add to it."""


def view_named(key: str) -> ViewKind:
    """Return the view with this key; an unknown one is refused."""
    known("view", key, [kind.key for kind in VIEWS])
    return next(kind for kind in VIEWS if kind.key == key)


def state_named(view: str, values: Mapping[str, object] = MappingProxyType({})) -> ViewState:
    """Return the settings of a view from plain values; an unknown view is refused."""
    return view_named(view).state_class.from_values(values)
