"""The process, the main window and its fixed parts: toolbar, status bar, welcome page, menus."""
