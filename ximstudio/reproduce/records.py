"""Records of runs that are to be retrained, read without trust."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ximstudio.model.params import Params
from ximstudio.model.parent import KINDS
from ximstudio.model.problem import UserError, because
from ximstudio.prepare.input import Input
from ximstudio.train import Method, method_named
from ximstudio.train.surroundings import made_here


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Versions, platform and processor: what the bits of a map may depend on besides itself."""

    values: Mapping[str, str]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Surroundings:
        """Return those in a record."""
        parts = [values.get(name, {}) for name in ("program", "versions", "platform")]
        return cls(values={str(name): str(text) for part in parts for name, text in part.items()})

    @classmethod
    def here(cls, *methods: str) -> Surroundings:
        """Return those of this process, for maps by these methods."""
        return cls.of(made_here(*methods).as_values())

    def unlike(self, other: Surroundings) -> list[str]:
        """List what differs or is missing in the other one: "numpy 2.1", "processor unknown".

        Entries that only the other one has are for other methods, and ignored.
        """
        return [
            f"{name} {other.values.get(name, 'unknown')}"
            for name, mine in self.values.items()
            if other.values.get(name) != mine
        ]


STARTED = "started"
"""A map that started from the prototypes of an earlier run."""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """The run that another one is derived from, by its name, and how.

    `folder` is where it was read from; None if it was not.
    """

    run: str
    kind: str
    item_ids: tuple[str, ...] = ()
    folder: str | None = None


@dataclass(frozen=True, kw_only=True)
class Record:
    """Record of one run.

    Parameters
    ----------
    method, params, seed, stop_after
        How it was trained; `stop_after` is its last step, if it was stopped.
    input, fingerprint, n_items, n_features
        The table, and what training saw of it.
    result_hash
        Result.hash of the map.
    landmarks
        Some items with their positions, to compare by where bits may differ.
    measures
        Key of a measure → its value.
    origin
        The run that it is derived from; None for an independent map.
    start
        The file with its start prototypes; None if there was none.
    surroundings
        Where it was made.
    """

    method: Method
    params: Params
    seed: int
    stop_after: int | None
    input: Input
    fingerprint: str
    n_items: int
    n_features: int
    result_hash: str
    landmarks: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    measures: Mapping[str, float] = field(default_factory=dict)
    origin: Origin | None = None
    start: str | None = None
    surroundings: Surroundings = field(default_factory=lambda: Surroundings(values={}))

    @classmethod
    def from_values(
        cls, values: Any, *, where: str, common: Mapping[str, Any] | None = None
    ) -> Record:
        """Read a record from plain values as in run.json, or in a script's receipt.

        `common` has versions and platform where the record lacks them. Anything else is refused.
        """
        try:
            return cls._from(values, {} if common is None else common)
        except UserError as error:
            raise damaged(where, error) from None
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise damaged(where, "an entry is missing or of another kind") from None

    @classmethod
    def _from(cls, values: Any, common: Mapping[str, Any]) -> Record:
        method = method_named(values["method"])
        data, steps = values["data"], values["steps"]
        done, planned = int(steps["done"]), int(steps["planned"])
        return cls(
            method=method,
            params=method.params.from_values(values["parameters"]),
            seed=int(values["seed"]),
            stop_after=done if done < planned else None,
            input=Input.from_values(data["input"]),
            fingerprint=str(data["fingerprint"]),
            n_items=int(data["items"]),
            n_features=int(data["features"]),
            result_hash=str(values["result_hash"]),
            landmarks={
                str(name): tuple(map(float, place))
                for name, place in values.get("landmarks", {}).items()
            },
            measures={str(key): float(value) for key, value in values.get("measures", {}).items()},
            origin=_origin(values.get("parent")),
            start=_text(values.get("start")),
            surroundings=Surroundings.of({**common, **values}),
        )


def _origin(values: Any) -> Origin | None:
    if values is None:
        return None
    kind = str(values["kind"])
    if kind not in (*KINDS, STARTED):
        raise ValueError(kind)
    return Origin(
        run=str(values["run"]),
        kind=kind,
        item_ids=tuple(map(str, values["item_ids"])),
        folder=_text(values.get("folder")),
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def damaged(where: str, why: str | UserError) -> UserError:
    """Return the error for expectations that cannot be read."""
    return UserError(
        key="verify.damaged",
        what=because("The expected results cannot be read", why),
        where=where,
        way_out="Export it again from the run, or use the unchanged file.",
    )
