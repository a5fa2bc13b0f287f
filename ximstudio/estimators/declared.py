"""Signatures and documentation of estimators, from the parameters that methods declare."""

from __future__ import annotations

import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from ximstudio.model.spec import AUTOMATIC, Choice, Number, Pair, Spec, Switch
from ximstudio.train.method import Method

WIDTH = 92
RANDOM_STATE = "random_state"
GIVEN = "given"
"""The option that arrays stand for."""

ATTRIBUTES = """
Attributes
----------
positions_ : array (n_items, 2)
    Where every item lies.
history_ : History
    How training went.
n_iter_ : int
    How many steps it took.
result_ : Result
    All of it, with parameters, seed and hashes.
"""

ATTRIBUTES_OF_NODES = """\
prototypes_ : array (n_nodes, n_features)
    The nodes' vectors among the items.
nodes_ : array (n_nodes, 2)
    Their places on the map.
winners_ : array (n_items,)
    The node of every item.
"""


@dataclass(frozen=True, kw_only=True)
class Interface:
    """The methods of an estimator, by the option that chooses each.

    Parameters
    ----------
    methods
        Option → method; one without a name if there is nothing to choose.
    chooser
        The argument with these options; the first of them is its default.
    """

    methods: Mapping[str, Method]
    chooser: str = ""

    @cached_property
    def specs(self) -> dict[str, dict[str, Spec]]:
        """Parameter → its declarations by option, in the order in which methods declare them."""
        found: dict[str, dict[str, Spec]] = {}
        for option, method in self.methods.items():
            for name, spec in method.params.specs().items():
                found.setdefault(name, {})[option] = spec
        return found

    @cached_property
    def own_defaults(self) -> frozenset[str]:
        """Parameters whose defaults differ: None stands for that of the chosen method."""
        return frozenset(name for name in self.specs if len(set(self._defaults(name))) > 1)

    def default(self, name: str) -> Any:
        """The default of an argument."""
        return None if name in self.own_defaults else self._defaults(name)[0]

    def _defaults(self, name: str) -> list[Any]:
        declared = (method.params.defaults() for method in self.methods.values())
        return [defaults[name] for defaults in declared if name in defaults]

    @cached_property
    def annotations(self) -> dict[str, Any]:
        """The types of all parameters, as they are declared; arrays may stand for a start."""
        types = {
            field.name: field.type
            for method in self.methods.values()
            for field in dataclasses.fields(method.params)
        }
        optional = {name: f"{types[name]} | None" for name in self.own_defaults}
        return types | optional | ({"init": "Any"} if "init" in types else {})


def initialiser(interface: Interface, *, first: str = "") -> Callable[..., None]:
    """The `__init__` of an estimator: it keeps every argument under its name, as it is."""
    keyword = partial(inspect.Parameter, kind=inspect.Parameter.KEYWORD_ONLY)
    parameters = {
        name: keyword(name, default=interface.default(name), annotation=interface.annotations[name])
        for name in interface.specs
    }
    if interface.chooser:
        usual = next(iter(interface.methods))
        parameters[interface.chooser] = keyword(interface.chooser, default=usual, annotation="str")
    parameters[RANDOM_STATE] = keyword(RANDOM_STATE, default=None, annotation="Any")
    anywhere = inspect.Parameter.POSITIONAL_OR_KEYWORD
    leading = [inspect.Parameter("self", anywhere)]
    if first:
        leading.append(parameters.pop(first).replace(kind=anywhere))
    signature = inspect.Signature([*leading, *parameters.values()], return_annotation=None)

    def __init__(self: Any, *arguments: Any, **named: Any) -> None:  # noqa: N807
        bound = signature.bind(self, *arguments, **named)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if name != "self":
                setattr(self, name, value)

    # scikit-learn reads the arguments of an estimator there.
    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


def documented(summary: str, interface: Interface) -> str:
    """The docstring of an estimator, after numpydoc."""
    lines = [summary.strip(), "", "Parameters", "----------"]
    if interface.chooser:
        options = ", ".join(f'"{option}"' for option in interface.methods)
        lines.append(f"{interface.chooser} : {{{options}}}")
        for option, method in interface.methods.items():
            lines += _wrapped(f'"{option}" is {method.name}: {method.summary} [{method.equations}]')
    for name, specs in interface.specs.items():
        lines += _entry(name, specs, interface)
    lines.append("random_state : int, RandomState or None, default=None")
    lines += _wrapped("Same number, same map.")
    lines += ATTRIBUTES.splitlines()
    if any(method.map_kernel is not None for method in interface.methods.values()):
        lines += ATTRIBUTES_OF_NODES.splitlines()
    return "\n".join(lines) + "\n"


def _entry(name: str, specs: Mapping[str, Spec], interface: Interface) -> Iterator[str]:
    """One parameter: its kind and default, then what it does, for every method that has it."""
    spec = next(iter(specs.values()))
    yield f"{name} : {_kind(name, spec)}, default={interface.default(name)!r}"
    if interface.chooser and len(specs) < len(interface.methods):
        options = " or ".join(f'"{option}"' for option in specs)
        yield from _wrapped(f"Only with {interface.chooser}={options}.")
    if name in interface.own_defaults:
        yield from _wrapped(f"None takes the default that belongs to the {interface.chooser}.")
    yield from _wrapped(_meaning(spec))
    for option, other in specs.items():
        if _meaning(other) != _meaning(spec):
            yield from _wrapped(f'With {interface.chooser}="{option}": {_meaning(other)}')


def _meaning(spec: Spec) -> str:
    symbol = f" {spec.symbol}" if spec.symbol else ""
    unit = f" ({spec.unit})" if spec.unit else ""
    equation = f" [{spec.equation}]" if spec.equation else ""
    text = f"{spec.label}{symbol}{unit}{equation}. {spec.help} {spec.use}".rstrip()
    if isinstance(spec, Choice):
        meanings = (
            f'"{option}": {meaning}' for option, meaning in spec.options.items() if option != GIVEN
        )
        return f"{text} {'; '.join(meanings)}."
    if isinstance(spec, Switch):
        return text
    return f"{text} Allowed: {_allowed(spec)}."


def _allowed(spec: Spec) -> str:
    """The bounds without what is only for users who write texts: "auto" is None here."""
    if isinstance(spec, Pair):
        ends = "; ".join(f"{end.label} {_allowed(end)}" for end in (spec.first, spec.second))
        return f"{ends}; or None ({spec.automatic})" if spec.automatic else ends
    return spec.bounds.replace(f"or {AUTOMATIC}", "or None")


def _kind(name: str, spec: Spec) -> str:
    if isinstance(spec, Choice):
        options = "{" + ", ".join(f'"{option}"' for option in spec.options if option != GIVEN) + "}"
        if name == "init" and GIVEN in spec.options:
            return f"{options}, array of shape (n_nodes, n_features), or the Result of another map"
        return options
    if isinstance(spec, Pair):
        return f"({spec.first.label}, {spec.second.label})" + " or None" * bool(spec.automatic)
    if isinstance(spec, Number):
        return ("int" if spec.whole else "float") + (" or None" if spec.automatic else "")
    return "bool" if isinstance(spec, Switch) else "str or None"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ")
