"""Words for both sides of a table, as sentences about steps use them."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.table import GENES, SAMPLES, Table
from ximstudio.model.words import counted, plural


@dataclass(frozen=True)
class SideWords:
    """Words for one of the genes' side and one of the samples' side."""

    gene: str = "gene"
    sample: str = "sample"

    @classmethod
    def of(cls, table: Table) -> SideWords:
        """Return the words of a table with known sides; for others the usual ones."""
        kinds = {axis.side: axis.kind for axis in (table.items, table.features)}
        return cls(kinds.get(GENES) or "gene", kinds.get(SAMPLES) or "sample")

    def one(self, side: str) -> str:
        """Return the word for one of a side: "gene"; items and features keep their names."""
        return {GENES: self.gene, SAMPLES: self.sample}.get(side, side.removesuffix("s"))

    def several(self, side: str) -> str:
        """Return the word for more than one: "genes"."""
        return plural(2, self.one(side))

    def counted(self, side: str, n: int) -> str:
        """Return a count of a side: "1 gene", "500 genes"."""
        return counted(n, self.one(side))


USUAL = SideWords()
