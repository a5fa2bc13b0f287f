"""`python -m ximstudio`."""

import sys

from ximstudio import isolated

if isolated.serves(sys.argv[1:]):
    # Before anything else is imported: somebody waits for it.
    sys.exit(isolated.serve())

from ximstudio.cli import main

sys.exit(main())
