r"""The constants of Theorem 1: for each bound that the proof gives, the smallest constant with its extremal model.

A row is a bound (algorithm, display, moments, event, numbers) with a second opinion from `regret_grid`, which shares no
code with it. `table` returns all of it as plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import log
from typing import Any

from flint import arb, fmpq

from proofs_checks.computations import regret_grid as grid
from proofs_checks.statements import Answer, answer
from theory import decimal_text, rational
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
    apart,
    best_constant,
    last_of_ucbvi,
    losses,
    merged,
    sharpest,
    theorem_side,
)

DIGITS = 12
COARSE = fmpq(1, 10**5)
"""Relative width of the enclosures in the tables of losses."""
MISSED = 1e-3
"""What a grid may miss of a supremum, as a share of it."""

MOMENTS = r"\Big(Sn\,\mathbb{E}[\max_k H_k^2] + 2\sqrt{SnK}\,\mathbb{E}[\max_k H_k^{3/2}]\Big)"
LOSSES: Mapping[str, str] = {
    "merged terms": r"the terms in $L_K$ and in $L_K\max_k H_k$ are kept apart",
    "half the L1 distance": r"two rows differ by half their L1 distance on a function with values from $0$ to $B$",
    "steps that remain": r"after the first step of an episode at most $H_k - 1$ remain",
    "sum of all horizons": r"""$\mathbb{E}\sum_k H_k = K/(1-\beta)$ stands under the root for $K\max_k H_k$, by Jensen
        and by Cauchy and Schwarz, where that is less""",
    "last episode": r"$L_{K-1}$, the largest that occurs, stands for $L_K$",
    "root of the states": r"$\sqrt{2\log 2}\,\sqrt S$ stands for $1.5\sqrt S$ in the radius of a row",
    "events": r"""the first episode needs no event, and no event $\mathcal{E}^H$ is needed at all: episode $k$ fails
        with probability at most $1/(K\log(K(k-1)))$ for rewards and for rows each (for MB-PSRL also for those of $M_k$;
        for MB-UCBVI $S$ times that for values)""",
}
"""What the displays give away, in the order in which it is taken back."""


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

    def found(self, **changes: object) -> BestConstant:
        """Return the smallest constant, enclosed, with other parameters where they are given."""
        return _found(self.claim_id, tuple(sorted({**self.parameters, **changes}.items())))

    def grid_value(self) -> tuple[float, grid.Model]:
        """Return the largest quotient on the grid, and where."""
        return grid.largest_quotient(self.algorithm, self.second)


@cache
def _found(claim_id: str, parameters: tuple[tuple[str, object], ...]) -> BestConstant:
    return best_constant(ROWS[claim_id].bound(**dict(parameters)))


PRINTED_EVENT = r"each episode's event fails with probability at most $[[a]]/K$, as printed"
REPAIRED_EVENT = r"episode $k \ge 2$ fails with probability at most $\frac{[[c]]%s}{K\log(K(k-1))}$"
DISPLAYED = rf"\frac{{[[a]]}}{{1-\beta}} + [[f]](L_K + \sqrt S){MOMENTS}"
DISPLAYED_UCBVI = rf"\frac{{[[a]]}}{{1-\beta}} + \frac{{[[f]]L_K(L_K + \sqrt S)}}{{1-\beta}}{MOMENTS}"
LAST_UCBVI = (
    rf"\frac{{[[a]]}}{{1-\beta}} + \frac{{[[f]](1+\sqrt S)}}{{1-\beta}}\,2\log\frac{{4SnK^2\log K}}{{1-\beta}}{MOMENTS}"
)
LITERAL = (
    r"\frac{[[a]]}{1-\beta} + [[f]](L_K + \sqrt S)\Big(Sn\big(5 + 5\frac{\log K}{1-\beta}\big)^2 + "
    r"\sqrt{SnK}\big(5 + 5\frac{\log K}{1-\beta}\big)^{3/2}\Big)"
)
APART = (
    r"\frac{[[a]]}{1-\beta} + [[f]]\,\mathbb{E}\Big[(L_K + (2L_K + 3\sqrt S)\max_k H_k)"
    r"\big(Sn\max_k H_k + 2\sqrt{SnK\max_k H_k}\big)\Big]"
)
APART_UCBVI = (
    r"\frac{[[a]]}{1-\beta} + [[f]]\,\mathbb{E}\Big[\frac{(2-\beta)L_K + L_K(L_K + 1.5\sqrt S)\max_k H_k}{2(1-\beta)}"
    r"\big(Sn\max_k H_k + 2\sqrt{SnK\max_k H_k}\big)\Big]"
)
SHARPEST = r"the bound of the proof with all that its displays give away taken back"
EXACT_WORDS = "the exact moments of geometric lengths"
FAMILIES: Mapping[str, tuple[Moments, grid.Moment, str]] = {
    "exact": (EXACT, grid.exact, EXACT_WORDS),
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


def _displayed(suffix: str, algorithm: str, line: int, front: str, additive: int, moments: str = "exact") -> Row:
    """Return the row of a last display of MB-PSRL or MB-UCRL2, or of the display before the last of MB-UCBVI."""
    family, other, words = FAMILIES[moments]
    number = rational(front)
    if algorithm == UCBVI:
        second = partial(grid.displayed_ucbvi, False, additive, other)
    else:
        second = partial(grid.displayed, int(number.p) / int(number.q), additive, other)
    formula = LITERAL if moments == "literal" else DISPLAYED_UCBVI if algorithm == UCBVI else DISPLAYED
    reading = {UCBVI: "display before the last"}.get(algorithm, "last display")
    reading += " without the half" if algorithm == UCRL2 and number == 3 else ""
    return Row(
        f"{PREFIX}{suffix}",
        algorithm,
        "second line of the last display, as typed" if moments == "literal" else reading,
        line,
        formula,
        words,
        PRINTED_EVENT,
        {"f": front, "a": additive},
        lambda f, a: merged(algorithm, rational(f), rational(a), family),
        second,
    )


def _last_of_ucbvi(suffix: str, moments: str) -> Row:
    family, other, words = FAMILIES[moments]
    return Row(
        f"{PREFIX}{suffix}",
        UCBVI,
        "last display",
        1101,
        LAST_UCBVI,
        words,
        PRINTED_EVENT,
        {"f": 2, "a": 7},
        lambda f, a: last_of_ucbvi(rational(f), rational(a), family),
        partial(grid.displayed_ucbvi, True, 7, other),
    )


def _with_states(suffix: str) -> Row:
    """Return the row of MB-UCBVI whose event fails with probability at most (4 + S)/K."""

    def made(f: object, a: object) -> RegretBound:
        return replace(merged(UCBVI, rational(f)), additive=Additive(rational(a), per_state=fmpq(1)))

    return Row(
        f"{PREFIX}{suffix}",
        UCBVI,
        "display before the last",
        1095,
        DISPLAYED_UCBVI.replace("[[a]]", "[[a]] + S"),
        EXACT_WORDS,
        r"each episode's event fails with probability at most $([[a]] + S)/K$, as the repaired one does",
        {"f": "2", "a": 4},
        made,
        lambda S, n, K, beta: grid.displayed_ucbvi(False, 4 + S, grid.exact, S, n, K, beta),
    )


def _repaired_event(suffix: str, algorithm: str, line: int, parts: int) -> Row:
    """Return the row of a last display with the failure probabilities of the repaired events, 0 for episode 1."""

    def made(f: object, c: object) -> RegretBound:
        return replace(merged(algorithm, rational(f)), additive=Additive(tails=int(str(c))))

    def second(S: int, n: int, K: int, beta: float) -> float:
        return grid.displayed(3, parts * (K - 1) / (K * log(K)), grid.exact, S, n, K, beta)

    return Row(
        f"{PREFIX}{suffix}",
        algorithm,
        "last display" + (", without the half" if algorithm == UCRL2 else ""),
        line,
        DISPLAYED.replace("[[a]]", r"[[c]]\frac{K-1}{K\log K}"),
        EXACT_WORDS,
        REPAIRED_EVENT % "",
        {"f": "3", "c": parts},
        made,
        second,
    )


def _apart(suffix: str, algorithm: str, line: int, additive: int, front: str = "1") -> Row:
    ucbvi, whole = algorithm == UCBVI, rational(front) == 1
    return Row(
        f"{PREFIX}{suffix}",
        algorithm,
        "display before terms are merged" + (", without the half" if algorithm == UCRL2 and whole else ""),
        line,
        APART_UCBVI if ucbvi else APART,
        EXACT_WORDS,
        PRINTED_EVENT,
        {"f": front, "a": additive},
        lambda f, a: apart(algorithm, rational(f), rational(a)),
        partial(grid.before_merging_ucbvi, additive)
        if ucbvi
        else partial(grid.before_merging, 1 if whole else 0.5, additive),
    )


def _sharpest(suffix: str, algorithm: str, line: int, parts: int) -> Row:
    """Return the row of what is left when all losses are taken back; `parts` counts those of an episode's event."""
    per_state = int(algorithm == UCBVI)
    return Row(
        f"{PREFIX}{suffix}",
        algorithm,
        "all losses taken back",
        line,
        "",
        EXACT_WORDS,
        REPAIRED_EVENT % (" + S" if per_state else ""),
        {"c": parts},
        lambda c: sharpest(algorithm, Additive(tails=int(str(c)), tails_per_state=per_state)),
        partial(grid.sharpest, algorithm),
    )


