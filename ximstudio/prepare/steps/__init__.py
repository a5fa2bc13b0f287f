"""All steps that a recipe can have: `STEPS` lists them by group."""

from __future__ import annotations

from collections.abc import Sequence

from ximstudio.model.registry import Registry
from ximstudio.prepare.step import Step

STEPS: Sequence[Step] = Registry(
    __name__,
    {
        "orientation": "orientation:ORIENTATION",
        "rename": "rename:RENAME",
        "repeated": "repeated:REPEATED",
        "make_label": "make_label:MAKE_LABEL",
        "keep": "choose:KEEP",
        "drop": "choose:DROP",
        "filter_missing": "filters:FILTER_MISSING",
        "drop_constant": "filters:DROP_CONSTANT",
        "minimum": "filters:MINIMUM",
        "top": "top:TOP",
        "infinite": "values:INFINITE",
        "impute": "impute:IMPUTE",
        "log2": "values:LOG2",
        "arcsinh": "values:ARCSINH",
        "square_root": "values:SQUARE_ROOT",
        "library_size": "samples:LIBRARY_SIZE",
        "equal_medians": "samples:EQUAL_MEDIANS",
        "quantile": "quantile:QUANTILE",
        "remove_batch": "batch:REMOVE_BATCH",
        "centre": "weights:CENTRE",
        "scale": "weights:SCALE",
        "pca": "pca:PCA",
    },
)

__all__ = ["STEPS"]
