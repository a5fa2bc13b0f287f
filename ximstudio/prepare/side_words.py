"""Words for both sides of a table, as sentences about steps use them."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.table import GENES, SAMPLES, Table
from ximstudio.model.words import counted, plural


@dataclass(frozen=True)
class SideWords:
    """What one of the genes' side, and one of the samples', is called."""

    gene: str = "gene"
    sample: str = "sample"

    @classmethod
    def of(cls, table: Table) -> SideWords:
        """The words of a table that is decided about; of others the usual ones."""
        kinds = {axis.side: axis.kind for axis in (table.items, table.features)}
        return cls(kinds.get(GENES) or "gene", kinds.get(SAMPLES) or "sample")

    def one(self, side: str) -> str:
        """The word for one of a side: "gene"; items and features go by their own names."""
        return {GENES: self.gene, SAMPLES: self.sample}.get(side, side.removesuffix("s"))

    def several(self, side: str) -> str:
        """The word for more than one: "genes"."""
        return plural(2, self.one(side))

    def counted(self, side: str, n: int) -> str:
        """How many of a side: "1 gene", "500 genes"."""
        return counted(n, self.one(side))


USUAL = SideWords()