PREFIX = "thm:regret_upper_bound/constant-"
_ALL = (
    _displayed("psrl/printed", PSRL, 940, "3", 9, "lemma"),
    _displayed("psrl/literal", PSRL, 941, "3", 9, "literal"),
    _displayed("psrl/repaired-moments", PSRL, 940, "3", 9, "repaired"),
    _displayed("psrl", PSRL, 940, "3", 9),
    _repaired_event("psrl/repaired-event", PSRL, 940, 4),
    _apart("psrl/apart", PSRL, 925, 9),
    _sharpest("psrl/sharper", PSRL, 940, 4),
    _displayed("ucrl2/printed", UCRL2, 1011, "3/2", 5, "lemma"),
    _displayed("ucrl2/printed-whole", UCRL2, 1011, "3", 5, "lemma"),
    _displayed("ucrl2/literal", UCRL2, 1011, "3/2", 5, "literal"),
    _displayed("ucrl2", UCRL2, 1011, "3", 5),
    _displayed("ucrl2/half", UCRL2, 1011, "3/2", 5),
    _repaired_event("ucrl2/repaired-event", UCRL2, 1011, 2),
    _apart("ucrl2/apart", UCRL2, 1006, 5),
    _apart("ucrl2/apart-half", UCRL2, 1006, 5, "1/2"),
    _sharpest("ucrl2/sharper", UCRL2, 1011, 2),
    _displayed("ucbvi/printed-before-last", UCBVI, 1095, "2", 7, "lemma"),
    _last_of_ucbvi("ucbvi/printed", "lemma"),
    _displayed("ucbvi", UCBVI, 1095, "2", 7),
    _with_states("ucbvi/repaired-event"),
    _last_of_ucbvi("ucbvi/last", "exact"),
    _apart("ucbvi/apart", UCBVI, 1093, 7),
    _sharpest("ucbvi/sharper", UCBVI, 1101, 2),
)
ROWS: Mapping[str, Row] = {row.claim_id: row for row in _ALL}
"""Every bound of which the ledger has a constant, by the id of its entry."""

