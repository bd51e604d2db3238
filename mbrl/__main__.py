"""``python -m mbrl``."""

import os
import signal
import sys
from types import FrameType

_SHOW_CURSOR = b"\r\x1b[2K\x1b[?25h"
_EXIT = os._exit  # while a learner plays, the name tells of the learner
# the text of SAVED in mbrl.experiments.store, which may not be imported yet
_SAVED = b"; what is finished is saved, and the same command goes on from there"


def leave(number: int, frame: FrameType | None) -> None:
    """Leave at once, with one line on stderr.

    Finished simulations are saved, files are written whole or not at all, and worker processes end with this one. An
    exception could get lost in a callback of the interpreter, or wait for locks that threads hold.
    """
    advice = _SAVED if sys.argv[1:2] == ["run"] else b""
    os.write(2, (_SHOW_CURSOR if sys.stderr.isatty() else b"") + b"error: interrupted" + advice + b"\n")
    _EXIT(130)


def main() -> None:
    """Run the command line; Ctrl-C ends it at any time, even while modules are imported."""
    signal.signal(signal.SIGINT, leave)
    from mbrl.commands import main as run  # noqa: PLC0415

    run()


if __name__ == "__main__":
    main()
