"""States of views go through files and come back, whatever a file holds."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.maps.palettes import PALETTES, PaletteScheme
from ximstudio.model.problem import UserError
from ximstudio.views import VIEWS, state_named
from ximstudio.views.common.state import ViewState
from ximstudio.views.map.state import MapState

STATES = [kind.state_class for kind in VIEWS]
DIVERGING = [one.key for one in PALETTES if one.scheme is PaletteScheme.DIVERGING][-1]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", STATES)
def test_that_a_view_nobody_touched_has_nothing_to_tell(kind: type[ViewState]) -> None:
    assert kind().as_values() == {}
    assert kind.from_values({}) == kind()


@pytest.mark.parametrize("kind", STATES)
def test_that_every_choice_comes_back_from_json(kind: type[ViewState]) -> None:
    samples: dict[type, Any] = {str: "x", int: 3, bool: True, float: 0.5, tuple: ("a", "b")}
    changes = {
        field.name: samples[type(field.default)]
        for field in fields(kind)
        if field.name not in ("palettes", "sight")
    }
    changes["palettes"] = (
        (PaletteScheme.SEQUENTIAL, "cividis"),
        (PaletteScheme.DIVERGING, DIVERGING),
    )
    if "sight" in kind.__dataclass_fields__:
        changes["sight"] = (0.0, 1.0, 2.0, 3.5)
    state = kind(**changes)
    assert kind.from_values(json.loads(json.dumps(state.as_values()))) == state


@pytest.mark.parametrize("kind", STATES)
@given(data=st.data())
def test_that_no_value_of_a_file_harms(kind: type[ViewState], data: st.DataObject) -> None:
    names = list(kind.__dataclass_fields__)
    values = data.draw(st.dictionaries(st.sampled_from(names), ANYTHING))
    state = kind.from_values(values)
    assert kind.from_values(json.loads(json.dumps(state.as_values()))) == state


def test_that_an_unknown_palette_leaves_the_usual_one() -> None:
    state = MapState.from_values({"palettes": ["no such colours"], "layer": "hits"})
    assert state == MapState(layer="hits")


def test_that_an_unknown_view_is_refused() -> None:
    with pytest.raises(UserError) as refused:
        state_named("cinema")
    assert refused.value.keys == ("view.unknown",)