ONE_MINUS_BETA = (8192, 5224, 4837, 6483, 5320, 6088, 4631, 4492, 6579)  # over 8192
MODELS = (
    *(Model(1, 1, 2, 1 - fmpq(numerator, 8192)) for numerator in ONE_MINUS_BETA),
    Model(2, 1, 3, fmpq(1, 2)),
    Model(4, 3, 3000, fmpq(9, 10)),
    Model(10**60, 1, 2, 1 - fmpq(1, 10**8)),
)
"""Models at which the bounds are held to the theorem's side: the extremal ones of all rows among them."""


def at_most_constant(row: Row, model: Model, C: object, **parameters: object) -> Answer:
    """Return whether a row's bound is at most C times the theorem's side for one model."""
    bound, constant = row.bound(**parameters), rational(C)
    S, n, K, beta = model.S, model.n, model.K, model.beta

    def left() -> arb:
        return bound.at(S, n, K, beta)

    def right() -> arb:
        return theorem_side(S, n, K, beta, bound.order) * constant

    told = {"S": S, "n": n, "K": K, "beta": beta}
    return answer(at_most(left, right), **told, bound=left(), right_side=right())


def smallest_constant(row: Row, C: object, **parameters: object) -> Answer:
    """Return whether C is at least the supremum over all models; with it its enclosure, its model and the grid's value.

    Raises
    ------
    ArithmeticError
        If the grid contradicts the enclosure.
    """
    found, claimed = row.found(**parameters), arb(rational(C))
    truth = Truth.YES if found.upper <= claimed else Truth.NO if found.lower > claimed else Truth.UNDECIDED
    told: dict[str, Any] = {"smallest_constant": _between(found), "extremal_model": told_model(found)}
    if parameters == row.parameters:
        value, at = row.grid_value()
        if not float(found.lower) * (1 - MISSED) <= value <= float(found.upper) * (1 + 1e-9):
            raise ArithmeticError(f"{row.claim_id}: the grid gives {value}, the enclosure {found.lower}, {found.upper}")
        told |= {"independent_grid": f"{value:.6g}", "grid_model": at}
    return answer(truth, **told)


