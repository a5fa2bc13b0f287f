"""Labels of samples from GEO: titles, sources and characteristics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

TITLE = "title"

ACCESSION = "geo_accession"

DESCRIBING_KEYS = ("title", "source_name", "organism", "description")
"""Attributes of a sample that become labels, with or without a channel ("organism_ch1")."""

TAKEN = frozenset({*DESCRIBING_KEYS, ACCESSION})

CHARACTERISTICS = "characteristics"

MOST_LABELS = 200
"""Maximum number of labels; rarer attributes are gathered under one label."""

Samples = Sequence[Mapping[str, Sequence[str]]]
"""Attributes of each sample: key without "Sample_" → the texts under that key."""


def sample_labels(samples: Samples) -> dict[str, tuple[str, ...]]:
    """Return the labels of samples: title, source and the like, and one per characteristic.

    Characteristics are written "key: value". Samples may have them in different order, and some
    may lack some; so each is found by its key. Two under one key are joined by "; ".
    """
    columns: dict[str, dict[int, list[str]]] = {}
    for place, sample in enumerate(samples):
        for key, texts in sample.items():
            for label, text in _labelled(key, texts):
                columns.setdefault(label, {}).setdefault(place, []).append(text)
    if len(columns) > MOST_LABELS:
        columns = _gathered(columns)
    labels = {}
    for label in sorted(columns, key=lambda label: label != TITLE):
        cells = [""] * len(samples)
        for place, texts in columns[label].items():
            cells[place] = "; ".join(texts)
        labels[label] = tuple(cells)
    return labels


def _gathered(columns: dict[str, dict[int, list[str]]]) -> dict[str, dict[int, list[str]]]:
    """Return the most frequent labels, and the others under one label with their keys."""
    often = sorted(columns, key=lambda label: -len(columns[label]))
    kept = {label: columns[label] for label in columns if label in set(often[:MOST_LABELS])}
    rest = kept.setdefault(CHARACTERISTICS, {})
    for label in often[MOST_LABELS:]:
        for place, texts in columns[label].items():
            rest.setdefault(place, []).extend(f"{label}: {text}" for text in texts)
    return kept


def unused_keys(samples: Samples) -> list[str]:
    """Return the attributes that became no label."""
    keys = dict.fromkeys(key for sample in samples for key in sample)
    known = (*DESCRIBING_KEYS, CHARACTERISTICS)
    return [key for key in keys if key != ACCESSION and _channel(key)[0] not in known]


def _channel(key: str) -> tuple[str, str]:
    """Split a key into name and displayed channel; the first channel is not displayed."""
    stem, mark, number = key.rpartition("_ch")
    if not mark or not number.isdigit():
        return key, ""
    return stem, "" if number == "1" else f" (channel {number})"


def _labelled(key: str, texts: Iterable[str]) -> Iterable[tuple[str, str]]:
    stem, channel = _channel(key)
    if stem in DESCRIBING_KEYS:
        yield from ((stem + channel, text) for text in texts if text.strip())
    elif stem == CHARACTERISTICS:
        for text in texts:
            tag, colon, value = text.partition(":")
            if colon and tag.strip():
                name = tag.strip() + channel
                yield f"{name} (2)" if name in TAKEN else name, value.strip()
            elif text.strip():
                yield CHARACTERISTICS + channel, text.strip()
