r"""Theorem 1 with numbers: the constants that its printed proof yields, and the K from which bounds say anything."""

from __future__ import annotations

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.section_5_1_constants.checks import LAST_DISPLAYS, LastDisplay
from proofs_checks.paper.shared.comparisons import is_less
from theory.paper import CONSTANTS, PSRL, UCBVI, UCRL2, theorem_side, trivial_bound

chapter = Chapter()

# == The constants of the printed proof: a supremum over all models, settled at one of them then by a bound for K >= 3.
# They are constants of the displays, not of the regret, whose constants are those of `thm:regret_upper_bound`.

at = chapter.heading("thm:regret_upper_bound")
LOGARITHM = r"\log\frac{SnK\log K}{1-\beta}"
SIDES = {PSRL: rf"\big(\sqrt S + {LOGARITHM}\big) f(S,n,K,\beta)",
    UCRL2: rf"\big(\sqrt S + {LOGARITHM}\big) f(S,n,K,\beta)",
    UCBVI: rf"\frac{{\sqrt S}}{{1-\beta}}\,{LOGARITHM}\; f(S,n,K,\beta)"}

Sizes: TypeAlias = tuple[int, int, int, fmpq]
MODELS: tuple[Sizes, ...] = ((1, 1, 2, ZERO), (1, 2, 2, ZERO), (2, 1, 3, fmpq(1, 2)), (4, 3, 3000, fmpq(9, 10)))

def at_most_constant(display: LastDisplay, sizes: Sizes, C: object, D: object) -> Answer:
    found, constant = display.quotient(*sizes), rational(C) if sizes[1] < 2 else min(rational(C), rational(D))
    S, n, K, beta = sizes
    return answer(at_most(lambda: found, lambda: arb(constant)), S=S, n=n, K=K, beta=beta, quotient=found)

def smallest_constant(display: LastDisplay, C: object, D: object) -> Answer:
    truth, told = Truth.YES, dict[str, arb]()
    for arms, claimed in ((1, C), (2, D)):
        smallest, beyond = display.largest(arms)
        truth = truth.both(at_most(partial(smallest.max, beyond), partial(arb, rational(claimed))))
        told[f"smallest for n >= {arms}, at S = 1, K = 2, beta = 0"] = smallest
        told[f"enough for n >= {arms}, K >= 3"] = beyond
    return answer(truth, **told)

ONE_FACTOR = Step(r"""With $s = \sqrt S$ and the logarithm $y$, where $L^2 = 2(y + a)$: $(L + s)/(s + y)$ is largest at
    $s = 1$, unless it is at most $1$, and $L/(1 + y)$, $L/y$ decrease in $y$ for $a \ge \frac12$.""",
    (L + s) / (s + y) <= Max(1, (L + 1) / (1 + y)),
    (1 + y) ** 2 * (z + a) <= (1 + z) ** 2 * (y + a), y**2 * (z + a) <= z**2 * (y + a),
    y * (z + a) <= z * (y + a),
    over=ForAll(y > 0, z >= y, a >= Rational(1, 2), L >= 0, s >= 1))
OF_MOMENTS, OF_F = e * (1 + w**4) + 2 * r * (1 + w**3), e * w**4 + r * w**3
OTHER_FACTOR = Step(r"""With $e = \sqrt{Sn}$, $w = \sqrt z$ and $r = \sqrt K$ the last factor decreases in $e$ and in
    $w$, and is at most $2 + 2w^{-3}$, where $1 \le 2w + w^4$, as it is from $z = \log 2$ on:""",
    OF_MOMENTS * OF_F.subs(e, u) <= OF_MOMENTS.subs(e, u) * OF_F,
    OF_MOMENTS * OF_F.subs(w, v) <= OF_MOMENTS.subs(w, v) * OF_F, OF_MOMENTS * w**3 <= (2 * w**3 + 2) * OF_F,
    over=ForAll(u >= 1, e >= u, r >= 1, v > 0, w >= v, 2 * v + v**4 >= 1))
