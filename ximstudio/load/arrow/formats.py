"""Parquet and Feather files: tables with typed columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from ximstudio.load.arrow.long import reading_of
from ximstudio.load.arrow.roles import NUMBER, TEXT, UNUSABLE, Typed
from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source, memory_to_give, refuse_too_large
from ximstudio.load.text.roles import names_codes
from ximstudio.load.workbook.sheets import cell_text
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import UserError

LARGEST_WHOLE = 2**53
"""Largest integer up to which float64 is exact."""

PARQUET_MARK, ENCRYPTED_MARK = b"PAR1", b"PARE"
FEATHER_MARK, OLD_FEATHER_MARK = b"ARROW1", b"FEA1"

CELLS_PER_BATCH = 2_000_000
"""Cells read between two reports."""

LOOKED_AT = 64

LOADED = 0.2
"""Share of the work that is done when the bytes are in memory."""

Opened: TypeAlias = tuple[Any, int, Iterator[Any]]
"""A file whose size was checked: its schema, the number of its rows, and these in batches."""


def read_parquet(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table in a Parquet file."""
    return _read("Parquet", _open_parquet, source, choices, report)


def read_feather(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table in a Feather (Arrow) file."""
    return _read("Feather", _open_feather, source, choices, report)


def _read(
    kind: str,
    open_file: Callable[[bytes, str], Opened],
    source: Source,
    choices: Choices,
    report: Report,
) -> Reading:
    """Read the table in a file of this kind."""
    name = source.name
    _require(name)
    data = source.read(report, part=LOADED)
    with _refusing(name, kind):
        opened = open_file(data, name)
    columns = _columns(opened, name, choices, lambda done: report(LOADED + 0.75 * done), kind)
    reading = reading_of(columns, choices, name=name, format=kind.lower(), report=report)
    report(1.0)
    return reading


def _require(name: str) -> None:
    """Refuse to continue if the library is not installed; it is large and optional."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise UserError(
            key="load.extra_missing",
            what="Parquet and Feather files are read with pyarrow, which is not installed.",
            where=name,
            way_out="Install it: pip install 'ximstudio[parquet]'",
        ) from None


@contextmanager
def _refusing(name: str, kind: str) -> Iterator[None]:
    """Convert the library's errors about a damaged file to messages."""
    import pyarrow as pa

    try:
        yield
    except UserError:
        raise
    except MemoryError:
        # The parent process reports it (`load.isolation`).
        raise MemoryError from None
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise UserError(
            key="load.broken_file",
            what=f"The {kind} file is damaged: {reason.rstrip('.')}.",
            where=name,
            way_out="Fetch or write it again.",
        ) from None


