"""The works that a text cites, numbered in the order of first citation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ximstudio.place import shepard

REPORT = "wismueller"

REFERENCES: Mapping[str, str] = MappingProxyType(
    {
        REPORT: "A. Wismüller, A Computational Framework for Nonlinear Dimensionality Reduction of"
        " Large Data Sets: The Exploratory Inspection Machine (XIM), technical report, version"
        " 1.0.",
        "xom": "A. Wismüller, A computational framework for exploratory data analysis, Proceedings"
        " of the European Symposium on Artificial Neural Networks (ESANN), Bruges (2009).",
        "ne-xom": "K. Bunte, B. Hammer, T. Villmann, M. Biehl and A. Wismüller, Neighbor embedding"
        " XOM for dimension reduction and visualization, Neurocomputing 74:1340–1350 (2011).",
        "kohonen": "T. Kohonen, Self-Organizing Maps, 3rd edition, Springer, Berlin (2001).",
        "heskes": "T. Heskes, Energy functions for self-organizing maps, in: E. Oja and S. Kaski"
        " (eds), Kohonen Maps, Elsevier, Amsterdam, 303–315 (1999).",
        "pearson": "K. Pearson, On lines and planes of closest fit to systems of points in space,"
        " Philosophical Magazine 2:559–572 (1901).",
        "srebro": "N. Srebro and T. Jaakkola, Weighted low-rank approximations, Proceedings of the"
        " Twentieth International Conference on Machine Learning (ICML), 720–727 (2003).",
        "sne": "G. Hinton and S. Roweis, Stochastic neighbor embedding, Advances in Neural"
        " Information Processing Systems 15 (2002).",
        "t-sne": "L. van der Maaten and G. Hinton, Visualizing data using t-SNE, Journal of Machine"
        " Learning Research 9:2579–2605 (2008).",
        "belkina": "A. C. Belkina et al., Automated optimized parameters for T-distributed"
        " stochastic neighbor embedding improve visualization and analysis of large datasets,"
        " Nature Communications 10:5415 (2019).",
        "kobak": "D. Kobak et al., Heavy-tailed kernels reveal a finer cluster structure in t-SNE"
        " visualisations, European Conference on Machine Learning (ECML PKDD) (2019).",
        "opentsne": "P. G. Poličar, M. Stražar and B. Zupan, openTSNE: a modular Python library for"
        " t-SNE dimensionality reduction and embedding, bioRxiv 731877 (2019).",
        "umap": "L. McInnes, J. Healy and J. Melville, UMAP: Uniform Manifold Approximation and"
        " Projection for Dimension Reduction, arXiv:1802.03426 (2018).",
        "shepard": shepard.WORK,
        "gower": "J. C. Gower, Generalized Procrustes analysis, Psychometrika 40:33–51 (1975).",
        "rousseeuw": "P. J. Rousseeuw, Silhouettes: a graphical aid to the interpretation and"
        " validation of cluster analysis, Journal of Computational and Applied Mathematics"
        " 20:53–65 (1987).",
        "numpy": "C. R. Harris et al., Array programming with NumPy, Nature 585:357–362 (2020).",
        "numba": "S. K. Lam, A. Pitrou and S. Seibert, Numba: a LLVM-based Python JIT compiler,"
        " Proceedings of the Second Workshop on the LLVM Compiler Infrastructure in HPC, 1–6"
        " (2015).",
    }
)
"""Every work that a sentence may cite, by a short key."""


class Citations:
    """The works cited so far, shared by all sentences of a text."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def of(self, *keys: str, equations: Sequence[int] = ()) -> str:
        """Cite the works with these keys: " [1, 3]".

        One work may be cited for some of its `equations`: " [1, eqs 12 and 24]".
        """
        return self.of_texts(*(REFERENCES[key] for key in keys), equations=equations)

    def of_texts(self, *texts: str, equations: Sequence[int] = ()) -> str:
        """Cite works that have no key, such as those of sample data."""
        if not texts:
            return ""
        numbers = ", ".join(str(number) for number in sorted(map(self._number, texts)))
        return f" [{numbers}{_equations(equations)}]"

    def _number(self, text: str) -> int:
        if text not in self._texts:
            self._texts.append(text)
        return self._texts.index(text) + 1

    @property
    def cited(self) -> tuple[str, ...]:
        """All cited works, in order."""
        return tuple(self._texts)


def _equations(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    if len(numbers) == 1:
        return f", eq. {numbers[0]}"
    *first, last = numbers
    return f", eqs {', '.join(map(str, first))} and {last}"
