"""Write the methods section of a paper from the actual parameters of one or several maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ximstudio.export.wording.data_clauses import (
    data_sentences,
    descent_sentences,
    projection_sentences,
)
from ximstudio.export.wording.described import Described, described
from ximstudio.export.wording.finding_clauses import (
    cluster_sentences,
    measure_sentences,
    names_of,
    protocol_sentences,
    software_sentences,
    stability_sentences,
)
from ximstudio.measure.comparison import Comparison
from ximstudio.model.citations import Citations
from ximstudio.model.clauses import Clause, MapContext, listed, plain_clause, worded
from ximstudio.model.result import LinearMap
from ximstudio.model.words import counted, grouped, in_words
from ximstudio.session.session import Session
from ximstudio.session.words import kinds_in
from ximstudio.train import Method

REFERENCES = "References"


@dataclass(frozen=True, kw_only=True)
class MethodsText:
    """A text in paragraphs, and the works that it cites by number.

    `left_out` lists, by the name of every map, the parameters that the text does not mention: they
    have no effect with the other settings, or have their defaults.
    """

    paragraphs: tuple[str, ...]
    references: tuple[str, ...]
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def plain(self) -> str:
        """As plain text, the references last."""
        cited = [f"[{number}] {text}" for number, text in enumerate(self.references, start=1)]
        return "\n\n".join([*self.paragraphs, "\n".join([REFERENCES, *cited])]) + "\n"

    @property
    def markdown(self) -> str:
        """As Markdown, with a heading above the list of references."""
        cited = [f"{number}. {text}" for number, text in enumerate(self.references, start=1)]
        parts = [*self.paragraphs, f"## {REFERENCES}", "\n".join(cited)]
        return "\n\n".join(part.replace("*", "\\*") for part in parts) + "\n"


def methods_text(
    many: Sequence[Described],
    *,
    comparison: Comparison | None = None,
    words: tuple[str, str] | None = None,
) -> MethodsText:
    """Describe how these maps were made, in the past tense, with numbered citations.

    Parameters
    ----------
    many
        The maps, at least one, in order. Those that differ only in their seed are described
        together.
    comparison
        Results of repeating their methods, if any.
    words
        Words for one item and one feature; None to guess them from the names.
    """
    citations = Citations()
    paragraphs: list[list[str]] = []
    left_out = {}
    names = names_of(many)
    described_tables: set[str] = set()
    before: list[tuple[str, list[Clause]]] = []
    for alike in _alike(many):
        first, table = alike[0], _first_of(alike[0])
        if table.matrix.fingerprint not in described_tables:
            described_tables.add(table.matrix.fingerprint)
            trained = any(
                not isinstance(one.result.model, LinearMap)
                for one in many
                if _first_of(one).matrix.fingerprint == table.matrix.fingerprint
            )
            paragraphs.append(list(data_sentences(table, citations, trained=trained)))
        sentences = [*_introduction(alike, citations), *descent_sentences(first)]
        clauses = list(parameter_clauses(first, citations))
        sentences += _unlike(clauses, before)
        sentences += [
            *_stopped(first),
            *(text for one in alike for text in projection_sentences(one)),
        ]
        sentences += _seeds(alike)
        paragraphs.append(sentences)
        before.append((names[id(first)], clauses))
        mentioned = {name for clause in clauses for name in clause.names}
        named = first.name or first.method.name
        left_out[named] = tuple(name for name in first.params.specs() if name not in mentioned)
    paragraphs.append(
        [
            *measure_sentences(many, citations),
            *cluster_sentences(many, citations),
            *stability_sentences(many, citations),
            *(() if comparison is None else protocol_sentences(comparison, citations)),
        ]
    )
    paragraphs.append(list(software_sentences(many, citations)))
    matrix = many[0].matrix
    item, feature = words or kinds_in(matrix)
    return MethodsText(
        paragraphs=tuple(
            in_words(" ".join(sentences), item, feature) for sentences in paragraphs if sentences
        ),
        references=citations.cited,
        left_out=left_out,
    )


def session_methods(session: Session, keys: Sequence[str] = ()) -> MethodsText:
    """Methods text of some runs of a session; without keys, of all."""
    by_key = {run.key: run for run in session.runs}
    chosen = [by_key[key] for key in keys] if keys else list(session.runs)
    judged = session.judged
    return methods_text(
        [described(run, by_key.get(run.parent or "")) for run in chosen],
        comparison=None if judged is None else judged.comparison,
    )


def _alike(many: Sequence[Described]) -> list[list[Described]]:
    """Group maps that differ only in their seed, in the order of the first of each."""
    groups: dict[tuple[object, ...], list[Described]] = {}
    for one in many:
        result = one.result
        same = (result.method, one.params, result.data_fingerprint, result.parent, result.step)
        groups.setdefault(same, []).append(one)
    return list(groups.values())


def _first_of(one: Described) -> Described:
    """The oldest known ancestor of a map."""
    return one if one.parent is None else _first_of(one.parent)


def _unlike(clauses: Sequence[Clause], before: Sequence[tuple[str, list[Clause]]]) -> list[str]:
    """Sentences about a map, without those that it shares with an earlier one, if that is stated.

    The earlier map must not mention more than this one, so that everything unmentioned is the same.
    At least two sentences have to be shared.
    """
    texts = [clause.text for clause in clauses]
    mentioned = {name for clause in clauses for name in clause.names}
    most, name = 1, ""
    for other, others in before:
        shared = set(texts) & {clause.text for clause in others}
        if len(shared) > most and mentioned >= {name for clause in others for name in clause.names}:
            most, name = len(shared), other
            same = shared
    if not name:
        return texts
    left = [text for text in texts if text not in same]
    return [*left, f"All other settings were those of {name}."]


def _introduction(alike: Sequence[Described], citations: Citations) -> Iterator[str]:
    first = alike[0]
    what = introduction(first.method, citations)
    one_more = f"a map of {counted(first.matrix.n_items, 'item')} was"
    maps = one_more if len(alike) == 1 else f"{worded(len(alike))} maps were"
    yield f"{maps[:1].upper()}{maps[1:]} made by {what}."


def _stopped(one: Described) -> Iterator[str]:
    """State that training ended early, stopped by the user or because nothing moved any more."""
    result, params = one.result, one.params
    word = params.step_word
    if not result.finished:
        steps = counted(result.n_steps, word)
        yield f"Training was stopped after {grouped(result.step)} of {steps}."
    else:
        planned = params.steps_at_most(len(result.item_ids))
        if planned is not None and result.step < planned:
            yield f"It ended early, after {counted(result.step, word)}."


def _seeds(alike: Sequence[Described]) -> Iterator[str]:
    seeds = [str(one.result.seed) for one in alike]
    if not alike[0].params.specs():
        # No random choices.
        return
    if len(seeds) == 1:
        yield f"The seed of all random choices was {seeds[0]}."
    else:
        yield f"The seeds of all random choices were {listed(seeds)}."


def introduction(method: Method, citations: Citations) -> str:
    """Introduce the method, with its citation: "c-XIM, the Exploratory … [1]"."""
    about = method.introduction
    if about is None:
        return f"{method.name}: {method.summary.rstrip('.')} ({method.equations})"
    return f"{method.name}, {about.what}{citations.of(*about.works, equations=about.equations)}"


def parameter_clauses(one: Described, citations: Citations) -> Iterator[Clause]:
    """Yield sentences about all parameters; parameters without a clause are listed.

    Left out are parameters without effect (`Spec.when`), and those without a sentence of their own
    that have their defaults.
    """
    context = MapContext(
        result=one.result,
        params=one.params,
        citations=citations,
        n_projected=one.n_projected,
        n_missing=one.matrix.n_missing,
    )
    mentioned: set[str] = set()
    for clauses in one.method.clauses:
        for clause in clauses(context):
            mentioned.update(clause.names)
            yield clause
    params = context.params
    silent = params.unused(new_items=context.n_projected > 0)
    usual = type(params)().resolved(context.n_items)
    for name in params.specs():
        differs = getattr(params, name) != getattr(usual, name)
        if name not in mentioned and name not in silent and differs:
            # Prototypes that descend from another map began with that map.
            if name == "init" and context.result.parent is not None:
                continue
            yield plain_clause(params, name)
