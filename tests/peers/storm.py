"""Storm's exact engine on an exported model, as a program: ``python -m tests.peers.storm MODEL.prism``."""

from __future__ import annotations

import sys
from pathlib import Path

from proofs_checks.trials.soak.routes.storm import exact_value

if __name__ == "__main__":
    print(exact_value(Path(sys.argv[1])))
