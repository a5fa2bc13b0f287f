"""How a figure was made, in the figure's own file: all it takes to have the same one again.

A figure goes to co-authors, to a journal, to everyone. So the record in it is a run's record
without what is nobody's business: of every file only the name is kept, never the folders it lies
in, which tell who somebody is and for whom they work; and of notes on the data only what kind they
were. `run.json`, which stays with its owner, keeps it all.

The way back is open all the same. What identifies the data is the fingerprint, wherever they lie:
`export.places` looks for files of the recorded names among those that the program has had open,
and beside the figure; if they are not there, a person has to be asked for the table, and its
fingerprint says whether it is the one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from ximstudio import __version__
from ximstudio.export.places import without_places
from ximstudio.figures.metadata import FigureMetadata, read_record
from ximstudio.figures.metadata.contents import MOST_TEXT
from ximstudio.figures.metadata.reading import damaged
from ximstudio.files.bounded import parse_json
from ximstudio.load.samples import called
from ximstudio.model.problem import UserError
from ximstudio.train import METHODS
from ximstudio.train.record import MapRecord

SCHEMA = 1
ANCESTORS = "ancestors"
"""Under this the records of ancestors are told, beside those of the maps; programs that know
nothing of it open the settings of such a map."""


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """What is known about a figure.

    Parameters
    ----------
    title
        What the figure is called.
    figure
        What is drawn, and how: plain values, which only the part that draws it understands. No
        paths belong here.
    runs
        The records of the maps in it (`train.record.record_of_run`, `run_record`); places of files
        are taken out of them.
    work
        What of a person's work the figure shows besides its maps (`export.figure_work`): plain
        values, and none where maps are all that is seen.
    ancestors
        The records of maps that are not in it, and that it takes to make those which are: the maps
        that they descend from.
    program, schema
        The version of the program that wrote it, and of this form.
    """

    title: str = ""
    figure: Mapping[str, Any]
    runs: tuple[Mapping[str, Any], ...] = ()
    work: Mapping[str, Any] = field(default_factory=dict)
    ancestors: tuple[Mapping[str, Any], ...] = ()
    program: str = __version__
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        # As JSON gives them back, so that what is read equals what was written.
        object.__setattr__(self, "figure", _plain(self.figure))
        object.__setattr__(self, "work", _plain(self.work))
        for name in ("runs", "ancestors"):
            public = tuple(_plain(without_places(run)) for run in getattr(self, name))
            object.__setattr__(self, name, public)

    @property
    def text(self) -> str:
        """Compact JSON, in ASCII: letters of all kinds survive whatever a file goes through."""
        values = {
            "schema": self.schema,
            "program": self.program,
            "title": self.title,
            "figure": self.figure,
            "runs": self.runs,
            # Programs that do not know of it pass it over, and bring the maps.
            **({"work": self.work} if self.work else {}),
            **({ANCESTORS: self.ancestors} if self.ancestors else {}),
        }
        # JSON leaves DEL as it is, which is no letter.
        return json.dumps(values, separators=(",", ":")).replace("\x7f", "\\u007f")

    @property
    def colophon(self) -> FigureMetadata:
        """What is written into the figure's file; refused if it could not be read back.

        Ancestors are left out if there is no room for them: a map of many chosen items names them
        all. Then it can be made again only where they are.
        """
        text = self.text
        if len(text) > MOST_TEXT and self.ancestors:
            text = replace(self, ancestors=()).text
        if len(text) > MOST_TEXT:
            raise UserError(
                key="provenance.too_long",
                what="What is to be said of how the figure was made is too long for a file: "
                f"{len(text)} letters, {MOST_TEXT} at the most.",
                where=self.title,
                way_out="Select fewer items, or colour by smaller sets, and save it again.",
            )
        return FigureMetadata(title=self.title, sentence=self.sentence, record=text)

    @property
    def sentence(self) -> str:
        """What the figure shows, for people who look at a file's properties."""
        names = list(dict.fromkeys(_method_name(run.get("method")) for run in self.runs))
        if not names:
            return f"Made with XIM Studio {self.program}."
        maps = "maps" if len(self.runs) > 1 else "map"
        tables = dict.fromkeys(_table_name(run.get("data")) for run in self.runs)
        return f"{_listed(names)} {maps} of {_listed(tables)}, made with XIM Studio {self.program}."

    @classmethod
    def from_text(cls, text: str, path: Path) -> Self:
        """The provenance that a text of JSON tells; `path` is where it was read from."""
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
            # Figures of earlier versions tell of none; those of their maps that have some say so.
            ancestors = values.setdefault(ANCESTORS, [])
            kinds = {"title": str, "program": str, "figure": dict, "runs": list, ANCESTORS: list}
            for name, kind in kinds.items():
                if not isinstance(values[name], kind):
                    raise TypeError(name)
            if not all(isinstance(run, dict) for run in (*values["runs"], *ancestors)):
                raise TypeError("runs")
            work = values.get("work", {})
            if not isinstance(work, dict):
                raise TypeError("work")
            return cls(
                title=values["title"],
                figure=values["figure"],
                runs=tuple(values["runs"]),
                work=work,
                ancestors=tuple(ancestors),
                program=values["program"],
                schema=schema,
            )
        except UserError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            raise damaged(path, "it is not as it was written") from None


def read_provenance(path: Path) -> Provenance | None:
    """How the figure in a file was made; None if it does not say, or is no figure."""
    text = read_record(path)
    return None if text is None else Provenance.from_text(text, path)


def record_in(run: Mapping[str, Any], path: Path) -> MapRecord:
    """Return the record of one map in the figure at `path`; refuse what makes no sense."""
    return MapRecord.from_values(run, damaged=partial(damaged, path))


def _method_name(key: object) -> str:
    names = {method.key: method.name for method in METHODS}
    return names.get(str(key), str(key))


def _table_name(data: object) -> str:
    """What a table is called, and how large it is: "Serum (517 items, 13 features)"."""
    if not isinstance(data, Mapping):
        return "a table"
    size = f"{data.get('items')} items, {data.get('features')} features"
    return f"{called(str(data.get('source')))} ({size})"


def _listed(texts: Iterable[str]) -> str:
    """Texts in a sentence: "SOM, XOM and PCA"."""
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


def _plain(values: Any) -> Any:
    return json.loads(json.dumps(values))
