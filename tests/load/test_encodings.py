"""Letters of one byte each: which of several encodings they are in."""

from __future__ import annotations

import pytest

from ximstudio.load.text.encoding import encoding_of, plain

WORDS = (
    *("Köln", "Zürich", "Malmö", "São Paulo", "Pré", "Fähigkeit", "Größe", "naïve", "Señor"),
    *("37°C", "10 µM ±", "café noir", "Åbo", "Ørsted", "Hôpital", "façade", "5 °C", "TGFß"),
)


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "utf-8"])
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_that_a_single_word_tells_the_encoding(word: str, encoding: str, line_end: str) -> None:
    text = line_end.join((f"gene,{word},b", "TP53,1,2", ""))
    data = text.encode(encoding)
    found = encoding_of(data, name="table")
    assert plain(data, found.name, name="table").decode() == text.replace("\r\n", "\n")
    assert found.sure == (encoding == "utf-8")


def test_that_line_ends_of_an_old_mac_decide_where_letters_do_not() -> None:
    # Byte 0xb5 is µ in either, and so decides nothing.
    assert encoding_of("gene,µM\ra,1".encode("mac_roman"), name="t").name == "mac_roman"
    assert encoding_of("gene,µM\na,1".encode("cp1252"), name="t").name == "cp1252"
