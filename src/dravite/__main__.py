"""`python -m dravite` is `dravite`."""

import sys

from dravite.cli import main

if __name__ == "__main__":
    sys.exit(main())