FROM_2 = Step("So it is:", Everywhere(), sympy.Ge(2 * sqrt(log(2)) + log(2) ** 2, 1, evaluate=False), over=ForAll())

OF_STATES = Step(r"$(1 + s)/s$ decreases in $s$, the factor of MB-UCBVI:", (1 + s) / s <= (1 + u) / u,
    over=ForAll(u > 0, s >= u))
FROM_3 = (Step(r"From $K = 3$ on $z \ge \log 3 \ge 1$:", Everywhere(), sympy.Ge(log(3), 1, evaluate=False),
        over=ForAll()),
    Step("and so, $y$ being the logarithm,", Argument(LOG_INCREASES.put({u: K, v: S * n * K * z}),
            Step(Algebra(), Eq(log(4 * K), log(K) + log(4)), over=ForAll(K >= 1))),
        log(4 * K) <= log(S * n * K * z) + log(4), over=ForAll(S >= 1, n >= 1, K >= 1, z >= 1)))
AT_2 = (Step(r"At $K = 2$, $S = 1$, $\beta = 0$ and $n \le 2$ the logarithm is at most $2$:", Everywhere(),
        sympy.Le(log(4 * log(2)), 2, evaluate=False), over=ForAll()),
    Step(r"so that $(L + 1)/(1 + y)$ is at least $1$ there:", y <= L,
        over=ForAll(L >= 0, y >= 0, y <= 2, 2 * y <= L**2)))
ADDITIVE = Step(r"""The additive term is a constant over $\log K\,(s + y)q$, for MB-UCBVI over $syzq$, where $f = w^2q$,
    $q = ew(ew + r)$, grows as the other factors do:""",
    Eq(e * OF_F, w**2 * (e * w * (e * w + r))), e * w * (e * w + r) >= u * v * (u * v + m),
    over=ForAll(u >= 1, e >= u, m >= 1, r >= m, v > 0, w >= v))

COVERS = """K = 2, where all factors are largest at S = 1, the least n and beta = 0, and one bound for all K >= 3"""

for _display, _name, _claimed in zip(LAST_DISPLAYS, ("psrl", "ucrl2", "ucbvi"),
    (("170.696", "115.684"), ("85.639", "57.959"), ("1366.671", "535.997")), strict=True):
    at.ours(_display.line).property(
        f"thm:regret_upper_bound/constant-{_name}/printed",
        rf"""What the proof for {_display.learner} bounds the regret by, its last sum of $\mathbb{{E}}[\max_k H_k^2]$
        and $\mathbb{{E}}[\max_k H_k^{{3/2}}]$ and $\frac{{{_display.additive}}}{{1-\beta}}$ where the event fails, with
        $5 + 5(\log K/(1-\beta))^\alpha$ for $\mathbb{{E}}[\max_k H_k^\alpha]$ by Lemma `moment`, is at most
        $C\,{SIDES[_display.learner]}$ with $C = [[C]]$; for $n \ge 2$ with $C = [[D]]$. (For the regret the kernel has
        a smaller one: `thm:regret_upper_bound`.)""",
        partial(at_most_constant, _display), over=Family("four models", lambda: iter(MODELS)),
        domain=r"$S, n \ge 1$, $K \ge 2$, $0 \le \beta < 1$", C=_claimed[0], D=_claimed[1],
        by=[ONE_FACTOR, OF_STATES, OTHER_FACTOR, FROM_2, *FROM_3, *AT_2, ADDITIVE],
        so=Decides(partial(smallest_constant, _display), covers=COVERS),
        nearest="C D")

# == The episodes from which the right-hand sides are below K/(1-beta), a bound that every learner satisfies (ours).

