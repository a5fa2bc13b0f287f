"""`ximstudio run sample:yeast` in this process, with a stopwatch on each stage.

Run in a fresh process by `benchmarks.command`; prints the seconds of every stage as JSON. A stage
that calls another hands the watch over: no second is counted twice.
"""

from __future__ import annotations

import time

BEGAN = time.perf_counter()

import functools  # noqa: E402  (imports count, from here on)
import importlib  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
from collections import defaultdict  # noqa: E402
from collections.abc import Callable  # noqa: E402
from typing import Any  # noqa: E402

STAGES = {
    "loading of the table": ["ximstudio.commands.table:load"],
    "checks before training": ["ximstudio.commands.run:problems", "ximstudio.train:problems"],
    "training space and start": [
        "ximstudio.train.online:training_space",
        "ximstudio.train.online:start_prototypes",
    ],
    "kernels from the cache": ["numba.core.dispatcher:Dispatcher._compile_for_args"],
    "training": ["ximstudio.kernels.online:train_steps"],
    "placing": ["ximstudio.train.complete:place_values"],
    "writing": [
        "ximstudio.commands.run:write_positions",
        "ximstudio.commands.run:write_model",
        "ximstudio.commands.run:write_history",
        "ximstudio.commands.run:run_record",
        "ximstudio.commands.run:write_record",
    ],
}


class Stopwatch:
    """Seconds per stage; of nested stages the inner one counts. For one thread."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._since = 0.0

    def change(self) -> None:
        now = time.perf_counter()
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
        self._since = now

    def around(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, its time counted for `stage`."""

        @functools.wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            self.change()
            self._open.append(stage)
            try:
                return function(*arguments, **named)
            finally:
                self.change()
                self._open.pop()

        return timed

    def put_on(self, stage: str, address: str) -> None:
        """Replace the function at 'module:name' or 'module:Class.name' by a timed one."""
        module, _, path = address.partition(":")
        *owners, name = path.split(".")
        owner = functools.reduce(getattr, owners, importlib.import_module(module))
        setattr(owner, name, self.around(stage, getattr(owner, name)))


def main(out: str) -> None:
    """Print the seconds of every stage, in the order they come."""
    from ximstudio.cli import main as command

    importlib.import_module("ximstudio.commands.run")
    imported = time.perf_counter()
    watch = Stopwatch()
    for stage, addresses in STAGES.items():
        for address in addresses:
            watch.put_on(stage, address)
    began = time.perf_counter()
    code = command(["run", "sample:yeast", "--out", out, "--quiet"])
    spent = time.perf_counter() - began
    stages = {"imports": imported - BEGAN} | {stage: watch.seconds[stage] for stage in STAGES}
    stages["the rest of the command"] = spent - sum(watch.seconds.values())
    print(json.dumps(stages))
    sys.exit(code)


if __name__ == "__main__":
    main(sys.argv[1])
