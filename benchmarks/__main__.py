"""All benchmarks, one table after the other: `python -m benchmarks`."""

from benchmarks import (
    command,
    compiling,
    distances,
    neighbourhoods,
    online,
    placing,
    variants,
    wide,
)

for benchmark in (
    online,
    variants,
    wide,
    placing,
    compiling,
    command,
    distances,
    neighbourhoods,
):
    benchmark.main()
