"""XIM and SOM as scikit-learn estimators.

>>> from ximstudio.estimators import XIM
>>> positions = XIM(shape=(20, 20), random_state=0).fit_transform(table)
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import known
from ximstudio.model.problem import Severity
from ximstudio.model.result import History, PrototypeMap, Result
from ximstudio.place import place_values
from ximstudio.train import method_named, problems, train

KERNELS = {"cauchy": "c-xim", "t": "t-xim", "gaussian": "xim"}
"""Map kernel → method: what distinguishes the members of the XIM family."""

LARGEST_SEED = 2**31 - 1


class _MapEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What XIM and SOM have in common: fit, place, and show what was learnt."""

    # Set by fit.
    result_: Result
    prototypes_: Floats
    nodes_: Floats
    winners_: Ints
    positions_: Floats
    history_: History
    n_iter_: int

    def _method_key(self) -> str:
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Train the map on items X, shape (n_items, n_features); NaN marks a missing value."""
        values = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2
        )
        matrix = Matrix.from_array(values, source="X")
        if hasattr(self, "feature_names_in_"):
            matrix = replace(matrix, feature_names=tuple(map(str, self.feature_names_in_)))
        method = method_named(self._method_key())
        given = None if isinstance(self.init, str) else np.asarray(self.init, dtype=np.float64)
        settings = self._settings(method.params.specs().keys())
        settings["init"] = self.init if given is None else "given"
        params = method.params.from_values(settings)
        for problem in problems(matrix, method, params):
            if problem.severity is Severity.WARNING:
                warnings.warn(str(problem), UserWarning, stacklevel=2)
        seed = int(check_random_state(self.random_state).randint(LARGEST_SEED))
        if isinstance(self.random_state, int | np.integer):
            # The same number as on the command line gives the same map.
            seed = int(self.random_state)
        result = train(matrix, method, params, seed=seed, start=given)
        assert isinstance(result.model, PrototypeMap)
        assert result.winners is not None
        self.result_ = result
        self.prototypes_ = result.model.prototypes
        self.nodes_ = result.model.grid.nodes
        self.winners_ = result.winners
        self.positions_ = result.positions
        self.history_ = result.history
        self.n_iter_ = result.step
        self._n_features_out = result.positions.shape[1]
        return self

    def transform(self, X: Any) -> Floats:
        """Positions of items on the trained map, shape (n_items, 2); they may be new ones."""
        check_is_fitted(self)
        values = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False
        )
        return place_values(self.result_.model, values, self.result_.params).positions

    def fit_transform(self, X: Any, y: Any = None) -> Floats:
        """Train the map on X and return the positions of X."""
        return np.array(self.fit(X, y).positions_)

    def _settings(self, names: Any) -> dict[str, Any]:
        """The estimator's arguments that are parameters of the chosen method."""
        arguments = self.get_params(deep=False)
        return {name: value for name, value in arguments.items() if name in names}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class XIM(_MapEstimator):
    """The Exploratory Inspection Machine: XIM, t-XIM or c-XIM, by the kernel in the map.

    Parameters
    ----------
    kernel : {"cauchy", "t", "gaussian"}
        Map kernel: c-XIM (TR 16), t-XIM (TR 15) or XIM (TR 14).
    shape : (int, int)
        Rows and columns of the map.
    lattice : {"rectangular", "hexagonal"}
        Arrangement of the nodes.
    toroidal : bool
        Whether the map is joined left to right and top to bottom.
    algorithm : {"online"}
        Item by item.
    best_match : {"distance", "heskes", "divergence"}
        Which node wins an item: TR 2, TR 6 or TR 10.
    rule : {"weighted", "gradient"}
        (1−η) h − η g (TR 24), or the literal gradient (TR 17).
    repulsion : float
        η, the weight of repulsion.
    step, width, reach : (start, end)
        ε, σ and γ, annealed from start to end (TR 25). A width that starts at None starts at half
        the map's longer side; None as a whole takes the kernel's own default. With kernel="t" the
        width is the degrees of freedom.
    reach_unit : {"median", "data"}
        Whether γ is in multiples of the median distance between items, or in data units.
    annealing : {"exponential", "linear", "constant"}
        How the annealed values change.
    length_scale : float
        Only with kernel="t": widens the kernel by d → d/s².
    n_steps : int or None
        How many items are presented; None chooses by the sizes of map and data.
    init : {"pca", "items", "random"} or array of shape (n_nodes, n_features)
        Where the prototypes begin.
    mapping : {"shepard", "softmax", "supervised", "winner"}
        How items are placed between the nodes; with `power`, `neighbours` and `softness`.
    random_state : int, RandomState or None
        Same number, same map.

    Attributes
    ----------
    prototypes_ : array (n_nodes, n_features)
    nodes_ : array (n_nodes, 2)
    winners_ : array (n_items,)
    positions_ : array (n_items, 2)
    history_ : History
    result_ : Result
    """

    def __init__(
        self,
        kernel: str = "cauchy",
        *,
        shape: tuple[int, int] = (30, 30),
        lattice: str = "rectangular",
        toroidal: bool = False,
        algorithm: str = "online",
        best_match: str = "distance",
        rule: str = "weighted",
        repulsion: float = 0.25,
        step: tuple[float, float] = (0.45, 0.02),
        width: tuple[float | None, float] | None = None,
        reach: tuple[float, float] = (1.5, 0.2),
        reach_unit: str = "median",
        annealing: str = "exponential",
        length_scale: float = 1.0,
        n_steps: int | None = None,
        init: Any = "pca",
        mapping: str = "shepard",
        power: float = 4.0,
        neighbours: int = 12,
        softness: float = 0.7,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.shape = shape
        self.lattice = lattice
        self.toroidal = toroidal
        self.algorithm = algorithm
        self.best_match = best_match
        self.rule = rule
        self.repulsion = repulsion
        self.step = step
        self.width = width
        self.reach = reach
        self.reach_unit = reach_unit
        self.annealing = annealing
        self.length_scale = length_scale
        self.n_steps = n_steps
        self.init = init
        self.mapping = mapping
        self.power = power
        self.neighbours = neighbours
        self.softness = softness
        self.random_state = random_state

    def _method_key(self) -> str:
        known("kernel", self.kernel, KERNELS)
        known("algorithm", self.algorithm, ["online"])
        return KERNELS[self.kernel]

    def _settings(self, names: Any) -> dict[str, Any]:
        settings = super()._settings(names)
        if settings["width"] is None:
            del settings["width"]
        return settings


class SOM(_MapEstimator):
    """Kohonen's self-organizing map: online (TR 2–4), after Heskes (TR 6), or in batches.

    Parameters and attributes as for `XIM`, without repulsion and reach; `algorithm` may be
    "online", with `n_steps` and `step`, or "batch", with `n_epochs`.
    """

    def __init__(
        self,
        shape: tuple[int, int] = (30, 30),
        *,
        lattice: str = "rectangular",
        toroidal: bool = False,
        algorithm: str = "online",
        best_match: str = "distance",
        step: tuple[float, float] = (0.45, 0.02),
        width: tuple[float | None, float] = (None, 1.5),
        annealing: str = "exponential",
        n_steps: int | None = None,
        n_epochs: int = 50,
        init: Any = "pca",
        mapping: str = "shepard",
        power: float = 4.0,
        neighbours: int = 12,
        softness: float = 0.7,
        random_state: Any = None,
    ) -> None:
        self.shape = shape
        self.lattice = lattice
        self.toroidal = toroidal
        self.algorithm = algorithm
        self.best_match = best_match
        self.step = step
        self.width = width
        self.annealing = annealing
        self.n_steps = n_steps
        self.n_epochs = n_epochs
        self.init = init
        self.mapping = mapping
        self.power = power
        self.neighbours = neighbours
        self.softness = softness
        self.random_state = random_state

    def _method_key(self) -> str:
        return "som"
