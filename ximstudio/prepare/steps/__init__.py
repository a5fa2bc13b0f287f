"""All steps that a recipe can have: `STEPS` lists them by group."""

from __future__ import annotations

from ximstudio.prepare.step import Step
from ximstudio.prepare.steps.batch import REMOVE_BATCH
from ximstudio.prepare.steps.choose import DROP, KEEP
from ximstudio.prepare.steps.filters import DROP_CONSTANT, FILTER_MISSING, MINIMUM
from ximstudio.prepare.steps.impute import IMPUTE
from ximstudio.prepare.steps.infinite import INFINITE
from ximstudio.prepare.steps.make_label import MAKE_LABEL
from ximstudio.prepare.steps.orientation import ORIENTATION
from ximstudio.prepare.steps.pca import PCA
from ximstudio.prepare.steps.quantile import QUANTILE
from ximstudio.prepare.steps.rename import RENAME
from ximstudio.prepare.steps.repeated import REPEATED
from ximstudio.prepare.steps.samples import EQUAL_MEDIANS, LIBRARY_SIZE
from ximstudio.prepare.steps.top import TOP
from ximstudio.prepare.steps.values import ARCSINH, LOG2, SQUARE_ROOT
from ximstudio.prepare.steps.weights import CENTRE, SCALE

STEPS: tuple[Step, ...] = (
    ORIENTATION,
    RENAME,
    REPEATED,
    MAKE_LABEL,
    KEEP,
    DROP,
    FILTER_MISSING,
    DROP_CONSTANT,
    MINIMUM,
    TOP,
    INFINITE,
    IMPUTE,
    LOG2,
    ARCSINH,
    SQUARE_ROOT,
    LIBRARY_SIZE,
    EQUAL_MEDIANS,
    QUANTILE,
    REMOVE_BATCH,
    CENTRE,
    SCALE,
    PCA,
)

__all__ = ["STEPS"]
