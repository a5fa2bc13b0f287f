"""Figures from the window: drawn, saved and copied as chosen, without blocking."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.export_hands import drawn, file_dialog, opened, saved, settled, write_name
from tests.ui.hands import choose, click, write
from tests.ui.maps_to_show import run_of
from tests.ui.windows import run_shown, shown_window, take_ready, wait_idle, with_sample
from ximstudio.export import planned_figure
from ximstudio.export.provenance import read_provenance, record_in
from ximstudio.model.problem import UserError
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.session import Run
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.exporting.paper import DOUBLE, FIT, TRUE, dots_per_inch
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.views import VIEWS
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.figure import figure_plan_from
from ximstudio.views.map.state import MapState

pytestmark = pytest.mark.usefixtures("dressed")
POINTS_PER_MM = 72.0 / 25.4
STARTS = {
    ".pdf": b"%PDF", ".svg": b"<?xml", ".png": b"\x89PNG", ".tiff": b"II*\0", ".tif": b"II*\0",
}  # fmt: skip
"""How files of a kind begin."""


@pytest.fixture
def window(mapped: MainWindow) -> MainWindow:
    return mapped


def planned(window: MainWindow) -> FigurePlan:
    plan = window.exporter.dialog.figure.plan
    assert plan is not None
    return plan


def show(qtbot: QtBot, window: MainWindow, run: Run) -> Run:
    """Have a run shown as if it had been trained here."""
    window.store.commit(window.user_actions.session.with_run(run), "Train")
    window.user_actions.draw()
    wait_idle(qtbot, window)
    return run


def pdf_size(path: Path) -> tuple[float, float]:
    """Width and height of the first page in millimetres."""
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        assert len(document) == 1
        width, height = document[0].get_size()
        return width / POINTS_PER_MM, height / POINTS_PER_MM


def test_that_there_is_nothing_to_export_without_a_map(qtbot: QtBot) -> None:
    window = with_sample(qtbot, shown_window(qtbot))
    QTest.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)

    assert not window.bar.export.isEnabled()
    assert not window.exporter.able
    assert not any(each.isVisible() for each in window.findChildren(type(window.exporter.dialog)))
    window.close()


def test_that_a_key_opens_the_view_in_focus_as_it_is_set(qtbot: QtBot, window: MainWindow) -> None:
    view = window.views.pane.view
    view.layers.choose("hits")  # type: ignore[attr-defined]
    wait_idle(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    drawn(qtbot, window)

    state = planned(window).state
    assert isinstance(state, MapState)
    assert state == view.state
    assert state.layer == "hits"
    QTest.keyClick(window.exporter.dialog, Qt.Key.Key_Escape)
    assert not window.exporter.dialog.isVisible()


def test_that_all_panes_are_offered_and_the_one_in_focus_first(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.views.show_panes("2")
    window.views.panes[1].show_view("quality")
    window.views.panes[1].tabs.setFocus()
    wait_idle(qtbot, window)
    offers = window.exporter.exporting.offers(window.views)

    assert [offer.state.view for offer in offers[:2]] == ["quality", "map"]
    assert {offer.state.view for offer in offers} == {kind.kind.key for kind in VIEWS}
    assert len({offer.name for offer in offers}) == len(offers)


def test_that_a_saved_pdf_is_as_wide_as_asked_and_tells_how_it_was_made(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window)
    click(dialog.figure.form.width_mm.choice.button("114"))
    drawn(qtbot, window)
    path = saved(qtbot, window, tmp_path / "map.pdf")

    width, height = pdf_size(path)
    assert width == pytest.approx(114.0, abs=0.1)
    shown = dialog.figure.preview.paper.size_mm
    assert (width, height) == pytest.approx((shown.width(), shown.height()), abs=0.1)
    provenance, run = read_provenance(path), run_shown(window)
    assert provenance is not None
    assert figure_plan_from(provenance.figure) == planned(window)
    settings = record_in(provenance.runs[0], path)
    assert settings.method.key == run.result.method
    assert settings.params == run.result.params.resolved(run.matrix.n_items)
    assert settings.seed == run.result.seed
    assert settings.result_hash == run.result.hash
    assert settings.data.fingerprint == run.matrix.fingerprint
    told = dialog.status.full
    assert path.name in told
    assert f"{width:.0f} × {height:.0f} mm" in told


def test_that_the_folder_of_what_was_saved_can_be_shown(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PySide6.QtGui import QDesktopServices

    opened_urls: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: opened_urls.append(url.toLocalFile())
    )
    dialog = opened(qtbot, window)
    assert dialog.show_folder.isHidden()
    saved(qtbot, window, tmp_path / "map.svg")
    click(dialog.show_folder)

    assert [Path(url) for url in opened_urls] == [tmp_path]
    assert window.exporter.exporting.folder == tmp_path


def test_that_the_name_of_the_file_decides_on_its_format(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window)
    for suffix, start in STARTS.items():
        path = saved(qtbot, window, tmp_path / f"figure{suffix}")
        assert path.read_bytes().startswith(start)
        provenance = read_provenance(path)
        assert provenance is not None
        assert figure_plan_from(provenance.figure) == planned(window)
        assert dialog.figure.form.format.value == {".tif": "tiff"}.get(suffix, suffix[1:])


def test_that_a_name_without_an_end_gets_that_of_the_format(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window)
    click(dialog.figure.form.format.button("png"))
    asked = file_dialog(qtbot, dialog)
    proposed = Path(asked.selectedFiles()[0])
    write_name(asked, tmp_path / "figure")
    settled(qtbot, window)

    assert proposed.suffix == ".png"
    assert run_shown(window).name in proposed.stem
    assert (tmp_path / "figure.png").is_file()


def test_that_pixels_have_the_resolution_that_was_chosen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    from PIL import Image

    dialog = opened(qtbot, window)
    form = dialog.figure.form
    assert not form.dpi.isEnabled()
    click(form.format.button("tiff"))
    assert form.dpi.isEnabled()
    click(form.dpi.choice.button("own"))
    write(form.dpi.edit, "150")
    path = saved(qtbot, window, tmp_path / "figure.tiff")

    with Image.open(path) as image:
        assert image.info["dpi"] == pytest.approx((150.0, 150.0))
        assert image.width == round(85.0 / 25.4 * 150.0)
        assert image.info["compression"] == "tiff_lzw"


def test_that_a_copy_is_there_as_pixels_and_as_lines(qtbot: QtBot, window: MainWindow) -> None:
    from PIL import Image

    dialog = opened(qtbot, window)
    click(dialog.copy)
    settled(qtbot, window)

    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    with Image.open(io.BytesIO(data.data("image/png").data())) as image:
        assert image.size == (
            QGuiApplication.clipboard().image().width(),
            QGuiApplication.clipboard().image().height(),
        )
        assert image.width == round(85.0 / 25.4 * 300.0)
    for kind, start in (("image/svg+xml", b"<?xml"), ("application/pdf", b"%PDF")):
        assert bytes(data.data(kind).data()).startswith(start)
    QGuiApplication.clipboard().clear()


def test_that_figures_are_drawn_in_the_lane_and_only_the_newest(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, float]] = []
    whole = planned_figure.drawn

    def watched(*given: object) -> object:
        plan = given[1]
        assert isinstance(plan, FigurePlan)
        seen.append((threading.current_thread().name, plan.look.font_size))
        return whole(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(planned_figure, "drawn", watched)
    dialog = opened(qtbot, window)
    drawn(qtbot, window)
    seen.clear()
    field = dialog.figure.form.font_size.edit
    field.setFocus()
    for _ in range(12):
        QTest.keyClick(field, Qt.Key.Key_Up)
    settled(qtbot, window)

    last = planned(window).look.font_size
    assert last > 7.5
    assert seen == [("compute lane", last)]


def test_that_closing_while_it_draws_leaves_nothing_behind(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    whole = planned_figure.drawn

    def slow(*given: object) -> object:
        begun.set()
        go_on.wait(30)
        return whole(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(planned_figure, "drawn", slow)
    click(window.bar.export)
    qtbot.waitUntil(begun.is_set)
    dialog = window.exporter.dialog
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert not window.exporter.exporting.drawing.busy
    go_on.set()
    wait_idle(qtbot, window)
    assert dialog.figure.preview.is_blank


def test_that_a_file_is_not_there_if_it_was_not_waited_for(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    whole = planned_figure.provenance_of

    def slow(*given: object) -> object:
        begun.set()
        go_on.wait(30)
        return whole(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(planned_figure, "provenance_of", slow)
    dialog = opened(qtbot, window)
    dialog.figure.save_as(tmp_path / "map.pdf")
    qtbot.waitUntil(begun.is_set)
    assert not dialog.save.isEnabled()
    assert not dialog.bar.isHidden()
    dialog.reject()
    go_on.set()
    wait_idle(qtbot, window)

    assert list(tmp_path.iterdir()) == []


def test_that_what_was_chosen_is_chosen_the_next_day(qtbot: QtBot, tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    for day in range(2):
        window = with_sample(qtbot, shown_window(qtbot, Settings(settings)))
        take_ready(qtbot, window)
        form = opened(qtbot, window).figure.form
        if day == 0:
            click(form.width_mm.choice.button("own"))
            write(form.width_mm.edit, "120")
            click(form.format.button("svg"))
            choose(qtbot, form.colours.combo, "Cividis")
            click(form.titled)
            settled(qtbot, window)
            first = form.choices
        else:
            assert form.choices == first
            assert first is not None
            assert (first.width_mm, first.format, first.palette) == (120.0, "svg", "cividis")
            assert form.width_mm.edit.isVisible()
        window.exporter.dialog.close()
        window.close()


def test_that_a_wrong_number_is_marked_and_nothing_is_saved(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = opened(qtbot, window)
    field = dialog.figure.form.font_size
    write(field.edit, "900")
    assert field.edit.property("state") == "error"
    assert not dialog.save.isEnabled()
    assert not dialog.copy.isEnabled()
    write(field.edit, "9")
    settled(qtbot, window)
    assert field.edit.property("state") == ""
    assert dialog.save.isEnabled()


def test_that_a_file_that_cannot_be_written_is_told_in_the_dialog(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window)
    dialog.figure.save_as(tmp_path / "no such folder" / "map.pdf")
    settled(qtbot, window)

    assert dialog.banner.isVisible()
    assert [problem.key for problem in dialog.banner.problems] == ["export.unwritable"]
    assert not window.banner.isVisible()
    saved(qtbot, window, tmp_path / "map.pdf")
    assert not dialog.banner.isVisible()


def test_that_a_view_without_anything_to_draw_says_why(qtbot: QtBot, window: MainWindow) -> None:
    show(qtbot, window, run_of("pca"))
    dialog = opened(qtbot, window)
    preview = dialog.figure.preview

    assert preview.is_blank
    assert preview.empty.title
    assert not dialog.save.isEnabled()
    choose(qtbot, dialog.figure.form.view, "Positions")
    drawn(qtbot, window)
    assert dialog.save.isEnabled()


def test_that_every_view_is_saved_as_it_is_offered(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    run = show(qtbot, window, run_of("c-xim"))
    window.user_actions.comparison.show((run.key,), "Compare")
    window.user_actions.selecting.select(Selection.of(run.matrix.item_ids[:20]))
    wait_idle(qtbot, window)
    form = opened(qtbot, window).figure.form
    offers = window.exporter.exporting.offers(window.views)
    for kind in VIEWS:
        choose(qtbot, form.view, next(o.name for o in offers if o.state.view == kind.kind.key))
        drawn(qtbot, window)
        path = saved(qtbot, window, tmp_path / f"{kind.kind.key}.pdf")

        assert pdf_size(path)[0] == pytest.approx(85.0, abs=0.1)
        provenance = read_provenance(path)
        assert provenance is not None
        assert provenance.figure["view"] == kind.kind.key
        assert run.name in [each["name"] for each in provenance.runs]


def test_that_what_is_chosen_is_marked_only_if_a_person_wants_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    chosen = Selection.of(run_shown(window).matrix.item_ids[:7])
    window.user_actions.selecting.select(chosen)
    dialog = opened(qtbot, window)
    assert planned(window).selection == chosen
    click(dialog.figure.form.marked)
    assert planned(window).selection == NOTHING
    choose(qtbot, dialog.figure.form.view, "Heat map")
    assert dialog.figure.form.marked.isHidden()
    assert planned(window).selection == chosen
    settled(qtbot, window)


def test_that_a_title_stands_above_only_if_it_is_wanted(qtbot: QtBot, window: MainWindow) -> None:
    form = opened(qtbot, window).figure.form
    assert planned(window).title == ""
    click(form.titled)
    assert run_shown(window).name in planned(window).title
    write(form.title, "Stress")
    settled(qtbot, window)
    assert planned(window).title == "Stress"
    write(form.title, "S")
    QTest.keyClick(form.title, Qt.Key.Key_Backspace)
    settled(qtbot, window)
    assert planned(window).title == ""


def test_that_a_figure_of_several_runs_is_not_called_after_one(
    qtbot: QtBot, window: MainWindow
) -> None:
    run = run_shown(window)
    window.user_actions.comparison.show((run.key,), "Compare")
    wait_idle(qtbot, window)
    dialog = opened(qtbot, window)
    click(dialog.figure.form.titled)
    choose(qtbot, dialog.figure.form.view, "Compare: maps")
    settled(qtbot, window)
    asked = file_dialog(qtbot, dialog)
    assert Path(asked.selectedFiles()[0]).name == "yeast compare maps.pdf"
    asked.reject()
    assert run.name not in planned(window).title


def test_that_a_sheet_is_as_large_on_the_screen_as_on_paper(
    qtbot: QtBot, window: MainWindow
) -> None:
    preview = opened(qtbot, window).figure.preview
    drawn(qtbot, window)
    click(preview.zoom.button(TRUE))
    drawn(qtbot, window)
    per_mm = dots_per_inch(window.screen()) / 25.4
    sheet = preview.paper.sheet_size(1.0)
    assert sheet.width() == pytest.approx(85.0 * per_mm)
    assert preview.paper.image.width() == pytest.approx(
        sheet.width() * preview.devicePixelRatioF(), abs=1.0
    )
    click(preview.zoom.button(DOUBLE))
    drawn(qtbot, window)
    assert preview.paper.image.width() == pytest.approx(
        2 * sheet.width() * preview.devicePixelRatioF(), abs=2.0
    )
    click(preview.zoom.button(FIT))
    drawn(qtbot, window)
    assert preview.paper.scale <= 1.0


def test_that_a_training_that_ends_meanwhile_is_what_is_exported(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = opened(qtbot, window)
    before = window.exporter.exporting.shown
    take_ready(qtbot, window)
    settled(qtbot, window)

    after = window.exporter.exporting.shown
    assert after is not None
    assert after is not before
    assert after.run is run_shown(window)
    assert dialog.save.isEnabled()


def test_that_a_refusal_says_why_and_no_figure_is_kept(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(qtbot, window)
    drawn(qtbot, window)

    def refused(*_: object) -> object:
        raise UserError(key="figure.test", what="No ink.", where="here", way_out="Buy some.")

    with monkeypatch.context() as patched:
        patched.setattr(planned_figure, "drawn", refused)
        click(dialog.figure.form.width_mm.choice.button("174"))
        settled(qtbot, window)
    assert dialog.figure.preview.empty.title == "No ink."
    assert dialog.figure.preview.empty.text.splitlines() == ["here", "Buy some."]
    assert not dialog.save.isEnabled()
    click(dialog.figure.form.width_mm.choice.button("114"))
    drawn(qtbot, window)
    assert dialog.save.isEnabled()


def test_that_a_figure_that_is_dropped_gives_the_same_figure_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    run = run_shown(window)
    view = window.views.pane.view
    view.layers.choose("hits")  # type: ignore[attr-defined]
    window.user_actions.selecting.select(Selection.of(run.matrix.item_ids[:9]))
    wait_idle(qtbot, window)
    opened(qtbot, window)
    first = saved(qtbot, window, tmp_path / "first.png")
    window.exporter.dialog.close()

    window.user_actions.selecting.clear()
    view.layers.choose("u_matrix")  # type: ignore[attr-defined]
    window.views.pane.show_view("quality")
    wait_idle(qtbot, window)
    window.opening.open_files([first])
    wait_idle(qtbot, window)
    opened(qtbot, window)
    second = saved(qtbot, window, tmp_path / "second.png")

    assert first.read_bytes() == second.read_bytes()
