"""The conjugate posteriors of MB-PSRL (`apx:Bayes`): posterior proportional to prior times likelihood, symbolically."""

from __future__ import annotations

from typing import Any

import sympy  # type: ignore[import-untyped]  # it ships no types
from flint import fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only
from theory import Exact, sympy_rational

SECTION = "Posterior distributions"

N, MEAN, VARIANCE = sympy.symbols("N rhat s2", positive=True)
R = sympy.Symbol("r", real=True)
PRECISION = sympy.Symbol("lambda", positive=True)


@claim(
    "apx:Bayes/dirichlet",
    section=SECTION,
    statement="""For the uniform prior on the probability rows and categorical observations with n_y visits to y, the
    posterior is Dirichlet with parameters 1 + n_y.""",
    domain="every n_y >= 0, all zero included; symbolic for two to five states",
    evidence=Evidence.PROOF,
    mutants={"parameters n_y": {"added": 0}, "parameters 1/2 + n_y": {"added": fmpq(1, 2)}},
)
def dirichlet(book: Book, added: Exact = 1) -> Finding:
    for size in range(2, 6):
        free = sympy.symbols(f"q0:{size - 1}", positive=True)
        row = [*free, 1 - sum(free)]
        visits = sympy.symbols(f"n0:{size}", nonnegative=True)
        log_likelihood = sum(n * sympy.log(q) for n, q in zip(visits, row, strict=True))
        log_claimed = sum((sympy_rational(added) + n - 1) * sympy.log(q) for n, q in zip(visits, row, strict=True))
        slope = _slopes(log_likelihood - log_claimed, free)  # the uniform prior's density is constant
        if any(slope):
            return fails({"states": size, "derivatives of log(likelihood / claimed)": list(map(str, slope))})
    return holds(
        Evidence.PROOF,
        reason=(
            "The log of likelihood over claimed density has derivative 0 in every free coordinate of the simplex, "
            "so the ratio is constant. The exponents match coordinate by coordinate, so the same holds for every S."
        ),
    )


@claim(
    "apx:reward_post/beta",
    section=SECTION,
    statement="""For the uniform prior on [0, 1] and Bernoulli rewards, ones and zeros in number u and v, the posterior
    is Beta(1 + u, 1 + v).""",
    domain="every u, v >= 0",
    evidence=Evidence.PROOF,
    mutants={"Beta(1 + v, 1 + u)": {"swapped": True}, "Beta(u, v)": {"added": 0}},
)
def beta_posterior(book: Book, swapped: bool = False, added: Exact = 1) -> Finding:
    mean = sympy.Symbol("r", positive=True)
    ones, zeros = sympy.symbols("u v", nonnegative=True)
    first, second = (zeros, ones) if swapped else (ones, zeros)
    log_likelihood = ones * sympy.log(mean) + zeros * sympy.log(1 - mean)
    extra = sympy_rational(added) - 1
    log_claimed = (extra + first) * sympy.log(mean) + (extra + second) * sympy.log(1 - mean)
    slope = _slopes(log_likelihood - log_claimed, (mean,))
    if any(slope):
        return fails({"derivative of log(likelihood / claimed)": str(slope[0])})
    return holds(Evidence.PROOF, reason="The log of the ratio has derivative 0.")


def _slopes(expression: Any, variables: tuple[Any, ...]) -> list[Any]:
    return [sympy.simplify(sympy.diff(expression, variable)) for variable in variables]


def gaussian_gamma(shape: Any, rate: Any, centre: Any, weight: Any) -> Any:
    """Return the log density of the precision, Gamma(shape, rate), and of r ~ N(centre, 1/(weight precision)).

    Up to a constant.
    """
    return (
        (shape - 1) * sympy.log(PRECISION)
        - rate * PRECISION
        + sympy.log(PRECISION) / 2
        - weight * PRECISION * (R - centre) ** 2 / 2
    )


def gaussian_log_likelihood() -> Any:
    """Return that of N rewards with mean rhat and (biased) variance s2, up to a constant."""
    return N * sympy.log(PRECISION) / 2 - PRECISION * (N * VARIANCE + N * (MEAN - R) ** 2) / 2


def printed_posterior(scale: bool = False) -> Any:
    """Return the printed log density; with `scale`, its second Gamma parameter is read as a scale."""
    second = sympy.Rational(1, 2) + N * VARIANCE / 2 + N * MEAN**2 / (2 * (N + 1))
    return gaussian_gamma((N + 1) / 2, 1 / second if scale else second, N * MEAN / (N + 1), N + 1)


def _mismatch(prior: Any, scale: bool = False) -> list[Any]:
    return _slopes(prior + gaussian_log_likelihood() - printed_posterior(scale), (R, PRECISION))


