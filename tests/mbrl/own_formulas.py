"""Users' formulas in place of the paper's, for property checks and for learners."""

from fractions import Fraction
from math import sqrt as square_root

from flint import fmpq

from proofs_checks.trials.properties import exp, log, sqrt
from theory.paper import reward_radius, ucbvi_bonus

OWN = 1


def printed(S, n, K, t, N, beta):
    return sqrt(log(2 * S * n * K * t) / (2 * max(1, N))) / (1 - beta)


def half(S, n, K, t, N, beta):
    return printed(S, n, K, t, N, beta) * fmpq(1, 2)


def half_of_the_papers(S, n, K, t, N, beta):
    return ucbvi_bonus(S, n, K, t, N, beta) / 2


def half_in_floats(*, beta, N, S, n, K, t):
    return 0.5 * square_root((log(2 * S * n * K) + log(t)) / (2 * max(1, N))) / float(1 - beta)


def half_uncompiled(**of):
    return {"half": half(**of)}["half"]


def text(**_):
    return "1/2"


def differs_in_floats(S, n, K, t, N, beta):
    return 1 if (Fraction(1, 10) + Fraction(2, 10)) == Fraction(3, 10) else exp(1)


def infinite_unseen(S, n, K, t, N, beta):
    return log(log(N + 1))


def fails(S, n, K, t, N, beta):
    raise ValueError(f"no bonus at {N}")


def says_nothing(S, n, K, t, N, beta):
    return None


def quarter(S, n, K, t, N):
    return reward_radius(S, n, K, t, N) / 4
