r"""Gittins indices from two decision processes on the arm, solved by exact policy iteration.

*Restart in a state* (Katehakis and Veinott 1987): each step may go on, or first jump back to a state x. If V is the
optimal value, the index of x is :math:`(1-\beta) V(x)`.

*Retirement* (Whittle 1980): with a retirement reward m, the optimal value of the arm alone is
:math:`\phi(x, m) = \max_T E[\sum_{t<T} \beta^t r(Z_t) + \beta^T m]`. The index of x is :math:`(1-\beta) m` at the m for
which retiring at once and playing on are equally good in x. The method finds that m from below: it solves the stopping
problem, moves to the m at which the continuation set breaks even, and repeats. The m increase strictly, and there are
finitely many sets.
"""

from __future__ import annotations

from flint import fmpq

from theory.decision_process import Action, DecisionProcess
from theory.domain import exact_discount, state_index
from theory.model import Arm, check_arm
from theory.rationals import Exact, rational
from theory.stopping import StoppedChain, stopped_chain


def indices_by_restart(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly."""
    return tuple((1 - discount) * restart_process(arm, discount, x).solve().values[x] for x in range(arm.size))


def restart_process(arm: Arm, discount: Exact, home: int) -> DecisionProcess[int, str]:
    """Return the process on the states of `arm` in which each step may go on, or first jump back to `home`."""
    check_arm(arm)
    states, first = range(arm.size), state_index(home, arm.size, "home")

    def actions(x: int) -> list[Action[int, str]]:
        return [
            Action(name, arm.rewards[source], states, arm.transitions[source])
            for name, source in (("go on", x), ("restart", first))
        ]

    return DecisionProcess(states, discount, actions)


def indices_by_retirement(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly."""
    return tuple((1 - discount) * _indifferent_retirement(arm, discount, x) for x in range(arm.size))


def stopping_process(arm: Arm, discount: Exact, retirement: Exact) -> DecisionProcess[int, str]:
    """Return the process on the states of `arm` in which each step may retire with `retirement`, which ends play."""
    check_arm(arm)
    states, paid = range(arm.size), rational(retirement)

    def actions(x: int) -> list[Action[int, str]]:
        return [
            Action("retire", paid, (), ()),
            Action("play on", arm.rewards[x], states, arm.transitions[x]),
        ]

    return DecisionProcess(states, discount, actions, may_end=True)


def continuation_set(arm: Arm, discount: Exact, retirement: Exact) -> frozenset[int]:
    """Return the states in which playing on is strictly better than retiring with `retirement`.

    Examples
    --------
    >>> continuation_set(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]]), "1/2", 1)
    frozenset({0})
    """
    optimal = stopping_process(arm, discount, retirement).solve().optimal
    return frozenset(x for x, actions in optimal.items() if actions == ("play on",))


def values_with_retirement(chain: StoppedChain, discount: Exact, retirement: Exact) -> tuple[fmpq, ...]:
    """Return the values of playing inside the chain's set of states and retiring on leaving it."""
    beta, paid = exact_discount(discount), rational(retirement)
    return tuple(reward + (1 - (1 - beta) * time) * paid for reward, time in zip(chain.reward, chain.time, strict=True))


def _indifferent_retirement(arm: Arm, discount: fmpq, state: int) -> fmpq:
    retirement = arm.rewards[state] / (1 - discount)  # the index is at least the reward: stop after one step
    while True:
        inside = continuation_set(arm, discount, retirement)
        if state not in inside:
            return retirement
        chain = stopped_chain(arm, discount, inside)
        retirement = chain.reward[state] / ((1 - discount) * chain.time[state])
