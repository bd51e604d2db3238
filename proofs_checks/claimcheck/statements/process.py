"""Invariants: relations that hold in every state that a process reaches.

Sums over arms, over next states or over activations are of this kind: the state holds the sums so far, a move adds one
term. So an inequality for sums of any length is a relation that every move preserves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any, TypeAlias

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.claimcheck.statements.answers import Answer
from proofs_checks.claimcheck.statements.domains import ForAll
from proofs_checks.claimcheck.statements.evaluation import NotDefinedError, evaluate
from proofs_checks.claimcheck.statements.readings import Reading
from proofs_checks.claimcheck.statements.relation import Relation, with_sides
from proofs_checks.claimcheck.statements.statement import Statement
from theory.certified import Truth

Sequence: TypeAlias = "tuple[Mapping[sympy.Symbol, fmpq], tuple[Mapping[sympy.Symbol, fmpq], ...]]"
"""Values of what stays fixed, and the inputs of each move."""

_INPUTS_TRIED = 12
_LONGEST = 3


class Process(Statement):
    r"""A relation claimed for every state that a process reaches, for all inputs.

    Parameters
    ----------
    claim_id, says, reading, **parameters
        As of `Relation`.
    relations
        What holds after any number of moves (0 included), between the symbols of the state and of `fixed`.
    start
        The first state: a formula for each symbol of it.
    move
        The next state: a formula for each symbol of it, in the state before and the inputs.
    inputs
        What is assumed of the inputs of each move; it may mention the state.
    fixed
        What is assumed of the symbols that stay as they are.

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
        self._relations = relations
        self.start = {symbol: sympy.sympify(value) for symbol, value in start.items()}
        self.move = {symbol: sympy.sympify(value) for symbol, value in move.items()}
        self.inputs = inputs
        self.fixed = fixed or ForAll()

    def relation(self, domain: ForAll, *relations: sympy.Rel) -> Relation:
        """Return relations over a domain, with the parameters of this statement put in where they occur."""
        named = {symbol.name for each in (*relations, *domain.conditions) for symbol in each.free_symbols}
        own: dict[str, Any] = {name: value for name, value in self.parameters.items() if name in named}
        return Relation(self.id, domain, *relations, reading=self.reading, **own)

    @property
    def claimed(self) -> tuple[sympy.Rel, ...]:
        """The relation claimed after any number of moves, before parameters are substituted."""
        return self._relations

    def after_move(self, formula: Any) -> Any:
        """Return a formula about the state after a move, in terms of the state before it."""
        if isinstance(formula, sympy.core.relational.Relational):
            return with_sides(formula, self.after_move(formula.lhs), self.after_move(formula.rhs))
        return formula.subs(self.move, simultaneous=True)

    def instances(self) -> Iterator[Sequence]:
        """Yield short sequences of inputs, with values of what stays fixed."""
        own = {*self.start, *self.fixed.variables}
        symbols = [each for each in self.inputs.variables if each not in own]
        free = ForAll(*(each for each in self.inputs.conditions if each.free_symbols <= set(symbols)))
        points = list(islice(free.points(), _INPUTS_TRIED))
        for fixed in islice(self.relation(self.fixed, *self._relations).full_domain.points(), _INPUTS_TRIED):
            for length in range(_LONGEST + 1):
                for inputs in product(points, repeat=length):
                    yield fixed, inputs

    def at(self, instance: Sequence) -> Answer:
        """Run the process on a sequence of inputs, and evaluate the relation where it ends.

        A sequence with an input that is not allowed in its state says nothing, and counts as true.
        """
        fixed, inputs = instance
        own: dict[str, Any] = self.parameters
        filled = Relation(self.id, ForAll(), *self._relations, reading=self.reading, **own)
        told = {"fixed": _by_name(fixed), "inputs": [_by_name(each) for each in inputs]}
        state = {symbol: evaluate(filled.filled(value), fixed) for symbol, value in self.start.items()}
        for each in inputs:
            here = {**fixed, **state, **each}
            if not all(Relation(self.id, ForAll(), condition).at(here).true for condition in self.inputs.conditions):
                return Answer(Truth.YES, told)
            try:
                state = {symbol: evaluate(filled.filled(value), here) for symbol, value in self.move.items()}
            except NotDefinedError as error:
                return Answer(Truth.NO, {**told, "not defined": str(error)})
        found = filled.at({**fixed, **state})
        return Answer(found.truth, {**told, **found.values})

    @property
    def domain_latex(self) -> str:
        """What is assumed of the inputs."""
        conditions = self.fixed.where(*self.inputs.conditions)
        return f"any number of terms with ${conditions.latex}$" if conditions.conditions else "any number of terms"

    def _in_formula(self, name: str) -> bool:
        return any(name == symbol.name for each in self._relations for symbol in each.free_symbols)

    @property
    def formula_latex(self) -> str:
        """The relation in LaTeX."""
        return self.relation(ForAll(), *self._relations).formula_latex


def _by_name(values: Mapping[sympy.Symbol, fmpq]) -> dict[str, fmpq]:
    return {symbol.name: value for symbol, value in values.items()}
