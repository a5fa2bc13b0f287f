"""Every method as a scikit-learn estimator.

>>> from ximstudio.estimators import XIM
>>> positions = XIM(shape=(20, 20), random_state=0).fit_transform(table)

There is a class for every method in `ximstudio.train.METHODS`, made of its declared parameters. It
is named by the letters of the method's key: `CXIM` is "c-xim", `PCA` is "pca". `XIM` is three in
one, by the kernel in the map: XIM("cauchy") is `CXIM`, XIM("t") is `TXIM`, and XIM("gaussian") is
the method "xim" itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType, new_class
from typing import TYPE_CHECKING, Any

from ximstudio.estimators.base import ContinuedEstimator, Estimator
from ximstudio.train import METHODS, Method, method_named

KERNELS: Mapping[str, str] = MappingProxyType({"cauchy": "c-xim", "t": "t-xim", "gaussian": "xim"})
"""Map kernel → method: what distinguishes the members of the XIM family."""


class XIM(
    ContinuedEstimator,
    methods={kernel: method_named(key) for kernel, key in KERNELS.items()},
    chooser="kernel",
    first="kernel",
):
    """The Exploratory Inspection Machine: c-XIM, t-XIM or XIM, by the kernel in the map."""


class SOM(ContinuedEstimator, methods={"": method_named("som")}, first="shape"):
    """Kohonen's self-organizing map: online (TR 2–4), after Heskes (TR 6), or in batches."""


def class_name(key: str) -> str:
    """The name of a method's estimator: the letters and digits of its key, as capitals."""
    return re.sub(r"[^A-Z0-9]", "", key.upper())


def estimator_of(key: str, **parameters: Any) -> Estimator:
    """A new estimator of the method with this key."""
    name = class_name(method_named(key).key)
    if name == XIM.__name__:
        return XIM(next(kernel for kernel in KERNELS if KERNELS[kernel] == key), **parameters)
    made: Estimator = globals()[name](**parameters)
    return made


def _generated(method: Method) -> type[Estimator]:
    base = ContinuedEstimator if method.map_kernel is not None else Estimator

    def fill(namespace: dict[str, Any]) -> None:
        # Where it is found again, for instance when it is unpickled.
        namespace["__module__"] = __name__
        namespace["__doc__"] = f"{method.name}: {method.summary} [{method.equations}]"

    return new_class(class_name(method.key), (base,), {"methods": {"": method}}, fill)


for _method in METHODS:
    if class_name(_method.key) not in (XIM.__name__, SOM.__name__):
        globals()[class_name(_method.key)] = _generated(_method)

__all__ = ["KERNELS", "Estimator", "class_name", "estimator_of"]
__all__ += [class_name(method.key) for method in METHODS]

if TYPE_CHECKING:

    def __getattr__(name: str) -> type[Estimator]:
        """Of the generated classes a checker knows that they are estimators."""
