"""Theorem 1 with numbers: each bound against its unscaled formula in mpmath, and the suprema against brute force."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import accumulate, product

import flint
import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from proofs_checks.strategies import discounts
from theory import ModelError
from theory.paper.regret import (
    ALGORITHMS,
    EXACT,
    LEMMA,
    MISPLACED,
    PSRL,
    REPAIRED,
    UCBVI,
    UCRL2,
    Additive,
    RegretBound,
    best_beside_trivial,
    best_constant,
    exact_moment,
    first_informative,
    harmonic,
    harmonic_moments,
    informative_from,
    last_of_ucbvi,
    leading_function,
    log_term,
    merged,
    quotient,
    sharpest,
    theorem_informative_from,
    theorem_side,
    trivial_bound,
)
from theory.paper.regret.beside_trivial import _from_here_on, _trivial
from theory.paper.regret.bounds import Scale
from theory.paper.regret.constants import FAR, Model, _all_models, _attained, _Box, _upper_bound, over_box, over_line
from theory.paper.regret.moments import _exponential, _series_slope
from theory.paper.regret.sloped import Sloped
from theory.paper.regret.span import Span
from theory.paper.regret.thresholds import elasticity_of_logarithms

states, arms = st.integers(1, 300), st.integers(1, 300)
few_episodes = st.integers(2, 12)
FAMILIES = (EXACT, LEMMA, MISPLACED, REPAIRED, harmonic_moments(0), harmonic_moments())
ALPHAS = (fmpq(1, 2), fmpq(1), fmpq(3, 2), fmpq(2))
BOUNDS = {
    "MB-PSRL as displayed": merged(PSRL),
    "MB-UCRL2 as displayed": merged(UCRL2),
    "MB-UCBVI as displayed": merged(UCBVI, 2),
    **{f"{name} sharpest": sharpest(name) for name in ALGORITHMS},
    "MB-UCRL2 half": merged(UCRL2, "3/2"),
    "MB-UCBVI last": last_of_ucbvi(),
    "MB-PSRL lemma": merged(PSRL, moments=LEMMA),
    "MB-PSRL misplaced": merged(PSRL, moments=MISPLACED),
    "MB-UCBVI harmonic": merged(UCBVI, 2, moments=harmonic_moments()),
}
some_bounds = st.sampled_from(sorted(BOUNDS))


def mp(value):
    return mpmath.mpf(int(value.p)) / int(value.q)


def agree(ball, value, relative="1e-12"):
    return abs(ball / arb(mpmath.nstr(value, 50)) - 1) < arb(relative)


@cache
def tail_moment(K, beta, alpha):
    """E max H^alpha by adding up (m^alpha - (m-1)^alpha) P(max H >= m)."""
    if beta == 0:
        return mpmath.mpf(1)
    a, b = mp(alpha), mp(beta)
    total, m = mpmath.mpf(0), 0
    while True:
        m += 1
        term = (mpmath.mpf(m) ** a - mpmath.mpf(m - 1) ** a) * (1 - (1 - b ** (m - 1)) ** K)
        total += term
        if m > 3 and term < mpmath.mpf(10) ** -28 * total:
            return total


def moment_by_hand(family, K, beta, alpha):
    x, a = 1 / (1 - mp(beta)), mp(alpha)
    z, h1, h2 = mpmath.log(K) * x, mpmath.harmonic(K), mpmath.zeta(2) - mpmath.psi(1, K + 1)
    if family is EXACT:
        return tail_moment(K, beta, alpha)
    if family is LEMMA:
        return 5 + 5 * z**a
    if family is MISPLACED:
        return (5 + 5 * z) ** a / (2 if alpha == fmpq(3, 2) else 1)
    if family is REPAIRED:
        return ((mpmath.log(K) + mpmath.gamma(1 + a) ** (1 / a)) * x) ** a
    c = x if family is FAMILIES[4] else x - mpmath.mpf(1) / 2
    first, second = 1 + c * h1, 1 + 2 * c * h1 + c**2 * (h1**2 + h2)
    half, three = mpmath.sqrt(first), mpmath.sqrt(first * second)
    return {fmpq(1, 2): half, fmpq(1): first, fmpq(3, 2): three, fmpq(2): second}[alpha]


def by_hand(name, S, n, K, beta):
    """The bounds as the proof writes them, unscaled, in mpmath."""
    x, D, s, log_k = 1 / (1 - mp(beta)), S * n, mpmath.sqrt(S), mpmath.log(K)
    L = mpmath.sqrt(2 * mpmath.log(4 * D * K**2 * log_k * x))
    last = mpmath.sqrt(2 * mpmath.log(2 * D * K * (K - 1) * mpmath.log(K * (K - 1)) * x))
    family = BOUNDS[name].moments
    m05, m1, m15, m2 = (moment_by_hand(family, K, beta, alpha) for alpha in ALPHAS)
    algorithm, display = name.split(" ", 1)
    additive = {PSRL: 9, UCRL2: 5, UCBVI: 7}[algorithm]
    squares = D * m2 + 2 * mpmath.sqrt(D * K) * m15
    if display in ("as displayed", "half", "lemma", "misplaced", "last", "harmonic"):
        front = {"half": mpmath.mpf(3) / 2}.get(display, 3) * (L + s)
        if algorithm == UCBVI:
            front = 2 * x * (1 + s) * L**2 if display == "last" else 2 * L * (L + s) * x
        return additive * x + front * squares
    per = (K - 1) / (K * log_k)
    L, additive = last, {PSRL: 4 * per, UCRL2: 2 * per, UCBVI: (2 + S) * per}[algorithm]
    row, root = mpmath.sqrt(2 * mpmath.log(2)), mpmath.sqrt(D * K)
    one = min(root * m05, mpmath.sqrt(D * K * x))
    of_rows = min(root * (m15 - m05), mpmath.sqrt(D * K * x * (m2 - 2 * m1 + 1)))
    first, rows = D * m1 + 2 * one, D * (m2 - m1) + 2 * of_rows
    if algorithm == UCBVI:
        return additive * x + L * (1 + x) / 2 * first + (1 + L * x / 2) * (L + row * s) / 2 * rows
    return additive * x + L * first + (L + row * s) * rows


@pytest.mark.parametrize("name", BOUNDS)
@settings(max_examples=15)
@given(S=states, n=arms, K=few_episodes, beta=discounts())
@example(S=1, n=1, K=2, beta=fmpq(0))
@example(S=4, n=3, K=12, beta=fmpq(9, 10))
@example(S=9, n=1, K=41, beta=fmpq(1, 2))
@example(S=2, n=50, K=5, beta=fmpq(2, 3))
def test_each_bound_agrees_with_its_unscaled_formula(name, S, n, K, beta):
    assume(beta < fmpq(99, 100) or BOUNDS[name].moments is not EXACT)
    with mpmath.workdps(40):
        assert agree(BOUNDS[name].at(S, n, K, beta), by_hand(name, S, n, K, beta))


def test_whichever_additive_and_front_are_asked_for_is_in_the_bound():
    m2, m15 = tail_moment(4, fmpq(1, 2), fmpq(2)), tail_moment(4, fmpq(1, 2), fmpq(3, 2))
    squares = 6 * m2 + 2 * mpmath.sqrt(6 * 4) * m15
    L = mpmath.sqrt(2 * mpmath.log(4 * 6 * 16 * mpmath.log(4) * 2))
    s = mpmath.sqrt(3)
    model = (3, 2, 4, fmpq(1, 2))
    assert agree(merged(PSRL, "7/2", "1/3").at(*model), mpmath.mpf(2) / 3 + 3.5 * (L + s) * squares)
    assert agree(merged(UCBVI, 5, 4).at(*model), 8 + 5 * L * (L + s) * 2 * squares)
    assert agree(last_of_ucbvi(5, 4).at(*model), 8 + 5 * 2 * (1 + s) * L**2 * squares)
    per_state = Additive(constant=fmpq(1), per_state=fmpq(10), tails=100, tails_per_state=1000)
    tail = 3 / (4 * mpmath.log(4))
    without, with_additive = (sharpest(PSRL, additive).at(*model) for additive in (Additive(), per_state))
    assert agree(with_additive - without, 2 * (1 + 30 + 100 * tail + 3000 * tail), "1e-9")


@given(S=states, n=arms, K=st.integers(2, 10**6), beta=discounts())
def test_the_theorems_side_agrees_with_mpmath(S, n, K, beta):
    with mpmath.workdps(40):
        z = mpmath.log(K) / (1 - mp(beta))
        f, y = S * n * z**2 + mpmath.sqrt(S * n * K) * z**1.5, mpmath.log(S * n * K * z)
        assert agree(leading_function(S, n, K, beta), f)
        assert agree(log_term(S, n, K, beta), y)
        assert agree(theorem_side(S, n, K, beta), (mpmath.sqrt(S) + y) * f)
        assert agree(theorem_side(S, n, K, beta, order=2), mpmath.sqrt(S) / (1 - mp(beta)) * y * f)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_moments_at_some_points_by_hand(family):
    with mpmath.workdps(40):
        for K, w, alpha in product((2, 5, 41), (fmpq(1), fmpq(1, 3)), ALPHAS):
            scale = (mpmath.log(K) / mp(w)) ** mp(alpha)
            assert agree(
                family.over(Span(K), (w, w), alpha) * arb(mpmath.nstr(scale, 40)),
                moment_by_hand(family, K, 1 - w, alpha),
            )


def test_slopes_of_exact_moments_at_some_points_by_hand():
    """E max H = sum over j of (-1)^(j+1) (K over j)/(1 - beta^j); of the square (1 + beta^j)/(1 - beta^j)^2."""
    with mpmath.workdps(40):
        for K, w in product((2, 3, 6), (fmpq(1, 3), fmpq(3, 4))):

            def moment(at, power, K=K):
                sums = (
                    (-1) ** (j + 1)
                    * mpmath.binomial(K, j)
                    * (1 + (power == 2) * (1 - at) ** j)
                    / (1 - (1 - at) ** j) ** power
                    for j in range(1, K + 1)
                )
                return mpmath.fsum(sums) * (at / mpmath.log(K)) ** power

            for power in (1, 2):
                found = EXACT.sloped(K, (w, w), fmpq(power))
                assert agree(found.value, moment(mp(w), power))
                assert agree(found.slope, mpmath.diff(lambda at, power=power: moment(at, power), mp(w)), "1e-9")
            for alpha in (fmpq(1, 2), fmpq(3, 2)):

                def powered(at, alpha=alpha, K=K):
                    tails = (
                        (mpmath.mpf(m) ** mp(alpha) - mpmath.mpf(m - 1) ** mp(alpha))
                        * (1 - (1 - (1 - at) ** (m - 1)) ** K)
                        for m in range(1, 300)
                    )
                    return mpmath.fsum(tails) * (at / mpmath.log(K)) ** mp(alpha)

                found = EXACT.sloped(K, (w, w), alpha)
                step = mpmath.mpf(10) ** -12
                assert agree(found.value, powered(mp(w)))
                assert agree(found.slope, (powered(mp(w) + step) - powered(mp(w) - step)) / (2 * step), "1e-9")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@given(
    K=few_episodes,
    ends=st.tuples(st.integers(0, 40), st.integers(1, 40)),
    share=st.integers(0, 8),
    alpha=st.sampled_from(ALPHAS),
)
def test_moments_over_intervals_enclose_those_within(family, K, ends, share, alpha):
    low, high = fmpq(min(ends), 40), fmpq(max(ends), 40)
    w = low + (high - low) * fmpq(share, 8)
    assume(w > 0)
    value = family.over(Span(K), (w, w), alpha)
    for ball in (family.over(Span(K), (low, high), alpha), family.over(Span(2, alone=False), (low, high), alpha)):
        assert value.lower() <= ball.upper()
        assert value.upper() >= ball.lower()


@given(K=few_episodes, w=st.integers(1, 30), alpha=st.sampled_from(ALPHAS))
def test_the_slope_of_an_exact_moment_is_between_difference_quotients(K, w, alpha):
    """E max H^alpha w^alpha over two ends: some slope between is the quotient, so the enclosed slopes hold it."""
    ends = fmpq(w, 31) - fmpq(1, 10**6), fmpq(w, 31)
    low, high = (EXACT.over(Span(K), (end, end), alpha) for end in ends)
    assert EXACT.sloped(K, ends, alpha).slope.overlaps((high - low) / (ends[1] - ends[0]))
    assert EXACT.sloped(K, ends, alpha).value.overlaps(low)


def test_limits_of_moments_by_hand():
    # of the largest of two exponential variables: Gamma(5/2) (2 - 2^(-3/2)); at discount 0: E H^alpha = 1 + (2^alpha - 1) beta
    root = arb(2).sqrt()
    largest = 3 * arb.pi().sqrt() / 4 * (2 - 1 / (2 * root))
    scale = arb(2).log() * arb(2).log().sqrt()
    assert _exponential(Span(2), fmpq(3, 2)).overlaps(largest / scale)
    assert _series_slope(fmpq(0), fmpq(3, 2), 53).overlaps(2 * root - 1)
    assert _series_slope(fmpq(0), fmpq(1, 2), 53).overlaps(root - 1)


def test_moments_of_many_episodes_by_either_route():
    assert exact_moment(40, fmpq(1, 3), fmpq(3, 2)).overlaps(exact_moment(41, fmpq(1, 3), fmpq(3, 2))) is False
    with mpmath.workdps(30):
        assert agree(exact_moment(60, fmpq(1, 3), fmpq(3, 2)), tail_moment(60, fmpq(2, 3), fmpq(3, 2)))
        assert agree(exact_moment(39, fmpq(1, 3), fmpq(2)), tail_moment(39, fmpq(2, 3), fmpq(2)))


@pytest.mark.parametrize("K", [1, 2, 64, 65, 66, 1000])
def test_harmonic_sums_by_summation(K):
    for power in (1, 2):
        assert harmonic(K, power).overlaps(arb(sum((fmpq(1, j**power) for j in range(1, K + 1)), fmpq(0))))


def test_harmonic_sums_of_huge_numbers_of_episodes():
    with mpmath.workdps(60):
        assert agree(harmonic(10**40), mpmath.log(mpmath.mpf(10) ** 40) + mpmath.euler)
    assert abs(harmonic(10**40, 2) - arb.pi() ** 2 / 6) < arb(fmpq(1, 10**14))


@given(K=st.integers(1, 10**9), beta=discounts())
def test_the_trivial_bound_is_exact(K, beta):
    assert trivial_bound(K, beta) * (1 - beta) == K


def test_functions_with_slopes_by_hand():
    x = Sloped(arb(2).union(3), arb(1))
    assert (x**2).slope.contains(arb(5))
    assert (1 - x).slope == -1
    assert (x / (1 + x)).slope.contains(arb(fmpq(1, 9)))
    assert x.log().slope.contains(arb(fmpq(2, 5)))
    assert x.sqrt().slope.contains(1 / (2 * arb(fmpq(5, 2)).sqrt()))
    assert x.min(7) is x
    assert x.max(fmpq(5, 2)).slope.contains(arb(0))
    below, above = x.min(fmpq(14, 5)), x.max(fmpq(11, 5))  # which of the two it is changes within the interval
    assert below.value.contains(arb(2))
    assert below.value < fmpq(29, 10)
    assert above.value.contains(arb(3))
    assert above.value > fmpq(21, 10)
    assert all(each.slope.contains(arb(1).union(0)) for each in (below, above))
    assert x.above(arb(fmpq(5, 2)), arb(fmpq(1, 2))) >= 3


def test_one_episode_is_outside_where_a_logarithm_of_zero_is_printed():
    assert leading_function(3, 2, 1, "1/2") == 0
    for compute in (log_term, theorem_side, merged(PSRL).at):
        with pytest.raises(ModelError, match="K"):
            compute(1, 1, 1, 0)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: leading_function(0, 1, 2, 0), "S"),
        (lambda: leading_function(1, True, 2, 0), "n"),
        (lambda: log_term(1, 1, 2, 1), "discount"),
        (lambda: trivial_bound(0, 0), "K"),
        (lambda: harmonic(0), "K"),
        (lambda: RegretBound("none", "none", 3, Additive(), EXACT, lambda scale: {}), "order"),
    ],
)
def test_errors_name_the_argument(call, named):
    with pytest.raises(ModelError, match=named):
        call()


GRID = [
    Model(S, n, K, fmpq(*beta))
    for S, n, K, beta in product((1, 2, 9, 400), (1, 3, 50), (2, 3, 5, 39, 40, 60), ((0, 1), (1, 3), (9, 10)))
]


@pytest.mark.parametrize("name", BOUNDS)
def test_the_best_constant_is_not_exceeded_on_a_grid_and_is_attained(name):
    bound = BOUNDS[name]
    found = best_constant(bound)
    assert found.upper <= found.lower * (1 + arb(fmpq(1, 10**6)))
    assert quotient(bound, found.at).upper() >= found.lower
    for model in GRID:
        assert quotient(bound, model).lower() <= found.upper


@settings(max_examples=100)
@given(name=some_bounds, S=states, n=arms, K=st.integers(2, 50), w=st.integers(1, 60), wide=st.integers(1, 12))
def test_a_box_bounds_its_models(name, S, n, K, w, wide):
    """Boxes of one number of episodes, and of all from there on, around a model."""
    bound, inside = BOUNDS[name], fmpq(w, 64)
    value = quotient(bound, Model(S, n, K, 1 - inside))
    box = max(fmpq(0), inside - fmpq(wide, 64)), min(fmpq(1), inside + fmpq(wide, 32))
    share = (fmpq(1, S * n) * fmpq(9, 10), min(fmpq(1), fmpq(1, S * n) * 2))
    assert value.lower() <= over_box(bound, Span(K), box, share)
    if K >= 3:
        assert value.lower() <= over_box(bound, Span(K, alone=False), (fmpq(0), fmpq(1)), (fmpq(0), fmpq(1)))


def boxed(span, share, w, arms=1):
    return _Box(span, share, w, arms)


def covers(box, D, K, w):
    episodes = box.span.first == K if box.span.alone else box.span.first <= K
    return episodes and box.share[0] <= fmpq(1, D) <= box.share[1] and box.w[0] <= w <= box.w[1]


@pytest.mark.parametrize("arms", [1, 2])
def test_every_model_is_in_one_of_the_first_boxes_and_in_half_of_it(arms):
    boxes = _all_models(5, arms)
    for D, K, w in product((arms, arms + 1, 9, 10**9), (2, 3, 4, 5, 6, 10**9), (fmpq(1, 10**9), fmpq(1, 2), fmpq(1))):
        (box,) = (each for each in boxes if covers(each, D, K, w))
        if box.span.alone:
            assert any(covers(half, D, K, w) for half in box.halves())
    assert len(boxes) == 1 + 2 * 3


def test_the_wider_side_of_a_box_is_halved():
    whole, half, quarter = (fmpq(0), fmpq(1)), (fmpq(0), fmpq(1, 2)), (fmpq(0), fmpq(1, 4))
    assert boxed(Span(3), half, whole).halves() == [
        boxed(Span(3), half, half),
        boxed(Span(3), half, (fmpq(1, 2), fmpq(1))),
    ]
    upper = (fmpq(1, 4), fmpq(1, 2))
    assert boxed(Span(3), half, half).halves() == [boxed(Span(3), quarter, half), boxed(Span(3), upper, half)]
    with pytest.raises(ArithmeticError, match=r"K >= 3 cannot be split"):
        boxed(Span(3, alone=False), half, half).halves()


def test_a_value_is_attained_in_the_middle_of_a_box_of_one_state_and_arm():
    bound, one = BOUNDS["MB-PSRL sharpest"], (fmpq(1), fmpq(1))
    value, at = _attained(bound, boxed(Span(3), one, (fmpq(1, 4), fmpq(1, 2))))
    assert str(at) == "(S, n, K, beta) = (1, 1, 3, 5/8)"
    assert value.overlaps(quotient(bound, Model(1, 1, 3, fmpq(5, 8))).lower())
    assert _attained(bound, boxed(Span(3), (fmpq(0), fmpq(1, 2)), one)) is None
    half = (fmpq(1, 2), fmpq(1, 2))
    assert _attained(bound, boxed(Span(3), half, one)) is None
    value, at = _attained(bound, boxed(Span(3), half, one, arms=2))
    assert str(at) == "(S, n, K, beta) = (1, 2, 3, 0)"
    assert value.overlaps(quotient(bound, at).lower())


@pytest.mark.parametrize("name", BOUNDS)
def test_wide_boxes_bound_the_models_within(name):
    bound = BOUNDS[name]
    for K, w, shares in product((2, 39), ((0, 16), (2, 8)), ((0, 4), (1, 6))):  # in 16ths, and in 12ths
        ends = tuple(fmpq(end, 16) for end in w)
        upper = over_box(bound, Span(K), ends, tuple(fmpq(end, 12) for end in shares))
        for at, (S, n) in product({max(w[0], 1), sum(w) // 2, w[1]}, ((1, 3), (3, 1), (1, 12), (12, 1), (3, 4))):
            assert quotient(bound, Model(S, n, K, 1 - fmpq(at, 16))).lower() <= upper


def test_a_box_reaches_down_to_its_smallest_root():
    """Without a term in the root of K the quotient is largest where q is least, at the lower ends of both intervals."""
    bound = RegretBound("none", "none", 1, Additive(), EXACT, lambda _: {(1, 0): (arb(1), arb(0))})
    one, most = (fmpq(1), fmpq(1)), (fmpq(1, 100), fmpq(1))
    assert quotient(bound, Model(1, 1, 10**4, fmpq(99, 100))).lower() <= over_box(bound, Span(10**4), most, one)
    assert quotient(bound, Model(100, 1, 10**4, fmpq(0))).lower() <= over_box(bound, Span(10**4), one, most)


@pytest.mark.parametrize(
    "name", ["MB-PSRL lemma", "MB-PSRL misplaced", "MB-PSRL sharpest", "MB-UCRL2 as displayed", "MB-UCBVI sharpest"]
)
def test_a_rough_best_constant(name):
    bound, before = BOUNDS[name], flint.ctx.prec
    found = best_constant(bound, tolerance="1/50", last=8)
    assert found.lower <= found.upper <= found.lower * arb(fmpq(51, 50))
    assert quotient(bound, found.at).overlaps(found.lower)
    assert found.approached is (FAR[0] == found.at.S)
    assert found.boxes >= len(_all_models(8, 1))
    assert flint.ctx.prec == before
    for model in GRID:
        assert quotient(bound, model).lower() <= found.upper


@pytest.mark.parametrize("name", ["MB-PSRL lemma", "MB-PSRL sharpest", "MB-UCBVI sharpest"])
def test_a_rough_best_constant_for_two_arms_and_more(name):
    """It bounds the models of the grid that have them, and is attained by one."""
    bound = BOUNDS[name]
    found = best_constant(bound, tolerance="1/50", last=8, arms=2)
    assert found.lower <= found.upper <= found.lower * arb(fmpq(51, 50))
    assert found.at.n >= 2
    assert quotient(bound, found.at).overlaps(found.lower)
    assert best_constant(bound, tolerance="1/50", last=8).upper >= found.upper
    models = [model for model in GRID if model.n >= 2]
    assert models
    for model in models:
        assert quotient(bound, model).lower() <= found.upper


def test_a_constant_that_is_not_found_with_the_boxes_allowed_is_an_error(monkeypatch):
    monkeypatch.setattr("theory.paper.regret.constants.MOST_BOXES", 20)
    with pytest.raises(ArithmeticError, match="the constant is only known between"):
        best_constant(BOUNDS["MB-UCBVI sharpest"])


def test_the_slope_is_used_for_short_intervals_of_one_state_and_arm(monkeypatch):
    monkeypatch.setattr("theory.paper.regret.constants.over_line", lambda *_: arb(1))
    one, less = (fmpq(1), fmpq(1)), (fmpq(0), fmpq(1, 2))
    for share, w, name, used in (
        (one, (fmpq(1, 2), fmpq(3, 4)), "MB-PSRL sharpest", False),
        (one, (fmpq(1, 2), fmpq(2, 3)), "MB-PSRL sharpest", True),
        (one, (fmpq(0), fmpq(1, 8)), "MB-PSRL sharpest", False),
        (less, (fmpq(1, 2), fmpq(2, 3)), "MB-PSRL sharpest", False),
        (one, (fmpq(1, 2), fmpq(2, 3)), "MB-PSRL lemma", False),
    ):
        bound = BOUNDS[name]
        found, wide = _upper_bound(bound, boxed(Span(3), share, w)), over_box(bound, Span(3), w, share)
        assert wide > 1
        assert found == 1 if used else found.overlaps(wide)
    monkeypatch.setattr("theory.paper.regret.constants.over_line", lambda *_: arb(10**9))
    bound, w = BOUNDS["MB-PSRL sharpest"], (fmpq(1, 2), fmpq(2, 3))
    assert _upper_bound(bound, boxed(Span(3), one, w)).overlaps(over_box(bound, Span(3), w, one))


@pytest.mark.parametrize("name", BOUNDS)
def test_a_box_of_one_share_is_as_high_as_its_models(name):
    """In the root of S the quotient is a mean of its ends: one state in each of D arms, and D states in one arm."""
    bound = BOUNDS[name]
    for K, w, D in product((2, 3, 39), (fmpq(1), fmpq(1, 3)), (1, 6)):
        value = quotient(bound, Model(1, D, K, 1 - w)).max(quotient(bound, Model(D, 1, K, 1 - w)))
        found = over_box(bound, Span(K), (w, w), (fmpq(1, D), fmpq(1, D)))
        if D == 1 or not bound.additive.tails_per_state:  # there S <= D stands for S
            assert abs(found / value - 1) < arb("1e-9")
        else:
            assert value < found < value * arb(fmpq(11, 10))  # what is added per state is a small part


@pytest.mark.parametrize("name", [name for name in BOUNDS if BOUNDS[name].moments is EXACT])
def test_a_line_rises_as_its_models_do(name):
    bound, half = BOUNDS[name], fmpq(1, 2**24)
    for K, middle in product((2, 5), (fmpq(1, 2), fmpq(15, 16))):
        low, at, high = (quotient(bound, Model(1, 1, K, 1 - w)) for w in (middle - half, middle, middle + half))
        rise = abs(high - low) / 2
        # the line rises from the middle as the models do, whose slope is all but the same over so short an interval
        above = over_line(bound, K, (middle - half, middle + half)) - at
        assert rise * arb(fmpq(99, 100)) < above < rise * arb(fmpq(101, 100))
        low, at, high = (quotient(bound, Model(1, 2, K, 1 - w)) for w in (middle - half, middle, middle + half))
        above = over_line(bound, K, (middle - half, middle + half), 2) - at
        assert abs(high - low) / 2 * arb(fmpq(99, 100)) < above < abs(high - low) / 2 * arb(fmpq(101, 100))


@pytest.mark.parametrize("name", BOUNDS)
def test_a_box_bounds_the_models_at_its_corners(name):
    for S, n, w in product((2, 9), (1, 3), (fmpq(1), fmpq(1, 3))):
        share = fmpq(1, S * n)
        value = quotient(BOUNDS[name], Model(S, n, 39, 1 - w)).lower()
        for shares in ((share, min(fmpq(1), 8 * share)), (share / 8, share), (share, share)):
            assert value <= over_box(BOUNDS[name], Span(39), (w, w), shares)


@settings(max_examples=60)
@given(name=some_bounds, K=st.integers(2, 6), w=st.integers(2, 50))
def test_a_line_bounds_its_models_and_is_close(name, K, w):
    bound = BOUNDS[name]
    assume(bound.moments is EXACT)
    ends = fmpq(w, 64), fmpq(w, 64) + fmpq(1, 1024)
    upper = over_line(bound, K, ends)
    for share in range(5):
        value = quotient(bound, Model(1, 1, K, 1 - ends[0] - (ends[1] - ends[0]) * fmpq(share, 4)))
        assert value.lower() <= upper
    assert upper < value * arb(fmpq(101, 100))


def test_coefficients_of_a_span_hold_those_of_its_episodes():
    for bound in BOUNDS.values():
        together = bound.coefficients(Scale(Span(5, alone=False), (fmpq(0), fmpq(1)), bound.moments))
        for K, w in product((5, 17, 39), (fmpq(1, 7), fmpq(1))):
            alone = bound.coefficients(Scale(Span(K), (w, w), bound.moments))
            for power, pair in alone.items():
                for one, all_of_them in zip(pair, together[power], strict=True):
                    assert one.lower() <= all_of_them.upper()


@pytest.mark.parametrize(("one_more", "arms"), [(False, 1), (True, 1), (False, 2)])
@pytest.mark.parametrize(("algorithm", "switch"), [(PSRL, 10**5), (UCBVI, 10**3)])
def test_beside_the_trivial_bound_the_smaller_one_is_not_exceeded_on_a_grid(algorithm, switch, one_more, arms):
    bound = sharpest(algorithm, moments=harmonic_moments())
    found = best_beside_trivial(sharpest(algorithm), switch, one_more, arms)
    for S, n, K, beta in product((1, 9, 10**6), (arms, 3), (2, 3, 10**4, 10**6, 10**12), ("0", "1/2", "99/100")):
        smaller = bound.at(S, n, K, beta).min(arb(trivial_bound(K, beta)))
        side = theorem_side(S, n, K, beta, bound.order)
        if one_more:
            log_k, x = arb(K).log() + 1, 1 / (1 - arb(fmpq(beta) if beta in "01" else fmpq(*map(int, beta.split("/")))))
            y, z = (S * n * K * log_k * x).log(), log_k * x
            factor = arb(S).sqrt() + y if bound.order == 1 else arb(S).sqrt() * x * (1 + y)
            side = factor * (S * n * z**2 + arb(S * n * K).sqrt() * z * z.sqrt())
        assert (smaller / side).lower() <= found.upper
    assert found.lower <= found.upper


@pytest.mark.parametrize(("algorithm", "order"), [(PSRL, 1), (UCBVI, 2)])
def test_the_trivial_quotient_of_one_model_by_hand(algorithm, order):
    """Of S = n = 1 and beta = 0, where it is largest."""
    bound = sharpest(algorithm)
    with mpmath.workdps(40):
        for K in (2, 3, 4, 1000):
            quotient_of_K = arb(trivial_bound(K, 0)) / theorem_side(1, 1, K, 0, order)
            assert _trivial(bound, K, K, one_more=False).overlaps(quotient_of_K)
            assert _trivial(bound, K, 2 * K, one_more=False).overlaps(2 * quotient_of_K)  # of twice as many episodes
        # with one more than log K, which is 0: 1 over (1 + log 1)(1 + 1)
        assert _trivial(bound, 1, 1, one_more=True).overlaps(arb(fmpq(1, 2)))
        log_k = 1 + mpmath.log(1000)
        side = (1 + mpmath.log(1000 * log_k)) * (log_k**2 + mpmath.sqrt(1000) * log_k**1.5)
        assert agree(_trivial(bound, 1000, 1000, one_more=True), 1000 / side)


@pytest.mark.parametrize("switch", [4, 10**5])
def test_where_the_root_is_small_the_trivial_bound_is_used_from_any_number_of_episodes_on(switch):
    # q = sqrt(K g / log K) is at most 40; then K g / log(K)^2 / ((1 + y)(1 + q)) is at most 1600 / (l (1 + l) 41), l = log K
    log_k = arb(switch).log()
    near = 1600 / (log_k * (1 + log_k) * 41)
    small = replace(sharpest(PSRL), additive=Additive(), coefficients=lambda _: {})
    assert _from_here_on(small, switch).overlaps(near.upper())
    # above 40 it is the bound over the box of all models; a theorem of order 1/2 has that everywhere
    span, every = Span(switch, alone=False), (fmpq(0), fmpq(1))
    above = over_box(sharpest(PSRL), span, every, every, arb(40))
    assert _from_here_on(sharpest(PSRL), switch).overlaps(above.max(near).upper())
    assert _from_here_on(sharpest(UCBVI), switch).overlaps(over_box(sharpest(UCBVI), span, every, every))
    for bound in (sharpest(PSRL), sharpest(UCBVI)):
        found = _from_here_on(bound, switch)
        shapes, discounts_tried = product((1, 9, 10**6), (1, 3)), ("0", "1/2", "99/100")
        for (S, n), K, beta in product(shapes, (switch, 2 * switch, 10**6, 10**12), discounts_tried):
            smaller = bound.at(S, n, K, beta).min(arb(trivial_bound(K, beta)))
            assert (smaller / theorem_side(S, n, K, beta, bound.order)).lower() <= found


def test_beside_the_trivial_bound_each_number_of_episodes_is_in_one_piece():
    found = best_beside_trivial(sharpest(PSRL), 10)
    assert list(found.pieces) == ["K = 2", "K = 3", "4 <= K < 10", "K >= 10"]
    assert found.upper == max(found.pieces.values())
    assert found.at == Model(1, 1, 2, fmpq(0))  # K/(1 - beta) = 2 there, and the side of Theorem 1 by hand:
    log_2 = arb(2).log()
    side = (1 + (2 * log_2).log()) * (log_2**2 + arb(2).sqrt() * log_2 * log_2.sqrt())
    assert (arb(2) / side).overlaps(arb(found.lower))


@given(
    st.lists(st.integers(0, 9), min_size=29, max_size=29), st.integers(1, 20), st.sampled_from([fmpq(0), fmpq(1, 2)])
)
def test_thresholds_of_any_bound_by_brute_force(steps, lowest, beta):
    """Of K = 2, ..., 30: informative from some number of episodes on and never before, or an error."""
    bound = dict(enumerate(accumulate(steps[1:], initial=lowest + steps[0]), start=2))
    informative = [K for K in bound if bound[K] * (1 - beta) < K]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theory.paper.regret.thresholds.FAR_EPISODES", 30)
        if informative and informative == list(range(informative[0], 31)):
            found = first_informative(lambda K: arb(bound[min(K, 30)]), beta)
            assert found.first == informative[0]
            assert 1 <= found.ranges <= 29  # each of them of one number of episodes at least
        else:
            with pytest.raises(ArithmeticError, match="the bound is"):
                first_informative(lambda K: arb(bound[min(K, 30)]), beta)


def test_a_threshold_by_brute_force():
    def bound(K):
        return 5 * arb(K).sqrt() * arb(K).log()

    brute = [K for K in range(2, 3000) if bound(K) < K]
    first = next(K for K in brute if all(later in brute for later in range(K, 3000)))
    assert first_informative(bound, 0).first == first


def test_thresholds_of_a_bound_by_brute_force():
    bound = sharpest(PSRL, Additive(fmpq(9)), harmonic_moments())
    first = informative_from(bound, 1, 2, 0).first
    assert [bool(bound.at(1, 2, K, 0) < K) for K in (2, 100, first - 1, first, first + 1, 10**7)] == [False] * 3 + [
        True
    ] * 3
    first = theorem_informative_from("1.163", 4, 3, "99/100").first
    side = [arb(fmpq(1163, 1000)) * theorem_side(4, 3, K, "99/100") for K in (first - 1, first)]
    assert side[0] >= 100 * (first - 1)
    assert side[1] < 100 * first


@given(S=states, n=arms, K=st.integers(3, 10**6), beta=discounts())
def test_the_elasticity_of_the_logarithms_is_a_derivative(S, n, K, beta):
    with mpmath.workdps(40):

        def logarithms(log_k):
            x = 1 / (1 - mpmath.mpf(int(beta.p)) / int(beta.q))
            return mpmath.log(mpmath.log(S * n * mpmath.exp(log_k) * log_k * x)) + 2 * mpmath.log(log_k)

        slope = mpmath.diff(logarithms, mpmath.log(K))
        assert abs(mpmath.mpf(float(elasticity_of_logarithms(S, n, K, beta).mid())) - slope) < 1e-12


def test_a_bound_that_is_informative_from_the_start_and_one_with_a_gap():
    assert first_informative(lambda K: arb(K).sqrt() / 2, 0).first == 2
    with pytest.raises(ArithmeticError, match=r"and is at|and not at"):
        first_informative(lambda K: arb(3 if K < 5 else 8) if K < 20 else arb(K).sqrt(), 0)


def test_a_bound_that_is_never_informative_is_an_error():
    with pytest.raises(ArithmeticError, match="not below"):
        first_informative(lambda K: arb(2 * K), 0)
    with pytest.raises(ArithmeticError, match="could not be told"):
        first_informative(lambda K: (2 * arb(K)).sqrt() ** 2 / 2, 0)
