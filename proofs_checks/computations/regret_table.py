r"""The constants of Theorem 1: for each bound that the proof gives, the smallest constant with its extremal model.

A row is a bound (algorithm, display, moments, event, numbers) with a second opinion from `regret_grid`, which shares no
code with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from flint import arb, fmpq

from proofs_checks.computations import regret_grid as grid
from proofs_checks.statements import Answer, answer
from theory import rational
from theory.certified import Truth, at_most
from theory.paper.regret import (
    EXACT,
    LEMMA,
    MISPLACED,
    PSRL,
    REPAIRED,
    UCBVI,
    UCRL2,
    Additive,
    BestConstant,
    Model,
    Moments,
    RegretBound,
    best_constant,
    last_of_ucbvi,
    merged,
    sharpest,
    theorem_side,
)

MISSED = 1e-3
"""What a grid may miss of a supremum, as a share of it."""
TWO_ARMS = 2
"""With one arm there is no regret: constants are given for two arms and more too."""

MOMENTS = r"\Big(Sn\,\mathbb{E}[\max_k H_k^2] + 2\sqrt{SnK}\,\mathbb{E}[\max_k H_k^{3/2}]\Big)"
TAKEN_BACK = r"""with what the displays give away taken back (terms kept apart; half the $L_1$ distance of rows; the
$H_k - 1$ steps that remain; the sum of all lengths under the root where that is less; $L_{K-1}$; $\sqrt{2\log 2}$ for
$1.5$; no event in the first episode, none for lengths)"""


@dataclass(frozen=True)
class Row:
    """A bound of the proof.

    Attributes
    ----------
    claim_id
        The entry of the ledger.
    algorithm
    reading
        Which display, and how it is read, in words.
    line
        Of the paper's source.
    formula
        The bound in LaTeX; ``[[f]]`` is its front factor, ``[[a]]`` its additive constant.
    moments
        Which moments, in words.
    event
        What the additive constant stands for, in words.
    parameters
        The front factor and the additive constant.
    bound
        From the parameters, by name.
    second
        The same bound in floating point, as a function of S, n, K and beta.
    """

    claim_id: str
    algorithm: str
    reading: str
    line: int
    formula: str
    moments: str
    event: str
    parameters: Mapping[str, Any]
    bound: Callable[..., RegretBound] = field(compare=False)
    second: Callable[..., float] = field(compare=False)

    def found(self, arms: int = 1, **changes: object) -> BestConstant:
        """Return the smallest constant for so many arms and more, enclosed, with other parameters if given."""
        return _found(self.claim_id, arms, tuple(sorted({**self.parameters, **changes}.items())))

    def grid_value(self, arms: int = 1) -> tuple[float, grid.Model]:
        """Return the largest quotient on the grid, and where."""
        return grid.largest_quotient(self.algorithm, self.second, arms)


@cache
def _found(claim_id: str, arms: int, parameters: tuple[tuple[str, object], ...]) -> BestConstant:
    return best_constant(ROWS[claim_id].bound(**dict(parameters)), arms=arms)


PREFIX = "thm:regret_upper_bound/constant-"
PRINTED_EVENT = r"each episode's event fails with probability at most $[[a]]/K$, as printed"
WITH_STATES = r"each episode's event fails with probability at most $([[a]] + S)/K$, as the repaired one does"
SHARPER_EVENT = r"episode $k \ge 2$ fails with probability at most $\frac{[[c]]%s}{K\log(K(k-1))}$"
DISPLAYED = rf"\frac{{[[a]]}}{{1-\beta}} + [[f]](L_K + \sqrt S){MOMENTS}"
LITERAL = (
    r"\frac{[[a]]}{1-\beta} + [[f]](L_K + \sqrt S)\Big(Sn\big(5 + 5\frac{\log K}{1-\beta}\big)^2 + "
    r"\sqrt{SnK}\big(5 + 5\frac{\log K}{1-\beta}\big)^{3/2}\Big)"
)
FAMILIES: Mapping[str, tuple[Moments, grid.Moment, str]] = {
    "exact": (EXACT, grid.exact, "the exact moments of geometric lengths"),
    "lemma": (
        LEMMA,
        grid.lemma,
        r"$5 + 5(\log K/(1-\beta))^\alpha$ for $\mathbb{E}[\max_k H_k^\alpha]$, by Lemma 4",
    ),
    "literal": (MISPLACED, grid.misplaced, "the moments as the second line of eq. (32) types them"),
    "repaired": (
        REPAIRED,
        grid.repaired,
        r"$\big((\log K + \Gamma(1+\alpha)^{1/\alpha})/(1-\beta)\big)^\alpha$ for $\mathbb{E}[\max_k H_k^\alpha]$",
    ),
}


def _displayed(suffix: str, algorithm: str, front: str, additive: int, moments: str = "exact") -> Row:
    """Return the row of a last display of MB-PSRL or MB-UCRL2."""
    family, other, words = FAMILIES[moments]
    number, formula = rational(front), LITERAL if moments == "literal" else DISPLAYED
    return Row(
        f"{PREFIX}{suffix}",
        algorithm,
        "second line of the last display, as typed"
        if moments == "literal"
        else "last display" + (" without the half" if algorithm == UCRL2 and number == 3 else ""),
        941 if moments == "literal" else 940 if algorithm == PSRL else 1011,
        formula,
        words,
        PRINTED_EVENT,
        {"f": front, "a": additive},
        lambda f, a: merged(algorithm, rational(f), rational(a), family),
        partial(grid.displayed, int(number.p) / int(number.q), additive, other),
    )


def _last_of_ucbvi(suffix: str, moments: str) -> Row:
    family, other, words = FAMILIES[moments]
    return Row(
        f"{PREFIX}{suffix}",
        UCBVI,
        "last display",
        1101,
        r"\frac{[[a]]}{1-\beta} + \frac{[[f]](1+\sqrt S)}{1-\beta}\,2\log\frac{4SnK^2\log K}{1-\beta}" + MOMENTS,
        words,
        PRINTED_EVENT,
        {"f": 2, "a": 7},
        lambda f, a: last_of_ucbvi(rational(f), rational(a), family),
        partial(grid.displayed_ucbvi, True, 7, other),
    )


def _before_last(suffix: str) -> Row:
    """Return the row of MB-UCBVI whose event fails with probability at most (4 + S)/K."""

    def made(f: object, a: object) -> RegretBound:
        return replace(merged(UCBVI, rational(f)), additive=Additive(rational(a), per_state=fmpq(1)))

    return Row(
        f"{PREFIX}{suffix}",
        UCBVI,
        "display before the last",
        1095,
        rf"\frac{{[[a]] + S}}{{1-\beta}} + \frac{{[[f]]L_K(L_K + \sqrt S)}}{{1-\beta}}{MOMENTS}",
        FAMILIES["exact"][2],
        WITH_STATES,
        {"f": "2", "a": 4},
        made,
        lambda S, n, K, beta: grid.displayed_ucbvi(False, 4 + S, grid.exact, S, n, K, beta),
    )


def _sharpest(suffix: str, algorithm: str, line: int, parts: int) -> Row:
    """Return the row of what is left when all losses are taken back; `parts` counts those of an episode's event."""
    per_state = int(algorithm == UCBVI)
    return Row(
        f"{PREFIX}{suffix}",
        algorithm,
        TAKEN_BACK,
        line,
        "",
        FAMILIES["exact"][2],
        SHARPER_EVENT % (" + S" if per_state else ""),
        {"c": parts},
        lambda c: sharpest(algorithm, Additive(tails=int(str(c)), tails_per_state=per_state)),
        partial(grid.sharpest, algorithm),
    )


