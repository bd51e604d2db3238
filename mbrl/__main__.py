"""``python -m mbrl``."""

from mbrl.commands import main

main()
