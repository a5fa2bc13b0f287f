"""Facts about every item of a table and its map, as columns. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.maps.label_kinds import label_kinds, numbers_of
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import PrototypeMap
from ximstudio.pictures.map_texts import node_name, short_node_name
from ximstudio.pictures.ticks import number_text
from ximstudio.session import Run
from ximstudio.session.words import Words

NAME, CLUSTER, NODE = "name", "cluster", "node"
TRUST, CONTINUITY, ERROR = "trust", "continuity", "error"
LABEL = "label: "
"""Prefix of the name of a label, so that it cannot collide with other keys."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FactColumn:
    """One fact about every item: a text, or a number.

    Parameters
    ----------
    key, name, about
        Identifier, heading, and a sentence for the tool tip.
    texts
        One per item; '' where there is none.
    numbers
        One per item, NaN where there is none; they determine the order, and are formatted by
        `written` unless there are texts.
    """

    key: str
    name: str
    about: str = ""
    texts: Sequence[str] | None = None
    numbers: Floats | None = None
    written: Callable[[float], str] = number_text

    def text(self, item: int) -> str:
        """Return the text about an item."""
        if self.texts is not None:
            return self.texts[item]
        assert self.numbers is not None
        return self.written(float(self.numbers[item]))

    @property
    def is_number(self) -> bool:
        """Return whether it is written as a number, and so right-aligned."""
        return self.texts is None and self.written is number_text

    @cached_property
    def places(self) -> Floats:
        """Return the rank of every item in this column, shape (N,); NaN without a value.

        Texts are ordered ignoring case. For 50 000 that takes a tenth of a second.
        """
        if self.numbers is not None:
            return self.numbers
        assert self.texts is not None
        texts = self.texts
        folded = sorted({text.casefold() for text in texts if text})
        numbers = {text: float(number) for number, text in enumerate(folded)}
        numbers[""] = np.nan
        return np.fromiter((numbers[text.casefold()] for text in texts), np.float64, len(texts))

    @property
    def is_placed(self) -> bool:
        """Return whether the order is known already."""
        return self.numbers is not None or "places" in vars(self)

    def ordered(self, items: Ints, *, falling: bool = False) -> Ints:
        """Return items in the order of this column; those without a value always come last."""
        places = self.places[items]
        known = ~np.isnan(places)
        keys = -places[known] if falling else places[known]
        return np.concatenate([items[known][np.argsort(keys, kind="stable")], items[~known]])


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemFacts:
    """All facts about the items of a table.

    Parameters
    ----------
    matrix, run
        The table, and its displayed map; None if there is none.
    words
        Nouns for its items and features.
    columns
        The facts, the name first.
    """

    matrix: Matrix
    run: Run | None
    words: Words
    columns: tuple[FactColumn, ...]

    def column(self, key: str) -> FactColumn | None:
        """Return the column with this key, if it exists."""
        return next((column for column in self.columns if column.key == key), None)


def facts_of(matrix: Matrix, run: Run | None = None) -> ItemFacts:
    """Return the facts about the items: names, labels and, once there is a map, its results."""
    words, scales = Words.of_matrix(matrix), label_kinds(matrix).scales
    columns = [FactColumn(key=NAME, name=words.item.capitalize(), texts=matrix.item_ids)]
    for name, texts in matrix.item_labels.items():
        numbers = numbers_of(texts) if name in scales else None
        columns.append(FactColumn(key=LABEL + name, name=name, texts=texts, numbers=numbers))
    if run is not None:
        columns += _of_map(run, words)
    return ItemFacts(matrix=matrix, run=run, words=words, columns=tuple(columns))


def _of_map(run: Run, words: Words) -> tuple[FactColumn, ...]:
    made: list[FactColumn] = []
    if run.clustering is not None:
        from ximstudio.maps.clusters import items_of  # imports SciPy

        names = (*run.clustering.names, "")
        # Items without a cluster have −1, which indexes the last name.
        numbers = items_of(run.clustering, run.result.winners).tolist()
        texts = tuple(names[number] for number in numbers)
        made.append(FactColumn(key=CLUSTER, name="Cluster", texts=texts))
    result, evidence = run.result, run.evidence
    if isinstance(result.model, PrototypeMap) and result.winners is not None:
        grid = result.model.grid
        made.append(
            FactColumn(
                key=NODE,
                name="Node",
                about=f"The node whose prototype is most like the {words.item}:"
                f" {node_name(grid, 0).replace(' 1', '')}.",
                numbers=result.winners.astype(np.float64),
                # Numbers only: the column is narrow, and its tool tip explains them.
                written=lambda node: short_node_name(grid, int(node)),
            )
        )
    if evidence is None:
        return tuple(made)
    # Late: it imports SciPy, and is not needed before the map is measured.
    from ximstudio.measure.neighbourhoods import item_continuity, item_trust

    made += [
        FactColumn(
            key=TRUST,
            name="Trust",
            about="Whether its neighbours here are neighbours in the data; 1 if all of them are.",
            numbers=item_trust(evidence.ranks),
        ),
        FactColumn(
            key=CONTINUITY,
            name="Continuity",
            about="Whether its neighbours in the data are neighbours here; 1 if all of them are.",
            numbers=item_continuity(evidence.ranks),
        ),
    ]
    best = evidence.best_nodes
    if best is not None:
        made.append(
            FactColumn(
                key=ERROR,
                name="Error",
                about=f"Quantisation error: how far the {words.item} is from its node's prototype.",
                numbers=best.distances,
            )
        )
    return tuple(made)
