"""The window: the only part of the package that knows Qt."""

import os

# pyqtgraph takes the first binding it finds; another one may be installed beside ours.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
