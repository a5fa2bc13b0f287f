"""Figures inside a page: their names are their own."""

from __future__ import annotations

from tests.report.pages import Page
from ximstudio.report.html import inline_svg

SVG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  width="85mm" height="60mm" viewBox="0 0 240 170">
 <metadata><x/></metadata>
 <defs><style>*{stroke-linejoin: round}</style><path id="m1" d="M 0 0"/>
  <clipPath id="c"><rect/></clipPath></defs>
 <g id="figure_1" style="clip-path: url(#c)"><use xlink:href="#m1"/>
  <g clip-path="url(#c)"/><text>id="m1" url(#c) &lt;b&gt;</text>
  <image id="i" xlink:href="data:image/png;base64,AAAA"/>
  <image id="i" xlink:href="data:image/png;base64,AAAA"/></g>
</svg>"""


def test_that_two_figures_share_no_names() -> None:
    page = Page(inline_svg(SVG, name="f1", spoken="one") + inline_svg(SVG, name="f2", spoken="two"))
    assert set(page.ids) == {
        f"{name}-{each}" for name in ("f1", "f2") for each in ("m1", "c", "i", "figure_1")
    }
    assert page.ids.most_common(1)[0][1] == 1
    assert page.references == {"f1-m1", "f1-c", "f2-m1", "f2-c"}
    assert page.loaded == set()


def test_that_texts_stay_and_styles_go() -> None:
    page = Page(inline_svg(SVG, name="f1", spoken='what "it" shows'))
    (drawing,) = page.root.all("svg")
    assert drawing.attributes["aria-label"] == 'what "it" shows'
    assert drawing.all("text")[0].text == 'id="m1" url(#c) <b>'
    assert not page.root.all("style")
    assert not page.root.all("metadata")
    assert "width:85mm" in drawing.attributes["style"]
    # Else browsers would not know how high a drawing is that has become narrower.
    assert drawing.attributes["viewbox"] == "0 0 240 170"
    assert "height" not in drawing.attributes
