"""`python -m rankeval` is the command `rankeval`."""

import sys

from rankeval.cli import main

sys.exit(main())