def _between(found: BestConstant) -> arb:
    return found.lower.union(found.upper)


def told_model(found: BestConstant) -> dict[str, object]:
    """Return the extremal model, or the limit that it stands for."""
    if found.approached:
        return {"limit": "S -> infinity, beta -> 1", "K": found.at.K}
    return {"S": found.at.S, "n": found.at.n, "K": found.at.K, "beta": found.at.beta}


def table() -> list[dict[str, Any]]:
    """Return the table of constants as plain data: one row a bound, numbers as text."""
    rows = []
    for row in ROWS.values():
        found = row.found()
        value, at = row.grid_value()
        rows.append(
            {
                "id": row.claim_id,
                "algorithm": row.algorithm,
                "reading": row.reading,
                "line": row.line,
                "moments": row.moments,
                "event": filled(row.event, row.parameters),
                "parameters": {name: str(number) for name, number in row.parameters.items()},
                "constant": [_digits(found.lower, up=False), _digits(found.upper, up=True)],
                "extremal model": {name: str(each) for name, each in told_model(found).items()},
                "grid": f"{value:.6g}",
                "grid model": list(at),
            }
        )
    return rows


def losses_table(algorithm: str) -> list[dict[str, Any]]:
    """Return what each loss costs: the constants as one after the other is taken back."""
    enclosed = {name: enclosed_loss(algorithm, name) for name in losses(algorithm)}
    return [
        {
            "taken back": name,
            "says": LOSSES.get(name, "as displayed"),
            "constant": [_digits(low, False), _digits(high, True)],
        }
        for name, low, high in ((name, found.lower, found.upper) for name, found in enclosed.items())
    ]


@cache
def enclosed_loss(algorithm: str, loss: str) -> BestConstant:
    """Return the smallest constant when a loss and those before it are taken back."""
    return best_constant(losses(algorithm)[loss], COARSE)


def filled(text: str, parameters: Mapping[str, object]) -> str:
    """Return the words of a row with its parameters put in."""
    for name, value in parameters.items():
        text = text.replace(f"[[{name}]]", str(value))
    return text


def _digits(end: arb, up: bool) -> str:
    """Return six decimals of an end, rounded outwards."""
    scaled = end * 10**6
    whole = (scaled.ceil() if up else scaled.floor()).unique_fmpz()
    return decimal_text(fmpq(int(str(whole)), 10**6), DIGITS)
