"""Lists, trees and tables; menus, tool bars and tool tips.

What floats is a window of its own and stays square: round corners need a compositor.
"""

SHEET = """
QAbstractItemView {
    background: $surface; color: $text; border: none; outline: none;
    selection-background-color: $selection; selection-color: $text;
    alternate-background-color: $window;
}
QListView, QTreeView { padding: $hair; }
QListView[framed="true"], QTreeView[framed="true"], QTableView[framed="true"] {
    border: 1px solid $border; border-radius: $radius;
}
QListView::item {
    min-height: 28px; padding: 0 $small; border-radius: $radius_small; border: none;
}
QTreeView::item { min-height: 28px; padding: 0 $hair; border: none; }
QListView::item:hover, QTreeView::item:hover { background: $hover; }
QListView::item:selected, QTreeView::item:selected { background: $selection; color: $text; }
QListView::item:disabled, QTreeView::item:disabled { color: $disabled; }
QTreeView::branch { background: transparent; border-image: none; image: none; }
QTreeView::branch:hover { background: $hover; }
QTreeView::branch:selected { background: $selection; }
QTreeView::branch:has-children:closed { image: url($glyphs/right.svg); }
QTreeView::branch:has-children:open { image: url($glyphs/down.svg); }

QTableView { gridline-color: $border; }
QTableView::item { padding: 0 $small; border: none; border-bottom: 1px solid $border; }
QTableView::item:hover { background: $hover; }
QTableView::item:selected { background: $selection; color: $text; }
QTableView::item:focus { background: $selection; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section {
    background: $surface; color: $muted; border: none; border-bottom: 1px solid $border_strong;
    padding: 0 11px; min-height: 30px; font-size: $text_small; font-weight: 500;
}
QHeaderView::section:vertical { border-bottom: 1px solid $border; min-height: 0; }
QHeaderView::section:hover { color: $text; background: $hover; }
QHeaderView::up-arrow { image: url($glyphs/up.svg); width: 12px; height: 12px; }
QHeaderView::down-arrow { image: url($glyphs/down.svg); width: 12px; height: 12px; }
QTableCornerButton::section { background: $surface; border: none; }


QMenu { background: $raised; border: 1px solid $border_strong; padding: $hair; }
QMenu::item {
    padding: 6px $wide 6px $medium; border-radius: $radius_small; background: transparent;
}
QMenu::item:selected { background: $pressed; color: $text; }
QMenu::item:disabled { color: $disabled; }
QMenu::icon { padding-left: $small; }
QMenu::separator { height: 1px; background: $border; margin: $hair $small; }
QMenu::indicator { width: 14px; height: 14px; margin-left: $hair; }
QMenu::indicator:checked { image: url($glyphs/check-menu.svg); }
QMenu::right-arrow { image: url($glyphs/right.svg); width: 12px; height: 12px; }

QMenuBar { background: $window; border: none; padding: 2px $hair; }
QMenuBar::item { padding: $hair $small; border-radius: $radius_small; background: transparent; }
QMenuBar::item:selected { background: $hover; }
QMenuBar::item:pressed { background: $pressed; }

QToolBar {
    background: $surface; border: none; border-bottom: 1px solid $border;
    padding: $hair $small; spacing: 2px;
}
QToolBar::separator { background: $border; width: 1px; margin: 6px 6px; }

QToolTip {
    background: $raised; color: $text; border: 1px solid $border_strong;
    padding: 3px 4px; font-size: $text_small;
}
"""
