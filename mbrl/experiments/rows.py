"""The saved result of one simulation of one learner: its rows, and the learner itself if it can be extended.

A file of rows begins with the SHA-256 digest of its content and of the key under which it was saved. So a file that was
cut short, changed by a single bit, or moved is treated as missing.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import numpy as np

from mbrl.arrays import Floats

_DIGEST: Final = sha256().digest_size


@dataclass(frozen=True, eq=False)
class Rows:
    """One simulation of one learner.

    Attributes
    ----------
    regret : (K,) float64
        Regret of each episode, in the model's own unit.
    seconds : (K,) float64
        Time to plan and to learn, in each episode.
    learner : bytes
        The state of the simulation after K episodes (`Simulation.saved`); empty if it cannot be extended.
    """

    regret: Floats
    seconds: Floats
    learner: bytes = b""

    @property
    def episodes(self) -> int:
        """Number of episodes K."""
        return self.regret.size

    def first(self, episodes: int) -> Rows:
        """Return the rows of the first episodes."""
        return self if episodes == self.episodes else Rows(self.regret[:episodes], self.seconds[:episodes])

    def followed_by(self, later: Rows) -> Rows:
        """Return these rows, with `later` ones appended."""
        return Rows(
            np.concatenate([self.regret, later.regret]), np.concatenate([self.seconds, later.seconds]), later.learner
        )


def pack(rows: Rows, key: str) -> bytes:
    """Return the content of a file of rows."""
    content = pickle.dumps((rows.regret, rows.seconds, rows.learner))
    return _digest(content, key) + content


def unpack(content: bytes, key: str) -> Rows | None:
    """Return the rows in the content of a file, or None if it is not what was saved under `key`.

    Examples
    --------
    >>> content = pack(Rows(np.array([0.5, 1.5]), np.array([1e-3, 2e-3]), b"a learner"), "mb-psrl/0")
    >>> unpack(content, "mb-psrl/0")
    Rows(regret=array([0.5, 1.5]), seconds=array([0.001, 0.002]), learner=b'a learner')
    >>> unpack(content[:-1], "mb-psrl/0") is unpack(content, "mb-psrl/1") is None
    True
    """
    digest, saved = content[:_DIGEST], content[_DIGEST:]
    return Rows(*pickle.loads(saved)) if digest == _digest(saved, key) else None


def _digest(content: bytes, key: str) -> bytes:
    return sha256(key.encode() + b"\0" + content).digest()
