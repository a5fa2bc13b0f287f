"""Find the table in a zip archive."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace

from ximstudio.load.account import CHOSEN, no_such
from ximstudio.load.packing.streams import UNREADABLE
from ximstudio.load.reading import Choices, Guess
from ximstudio.load.source import Source
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import SettingsForm, UserError

MAGIC = b"PK\x03\x04"

MOST_MEMBERS = 20_000

OWN = re.compile(
    r"\[Content_Types\]\.xml|mimetype|META-INF/.*|session\.json|_rels/.*|.*\.np[yz]", re.I
)
"""Members of archives that are documents of their own kind: workbooks, sessions, arrays."""

BESIDE = re.compile(
    r"(?:.*/)?(?:__MACOSX/.*|\..*|Thumbs\.db|desktop\.ini|(?:readme|licen[cs]e|changelog|citation"
    r"|manifest|checksums?|md5sums?)\b[^/]*)|.*\.(?:pdf|docx?|md|html?|png|jpe?g|gif|tiff?|svg|r|py)",
    re.I,
)
"""Members that only accompany a table."""


def tables_in(source: Source) -> dict[str, int]:
    """Return names and unpacked sizes of the possible tables in an archive, largest first.

    Nothing for what is no archive, is damaged, or is a document of its own kind such as a workbook:
    formats know what to say of those.
    """
    if source.path is None or source.member is not None or not source.head.startswith(MAGIC):
        return {}
    try:
        with zipfile.ZipFile(source.path) as archive:
            members = archive.infolist()
    except (*UNREADABLE, OSError):
        return {}
    if len(members) > MOST_MEMBERS or any(OWN.fullmatch(one.filename) for one in members):
        return {}
    files = [one for one in members if not one.is_dir() and one.file_size]
    tables = [one for one in files if not BESIDE.fullmatch(one.filename)] or files
    tables.sort(key=lambda one: one.file_size, reverse=True)
    return {one.filename: one.file_size for one in tables}


def unzipped(source: Source, choices: Choices) -> tuple[Source, Choices, Guess | None]:
    """Return the table in an archive, the choices that apply to it, and the guess which it is.

    Of several files one is named as the part ("FILE", or "FILE#SHEET" if it is a workbook).
    """
    tables = tables_in(source)
    if not tables:
        return source, choices, None
    if len(tables) == 1:
        return _of(source, next(iter(tables))), choices, None
    if choices.part is None:
        first = next(iter(tables))
        raise UserError(
            key="load.several_tables",
            what=f"The archive holds {len(tables)} files, and one table can be opened at a time.",
            where=f"{source.name}: {some_of([repr(name) for name in tables])}",
            way_out="Choose one of them, for instance the largest.",
            fields=("part",),
            form=SettingsForm.READING,
            hint={"part": first},
        )
    # A name may have the mark, too, which "FILE#SHEET" is cut at.
    whole = choices.part in tables
    name, _, part = (choices.part, "", "") if whole else choices.part.partition("#")
    if name not in tables:
        raise no_such(
            "part", name, tables, f"There is no file '{name}' in the archive.", source.name
        )
    options = {each: f"{each} ({size / 2**20:.3g} MB)" for each, size in tables.items()}
    guess = Guess("part", "File in the archive", choices.part, CHOSEN, options=options)
    return _of(source, name), choices.replace(part=part or None), guess


def _of(source: Source, member: str) -> Source:
    return replace(source, name=f"{source.name}, {member}", member=member)