def _open_parquet(data: bytes, name: str) -> Opened:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if data.startswith(ENCRYPTED_MARK):
        raise UserError(
            key="load.encrypted",
            what="The Parquet file is encrypted.",
            where=name,
            way_out="Write it again without encryption.",
        )

    schema = pq.ParquetFile(pa.BufferReader(data)).schema_arrow
    # As dictionaries, repeated texts take no more memory than in the file.
    texts = [column.name for column in schema if is_string(column.type)]
    file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts, pre_buffer=False)
    n_rows = file.metadata.num_rows
    refuse_too_large(8.0 * n_rows * max(len(schema), 1), memory_to_give(), name)
    size = max(1, CELLS_PER_BATCH // max(len(schema), 1))
    return file.schema_arrow, n_rows, file.iter_batches(batch_size=size)


def _open_feather(data: bytes, name: str) -> Opened:
    import pyarrow as pa

    if data.startswith(OLD_FEATHER_MARK):
        raise UserError(
            key="load.old_feather",
            what="This is a Feather file of the first version, which is no longer read.",
            where=name,
            way_out="Read it where it was written, and write it again as Feather 2 or Parquet.",
        )

    file = pa.ipc.open_file(pa.BufferReader(data))
    numbers = range(file.num_record_batches)
    # Counting needs unpacking; doing that twice takes less memory than keeping all batches.
    n_rows = sum(file.get_batch(number).num_rows for number in numbers)
    refuse_too_large(8.0 * n_rows * max(len(file.schema), 1), memory_to_give(), name)
    return file.schema, n_rows, map(file.get_batch, numbers)


def _columns(opened: Opened, name: str, choices: Choices, report: Report, kind: str) -> Typed:
    """Read all columns of a file, a few million cells at a time."""
    from pyarrow.types import is_integer

    schema, n_rows, batches = opened
    with _refusing(name, kind):
        names, types = tuple(schema.names), tuple(schema.types)
        kinds = tuple(map(kind_of, types))
        index = _pandas_index(schema)
    asked = [text for text in (choices.id, *(choices.labels or ())) if text is not None]
    numeric = tuple(place for place, kind_ in enumerate(kinds) if kind_ == NUMBER)
    texts: dict[int, list[str]] = {
        place: []
        for place, kind_ in enumerate(kinds)
        if kind_ == TEXT
        or (kind_ == NUMBER and (place in index or _is_asked(names[place], place, asked)))
        or (is_integer(types[place]) and names_codes(names[place].strip().lower()))
    }
    values = np.empty((n_rows, len(numeric)), dtype=np.float64)
    changed: dict[int, list[int]] = {}
    done = 0
    while True:
        with _refusing(name, kind):
            batch = next(batches, None)
            if batch is None:
                if done < n_rows:
                    raise ValueError(f"it has {done} rows and claims {n_rows}")
                break
            batch.validate(full=True)
            end = done + batch.num_rows
            if end > n_rows:
                raise ValueError(f"it has more rows than the {n_rows} that it claims")
            for number, place in enumerate(numeric):
                values[done:end, number], others = numbers_of(batch.column(place))
                if others:
                    changed.setdefault(place, []).extend(others)
            for place, cells in texts.items():
                cells.extend(texts_of(batch.column(place)))
        done = end
        report(done / max(n_rows, 1))
    return Typed(
        names=names,
        kinds=kinds,
        types=tuple(str(type_) for type_ in types),
        index=index,
        numeric=numeric,
        values=values,
        texts=texts,
        changed=changed,
    )


def _is_asked(name: str, place: int, asked: Sequence[str]) -> bool:
    """Return whether the user may mean this column; one text can name several."""
    called = {name, name.strip(), f"column {place + 1}"}
    return any(called & {text, *map(str.strip, text.split(","))} for text in asked)


def _pandas_index(schema: Any) -> tuple[int, ...]:
    """Return the columns in which pandas stored the index."""
    described = (schema.metadata or {}).get(b"pandas")
    if described is None:
        return ()
    try:
        listed = json.loads(described)["index_columns"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ()
    names: Sequence[Any] = listed if isinstance(listed, list) else []
    places = (schema.get_all_field_indices(name) for name in names if isinstance(name, str))
    return tuple(found[0] for found in places if len(found) == 1)


def _begins(marks: tuple[bytes, ...], source: Source) -> bool:
    """Return whether a file begins with a mark and is binary: a gene may be called PAR1."""
    head = source.head[:LOOKED_AT]
    is_binary = any(byte < ord("\t") or ord("\r") < byte < ord(" ") for byte in head)
    return is_binary and head.startswith(marks)


def kind_of(type_: Any) -> str:
    """Return the kind of a column of this type: numbers, texts, or one that tables cannot hold."""
    from pyarrow import types

    numbers = (types.is_integer, types.is_floating, types.is_decimal, types.is_null)
    if any(is_kind(type_) for is_kind in numbers):
        return NUMBER
    if any(is_kind(type_) for is_kind in (types.is_boolean, types.is_temporal, is_string)):
        return TEXT
    known = types.is_dictionary(type_) and kind_of(type_.value_type) != UNUSABLE
    return TEXT if known else UNUSABLE


def is_string(type_: Any) -> bool:
    """Return whether a column holds strings."""
    from pyarrow import types

    named = (types.is_string, types.is_large_string, getattr(types, "is_string_view", None))
    return any(is_kind(type_) for is_kind in named if is_kind is not None)


def numbers_of(array: Any) -> tuple[Floats, list[int]]:
    """Return part of a column as float64, null as NaN, and the integers changed by that."""
    from pyarrow import types

    if types.is_null(array.type):
        return np.full(len(array), np.nan), []
    if types.is_decimal(array.type):
        cells = array.to_pylist()
        return np.array([np.nan if cell is None else float(cell) for cell in cells]), []
    changed: list[int] = []
    if types.is_integer(array.type):
        whole = array.drop_null().to_numpy(zero_copy_only=False)
        large = whole[(whole > LARGEST_WHOLE) | (whole < -LARGEST_WHOLE)]
        changed = [int(cell) for cell in large.tolist() if int(float(cell)) != cell]
    return array.to_numpy(zero_copy_only=False).astype(np.float64), changed


def texts_of(array: Any) -> list[str]:
    """Return part of a column as texts, null as "".

    The texts of a dictionary are made once and shared: a few bytes can stand for millions.
    """
    from pyarrow import types

    if types.is_dictionary(array.type):
        known = texts_of(array.dictionary)
        return ["" if place is None else known[place] for place in array.indices.to_pylist()]
    if types.is_timestamp(array.type) or types.is_duration(array.type):
        return _times(array)
    return ["" if cell is None else cell_text(cell) for cell in array.to_pylist()]


def _times(array: Any) -> list[str]:
    """Return times as ISO texts, by numpy: Python's own lack nanoseconds and the year 0."""
    unit = array.type.unit

    def written(moment: int) -> str:
        if not hasattr(array.type, "tz"):
            return f"{moment} {unit}"
        text = str(np.datetime64(moment, unit))
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return text if array.type.tz is None else f"{text}Z"

    moments = array.cast("int64").to_pylist()
    return ["" if moment is None else written(moment) for moment in moments]


PARQUET = Format(
    key="parquet",
    name="Parquet",
    suffixes=(".parquet", ".pq"),
    recognises=partial(_begins, (PARQUET_MARK, ENCRYPTED_MARK)),
    read=read_parquet,
    isolated=True,
)

FEATHER = Format(
    key="feather",
    name="Feather (Arrow)",
    suffixes=(".feather", ".arrow"),
    recognises=partial(_begins, (FEATHER_MARK, OLD_FEATHER_MARK)),
    read=read_feather,
    isolated=True,
)
