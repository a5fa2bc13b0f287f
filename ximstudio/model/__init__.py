"""The nouns: frozen values that every other part of the program passes around. numpy only."""

from ximstudio.model.grid import Grid, Lattice
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import Params
from ximstudio.model.parent import Parent
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.result import History, ItemMap, LinearMap, PrototypeMap, Result, Resume

__all__ = [
    "Grid",
    "History",
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
    "UserError",
]
