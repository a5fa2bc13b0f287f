"""All benchmarks, one table after the other: `python -m benchmarks`."""

from benchmarks import (
    batch,
    command,
    compiling,
    distances,
    isolating,
    linking,
    long_tables,
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
    long_tables,
    sessions,
    distances,
    neighbourhoods,
    linking,
):
    benchmark.main()
