"""Frozen values that all other packages pass around. Needs numpy only."""

from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.parent import Parent
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.result import ItemMap, LinearMap, PrototypeMap, Result, Resume, TrainingHistory

__all__ = [
    "Grid",
    "ItemMap",
    "Lattice",
    "LinearMap",
    "Matrix",
    "Params",
    "Parent",
    "Problem",
    "PrototypeMap",
    "Result",
    "Resume",
    "Severity",
    "TrainingHistory",
    "UserError",
]
