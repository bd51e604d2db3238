"""Numbers that the paper prints: a quantity rounded to some digits, or the result of a run of its programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from flint import arb, fmpq

from proofs_checks.claimcheck.statements.answers import Answer, answer
from proofs_checks.claimcheck.statements.properties import Property
from proofs_checks.claimcheck.verdicts import Verdict
from theory import NumberError, rational
from theory.certified import Truth, at_most, enclosure


class PrintedNumber(Property):
    """The claim that a decimal is the value of a quantity, rounded to the digits printed.

    Its mutants need no mention: if the decimal is right, those one unit of the last digit away are false.

    Parameters
    ----------
    claim_id, says, reading
        As for every statement; ``[[printed]]`` stands for the decimal.
    printed
        The decimal as printed: a text with all its digits (anything else is a TypeError).
    value
        Called with the parameters; returns the exact value, or an enclosure at the precision in force.
    also
        A second computation of the same value that shares no code with the first; both have to agree.
    **parameters
        Parameters on which the value depends.

    Examples
    --------
    >>> PrintedNumber("example", "0.33", lambda: fmpq(1, 3), says="A third is $[[printed]]$.").at(None).true
    True
    """

    def __init__(
        self,
        claim_id: str,
        printed: str,
        value: Callable[..., fmpq | arb],
        *,
        also: Callable[..., fmpq] | None = None,
        **others: Any,
    ) -> None:
        if not isinstance(printed, str):
            raise TypeError(f'{claim_id}: {printed!r} is no text: write the decimal with all its digits, as "6.470"')
        super().__init__(claim_id, self._rounded, printed=printed, **others)
        self._value = value
        self._also = also

    def _rounded(self, printed: str, **chosen: object) -> Answer:
        """Return whether the value is within half a unit of the last digit printed."""
        value = self._computed(**chosen)
        if isinstance(value, fmpq):
            return answer(rounds_to(value, printed), value=value, printed=printed)

        def distance() -> arb:
            return abs(arb(self._computed(**chosen)) - arb(rational(printed)))

        truth = at_most(distance, lambda: arb(_unit(printed) / 2))
        return answer(truth, value=enclosure(lambda: arb(self._computed(**chosen))), printed=printed)

    def _computed(self, **chosen: object) -> fmpq | arb:
        found = self._exact(self._value(**chosen))
        if self._also is not None:
            second = self._exact(self._also(**chosen))
            if not (found == second if isinstance(found, fmpq) else found.contains(second)):
                raise ArithmeticError(f"{self.id}: one computation gives {found}, the other {second}")
        return found

    def _exact(self, value: object) -> fmpq | arb:
        try:
            return value if isinstance(value, arb) else rational(value)
        except NumberError as error:
            raise NumberError(f"{self.id}: its value has to be exact, or enclosed in an arb: {error}") from None

    def shown(self, name: str) -> str:
        """Return a parameter as the sentence shows it; the decimal keeps all its digits."""
        return self.formula_latex if name == "printed" else super().shown(name)

    def neighbours(self) -> tuple[str, str]:
        """Return the decimals one unit of the last digit below and above."""
        printed = self.formula_latex
        unit = Decimal(1).scaleb(-len(printed.partition(".")[2]))
        return f"{Decimal(printed) - unit:f}", f"{Decimal(printed) + unit:f}"

    @property
    def formula_latex(self) -> str:
        """The decimal as printed."""
        return str(self.parameters["printed"])


def _unit(printed: str) -> fmpq:
    """Return one unit of the last digit of a decimal."""
    return fmpq(1, 10 ** len(printed.partition(".")[2]))


def rounds_to(value: fmpq, printed: str) -> bool:
    """Return whether a value is within half a unit of the last digit of a decimal.

    Examples
    --------
    >>> rounds_to(fmpq(5163, 800), "6.45"), rounds_to(fmpq(5163, 800), "6.47")
    (True, False)
    """
    return bool(abs(value - rational(printed)) <= _unit(printed) / 2)


@dataclass(frozen=True)
class Compared:
    """The comparison of our experiment with a report.

    Attributes
    ----------
    agreement
        Whether they agree, differ, or are not comparable.
    values
        Our numbers, with their uncertainty and the number of replications, and the paper's numbers.
    why
        Why they differ or cannot be compared, if that is known.
    """

    agreement: Verdict
    values: Mapping[str, object] = field(default_factory=dict)
    why: str = ""


class Report(Property):
    """The claim that our experiment agrees with the numbers that the paper reports from a run of its program.

    Our run is another experiment, so it cannot refute a report: it agrees, differs, or cannot be compared.

    Parameters
    ----------
    claim_id, says, domain, reading
        As for every property; the domain is the experiment.
    compare
        Called as ``compare(**parameters)``; returns the comparison. "Not comparable" makes the claim undecided.
    **parameters
        Passed to `compare`.
    """

    def __init__(self, claim_id: str, compare: Callable[..., Compared], **others: Any) -> None:
        def agrees(**parameters: object) -> Answer:
            found = compare(**parameters)
            truth = {Verdict.AGREES: Truth.YES, Verdict.DIFFERS: Truth.NO}.get(found.agreement, Truth.UNDECIDED)
            return answer(truth, **found.values)

        super().__init__(claim_id, agrees, **others)
        self._compare = compare

    def compared(self) -> Compared:
        """Return the comparison of our experiment with the report."""
        return self._compare(**self.parameters)
