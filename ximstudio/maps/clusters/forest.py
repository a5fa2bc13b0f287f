"""Sets of nodes that grow together."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Ints


class Forest:
    """Nodes 0..n−1, each at first a set of its own."""

    def __init__(self, n: int) -> None:
        self._above = list(range(n))

    def copy(self) -> Forest:
        """A forest that grows on its own from here."""
        made = Forest(0)
        made._above = self._above.copy()
        return made

    def root(self, node: int) -> int:
        """The node that stands for the set."""
        above = self._above
        while above[node] != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    def join(self, one: int, other: int) -> None:
        """Make one set of two; the first one's root stands for it."""
        self._above[self.root(other)] = self.root(one)

    def roots(self) -> Ints:
        """The root of every node's set."""
        return np.array([self.root(node) for node in range(len(self._above))], dtype=np.int64)

    def numbers(self) -> Ints:
        """The number of every node's set, from 0 on."""
        return np.unique(self.roots(), return_inverse=True)[1].astype(np.int64)
