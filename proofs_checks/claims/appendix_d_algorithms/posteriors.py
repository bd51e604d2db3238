"""The conjugate posteriors of MB-PSRL: posterior proportional to prior times likelihood (Appendix D.2)."""

from __future__ import annotations

from itertools import product

from flint import fmpq
from sympy import Eq, Expr, Integer, Rational  # type: ignore[import-untyped]

from proofs_checks.computations.conjugacy import dirichlet_moment, posterior_moment
from proofs_checks.evidence import Algebra, Argument, ByHand, Everywhere, Solver, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict, survives
from proofs_checks.statements import Answer, Family, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import N, a, b, c, d, e, p, q, u
from theory import ONE, Arm, Bandit, rational
from theory.values import finite_horizon_value

chapter = Chapter(under="apx:Bayes/dirichlet")
HALF = Rational(1, 2)
HALF_DISCOUNT = fmpq(1, 2)
BAYES = "The posterior density is proportional to prior density times likelihood (Bayes' formula)"
INSIDE = ForAll(N >= 0, q > 0, q < 1)
MOST_VISITS = 3


def _visited(states: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return numbers of visits and the powers of a moment up to the second."""
    return [
        (visits, powers)
        for S in states
        for visits in product(range(MOST_VISITS), repeat=S)
        for powers in product(range(3), repeat=S)
        if sum(powers) <= 2
    ]


def as_dirichlet(instance: tuple[tuple[int, ...], tuple[int, ...]], b: object) -> Answer:
    """Compare a moment of the posterior, by integration, with that of the Dirichlet law."""
    visits, powers = instance
    parameters = [rational(b) + n for n in visits]
    if sum(parameters) == 0:
        return answer(False, visits=visits, parameters=parameters, why="no law has these parameters")
    found, claimed = posterior_moment(visits, powers), dirichlet_moment(parameters, powers)
    return answer(found == claimed, visits=visits, powers=powers, moment=found, claimed=claimed)


chapter.printed(
    Property(
        "apx:Bayes/dirichlet",
        as_dirichlet,
        over=Family("numbers of visits and moments", lambda: iter(_visited((2, 3)))),
        domain=r"every $S \ge 1$, every number of visits, none included",
        says=r"""For rows $Q(x, \cdot)$ uniformly distributed on the probability vectors, the posterior after $n_y$
        visits to each next state $y$ is the Dirichlet law of parameters $c_y = [[b]] + n_y$.""",
        b=1,
    ),
    Argument(
        Step(
            rf"""{BAYES}; the prior density is constant, the likelihood $\prod_y q_y^{{n_y}}$, and the Dirichlet density
            $\prod_y q_y^{{c_y - 1}}$, up to constants.""",
            ByHand(),
        ),
        Step(
            "Factor by factor, these are the same:", Algebra(), Eq(q**N, q ** (b + N - 1), evaluate=False), over=INSIDE
        ),
        conclusion=ByHand("Two densities that are proportional are equal."),
    ),
    line=1377,
    under="",
    nearest={"b": "down"},
    looked_at=120,
)


def as_beta(instance: tuple[tuple[int, ...], tuple[int, ...]], b: object, first: str) -> Answer:
    """Compare a moment of the posterior of a mean with that of a Beta law."""
    (ones, zeros), powers = instance
    parameters = [rational(b) + n for n in ((ones, zeros) if first == "ones" else (zeros, ones))]
    if sum(parameters) == 0:
        return answer(False, ones=ones, zeros=zeros, why="no law has these parameters")
    found, claimed = posterior_moment((ones, zeros), powers), dirichlet_moment(parameters, powers)
    return answer(found == claimed, ones=ones, zeros=zeros, powers=powers, moment=found, claimed=claimed)


chapter.printed(
    Property(
        "apx:reward_post/beta",
        as_beta,
        over=Family("numbers of ones and zeros, and moments", lambda: iter(_visited((2,)))),
        domain="every number of ones and of zeros, none included",
        says=r"""For a mean $r(x)$ uniformly distributed on $[0, 1]$ and Bernoulli rewards, the posterior is the Beta
        law whose first parameter is $[[b]]$ and the number of [[first]], the other one $[[b]]$ and the number of the
        others.""",
        b=1,
        first="ones",
    ),
    Argument(
        Step("", Uses("apx:Bayes/dirichlet", same={"b": "b"})),
        conclusion=ByHand(
            "A Bernoulli reward is a draw from the row $(r, 1 - r)$, and the Beta law the Dirichlet law of two states."
        ),
    ),
    line=1389,
    under="",
    nearest={"b": "down"},
    mutants=[{"first": "zeros"}],
)

# With g = 1/sigma^2 of law Gamma(shape a, rate b), and r of law N(c, 1/(d g)), the logarithm of prior density times
# likelihood of N rewards of mean u and mean square p is, up to a constant, a sum of multiples of log g, g r^2, g r, g.
REWARDS = ForAll(N >= 0, p >= u**2)
OF_PRIOR = (a - 1 + HALF + N / Integer(2), d + N, d * c + N * u, b + d * c**2 / 2 + N * p / 2)
RATE = HALF + N * (p - u**2) / 2 + N * u**2 / (2 * (N + 1))
CENTRE = N * u / (N + 1)


def same_exponents(rate: Expr) -> list[Eq]:
    """Return that the coefficients are those of the printed law, its second Gamma parameter standing for this rate."""
    of_printed = ((N + 1) / Integer(2) - 1 + HALF, N + 1, (N + 1) * CENTRE, rate + (N + 1) * CENTRE**2 / 2)
    return [Eq(one, other, evaluate=False) for one, other in zip(OF_PRIOR, of_printed, strict=True)]


EXPONENTS = r"""the coefficients of $\log \lambda$, $\lambda r^2$, $\lambda r$ and $\lambda$, where $\lambda =
1/\sigma^2(x)$, in the logarithm of prior density times likelihood are those of the printed law, with $N$ rewards of
mean $u = \hat r$ and mean square $p = \hat\sigma^2 + \hat r^2$: $[[formula]]$"""

chapter.printed(
    Relation(
        "apx:reward_post/gaussian-gamma",
        REWARDS,
        *same_exponents(RATE),
        says=rf"""The printed law is the posterior of the prior with $1/\sigma^2(x)$ of law $\mathrm{{Gamma}}([[a]],
        [[b]])$, shape and rate, and $r(x)$ given $\sigma^2(x)$ Gaussian of mean $[[c]]$ and precision $[[*d]]
        1/\sigma^2(x)$: {EXPONENTS}.""",
        a="1/2",
        b="1/2",
        c=0,
        d=1,
    ),
    Argument(
        Step(f"{BAYES}, so it is enough that the exponents agree.", ByHand()),
        Step("", Algebra(), *same_exponents(RATE)),
    ),
    line=1402,
    under="",
    nearest={"a": "up", "b": "up", "c": "up", "d": "up"},
)

chapter.implied(
    Relation(
        "apx:reward_post/gaussian-gamma-prior",
        REWARDS.where(a > 0, b > 0, c >= 0, c <= 1),
        *same_exponents(RATE),
        says=rf"""What the text says of the prior (a Gamma law of $1/\sigma^2(x)$, here of shape $a$ and rate $b$, and
        $r(x)$ Gaussian of variance $\sigma^2(x)$, here of mean $c$) determines the posterior, in which no parameter
        of the prior occurs: for all $a$, $b$, $c$, and $d = [[d]]$, {EXPONENTS}.""",
        d=1,
    ),
    Argument(
        Step(f"{BAYES}, so it is enough that the exponents agree.", ByHand()),
        Step("", Solver(), *same_exponents(RATE)),
    ),
    line=1396,
    survives=survives(Eq(a, HALF), Eq(b, HALF), Eq(c, 0)),
    severity=Severity.SLIP,
    cause="prior-not-stated",
    witnesses=[{N: fmpq(0), p: fmpq(0), u: fmpq(0), a: fmpq(1), b: fmpq(1), c: fmpq(0)}],
    mutants=[{"d": 2}],
    under="apx:reward_post/gaussian-gamma",
)

chapter.ours(
    Relation(
        "apx:reward_post/gaussian-gamma-scale",
        REWARDS,
        *same_exponents(RATE**e),
        says=rf"""The second parameter of a Gamma law may be read as a scale, as numpy's sampler takes it, which the
        text names: with the power $[[e]]$ of it as the rate, and $b = [[b]]$ as that of the prior, {EXPONENTS}.""",
        a="1/2",
        b=2,
        c=0,
        d=1,
        e=-1,
    ),
    Algebra(),
    line=1402,
    verdict=Verdict.FAILS,
    witnesses=[{N: fmpq(1), p: fmpq(1), u: fmpq(1)}],
    mutants=[{"b": "1/2"}],
    controls={"read as a rate": {"b": "1/2", "e": 1}},
    under="apx:reward_post/gaussian-gamma",
)


def at_most_one_a_step(instance: tuple[fmpq, int], models: str) -> Answer:
    """Return whether the total reward of an arm of one state is at most the number of steps."""
    reward, steps = instance
    if models == "whose mean rewards are in $[0, 1]$" and not 0 <= reward <= 1:
        return answer(True)
    total = finite_horizon_value(Bandit([Arm(rewards=[reward], transitions=[[1]])], HALF_DISCOUNT), lambda _: 0, steps)[
        0,
    ]
    return answer(total <= steps, mean_reward=reward, H=steps, W=total, B_k=steps)


chapter.implied(
    Property(
        "apx:reward_post/sub-gaussian",
        at_most_one_a_step,
        over=Family(
            "one state, one to three steps", lambda: product((fmpq(0), ONE, fmpq(3, 2)), (1, 2, 3)), complete=True
        ),
        domain="models of positive density under a Gaussian-Gamma posterior",
        says=r"""For Gaussian rewards the proof of Theorem 1 needs no more than another inequality in the place of
        Hoeffding's: its other bound, $W^{\pi_k}_{M_k,1:H_k}(\boldsymbol{x}) \le H_k$, stays true of sampled models
        $M_k$ [[models]].""",
        models="",
    ),
    Everywhere(),
    line=1409,
    under="apx:reward_post/gaussian-gamma",
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="gaussian-rewards",
    controls=[{"models": "whose mean rewards are in $[0, 1]$"}],
)

CAUSES = [
    Cause(
        "gaussian-rewards",
        Severity.GAP,
        line=1409,
        title="For Gaussian rewards the proof needs more than a sub-Gaussian inequality",
        printed="replacing Hoeffding's inequality corrects the proof for Gaussian rewards",
        why=r"""The proof also uses rewards in $[0, 1]$ in $B_k = H_k$. Under a Gaussian-Gamma posterior the sampled
        mean rewards have any size with positive probability: with $r_k = 3/2$ in one state, $W_{M_k,1:H} = 3H/2 >
        H$.""",
        instead=r"""replacing Hoeffding's inequality, and $B_k = H_k$ by $H_k$ times a bound of the sampled mean
        rewards, such as that of the event on rewards""",
        follows="Only the remark: Theorem 1 is stated for rewards in $[0, 1]$.",
        witness="apx:reward_post/sub-gaussian",
    ),
    Cause(
        "prior-not-stated",
        Severity.SLIP,
        line=1396,
        title="The prior of Gaussian rewards is not stated, nor whether a Gamma law has a rate or a scale",
        printed=r"""a posterior without any parameter of the prior, for "a Gamma distribution" and a Gaussian one of
        variance $\sigma^2(x)$""",
        why=r"""It is that of one prior only: shape $1/2$, rate $1/2$, mean $0$. For $\mathrm{Gamma}(1, 1)$ the law
        after no reward would be $\mathrm{Gamma}(1, 1)$, not $\mathrm{Gamma}(1/2, 1/2)$. And numpy's sampler, which
        the text names, takes a scale: after one reward equal to $1$ it would sample with the rate $4/3$ in place of
        $3/4$.""",
        instead=r"""$1/\sigma^2(x) \sim \mathrm{Gamma}(1/2, 1/2)$, shape and rate, and $r(x) \mid \sigma^2(x) \sim
        \mathcal{N}(0, \sigma^2(x))$""",
        follows="Nothing that is proved; the runs with the incorrect prior can be repeated only with this known.",
        witness="apx:reward_post/gaussian-gamma-prior",
    ),
]