SCENARIOS = {"scenario 1": (4, 3, fmpq(99, 100)), "scenario 2": (11, 9, fmpq(99, 100))}
LAST_SMALL = 404
"""From here on log K is above 6."""
FACTOR, POWERS = s + log(c * L) + L, ((2, 1), (Rational(3, 2), Rational(1, 2)))

def informative(learner: str, scenario: str, K: int) -> bool:
    S, n, beta = SCENARIOS[scenario]
    side = partial(theorem_side, S, n, K, beta, 2 if learner == UCBVI else 1)
    return is_less(lambda: side() * CONSTANTS[learner], lambda: arb(trivial_bound(K, beta)))

def not_informative_at(at: tuple[str, str], last: object) -> Answer:
    K = int(rational(last))
    learner, scenario = at
    return answer(not informative(learner, scenario, K), learner=learner, scenario=scenario, K=K)

def informative_later(last: object) -> Answer:
    """Return whether every right-hand side is at least K/(1-beta) for all K up to `last`, and where each falls below.

    The quotient of a right-hand side by K decreases from `LAST_SMALL` on; smaller K are tried one by one.
    """
    told = {}
    for learner, scenario in product(CONSTANTS, SCENARIOS):
        says = partial(informative, learner, scenario)
        low, high = LAST_SMALL, 10**60  # equivalent: an end that is far enough
        if any(says(K) for K in range(2, low + 1)) or not says(high):
            return answer(False, learner=learner, scenario=scenario)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if says(middle) else (middle, high)
        told[f"{learner}, {scenario}: least K with less than K/(1-beta)"] = high
    return answer(all(first > rational(last) for first in told.values()), **told)

at.ours(944).property("thm:regret_upper_bound/informative-constants",
    r"""With the constants of `thm:regret_upper_bound` the right-hand sides of Theorem 1 are at least $K/(1-\beta)$
    in scenarios 1 and 2 for every $K$ from $2$ to $[[last]]$.""",
    not_informative_at,
    over=Family("three learners in scenarios 1 and 2", lambda: product(CONSTANTS, SCENARIOS), complete=True),
    domain=r"scenarios 1 and 2: $S = 4$, $n = 3$ and $S = 11$, $n = 9$, $\beta = 0.99$", last=10**11,
    by=[Step(r"""With $L = \log K$, $c = \frac{Sn}{1-\beta}$, $y = s + \log(cL) + L$ and $s = \sqrt S$, for MB-UCBVI
            $0$, the terms of the quotient by $K$ are multiples of $yL^2e^{-L}$ and $yL^{3/2}e^{-L/2}$:""", Algebra(),
            *(Eq(sympy.diff(FACTOR * L**p * exp(-q * L), L),
                FACTOR * L**p * exp(-q * L) * ((1 + 1 / L) / FACTOR + p / L - q))
                for p, q in POWERS), over=ForAll(L >= 6, c >= 1, s >= 0)),
        log_at_least(Rational(1), 3, x + 6),
        Step("Their derivatives are negative, as $y$ is at least $x + 7$ for $L = x + 6$:",
            *((1 + 1 / (x + 6)) / y + p / (x + 6) < q for p, q in POWERS), over=ForAll(x >= 0, y >= x + 7))],
    so=Decides(informative_later, covers="each K below 404, and the quotient by K, which decreases from there on"),
    false=[{"last": 13 * 10**10}, {"last": 10**12}])

# -- no regret

WELL = ForAll(S >= 1, n >= 1, x >= 1, K >= 2)
SIZE, ROOT, LOG_K = S * n * x, K ** Rational(1, 12), log(K)
LOG_FACTOR = log(SIZE * K * LOG_K)
OF_K = S * n * x**2 * LOG_K**2 + sqrt(S * n * K * x**3 * LOG_K**3)
LOG_AT_MOST = Step(LeastAt(u, 1), log(u) <= u - 1, over=ForAll(u > 0))
LOG_K_AT_LEAST = log_at_least(Rational(1, 2), 2, K)
LOG_K_AT_MOST = Step(Argument(LOG_AT_MOST.put({u: ROOT}),
    Step(Algebra(), Eq(log(K), 12 * log(ROOT)), over=ForAll(K >= 1))), LOG_K <= 12 * ROOT, over=ForAll(K >= 2))
