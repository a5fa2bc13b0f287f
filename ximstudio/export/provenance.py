"""The record in a figure's file from which the figure can be reproduced.

A figure goes to co-authors, to a journal, to everyone. So the record in it is a run's record
without what is nobody's business: of every file only the name is kept, never the folders it lies
in, which tell who somebody is and for whom they work; and of notes on the data only what kind they
were. `run.json`, which stays with its owner, keeps it all.

The way back is open all the same. What identifies the data is the fingerprint, wherever they lie:
`export.places` looks for files of the recorded names among those that the program has had open,
and beside the figure; if they are not there, the user is asked for the table, and its
fingerprint says whether it is the one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from ximstudio import __version__
from ximstudio.export.places import without_places
from ximstudio.figures.metadata import FigureMetadata, damaged, read_record
from ximstudio.figures.metadata.xmp import MOST_TEXT
from ximstudio.files.bounded import parse_json
from ximstudio.load.samples import called
from ximstudio.model.clauses import listed
from ximstudio.model.problem import UserError
from ximstudio.train import METHODS
from ximstudio.train.record import MapRecord

SCHEMA = 1
ANCESTORS = "ancestors"
"""Key of the records of ancestors; programs that do not know it open the map's settings."""


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """The record of a figure.

    Parameters
    ----------
    title
        Title of the figure.
    figure
        Contents and look: plain values that only the drawing code understands, without paths.
    runs
        The records of the maps in it (`train.record.record_of_run`, `run_record`), without folders
        of files.
    work
        The user's work that the figure shows besides its maps (`export.figure_work`): plain values,
        empty if it shows only maps.
    ancestors
        The records of maps that are not in it, but from which its maps descend.
    program, schema
        The version of the program that wrote it, and of this schema.
    """

    title: str = ""
    figure: Mapping[str, Any]
    runs: tuple[Mapping[str, Any], ...] = ()
    work: Mapping[str, Any] = field(default_factory=dict)
    ancestors: tuple[Mapping[str, Any], ...] = ()
    program: str = __version__
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        # As JSON returns them, so that what is read equals what was written.
        object.__setattr__(self, "figure", _plain(self.figure))
        object.__setattr__(self, "work", _plain(self.work))
        for name in ("runs", "ancestors"):
            public = tuple(_plain(without_places(run)) for run in getattr(self, name))
            object.__setattr__(self, name, public)

    @property
    def text(self) -> str:
        """Return compact JSON in ASCII, which survives any text encoding."""
        values = {
            "schema": self.schema,
            "program": self.program,
            "title": self.title,
            "figure": self.figure,
            "runs": self.runs,
            # Programs that do not know it ignore it, and show the maps.
            **({"work": self.work} if self.work else {}),
            **({ANCESTORS: self.ancestors} if self.ancestors else {}),
        }
        # JSON leaves DEL as it is, which is no letter.
        return json.dumps(values, separators=(",", ":")).replace("\x7f", "\\u007f")

    @property
    def embedded(self) -> FigureMetadata:
        """Return the metadata for the figure's file; refuse what could not be read back.

        Ancestors are left out if there is no room for them: a map of many chosen items names them
        all. Then it can be made again only where they are.
        """
        text = self.text
        if len(text) > MOST_TEXT and self.ancestors:
            text = replace(self, ancestors=()).text
        if len(text) > MOST_TEXT:
            raise UserError(
                key="provenance.too_long",
                what="The record of how the figure was made is too long for a file:"
                f" {len(text)} characters of at most {MOST_TEXT}.",
                where=self.title,
                way_out="Select fewer items, or colour by smaller sets, and save it again.",
            )
        return FigureMetadata(title=self.title, sentence=self.sentence, record=text)

    @property
    def sentence(self) -> str:
        """Description of the figure, for a file's properties."""
        if not self.runs:
            return f"Made with XIM Studio {self.program}."
        method_names = {method.key: method.name for method in METHODS}
        keys = (str(run.get("method")) for run in self.runs)
        names = listed(list(dict.fromkeys(method_names.get(key, key) for key in keys)))
        maps = "maps" if len(self.runs) > 1 else "map"
        tables = listed(list(dict.fromkeys(_table_name(run.get("data")) for run in self.runs)))
        return f"{names} {maps} of {tables}, made with XIM Studio {self.program}."

    @classmethod
    def from_text(cls, text: str, path: Path) -> Self:
        """Return the provenance in a text of JSON; `path` is where it was read from."""
        try:
            values = parse_json(text)
            schema = values["schema"]
            if type(schema) is not int or schema < 1:
                raise TypeError(schema)
            if schema > SCHEMA:
                raise UserError(
                    key="provenance.newer",
                    what="The figure was made by a newer version of the program "
                    f"(schema {schema}, this version reads up to {SCHEMA}).",
                    where=str(path),
                    way_out="Update XIM Studio.",
                )
            # Figures of earlier versions have none; records of their maps may name some.
            values = {ANCESTORS: [], "work": {}} | values
            kinds = {"title": str, "program": str, "figure": dict, "work": dict}
            for name, kind in (kinds | {"runs": list, ANCESTORS: list}).items():
                if not isinstance(values[name], kind):
                    raise TypeError(name)
            maps: dict[str, Any] = {name: tuple(values[name]) for name in ("runs", ANCESTORS)}
            if not all(isinstance(run, dict) for runs in maps.values() for run in runs):
                raise TypeError("runs")
            return cls(schema=schema, **{name: values[name] for name in kinds}, **maps)
        except UserError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            raise damaged(path, "it is not as it was written") from None


def read_provenance(path: Path) -> Provenance | None:
    """Read the record of the figure in a file; None if there is none."""
    text = read_record(path)
    return None if text is None else Provenance.from_text(text, path)


def record_in(run: Mapping[str, Any], path: Path) -> MapRecord:
    """Return the record of one map in the figure at `path`; refuse what makes no sense."""
    return MapRecord.from_values(run, damaged=partial(damaged, path))


def _table_name(data: object) -> str:
    """Return name and size of a table: "Serum (517 items, 13 features)"."""
    if not isinstance(data, Mapping):
        return "a table"
    size = f"{data.get('items')} items, {data.get('features')} features"
    return f"{called(str(data.get('source')))} ({size})"


def _plain(values: Any) -> Any:
    return json.loads(json.dumps(values))