@claim(
    "apx:reward_post/gaussian-gamma",
    section=SECTION,
    statement="""For the prior 1/sigma^2 ~ Gamma(shape 1/2, rate 1/2), r given sigma^2 ~ N(0, sigma^2), the printed law
    is the posterior after N Gaussian rewards of empirical mean rhat and empirical variance s2 (divided by N); at N = 0
    it is the prior.""",
    domain="every N >= 0, rhat, s2; N rhat and N s2 are sums, 0 at N = 0",
    evidence=Evidence.PROOF,
    mutants={
        "shape 1 in the prior": {"shape": 1},
        "r given sigma^2 of variance sigma^2/2": {"weight": 2},
        "prior mean 1/2": {"centre": fmpq(1, 2)},
    },
    repairs=("apx:reward_post/gaussian-gamma-prior", "apx:reward_post/gaussian-gamma-scale"),
)
def gaussian_posterior(
    book: Book, shape: Exact = fmpq(1, 2), rate: Exact = fmpq(1, 2), centre: Exact = 0, weight: Exact = 1
) -> Finding:
    prior = gaussian_gamma(*map(sympy_rational, (shape, rate, centre, weight)))
    slope = _mismatch(prior)
    at_zero = sympy.simplify(printed_posterior().subs(N, 0) - prior)
    if any(slope) or at_zero.free_symbols:
        return fails({"derivatives of log(prior * likelihood / printed) in r, lambda": list(map(str, slope))})
    return holds(Evidence.PROOF, reason="The log of the ratio has derivatives 0 in r and in the precision.")


@claim(
    "apx:reward_post/gaussian-gamma-prior",
    section=SECTION,
    statement="""The printed posterior is that of every prior the text describes: a Gamma law of 1/sigma^2, and r given
    sigma^2 Gaussian of variance sigma^2.""",
    domain="Gamma shape and rate positive, any prior mean",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"r given sigma^2 of variance sigma^2/2": {"weight": 2}},
    controls={"Gamma(1/2, 1/2) and mean 0": {"only": (fmpq(1, 2), fmpq(1, 2), 0)}},
)
def gaussian_prior(book: Book, weight: Exact = 1, only: tuple[Exact, Exact, Exact] | None = None) -> Finding:
    """Solve for the priors whose product with the likelihood is proportional to the printed density, at every N."""
    shape, rate = sympy.symbols("alpha b", positive=True)
    centre = sympy.Symbol("m", real=True)
    if only is not None:
        shape, rate, centre = map(sympy_rational, only)
    slopes = _mismatch(gaussian_gamma(shape, rate, centre, sympy_rational(weight)))
    equations = [
        coefficient
        for slope in slopes
        for coefficient in sympy.Poly(sympy.numer(sympy.together(slope)), R, PRECISION, N, MEAN, VARIANCE).coeffs()
        if coefficient != 0
    ]
    if only is not None:
        return fails({"left over": list(map(str, equations))}) if equations else holds(Evidence.PROOF)
    solutions = sympy.solve(equations, (shape, rate, centre), dict=True)
    half = sympy.Rational(1, 2)
    if solutions != [{shape: half, rate: half, centre: 0}]:
        return fails({"priors that fit": list(map(str, solutions)), "equations": list(map(str, equations))})
    return holds_only(
        "shape 1/2, rate 1/2 and prior mean 0, which the text does not state",
        Evidence.PROOF,
        {
            "prior": "1/sigma^2 ~ Gamma(1, 1), r given sigma^2 ~ N(0, sigma^2)",
            "N": 0,
            "posterior, the prior itself": "Gamma(1, 1)",
            "printed": "Gamma(1/2, 1/2)",
        },
        equations=list(map(str, equations)),
    )


@claim(
    "apx:reward_post/gaussian-gamma-scale",
    section=SECTION,
    statement="""The second parameter of the printed Gamma law may be read as a scale, as numpy's sampler takes it (the
    text names numpy and not the convention).""",
    domain="N >= 0",
    verdict=Verdict.FAILS,
    evidence=Evidence.PROOF,
    printed=False,
    mutants={"with the prior's parameter as a scale too": {"prior_rate": 2}},
    controls={"read as a rate": {"scale": False}},
)
def gaussian_scale(book: Book, scale: bool = True, prior_rate: Exact = fmpq(1, 2)) -> Finding:
    prior = gaussian_gamma(sympy.Rational(1, 2), sympy_rational(prior_rate), sympy.Integer(0), sympy.Integer(1))
    slope = _mismatch(prior, scale)
    if any(slope):
        return fails(
            {
                "derivative in lambda of log(prior * likelihood / read as scale)": str(slope[1]),
                "one reward, equal to 1: rate of the posterior": fmpq(3, 4),
                "read as a scale, the rate would be": fmpq(4, 3),
            },
            evidence=Evidence.PROOF,
        )
    return holds(Evidence.PROOF)
