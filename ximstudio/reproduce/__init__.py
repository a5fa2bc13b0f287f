"""Reproduction of maps: functions for exported scripts, and the work of `ximstudio verify`.

>>> from ximstudio.reproduce import prepare, read, step, train
>>> genes = prepare(read("sample:yeast"), step("impute", how="median"))
>>> first = train(genes, "c-xim", seed=0, shape=(20, 20))
>>> first.result.hash
"""

from ximstudio.reproduce.again import check
from ximstudio.reproduce.making import Made, continued, join, part, prepare, read, step, train

__all__ = ["Made", "check", "continued", "join", "part", "prepare", "read", "step", "train"]
