"""Random dense arms with numbers of any length, for eliminations."""

from random import Random
from types import SimpleNamespace

from theory import Arm
from theory.random_models import random_full_row, random_rewards


def long_arm(size, seed, largest=10, denominator=1000):
    """A dense arm, the same for the same arguments; weights up to `largest`, rewards over `denominator`."""
    generator = SimpleNamespace(integers=Random(f"{seed} {size} {largest}").randrange)
    return dense_arm(generator, size, largest, denominator)


def dense_arm(source, size, largest=10, denominator=1000):
    """An arm without zero probabilities."""
    rewards = random_rewards(source, size, denominator)
    return Arm(rewards=rewards, transitions=[random_full_row(source, size, largest) for _ in range(size)])
