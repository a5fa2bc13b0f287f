"""`python -m ximstudio`."""

import sys

from ximstudio.cli import main

sys.exit(main())
