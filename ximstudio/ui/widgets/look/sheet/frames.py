"""Windows, panels, cards, banners, headings, tabs, splitters, scroll bars, progress."""

SHEET = """
QMainWindow, QDialog { background: $window; }

QFrame[kind="panel"] { background: $surface; border: none; }
QFrame[kind="sidebar"] { background: $window; border: none; }
QFrame[kind="card"] {
    background: $surface; border: 1px solid $border; border-radius: $radius_large;
}
QFrame[kind="card"][clickable="true"]:hover { border-color: $accent; background: $surface; }
QFrame[kind="line"] { background: $border; border: none; min-height: 1px; max-height: 1px; }
QFrame[kind="column"] { background: $border; border: none; min-width: 1px; max-width: 1px; }
QFrame[kind="drop"] {
    background: $surface; border: 2px dashed $border_strong; border-radius: $radius_large;
}
QFrame[kind="drop"][active="true"] { border-color: $accent; background: $accent_soft; }

QFrame[kind="banner"] {
    background: $accent_soft; border: 1px solid $accent_edge; border-radius: $radius;
}
QFrame[kind="banner"][tone="warning"] { background: $warning_soft; border-color: $warning_edge; }
QFrame[kind="banner"][tone="danger"] { background: $danger_soft; border-color: $danger_edge; }
QFrame[kind="banner"][tone="success"] { background: $success_soft; border-color: $success_edge; }
QFrame[kind="banner"] QLabel { background: transparent; }

QLabel { background: transparent; }
QLabel[kind="display"] { font-size: $text_display; font-weight: 600; }
QLabel[kind="heading"] { font-size: $text_heading; font-weight: 600; }
QLabel[kind="title"] { font-size: $text_title; font-weight: 600; }
QLabel[kind="strong"] { font-weight: 600; }
QLabel[kind="section"] {
    font-size: $text_caption; font-weight: 600; color: $muted; text-transform: uppercase;
}
QLabel[kind="plot"] { font-size: $text_caption; font-weight: 600; color: $muted; }
QLabel[kind="muted"] { color: $muted; }
QLabel[kind="caption"] { font-size: $text_caption; color: $muted; }
QLabel[kind="error"] { font-size: $text_small; color: $danger; }
QLabel[kind="warning"] { font-size: $text_small; color: $warning; }
QLabel[kind="badge"] {
    background: $pressed; color: $muted; border-radius: $radius_small;
    padding: 1px 6px; font-size: $text_caption; font-weight: 500;
}
QLabel[kind="badge"][tone="accent"] { background: $accent_soft; color: $accent; }
QLabel[kind="badge"][tone="warning"] { background: $warning_soft; color: $warning; }
QLabel[kind="badge"][tone="danger"] { background: $danger_soft; color: $danger; }
QLabel[kind="badge"][tone="success"] { background: $success_soft; color: $success; }
QLabel[kind="key"] {
    background: $sunken; color: $muted; border: 1px solid $border; border-bottom-width: 2px;
    border-radius: $radius_small; padding: 0 5px; font-size: $text_caption;
}

QGroupBox {
    border: none; margin-top: $wide; padding: 0; font-size: $text_body; font-weight: 400;
}
QGroupBox::title {
    subcontrol-origin: margin; subcontrol-position: top left; padding: 0; color: $muted;
}
QGroupBox:disabled::title { color: $disabled; }

QTabWidget::pane { border: none; border-top: 1px solid $border; background: transparent; }
QTabWidget::tab-bar { left: $small; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab {
    background: transparent; color: $muted; border: 2px solid transparent;
    padding: 0; margin: 0 7px; height: 32px; font-weight: 500;
}
QTabBar[room="tight"]::tab { margin: 0; width: 22px; }
QTabBar[room="least"]::tab { margin: 0; width: 16px; }
QTabBar::tab:hover { color: $text; border-bottom-color: $border_strong; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:disabled { color: $disabled; border-bottom-color: transparent; }
QTabBar::tab:selected:focus { border-color: $focus; border-radius: $radius_small; }
QTabBar::close-button { image: url($glyphs/close.svg); width: 14px; height: 14px; }
QTabBar::close-button:hover { image: url($glyphs/close-hover.svg); }
QTabBar QToolButton { background: $window; border: none; }

QSplitter::handle { background: $border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QSplitter::handle:hover { background: $accent; }

QScrollArea, QAbstractScrollArea { border: none; }
QScrollArea > QWidget > QWidget[kind="page"] { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $border_strong; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: $axis; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QProgressBar {
    background: $pressed; border: none; border-radius: 3px; min-height: 6px; max-height: 6px;
}
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QProgressBar[tone="warning"]::chunk { background: $warning; }
QProgressBar[tone="success"]::chunk { background: $success; }

QStatusBar {
    background: $window; color: $muted; border-top: 1px solid $border; font-size: $text_small;
    padding-left: $small; min-height: 26px;
}
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $muted; font-size: $text_small; }
QSizeGrip { image: none; width: 0; height: 0; }
"""
