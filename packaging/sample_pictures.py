"""Draws the pictures of the sample data that the window's first page shows.

  .venv/bin/python packaging/sample_pictures.py

Run it when a sample is added, and look at what it has drawn.
"""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QImage

from ximstudio.assets import asset
from ximstudio.load import load
from ximstudio.load.samples import PREFIX, samples
from ximstudio.pictures.colours import DARK, LIGHT
from ximstudio.pictures.raster.dots import warm_up
from ximstudio.pictures.thumbnail import thumbnail
from ximstudio.train import METHODS, train

# Twice as large as on the page, for screens at 200 %.
WIDTH, HEIGHT = 2 * 168, 2 * 112


def main() -> None:
    """Train the first method on every sample and save its map beside it."""
    QGuiApplication(["pictures", "-platform", "offscreen"])
    warm_up()
    method = METHODS[0]
    for key in samples():
        matrix = load(PREFIX + key)
        result = train(matrix, method, method.params(), seed=0)
        for scheme, colours in (("light", LIGHT), ("dark", DARK)):
            pixels = thumbnail(result, matrix, colours, width=WIDTH, height=HEIGHT, closer=True)
            form = QImage.Format.Format_ARGB32_Premultiplied
            image = QImage(pixels.tobytes(), WIDTH, HEIGHT, 4 * WIDTH, form)
            path = asset("samples", f"{key}-{scheme}.png")
            image.save(str(path))
            print(f"{path.name}: {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
