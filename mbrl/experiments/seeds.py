"""Random generators by key: draws depend on the run's seed and on names, never on order or on processes."""

from __future__ import annotations

import pickle
import random
from hashlib import sha256

import numpy as np


def generator(seed: int, *key: str | int) -> np.random.Generator:
    """Return the generator of `key` under `seed`.

    Parameters
    ----------
    seed
        Non-negative; the entropy of the one `numpy.random.SeedSequence` of an experiment.
    key
        Parts of a key, such as scenario, simulation, agent and purpose. Different keys give independent generators.

    Examples
    --------
    >>> a, b = generator(1, "random-walk", 0, "play"), generator(1, "random-walk", 0, "play")
    >>> bool(a.random() == b.random())
    True
    >>> [f"{word:08x}" for word in generator(1).bit_generator.seed_seq.spawn_key]  # SHA-256 of nothing, turned
    ['42c4b0e3', '141cfc98', 'c8f4fb9a', '24b96f99']
    """
    text = "/".join(f"{len(str(part))}:{type(part).__name__}:{part}" for part in key)
    digest = sha256(text.encode()).digest()
    words = tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=words)))


def global_generators() -> dict[str, object]:
    """Return the states of the generators of the whole process, by name, in a form that == compares."""
    return {"np.random": pickle.dumps(np.random.get_state()), "random": random.getstate()}
