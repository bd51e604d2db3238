"""Processes: states that moves change, and a relation claimed for every state reached.

An inequality for sums of any length (over arms, next states or activations) is such a claim: the state holds the sums
so far, and a move adds one term.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice, product
from typing import Any, TypeAlias

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.claimcheck.statements.answers import Answer
from proofs_checks.claimcheck.statements.domains import ForAll
from proofs_checks.claimcheck.statements.evaluation import NotDefinedError, evaluate
from proofs_checks.claimcheck.statements.relation import Relation, with_sides
from proofs_checks.claimcheck.statements.statement import Reading, Statement
from theory.certified import Truth

Sequence: TypeAlias = "tuple[Mapping[sympy.Symbol, fmpq], tuple[Mapping[sympy.Symbol, fmpq], ...]]"
"""Values of the fixed symbols, and the inputs of each move."""

_INPUTS_TRIED = 12
_LONGEST = 3


class Process(Statement):
    r"""A relation claimed for every state that a process reaches, for all inputs.

    Parameters
    ----------
    claim_id, says, reading, **parameters
        As for `Relation`.
    relations
        Relations between the symbols of the state and of `fixed`, claimed after any number of moves (0 included).
    start
        The first state: a formula for each symbol of the state.
    move
        The next state: a formula for each symbol of the state, in the previous state and the inputs.
    inputs
        Conditions on the inputs of each move; they may mention the state.
    fixed
        Conditions on the symbols that moves do not change.

    Examples
    --------
    >>> from proofs_checks.claimcheck.statements.symbols import c, q, s, u
    >>> squares = Process(
    ...     "example", s**2 <= c * q, start={s: 0, q: 0, c: 0}, move={s: s + u, q: q + u**2, c: c + 1},
    ...     inputs=ForAll(u >= 0), says="$(\\sum_i u_i)^2 \\le c \\sum_i u_i^2$ for any $c$ numbers.",
    ... )
    >>> squares.at(({}, ({u: fmpq(1)}, {u: fmpq(3)}))).true
    True
    >>> len(list(squares.instances())), 1 + 9 + 9**2 + 9**3  # up to three inputs, of nine each
    (820, 820)
    """

    def __init__(
        self,
        claim_id: str,
        *relations: sympy.Rel,
        start: Mapping[sympy.Symbol, Any],
        move: Mapping[sympy.Symbol, Any],
        inputs: ForAll,
        fixed: ForAll | None = None,
        says: str = "",
        reading: Reading | None = None,
        **parameters: object,
    ) -> None:
        super().__init__(claim_id, says, parameters, reading)
        self.claimed = relations
        self.start = {symbol: sympy.sympify(value) for symbol, value in start.items()}
        self.move = {symbol: sympy.sympify(value) for symbol, value in move.items()}
        self.inputs = inputs
        self.fixed = fixed or ForAll()

    def relation(self, domain: ForAll, *relations: sympy.Rel) -> Relation:
        """Return relations over a domain, as a statement with the parameters of this one."""
        parameters: dict[str, Any] = self.parameters
        return Relation(self.id, domain, *relations, reading=self.reading, **parameters)

    @property
    def formulas(self) -> tuple[sympy.Basic, ...]:
        """The claimed relations, the conditions on inputs and fixed symbols, the first state and the move."""
        conditions = (*self.inputs.conditions, *self.fixed.conditions)
        return (*self.claimed, *conditions, *self.start.values(), *self.move.values())

    @cached_property
    def _claim(self) -> Relation:
        return self.relation(self.fixed, *self.claimed)

    def after_move(self, formula: Any) -> Any:
        """Return the formula whose value before a move is that of `formula` after the move."""
        if isinstance(formula, sympy.core.relational.Relational):
            return with_sides(formula, self.after_move(formula.lhs), self.after_move(formula.rhs))
        return formula.subs(self.move, simultaneous=True)

    def instances(self) -> Iterator[Sequence]:
        """Yield short sequences of inputs, with values of the fixed symbols."""
        own = {*self.start, *self.fixed.variables}
        symbols = [each for each in self.inputs.variables if each not in own]
        free = ForAll(*(each for each in self.inputs.conditions if each.free_symbols <= set(symbols)))
        points = list(islice(free.points(), _INPUTS_TRIED))
        for fixed in islice(self._claim.full_domain.points(), _INPUTS_TRIED):
            for length in range(_LONGEST + 1):
                for inputs in product(points, repeat=length):
                    yield fixed, inputs

    def at(self, instance: Sequence) -> Answer:
        """Run the process on a sequence of inputs, and evaluate the relation in the last state.

        The answer is true for a sequence with an input that its state does not allow.
        """
        fixed, inputs = instance
        told = {"fixed": _by_name(fixed), "inputs": [_by_name(each) for each in inputs]}
        state = {symbol: evaluate(self._claim.filled(value), fixed) for symbol, value in self.start.items()}
        for each in inputs:
            here: dict[sympy.Symbol, Any] = {**fixed, **state, **each}
            if not self.inputs.contains(here):
                return Answer(Truth.YES, told)
            try:
                state = {symbol: evaluate(self._claim.filled(value), here) for symbol, value in self.move.items()}
            except NotDefinedError as error:
                return Answer(Truth.NO, {**told, "not defined": str(error)})
        found = self._claim.at({**fixed, **state})
        return Answer(found.truth, {**told, **found.values})

    @property
    def domain_latex(self) -> str:
        """The conditions on the inputs, in words and LaTeX."""
        conditions = self.fixed.where(*self.inputs.conditions)
        return f"any number of terms with ${conditions.latex}$" if conditions.conditions else "any number of terms"

    @property
    def formula_latex(self) -> str:
        """The relation in LaTeX."""
        return self._claim.formula_latex


def _by_name(values: Mapping[sympy.Symbol, fmpq]) -> dict[str, fmpq]:
    return {symbol.name: value for symbol, value in values.items()}
