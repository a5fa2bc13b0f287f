"""Metadata embedded in figure files: title, program, a sentence, and a record for programs.

The record is an opaque text here; `export.provenance` writes and reads it. Every kind of file
carries it as XMP, which programs that handle figures preserve:
in a PDF as the document's and the page's metadata, in a PNG as an iTXt chunk, in a TIFF as tag 700,
and in an SVG as the same RDF in its <metadata>. Title and sentence are also in the fields that each
kind has for them.

Files are not trusted: a few lines per kind, rather than a library, read the packet and nothing
else, up to a limit. No picture is decoded.
"""

from ximstudio.figures.metadata.contents import PROGRAM, FigureMetadata
from ximstudio.figures.metadata.reading import read_record

__all__ = ["PROGRAM", "FigureMetadata", "read_record"]
