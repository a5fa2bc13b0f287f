"""All benchmarks, one table after the other: `python -m benchmarks`."""

from benchmarks import (
    command,
    compiling,
    distances,
    neighbourhoods,
    online,
    placing,
    reading,
    starting,
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
    starting,
    reading,
    distances,
    neighbourhoods,
):
    benchmark.main()
