"""All benchmarks, one table after the other: `python -m benchmarks`."""

from benchmarks import (
    batch,
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
    batch,
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
