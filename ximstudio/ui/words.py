"""What the things in a table are called in the window: genes and samples."""

from __future__ import annotations

from ximstudio.load.samples import PREFIX, samples
from ximstudio.session import Data


def name_of(data: Data) -> str:
    """What the table is called: its file's name, or the title of a sample."""
    sample = samples().get(data.name.removeprefix(PREFIX)) if PREFIX in data.name else None
    return data.name if sample is None else sample.title


def item_word(data: Data | None, n: int = 2) -> str:
    """What n items of the table are called: "gene", "genes", "samples", …"""
    return _counted("gene" if data is None else data.overview.item, n)


def feature_word(data: Data | None, n: int = 2) -> str:
    """What n features of the table are called."""
    return _counted("sample" if data is None else data.overview.feature, n)


def size_words(data: Data) -> str:
    """How large the prepared table is: "186 genes × 79 samples"."""
    items, features = data.table.n_items, data.table.n_features
    return (
        f"{grouped(items)} {item_word(data, items)} × "
        f"{grouped(features)} {feature_word(data, features)}"
    )


def grouped(number: int) -> str:
    """A number whose thousands are set apart by thin spaces."""
    return f"{number:,}".replace(",", "\u2009")


def _counted(word: str, n: int) -> str:
    return word if n == 1 else f"{word}s"
