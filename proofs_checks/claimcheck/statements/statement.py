"""A statement: one object with named parameters that is evaluated, proved and shown, so its words match its check.

Evidence takes a statement and has to establish it at its present parameters. So a change of parameters (`with_`)
changes the evaluation, the proof and the text at once.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cached_property
from typing import Any, Self, TypeAlias

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.statements.answers import Answer
from theory import BanditError, decimal_text, rational

Reading: TypeAlias = "Mapping[str, str]"
"""The choices that matter to an entry, by name of a convention that the paper leaves open or states in two ways."""

_PLACEHOLDER = re.compile(r"\[\[(\*?)(\w+)\]\]")
_CLAUSE = re.compile(r"\[\[(\w+)=([^?\[\]]+)\?([^\[\]]*)\]\]")


class Statement(ABC):
    """A claim.

    Parameters
    ----------
    claim_id
        The claim's permanent id: the paper's label, with a suffix if one label carries several claims.
    says
        The claim as a sentence, formulas in LaTeX between dollar signs. ``[[c]]`` stands for the parameter c;
        ``[[*c]]`` for c as a factor (empty if c is 1); ``[[c=0? words about #]]`` for words that only a variant needs
        (empty if c is 0; # is c); ``[[formula]]`` for the statement's formula. In a claim of the paper, the text
        before ``[[ours]]`` is the paper's, in its own letters and numbers; the text after it (a constant that
        suffices, a case, a formula in other letters) is the ledger's. Without ``[[ours]]`` all text is the paper's.
    parameters
        The numbers or other choices that may be varied, with the values claimed.
    reading
        The claim's choices for conventions that the paper leaves open.
    """

    claimed: tuple[sympy.Rel, ...] = ()
    """The relations claimed, before parameters are substituted; none if a function decides the claim."""

    def __init__(
        self, claim_id: str, says: str, parameters: Mapping[str, object], reading: Reading | None = None
    ) -> None:
        self.id = claim_id
        self._says, _, self._ours = map(str.strip, " ".join(says.split()).partition("[[ours]]"))
        self.parameters = dict(parameters)
        self.reading = dict(reading or {})
        for match in re.finditer(r"\[\[(\w+)\]\](?=[A-Za-z(]|\\[A-Za-z])", f"{self._says} {self._ours}"):
            if str(self.parameters.get(match[1])) == "1":
                raise ValueError(f"{claim_id}: its text has 1 before a letter; write [[*{match[1]}]] for a factor")
        for name in _named_in(f"{self._says} {self._ours}"):
            if name not in self.parameters and name != "formula":
                known = ", ".join((*self.parameters, "formula"))
                raise ValueError(f"{claim_id}: it says [[{name}]], which is no parameter; there are {known}")

    def with_(self, **changes: object) -> Self:
        """Return the statement with other values of some parameters.

        Raises
        ------
        TypeError
            If the statement lacks one of these parameters.
        """
        unknown = sorted(set(changes) - set(self.parameters))
        if unknown:
            raise TypeError(
                f"{self.id} has no parameter {', '.join(unknown)}; it has {', '.join(self.parameters) or 'none'}"
            )
        varied = copy(self)
        varied.parameters = {**self.parameters, **changes}
        return varied

    def __copy__(self) -> Self:
        """Return a copy without the cached properties, which depend on the parameters."""
        made = object.__new__(type(self))
        for name, value in vars(self).items():
            if not isinstance(getattr(type(self), name, None), cached_property):
                setattr(made, name, value)
        return made

    @abstractmethod
    def instances(self) -> Iterator[Any]:
        """Yield finitely many instances of the domain (points or objects), the simplest first."""

    @abstractmethod
    def at(self, instance: Any) -> Answer:
        """Return whether the statement is true at one instance, with the values computed."""

    @property
    @abstractmethod
    def domain_latex(self) -> str:
        """The domain in LaTeX and words; "" for a single fact."""

    @property
    def formulas(self) -> tuple[sympy.Basic, ...]:
        """All formulas that say what is claimed; none if a function does."""
        return ()

    @property
    def formula_latex(self) -> str:
        """The formula in LaTeX; "" if there is none."""
        return ""

    @property
    def text(self) -> str:
        """The whole text, with the parameters' present values and formulas between dollar signs."""
        return " ".join(part for part in (self.paper_text, self.own_text) if part)

    @property
    def paper_text(self) -> str:
        """The part of the text before ``[[ours]]``: the claim itself."""
        return self._filled(self._says or ("" if self._ours else "$[[formula]]$"))

    @property
    def own_text(self) -> str:
        """The part of the text after ``[[ours]]``, by which the ledger makes a claim checkable; "" if none."""
        return self._filled(self._ours)

    def _filled(self, says: str) -> str:
        values = {name: self.shown(name) for name in self.parameters}
        if "[[formula]]" in says:
            values["formula"] = self.formula_latex

        def fill(match: re.Match[str]) -> str:
            value = values[match[2]]
            if match[1]:
                return "" if value == "1" else rf"{value} \cdot "
            return value

        def clause(match: re.Match[str]) -> str:
            value = values[match[1]]
            return "" if value == match[2] else match[3].replace("#", value)

        return _PLACEHOLDER.sub(fill, _CLAUSE.sub(clause, says))

    def says_parameter(self, name: str) -> bool:
        """Return whether the printed statement shows the parameter, in a sentence or a formula."""
        said = f"{self._says} {self._ours}"
        has_formula = "[[formula]]" in said or not said.strip()
        return name in _named_in(said) or (has_formula and name in names_in(*self.claimed))

    def shown(self, name: str) -> str:
        """Return a parameter as the sentence shows it, in LaTeX."""
        return parameter_latex(self.parameters[name])


def names_in(*formulas: sympy.Basic) -> set[str]:
    """Return the names of all symbols in formulas."""
    return {symbol.name for each in formulas for symbol in each.free_symbols}


def _named_in(says: str) -> Iterator[str]:
    """Yield the names of the parameters for which a sentence has placeholders."""
    for pattern, group in ((_PLACEHOLDER, 2), (_CLAUSE, 1)):
        for match in pattern.finditer(says):
            yield match[group]


def parameter_latex(value: object) -> str:
    r"""Return a parameter in LaTeX: a short decimal if it has one, otherwise a fraction.

    Examples
    --------
    >>> from flint import fmpq
    >>> parameter_latex(fmpq(321, 100)), parameter_latex(fmpq(-1, 3)), parameter_latex("at most")
    ('3.21', '-\\frac{1}{3}', 'at most')
    >>> parameter_latex(10**20), parameter_latex(12 * 10**20)
    ('10^{20}', '1.2 \\cdot 10^{21}')
    """
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, sympy.Basic):
        return str(sympy.latex(value))
    if isinstance(value, str) and not re.fullmatch(r"[-+]?\d+(/\d+|\.\d+)?(e\d+)?", value):
        return value
    try:
        number = rational(value)
    except BanditError:
        return str(value)
    short = decimal_text(number, 12)
    if number.q == 1 or (len(short) <= 8 and rational(short) == number):
        digits, _, exponent = short.partition("e")
        factor = "" if digits == "1" else rf"{digits} \cdot "
        return rf"{factor}10^{{{int(exponent)}}}" if exponent else short
    sign = "-" if number < 0 else ""
    return rf"{sign}\frac{{{abs(number).p}}}{{{number.q}}}"
