"""A number that the paper prints: whether the exact value rounds to the printed digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flint import arb, fmpq

from proofs_checks.claimcheck.statements.answers import Answer, answer
from proofs_checks.claimcheck.statements.readings import Reading
from proofs_checks.claimcheck.statements.statement import Statement
from theory import NumberError, rational
from theory.certified import Truth, at_most, enclosure


class PrintedNumber(Statement):
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
        says: str,
        also: Callable[..., fmpq] | None = None,
        reading: Reading | None = None,
        **parameters: object,
    ) -> None:
        if not isinstance(printed, str):
            raise TypeError(f'{claim_id}: {printed!r} is no text: write the decimal with all its digits, as "6.470"')
        super().__init__(claim_id, says, {"printed": printed, **parameters}, reading)
        self._value = value
        self._also = also

    def value(self) -> fmpq | arb:
        """Return the value of the quantity: exact, or enclosed at the precision in force.

        Raises
        ------
        ArithmeticError
            If the second computation gives another value.
        NumberError
            If a computation returns a float, or no number.
        """
        chosen = {name: value for name, value in self.parameters.items() if name != "printed"}
        found = self._exact(self._value(**chosen))
        if self._also is not None:
            second = self._exact(self._also(**chosen))
            agree = found == second if isinstance(found, fmpq) else found.contains(second)
            if not agree:
                raise ArithmeticError(f"{self.id}: one computation gives {found}, the other {second}")
        return found

    def _exact(self, value: object) -> fmpq | arb:
        try:
            return value if isinstance(value, arb) else rational(value)
        except NumberError as error:
            raise NumberError(f"{self.id}: its value has to be exact, or enclosed in an arb: {error}") from None

    def shown(self, name: str) -> str:
        """Return a parameter as the sentence shows it; the decimal keeps all its digits."""
        return self.printed if name == "printed" else super().shown(name)

    @property
    def printed(self) -> str:
        """The decimal as printed."""
        return str(self.parameters["printed"])

    @property
    def unit(self) -> fmpq:
        """One unit of the last digit printed."""
        return fmpq(1, 10 ** len(self.printed.partition(".")[2]))

    def neighbours(self) -> tuple[str, str]:
        """Return the decimals one unit of the last digit below and above."""
        digits = len(self.printed.partition(".")[2])
        below, above = (rational(self.printed) + step * self.unit for step in (-1, 1))
        return _decimal(below, digits), _decimal(above, digits)

    def instances(self) -> Iterator[None]:
        """Yield the single instance."""
        yield None

    def at(self, instance: None) -> Answer:
        """Return whether the value is within half a unit of the last digit printed."""
        value = self.value()
        printed, half = rational(self.printed), self.unit / 2
        if isinstance(value, fmpq):
            return answer(rounds_to(value, self.printed), value=value, printed=self.printed)

        def distance() -> arb:
            return abs(arb(self.value()) - arb(printed))

        truth: Truth = at_most(distance, lambda: arb(half))
        return answer(truth, value=enclosure(lambda: arb(self.value())), printed=self.printed)

    @property
    def domain_latex(self) -> str:
        """The empty text, as for every single fact."""
        return ""

    @property
    def formula_latex(self) -> str:
        """The decimal."""
        return self.printed


def rounds_to(value: fmpq, printed: str) -> bool:
    """Return whether a value is within half a unit of the last digit of a decimal.

    Examples
    --------
    >>> rounds_to(fmpq(5163, 800), "6.45"), rounds_to(fmpq(5163, 800), "6.47")
    (True, False)
    """
    return bool(abs(value - rational(printed)) <= fmpq(1, 2 * 10 ** len(printed.partition(".")[2])))


def _decimal(value: fmpq, digits: int) -> str:
    scaled = abs(value) * 10**digits
    text = str(int(scaled.p)).rjust(digits + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"
