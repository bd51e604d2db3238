"""Models of binary fractions, made from integers that Hypothesis draws, and the search for small ones that fail."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flint import fmpq
from hypothesis.errors import Flaky

from proofs_checks.trials.search import simplest
from theory import Arm, Bandit
from theory.random_models import Integers, drawn, random_bandit, random_rewards, random_shared_row

SHARES = 8


def binary_bandit(source: Integers, kind: str, up_to: fmpq | None = None) -> Bandit:
    """Return a bandit of binary fractions for one kind of answer: one arm for indices, a small product for others.

    Rows are 1, 2, 4 or 8 equal shares, rewards and radii multiples of 1/8, discounts 0, 1/2 or 1 - 2^-j and at most
    `up_to`. For learners, discounts are at most 1 - 2^-5, so that episodes are short.
    """
    halvings = 6 if kind == "agent" else 21
    while up_to is not None and halvings > 1 and 1 - fmpq(1, 2 ** (halvings - 1)) > up_to:
        halvings -= 1
    largest_size, largest_number = {"gittins": (8, 1), "value": (4, 3), "evi": (3, 2), "agent": (3, 2)}[kind]

    def arm(source: Integers, size: int) -> Arm:
        rewards = random_rewards(source, size, SHARES)
        rows = [random_shared_row(source, size, 2 ** drawn(source, 0, 4)) for _ in range(size)]
        if kind != "evi":
            return Arm(rewards=rewards, transitions=rows)
        of_rows, of_rewards = random_rewards(source, size, SHARES, high=2), random_rewards(source, size, SHARES)
        return Arm(rewards=rewards, transitions=rows, reward_radius=of_rewards, transition_radius=of_rows)

    def discount(source: Integers) -> fmpq:
        return 1 - fmpq(1, 2 ** drawn(source, 0, halvings))

    most_states = largest_size**largest_number
    return random_bandit(source, largest_number, largest_size, most_states, arm=arm, discount=discount)


def search(kind: str, fails: Callable[[Bandit], bool], examples: int, up_to: fmpq | None = None) -> bool:
    """Try `fails` on generated models with discounts up to `up_to`, and on smaller models once one has failed.

    Returns
    -------
    bool
        Whether every model that failed once failed each time it was tried.
    """
    try:
        simplest(partial(binary_bandit, kind=kind, up_to=up_to), fails, examples=examples)
    except Flaky:
        return False
    return True
