"""The steps on the left of the window. `steps.PANELS` lists them in their order."""