_ALL = (
    _displayed("psrl/printed", PSRL, "3", 9, "lemma"),
    _displayed("psrl/literal", PSRL, "3", 9, "literal"),
    _displayed("psrl/repaired-moments", PSRL, "3", 9, "repaired"),
    _displayed("psrl", PSRL, "3", 9),
    _sharpest("psrl/sharper", PSRL, 940, 4),
    _displayed("ucrl2/printed", UCRL2, "3/2", 5, "lemma"),
    _displayed("ucrl2", UCRL2, "3", 5),
    _displayed("ucrl2/half", UCRL2, "3/2", 5),
    _sharpest("ucrl2/sharper", UCRL2, 1011, 2),
    _last_of_ucbvi("ucbvi/printed", "lemma"),
    _last_of_ucbvi("ucbvi/last", "exact"),
    _before_last("ucbvi/repaired-event"),
    _sharpest("ucbvi/sharper", UCBVI, 1101, 2),
)
ROWS: Mapping[str, Row] = {row.claim_id: row for row in _ALL}
"""Every bound of which the ledger has a constant, by the id of its entry."""

MODELS = (
    *(Model(1, 1, 2, 1 - fmpq(numerator, 8192)) for numerator in (8192, 5224, 4837, 5320)),
    *(Model(1, 2, 2, fmpq(numerator, 8192)) for numerator in (0, 4591, 4790, 4540, 4580, 4059, 2835)),
    Model(2, 1, 3, fmpq(1, 2)),
    Model(4, 3, 3000, fmpq(9, 10)),
    Model(10**60, 1, 2, 1 - fmpq(1, 10**8)),
    Model(10**60, 2, 2, 1 - fmpq(1, 10**8)),
)
"""Models at which the bounds are held to the theorem's side: the extremal ones of all rows among them."""


