"""Files that are damaged, cut off or made to do harm: refused, or the same session as before."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.alike import assert_alike
from tests.store.sessions import data, judged, part, run
from ximstudio.model.npy import NoArrayError, read_array
from ximstudio.model.problem import UserError
from ximstudio.model.selection import Selection
from ximstudio.session import Session
from ximstudio.store import read_session, write_session
from ximstudio.store.json_values import JsonValue

Members = dict[str, bytes]


def small() -> Session:
    """Few runs, but one of each kind."""
    runs = tuple(run(key) for key in ("som", "pca", "xom", "relational"))
    chosen = Selection.of(data().table.items.names)
    return Session(
        data=data(), runs=(*runs, part()), shown="part", selection=chosen, judged=judged()
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of its own, whole."""
    path = tmp_path_factory.mktemp("hostile") / "session.xims"
    write_session(path, small())
    return path


@pytest.fixture(scope="module")
def members(path: Path) -> Members:
    return members_of(path)


def members_of(path: Path) -> Members:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members: Members, compression: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return file.getvalue()


def keys_of(content: bytes, folder: Path) -> tuple[str, ...]:
    """What is said about a file; nothing if it is opened. Nothing is written beside it."""
    target = folder / "changed.xims"
    target.write_bytes(content)
    before = sorted(folder.parent.rglob("*"))
    try:
        opened = read_session(target).session
    except UserError as error:
        return error.keys
    finally:
        assert sorted(folder.parent.rglob("*")) == before
    assert_alike(small(), opened)
    return ()


def refusal_of(path: Path) -> tuple[str, ...]:
    try:
        read_session(path)
    except UserError as error:
        return error.keys
    return ()


OURS = {"session.damaged", "session.not_ours", "session.newer", "session.unknown", "session.memory"}

QUICK = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICK
@given(place=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_that_a_changed_byte_is_noticed_or_of_no_matter(
    path: Path, tmp_path: Path, place: float, flip: int
) -> None:
    content = bytearray(path.read_bytes())
    content[int(place * len(content))] ^= flip
    assert set(keys_of(bytes(content), tmp_path)) <= OURS


@QUICK
@given(share=st.floats(0, 1, exclude_max=True))
def test_that_a_file_that_is_cut_off_is_refused(path: Path, tmp_path: Path, share: float) -> None:
    content = path.read_bytes()
    keys = keys_of(content[: int(share * len(content))], tmp_path)
    assert set(keys) < OURS
    assert keys


@QUICK
@given(chance=st.randoms(use_true_random=False))
def test_that_parts_in_the_place_of_others_are_refused_or_the_same(
    members: Members, tmp_path: Path, chance: Any
) -> None:
    one, other = chance.sample(sorted(members), 2)
    swapped = {**members, one: members[other], other: members[one]}
    content = zipped(swapped)
    target = tmp_path / "changed.xims"
    target.write_bytes(content)
    # Two columns of a history may well be each other: then it is another session, and whole.
    assert set(refusal_of(target)) <= OURS


def replaced(value: Any, chance: Any, junk: Any) -> Any:
    """Plain values with one of them, somewhere, in place of another."""
    if isinstance(value, dict) and value and chance.random() < 0.97:
        key = chance.choice(list(value))
        changed = {**value, key: replaced(value[key], chance, junk)}
        if chance.random() < 0.05:
            del changed[key]
        return changed
    if isinstance(value, list) and value and chance.random() < 0.97:
        place = chance.randrange(len(value))
        return [*value[:place], replaced(value[place], chance, junk), *value[place + 1 :]]
    return junk


JUNK = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        1,
        3,
        10**9,
        10**30,
        10**400,
        0.5,
        1e308,
        "",
        "nan",
        "inf",
        "matrix",
        "1",
        "../1",
    ]
) | st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda each: st.lists(each) | st.dictionaries(st.text(max_size=3), each),
    max_leaves=4,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chance=st.randoms(use_true_random=False), junk=JUNK)
def test_that_any_other_value_in_the_document_is_refused_or_harmless(
    members: Members, tmp_path: Path, chance: Any, junk: Any
) -> None:
    document = replaced(json.loads(members["session.json"]), chance, junk)
    target = tmp_path / "changed.xims"
    target.write_bytes(zipped({**members, "session.json": json.dumps(document).encode()}))
    assert set(refusal_of(target)) <= OURS


