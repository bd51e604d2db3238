"""``python -m theory``."""

from theory.commands import main

main()
