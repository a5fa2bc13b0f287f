"""All benchmarks, one table after the other: `python -m benchmarks`."""

from benchmarks import (
    batch,
    command,
    compiling,
    distances,
    isolating,
    neighbourhoods,
    online,
    placing,
    reading,
    sessions,
    starting,
    variants,
    wide,
)

for benchmark in (
    online,
    batch,
    variants,
    wide,
    placing,
    compiling,
    command,
    starting,
    reading,
    isolating,
    sessions,
    distances,
    neighbourhoods,
):
    benchmark.main()
