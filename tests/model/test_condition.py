"""Conditions of parameters: what they ask for, and how they say it."""

from dataclasses import dataclass

from ximstudio.model.condition import Above, Fact, NoneOf, OneOf
from ximstudio.model.params import Params
from ximstudio.model.spec import Choice, Number, param

OPTIONS = {"a": "one", "b": "another", "c": "a third"}


@dataclass(frozen=True, kw_only=True)
class Conditional(Params):
    """Parameters that depend on each other."""

    way: str = param("a", Choice(label="Way", help="", options=OPTIONS))
    weight: float = param(
        0.0, Number(label="Weight", help="", low=0, high=1, when=OneOf("way", "a", "b"))
    )
    depth: float = param(
        0.0,
        Number(label="Depth", help="", low=0, high=1, when=NoneOf("way", "c") & Above("weight")),
    )
    late: float = param(0.0, Number(label="Late", help="", low=0, high=1, new_items=True))
    last: float = param(
        0.0, Number(label="Last", help="", low=0, high=1, when=Fact("heavy", "it is heavy"))
    )

    @property
    def heavy(self) -> bool:
        return self.weight > 0.5


def test_that_parameters_say_which_of_them_have_no_effect() -> None:
    assert Conditional().unused() == ("depth", "late", "last")
    assert Conditional(weight=0.3).unused() == ("late", "last")
    assert Conditional(weight=0.7).unused(new_items=True) == ()
    assert Conditional(way="c", weight=0.7).unused() == ("weight", "depth", "late")


def test_that_a_declaration_says_when_it_is_used() -> None:
    specs = Conditional.specs()
    assert specs["way"].use == ""
    assert specs["weight"].use == "Only used if way=a or way=b."
    assert specs["depth"].use == "Only used if 'way' is not c, and 'weight' is above 0."
    assert specs["last"].use == "Only used if it is heavy."
    assert "new items" in specs["late"].use
