r"""A bandit as a PRISM model, for Storm and PRISM.

The discount becomes a jump: each step goes on with probability :math:`\beta` and otherwise to an absorbing sink, in
which nothing is earned. The expected total reward until the sink is then the discounted value, exactly.

Storm reads integers with 64 bits but decimals exactly, so a longer integer is written as a decimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flint import fmpq

from theory.errors import ModelError
from theory.model import ArmState, Bandit, check_bandit

_LARGEST_INTEGER: Final = 2**63 - 1


def prism_model(
    bandit: Bandit,
    priority: Sequence[str | ArmState] | None = None,
    initial: Sequence[int | str] | None = None,
) -> str:
    """Return `bandit` as a Markov decision process in the PRISM language.

    Check it with the property ``Rmax=? [ F "over" ]``: its value is the optimal value from the initial state, or
    that of the priority policy.

    PRISM requires rewards of 0 or more. Radii are not exported. With `priority`, an arm may be played only if no other
    arm's state comes first, so that the policy is built in. `initial` is the model's own where omitted.
    """
    check_bandit(bandit)
    start = bandit.start(initial)
    for a, x in bandit.arm_states:
        reward = bandit.arms[a].rewards[x]
        if reward < 0:
            raise ModelError(
                f"arm {a + 1}, state {bandit.name((a, x))}: reward {reward} is negative, which PRISM does not allow; "
                "add a constant c to every reward (the value grows by c/(1-discount))"
            )
    rank = None if priority is None else {state: k for k, state in enumerate(bandit.priority(priority))}
    return "\n".join(
        [
            '// A Markovian bandit; the discount is a jump to "over". Property: Rmax=? [ F "over" ]',
            f"// discount {bandit.discount}",
            "mdp",
            "",
            "module bandit",
            "  over : bool init false;",
            *(
                f"  arm{a + 1} : [0..{arm.size - 1}] init {x};  // {', '.join(arm.states)}"
                for a, (arm, x) in enumerate(zip(bandit.arms, start, strict=True))
            ),
            "",
            *(_play(bandit, (a, x), rank) for a, x in bandit.arm_states),
            "  [stay] over -> true;",
            "endmodule",
            "",
            'rewards "total"',
            *(
                f"  [play{a + 1}] !over & arm{a + 1}={x} : {_number(bandit.arms[a].rewards[x])};"
                for a, x in bandit.arm_states
            ),
            "endrewards",
            "",
            'label "over" = over;',
            "",
        ]
    )


def _play(bandit: Bandit, state: ArmState, rank: dict[ArmState, int] | None) -> str:
    """Return the command that plays an arm in a state, guarded by the priority order `rank` if given.

    Examples
    --------
    >>> from theory import Arm
    >>> arm = Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]])
    >>> print(_play(Bandit([arm, arm], "1/2"), (1, 0), {(0, 0): 0, (1, 0): 1, (0, 1): 2, (1, 1): 3}))
      [play2] !over & arm2=0 & arm1!=0 -> 1/4 : (arm2'=0) + 1/4 : (arm2'=1) + 1/2 : (over'=true);
    """
    a, x = state
    guard = [f"!over & arm{a + 1}={x}"]
    if rank is not None:
        guard += [f"arm{b + 1}!={y}" for b, y in bandit.arm_states if b != a and rank[b, y] < rank[state]]
    discount = bandit.discount
    branches: list[tuple[fmpq, str]] = [
        (discount * p, f"(arm{a + 1}'={y})") for y, p in enumerate(bandit.arms[a].transitions[x]) if discount * p
    ]
    branches.append((1 - discount, "(over'=true)"))
    updates = " + ".join(f"{_number(probability)} : {update}" for probability, update in branches)
    return f"  [play{a + 1}] {' & '.join(guard)} -> {updates};"


def _number(value: fmpq) -> str:
    """Return a number as PRISM text; integers of more than 63 bits become decimals.

    Examples
    --------
    >>> _number(fmpq(2**63 - 1)), _number(fmpq(1, 2**63))
    ('9223372036854775807', '1/9223372036854775808.0')
    """
    numerator, denominator = (str(n) if n <= _LARGEST_INTEGER else f"{n}.0" for n in (value.p, value.q))
    return numerator if denominator == "1" else f"{numerator}/{denominator}"
