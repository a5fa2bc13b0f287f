"""Common base of the estimators of all methods: fit, transform, and learnt attributes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from ximstudio.estimators.declared import Interface, documented, initialiser
from ximstudio.model.arrays import Floats, Ints, without_mask
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.params import known
from ximstudio.model.problem import Severity
from ximstudio.model.result import PrototypeMap, Result, TrainingHistory
from ximstudio.place.items import place_values
from ximstudio.train import Method, problems, train
from ximstudio.train.continued import continued
from ximstudio.train.warm import start_from

if TYPE_CHECKING:
    from ximstudio.frames import MapFrames

LARGEST_SEED = 2**31 - 1


class Estimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Makes maps of items: base of all estimators.

    A subclass names the methods it stands for, by the option of the argument that chooses between
    them, and gets the arguments that they declare; `first` may be given without its name.
    """

    _interface: ClassVar[Interface]

    # Set by fit; the first three only where the map has nodes.
    prototypes_: Floats
    nodes_: Floats
    winners_: Ints
    positions_: Floats
    history_: TrainingHistory
    n_iter_: int
    result_: Result

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ARG002
        raise TypeError(f"{type(self).__name__} stands for no method")

    def __init_subclass__(
        cls,
        *,
        methods: Mapping[str, Method] | None = None,
        chooser: str = "",
        first: str = "",
        **named: Any,
    ) -> None:
        super().__init_subclass__(**named)
        if methods is not None:
            cls._interface = Interface(methods=methods, chooser=chooser)
            cls.__init__ = initialiser(cls._interface, first=first)  # type: ignore[method-assign]
            cls.__doc__ = documented(cls.__doc__ or "", cls._interface)

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Train the map on items X, shape (n_items, n_features).

        NaN marks a missing value, and so does the mask of a masked array.
        """
        values = self._validated(X, ensure_min_samples=2)
        matrix, method = self._matrix(values, X), self._method()
        params = method.params.from_values(self._settings(method))
        for problem in problems(matrix, method, params):
            if problem.severity is Severity.WARNING:
                warnings.warn(str(problem), UserWarning, stacklevel=2)
        start = self._start(matrix, params)
        return self._keep(train(matrix, method, params, seed=self._seed(), start=start))

    def transform(self, X: Any) -> Floats:
        """Positions of items on the trained map, shape (n_items, 2); they may be new ones."""
        check_is_fitted(self)
        values = self._validated(X, reset=False)
        return place_values(self.result_.model, values, self.result_.params).positions

    def fit_transform(self, X: Any, y: Any = None) -> Floats:
        """Train the map on X and return the positions of X."""
        return np.array(self.fit(X, y).positions_)

    def frames(self, X: Any) -> MapFrames:
        """Return the map of items X as pandas DataFrames, under the index of X if it has one.

        X are the items that the map was trained on, or others: those are placed as by `transform`.
        """
        import pandas as pd

        from ximstudio.frames import MapFrames

        check_is_fitted(self)
        values = self._validated(X, reset=False)
        matrix, result = self._matrix(values, X), self.result_
        if matrix.fingerprint != result.data_fingerprint:
            placed = place_values(result.model, values, result.params)
            result = replace(
                result, item_ids=matrix.item_ids, positions=placed.positions, winners=placed.winners
            )
        index = X.index if isinstance(X, pd.DataFrame) else pd.RangeIndex(len(values))
        return MapFrames(matrix=matrix, result=result, index=index)

    def _validated(self, X: Any, **options: Any) -> Floats:
        """Items as scikit-learn checks them, with NaN for what is missing."""
        values: Floats = validate_data(
            self, without_mask(X), dtype=np.float64, ensure_all_finite="allow-nan", **options
        )
        return values

    def _method(self) -> Method:
        """The method that the arguments choose."""
        methods, chooser = self._interface.methods, self._interface.chooser
        option = getattr(self, chooser) if chooser else ""
        known(chooser, option, methods)
        return methods[option]

    def _settings(self, method: Method) -> dict[str, Any]:
        """The arguments that are parameters of the chosen method."""
        own = self._interface.own_defaults
        settings = {
            name: value
            for name, value in self.get_params(deep=False).items()
            if name in method.params.specs() and not (value is None and name in own)
        }
        if "init" in settings and not isinstance(settings["init"], str):
            settings["init"] = "given"
        return settings

    def _matrix(self, values: Floats, X: Any) -> Matrix:
        """The items under the index and the columns of a DataFrame X, or by their numbers.

        Items need names of their own: an index with repeated entries gives none.
        """
        matrix = Matrix.from_array(values, source="X")
        names = tuple(map(str, X.index)) if hasattr(X, "iloc") else ()
        if len(set(names)) == matrix.n_items:
            matrix = replace(matrix, item_ids=names)
        if hasattr(self, "feature_names_in_"):
            matrix = replace(matrix, feature_names=tuple(map(str, self.feature_names_in_)))
        return matrix

    def _start(self, matrix: Matrix, params: MethodParams) -> Floats | None:
        """The prototypes to begin with, if `init` gives some."""
        given = getattr(self, "init", "")
        if isinstance(given, str):
            return None
        if isinstance(given, Result) and params.takes_prototypes:
            return start_from(given, matrix, params)
        return np.asarray(without_mask(given), dtype=np.float64)

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            # The same number as on the command line gives the same map.
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(LARGEST_SEED))

    def _keep(self, result: Result) -> Self:
        """Show what was learnt."""
        self.result_ = result
        self.positions_ = result.positions
        self.history_ = result.history
        self.n_iter_ = result.step
        if isinstance(result.model, PrototypeMap) and result.winners is not None:
            self.prototypes_ = result.model.prototypes
            self.nodes_ = result.model.grid.nodes
            self.winners_ = result.winners
        self._n_features_out = result.positions.shape[1]
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class ContinuedEstimator(Estimator):
    """An estimator whose map can take in further items."""

    def partial_fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Train the map further on items X alone; it keeps its layout. The first time as `fit`.

        The map goes on with the parameters it was made with. `positions_` and `winners_` are those
        of X; `transform` places earlier items.
        """
        if not hasattr(self, "result_"):
            return self.fit(X)
        values = self._validated(X, reset=False)
        further = continued(self.result_, self._matrix(values, X))
        return self._keep(further.train(seed=self._seed()))