ROOT_AT_LEAST = Step(LeastAt(K, 1), ROOT >= 1, over=ForAll(K >= 1))

at.printed(391).relation("thm:regret_upper_bound/no-regret",
    r"""In the number $K$ of episodes the three regrets are sub-linear: these are no-regret algorithms. [[ours]] That
    of MB-PSRL in the mean over the prior: the right-hand sides of `thm:regret_upper_bound` without their constants,
    with $x = \frac{1}{1-\beta}$, first that of MB-PSRL and MB-UCRL2, then that of MB-UCBVI, are at most $K^{[[p]]}$
    times a number that depends on $S$, $n$ and $\beta$ alone: $[[formula]]$.""",
    WELL, (sqrt(S) + LOG_FACTOR) * OF_K <= c * SIZE**3 * K**p,
    sqrt(S) * x * LOG_FACTOR * OF_K <= c * SIZE**4 * K**p, p="3/4", c=7514,
    by=[LOG_K_AT_LEAST, ROOT_AT_LEAST, LOG_K_AT_MOST,
        Step(Argument(LOG_K_AT_MOST, LOG_K_AT_LEAST, LOG_AT_MOST.put({u: K}), LOG_AT_MOST.put({u: m}),
                LOG_INCREASES.put({u: m * K * LOG_K, v: m * K**2}),
                Step(Algebra(), Eq(log(v * K**2), log(v) + 2 * LOG_K), over=ForAll(v > 0, K >= 1), at={v: m})),
            log(m * K * LOG_K) <= m + 24 * ROOT, over=ForAll(K >= 2, m >= 1), at={m: SIZE}),
        Step(LeastAt(v, 1), log(v) >= 0, over=ForAll(v >= 1), at={v: SIZE * K * LOG_K}),
        Step(S * n * x**2 <= SIZE**2, S * n * x**3 <= SIZE**4),
        Step(L**3 <= (1 + L**2) ** 2, over=ForAll(L >= 0), at={L: LOG_K}),
        Step(t * u * z <= (m**2 * r * w) ** 2, over=ForAll(t >= 0, t <= m**4, u >= 0, u <= w**2, z >= 0, z <= r**2),
            at={t: S * n * x**3, u: LOG_K**3, z: K, r: sqrt(K), w: 1 + LOG_K**2, m: SIZE}),
        Step(sqrt(v) <= u, over=ForAll(v >= 0, u >= 0, v <= u**2),
            at={v: S * n * K * x**3 * LOG_K**3, u: SIZE**2 * sqrt(K) * (1 + LOG_K**2)}),
        Step(L**2 + w**6 * (1 + L**2) <= 289 * w**8, over=ForAll(w >= 1, L >= 0, 12 * w >= L),
            at={w: ROOT, L: LOG_K}),
        Step((s + y) * f <= c * m**3 * w ** (12 * p), v * y * f <= c * m**4 * w ** (12 * p),
            over=ForAll(w >= 1, m >= 1, s >= 0, s <= m, y >= 0, y <= m + 24 * w, f >= 0, f <= m**2 * u, u >= 0,
                u <= 289 * w**8, v >= 0, v <= m),
            at={w: ROOT, m: SIZE, s: sqrt(S), y: LOG_FACTOR, f: OF_K, u: LOG_K**2 + sqrt(K) * (1 + LOG_K**2),
                v: sqrt(S) * x})],
    candidates=[{S: ONE, n: ONE, x: ONE, K: fmpq(each)} for each in (100, 10**60)],
    false=[{"p": "1/2"}, {"c": 20}])