def at_most_constant(row: Row, model: Model, C: object, D: object, **parameters: object) -> Answer:
    """Return whether a row's bound is at most C (for two arms and more D) times the theorem's side for one model."""
    bound, constant = row.bound(**parameters), rational(C)
    constant = constant if model.n < TWO_ARMS else min(constant, rational(D))
    S, n, K, beta = model.S, model.n, model.K, model.beta

    def left() -> arb:
        return bound.at(S, n, K, beta)

    def right() -> arb:
        return theorem_side(S, n, K, beta, bound.order) * constant

    return answer(at_most(left, right), S=S, n=n, K=K, beta=beta, bound=left(), right_side=right())


def smallest_constant(row: Row, C: object, D: object, **parameters: object) -> Answer:
    """Return whether C, and D for two arms and more, are at least the suprema over all models; with them, the grid's.

    Raises
    ------
    ArithmeticError
        If the grid contradicts an enclosure.
    """
    truth, told = Truth.YES, dict[str, Any]()
    for arms, constant in ((1, C), (TWO_ARMS, D)):
        found = row.found(arms, **parameters)
        truth = truth.both(enough(found.lower, found.upper, constant))
        told |= {
            f"smallest_constant_n_from_{arms}": found.lower.union(found.upper),
            f"extremal_model_n_from_{arms}": told_model(found),
        }
        if parameters == row.parameters:
            value, at = row.grid_value(arms)
            if not float(found.lower) * (1 - MISSED) <= value <= float(found.upper) * (1 + 1e-9):
                raise ArithmeticError(
                    f"{row.claim_id}: the grid gives {value}, the enclosure {found.lower}, {found.upper}"
                )
            told |= {f"independent_grid_n_from_{arms}": f"{value:.6g} at {at}"}
    return answer(truth, **told)


def enough(lower: arb, upper: arb, claimed: object) -> Truth:
    """Return whether a constant is at least a supremum between these."""
    constant = arb(rational(claimed))
    return Truth.YES if upper <= constant else Truth.NO if lower > constant else Truth.UNDECIDED


def told_model(found: BestConstant) -> dict[str, object]:
    """Return the extremal model, or the limit that it stands for."""
    if found.approached:
        return {"limit": "S -> infinity, beta -> 1", "K": found.at.K}
    return {"S": found.at.S, "n": found.at.n, "K": found.at.K, "beta": found.at.beta}


def filled(text: str, parameters: Mapping[str, object]) -> str:
    """Return the words of a row with its parameters put in."""
    for name, value in parameters.items():
        text = text.replace(f"[[{name}]]", str(value))
    return text
