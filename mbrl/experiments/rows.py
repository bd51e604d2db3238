"""What one simulation of one learner leaves: its rows, and the learner itself where it can go on from there.

A file of rows begins with the SHA-256 digest of all that follows, and of the key it was saved under. So a file that was
cut short, changed by a single bit, or moved is never read as something else: it does not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_DIGEST: Final = sha256().digest_size
_COUNT: Final = 8
_NUMBER: Final = np.dtype("<f8")


@dataclass(frozen=True, eq=False)
class Rows:
    """One simulation of one learner.

    Attributes
    ----------
    regret : (K,) float64
        Of each episode, in the model's own unit.
    seconds : (K,) float64
        Time to plan and to learn, of each episode.
    learner : bytes
        The simulation as it stands after K episodes (`Simulation.saved`); empty where it cannot go on.
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
        """Return these rows and later ones as one."""
        return Rows(
            np.concatenate([self.regret, later.regret]), np.concatenate([self.seconds, later.seconds]), later.learner
        )


def pack(rows: Rows, key: str) -> bytes:
    """Return the content of a file of rows."""
    count = rows.episodes.to_bytes(_COUNT, "little")
    numbers = np.stack([rows.regret, rows.seconds]).astype(_NUMBER).tobytes()
    content = count + numbers + rows.learner
    return _digest(content, key) + content


def unpack(content: bytes, key: str) -> Rows | None:
    """Return the rows in the content of a file, or None where it is not what was saved under `key`.

    Examples
    --------
    >>> content = pack(Rows(np.array([0.5, 1.5]), np.array([1e-3, 2e-3]), b"a learner"), "mb-psrl/0")
    >>> unpack(content, "mb-psrl/0")
    Rows(regret=array([0.5, 1.5]), seconds=array([0.001, 0.002]), learner=b'a learner')
    >>> unpack(content[:-1], "mb-psrl/0") is unpack(content, "mb-psrl/1") is None
    True
    """
    digest, saved = content[:_DIGEST], content[_DIGEST:]
    if digest != _digest(saved, key):
        return None
    count = int.from_bytes(saved[:_COUNT], "little")
    end = _COUNT + 2 * count * _NUMBER.itemsize
    regret, seconds = np.frombuffer(saved[_COUNT:end], dtype=_NUMBER).astype(np.float64).reshape(2, count)
    return Rows(regret, seconds, saved[end:])


def _digest(content: bytes, key: str) -> bytes:
    return sha256(key.encode() + b"\0" + content).digest()