def changed(members: Members, change: Callable[[Any], None]) -> bytes:
    document = json.loads(members["session.json"])
    change(document)
    return zipped({**members, "session.json": json.dumps(document).encode()})


def objects(document: Any, kind: str) -> list[Any]:
    return [each for each in document["objects"] if each["is"] == kind]


def npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def lying(shape: str, kind: str = "<f8") -> bytes:
    """A header that promises what does not follow."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()


def test_that_bombs_are_refused(members: Members, tmp_path: Path) -> None:
    assert keys_of(zipped(members, zipfile.ZIP_DEFLATED), tmp_path) == ("session.damaged",)
    array = next(name for name in members if name.startswith("arrays"))
    for shape in ("(1000000000000,)", "(0, 999999999999999999)", "(99999999, 99999999)"):
        content = zipped({**members, array: lying(shape)})
        assert keys_of(content, tmp_path) == ("session.damaged",)


def test_that_a_lying_header_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(np, "empty", lambda *args, **_: asked.append(args))
    for header in (lying("(10, 10)"), lying("(1000000000000,)"), lying("(4,)", "|O8"), b"", b"PK"):
        with pytest.raises(NoArrayError):
            read_array(io.BytesIO(header), len(header), kinds=("<f8",))
    assert not asked


@pytest.mark.parametrize(
    "name", ["../evil.npy", "/evil", "arrays/../1.npy", "evil.txt", "arrays/1.npy/x", "C:\\evil"]
)
def test_that_names_that_lead_elsewhere_are_refused(
    members: Members, tmp_path: Path, name: str
) -> None:
    assert keys_of(zipped({**members, name: b""}), tmp_path) == ("session.damaged",)


def test_that_objects_are_never_made_of_bytes(members: Members, tmp_path: Path) -> None:
    file = io.BytesIO()
    np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    for name in members:
        if name.startswith("arrays"):
            content = zipped({**members, name: file.getvalue()})
            assert keys_of(content, tmp_path) == ("session.damaged",)
            break


def test_that_a_part_that_is_there_twice_is_refused(members: Members, tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("session.json", b"{}")
    assert keys_of(file.getvalue(), tmp_path) == ("session.damaged",)


@pytest.mark.parametrize(
    "content",
    [b"", b"PK", b"no archive at all", zipped({"other.json": b"{}"}), b"PK\x05\x06" + bytes(18)],
)
def test_that_other_files_are_told_to_be_no_sessions(tmp_path: Path, content: bytes) -> None:
    assert keys_of(content, tmp_path) in {("session.not_ours",), ("session.damaged",)}


def test_that_a_folder_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        read_session(tmp_path)
    assert caught.value.keys == ("session.not_ours",)


@pytest.mark.parametrize(
    "text", [b"[" * 100_000, b"{", b"\xff\xfe", b"[1]", b"NaN", b'{"format": 1}', b"1" * 5000]
)
def test_that_wrong_json_is_refused(members: Members, tmp_path: Path, text: bytes) -> None:
    keys = keys_of(zipped({**members, "session.json": text}), tmp_path)
    assert keys in {("session.damaged",), ("session.not_ours",)}


def holding(kind: str, **changes: Any) -> Callable[[Any], None]:
    return lambda document: objects(document, kind)[0].update(changes)


def in_run(name: str, value: Any) -> Callable[[Any], None]:
    return lambda document: document["session"]["runs"][0].update({name: value})


def in_model(document: Any) -> Any:
    return next(each for each in objects(document, "result") if each["model"]["is"] == "prototypes")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (holding("result", item_ids=["a"]), "session.damaged"),
        (holding("result", seed=-1), "session.damaged"),
        (holding("result", method="none such"), "session.unknown"),
        (holding("matrix", fingerprint="0" * 64), "session.damaged"),
        (holding("result", extra=1), "session.damaged"),
        (in_run("matrix", 10**6), "session.damaged"),
        (in_run("matrix", 0), "session.damaged"),
        (in_run("seconds", "soon"), "session.damaged"),
        (
            lambda document: document["session"]["runs"].append(document["session"]["runs"][0]),
            "session.damaged",
        ),
        (
            lambda document: in_model(document)["model"]["grid"].update(rows=10**8),
            "session.damaged",
        ),
        (
            lambda document: in_model(document)["model"]["grid"].update(toroidal=True, rows=-3),
            "session.damaged",
        ),
        (lambda document: in_model(document)["params"].update(new_parameter=1), "session.unknown"),
        (lambda document: in_model(document)["params"].update(shape=[0, 0]), "session.unknown"),
        (lambda document: document.update(objects={}), "session.damaged"),
        (lambda document: document.update(schema=True), "session.damaged"),
        (lambda document: document.update(schema=99), "session.newer"),
        (lambda document: document.update(matrix=None), "session.damaged"),
    ],
)
def test_that_what_does_not_fit_is_refused(
    members: Members, tmp_path: Path, change: Callable[[Any], None], key: str
) -> None:
    assert keys_of(changed(members, change), tmp_path) == (key,)


def test_that_findings_are_about_places_that_the_table_has(tmp_path: Path) -> None:
    path = tmp_path / "changed.xims"
    write_session(path, Session(data=data("plain")))
    members = members_of(path)
    finding = json.loads(members["session.json"])["session"]["data"]["findings"][0]
    name = f"arrays/{finding['addresses']['items']}.npy"
    wrong = np.load(io.BytesIO(members[name])) + 1000
    for content in (
        zipped({**members, name: npy(wrong)}),
        changed(members, lambda whole: whole["session"]["data"]["findings"][0].update(side="in")),
    ):
        path.write_bytes(content)
        assert refusal_of(path) == ("session.damaged",)


def test_that_winners_are_nodes(members: Members, tmp_path: Path) -> None:
    name = in_model(json.loads(members["session.json"]))["winners"]
    array = f"arrays/{name}.npy"
    for wrong in (99, -1):
        winners = np.load(io.BytesIO(members[array])).copy()
        winners[0] = wrong
        content = zipped({**members, array: npy(winners)})
        assert keys_of(content, tmp_path) == ("session.damaged",)


@pytest.mark.parametrize("part", ["data", "indices", "indptr"])
def test_that_sparse_tables_name_columns_that_they_have(tmp_path: Path, part: str) -> None:
    path = tmp_path / "sparse.xims"
    write_session(path, Session(data=data("sparse")))
    members = members_of(path)
    table = objects(json.loads(members["session.json"]), "table")[0]
    name = f"arrays/{table['values'][part]}.npy"
    array = np.load(io.BytesIO(members[name])).copy()
    wrongs = [array[:-1]] if part == "data" else [np.full_like(array, 4), array - 1, array[::-1]]
    for wrong in wrongs:
        path.write_bytes(zipped({**members, name: npy(wrong)}))
        with pytest.raises(UserError) as caught:
            read_session(path)
        assert caught.value.keys == ("session.damaged",)


def test_that_more_than_fits_into_memory_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ximstudio.store.archive.free_memory", lambda: 1000.0)
    with pytest.raises(UserError) as caught:
        read_session(path)
    assert caught.value.keys == ("session.memory",)


def test_that_names_of_many_do_not_multiply_what_they_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ximstudio.store.files.free_memory", lambda: 100.0)
    with pytest.raises(UserError) as caught:
        read_session(path)
    assert caught.value.keys == ("session.memory",)


def test_that_a_device_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "session.xims"
    write_session(path, Session(data=data("plain")))
    members = members_of(path)

    def refer(document: Any) -> None:
        number = document["session"]["data"]["input"]
        file = {"name": "/dev/zero", "beside": "", "size": 0, "fingerprint": "0"}
        document["session"]["data"] = None
        document["matrix"] = None
        document["reference"] = {"input": number, "files": [file]}

    path.write_bytes(changed(members, refer))
    assert [each.file.name for each in read_session(path).missing] == ["/dev/zero"]


def test_that_every_whole_number_may_be_too_large() -> None:
    assert JsonValue(2**200, "seed").whole() == 2**200
    for value in (10**400, -(10**400)):
        with pytest.raises(UserError) as refused:
            JsonValue(value, "n_features").whole()
        assert refused.value.keys == ("session.damaged",)


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}])
def test_that_values_of_no_form_are_not_followed_to_any_depth(wrap: Callable[[Any], Any]) -> None:
    value: Any = 1
    for _ in range(20):
        value = wrap(value)
    JsonValue(value, "hint").anything()
    for _ in range(600):
        value = wrap(value)
    with pytest.raises(UserError) as refused:
        JsonValue(value, "hint").anything()
    assert refused.value.keys == ("session.damaged",)
