"""What a figure's file says of itself: title, program, a sentence, and a record for programs.

The record is a text that this part of the house knows nothing about; `export.provenance` writes
and reads it. Every kind of file carries it as XMP, which is what programs that handle figures keep:
in a PDF as the document's and the page's metadata, in a PNG as an iTXt chunk, in a TIFF as tag 700,
and in an SVG as the same RDF in its <metadata>. What people look at is in the fields that each kind
has for it, too.

Files are read without trust, by a few lines for each kind rather than by libraries for all of it:
nothing is unpacked but the packet, and that to a limit; no picture is decoded.
"""

from ximstudio.figures.metadata.contents import PROGRAM, FigureMetadata
from ximstudio.figures.metadata.reading import read_record

__all__ = ["PROGRAM", "FigureMetadata", "read_record"]
