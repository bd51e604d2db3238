r"""Text such as ``"sqrt(log(20)/2)"`` or ``"0.318 +/- 0.001"`` as an expression. Nothing is ever evaluated as code.

The grammar, by recursive descent::

    number = sum ["+/-" sum]                   what follows +/- is the largest error
    sum    = term {("+" | "-") term}
    term   = factor {("*" | "/") factor}
    factor = ("-" | "+") factor | power
    power  = atom ["^" ["-"] digits]           also written **
    atom   = decimal | "pi" | function "(" number ")" | "(" number ")"

with the functions exp, log (natural) and sqrt. Rational expressions give exact numbers.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from theory.enclosures.expressions import Expression, Function, Operation, Pi, Power, Rational
from theory.enclosures.ranges import FUNCTIONS, UndecidedError
from theory.errors import NumberError, shown
from theory.rationals import ZERO, rational

LONGEST_TEXT: Final = 1000
_DEEPEST: Final = 50
_MOST_OPERATIONS: Final = 200  # an expression is as deep as it is long, and is walked through by recursion
_OPERATIONS: Final = {"+", "-", "*", "/", "+/-", "±"}
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|(?P<sign>\+/-|±|\*\*|[-+*/^()]))",
    re.ASCII,
)
_BITS_TRIED: Final = (64, 256, 1024, 4096)


def parse_number(text: str) -> Expression:
    """Return the number that `text` says, kept as an expression; exact where it is rational.

    Raises
    ------
    NumberError
        In one line that quotes the text: for what is no expression, an unknown function, a value that is not real
        (``log(-1)``), cannot be told from one, or is beyond ``10**10000``.

    Examples
    --------
    >>> parse_number("1/3 + 1/6")
    Rational(value=1/2)
    >>> parse_number("sqrt(log(20)/2)").enclosure(64).decimals(10)
    ('1.22387341534', '1.22387341535')
    >>> parse_number("0.318 +/- 0.001").enclosure(64)
    Enclosure(low=317/1000, high=319/1000)
    >>> parse_number("log(-1)")
    Traceback (most recent call last):
    theory.errors.NumberError: 'log(-1)' is not a number: the logarithm of -1, which is not positive
    """
    if not isinstance(text, str):
        raise NumberError(
            f"the text of a number is wanted, not {shown(text)}; real_number takes numbers of other kinds"
        )
    return _parsed(str(text))


@lru_cache(maxsize=2**14)  # the same text is the same object, whose enclosures are computed once
def _parsed(text: str) -> Expression:
    quoted = text if len(text) <= 60 else text[:57] + "..."
    try:
        return _checked(_Parser(text).number())
    except NumberError as error:
        raise NumberError(f"{quoted!r} is not a number: {error}") from None


def _checked(found: Expression) -> Expression:
    """Return `found`, as a rational number where it is one, after evaluating it once."""
    for bits in _BITS_TRIED:
        try:
            value = found.enclosure(bits)
        except UndecidedError:
            if bits == _BITS_TRIED[-1]:
                raise
            continue
        return Rational(value.low) if value.is_exact and not found.is_fixed else found
    raise AssertionError  # the last attempt returns or raises


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_TEXT:
            raise NumberError(f"it is longer than {LONGEST_TEXT} characters")
        self._tokens = list(_tokens(text.rstrip()))
        if sum(token in _OPERATIONS for token in self._tokens) > _MOST_OPERATIONS:
            raise NumberError(f"it has more than {_MOST_OPERATIONS} operations")
        self._position = 0
        self._depth = 0

    def number(self) -> Expression:
        found = self._enclosed()
        if self._next is not None:
            raise NumberError(f"{self._next!r} is not expected there")
        return found

    @property
    def _next(self) -> str | None:
        return self._tokens[self._position] if self._position < len(self._tokens) else None

    def _take(self, *wanted: str) -> str | None:
        found = self._next
        if found is None or found not in wanted:
            return None
        self._position += 1
        return found

    def _enclosed(self) -> Expression:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NumberError(f"it is nested deeper than {_DEEPEST}")
        found = self._sum()
        if self._take("+/-", "±"):
            found = Operation("+/-", found, self._sum())
        self._depth -= 1
        return found

    def _sum(self) -> Expression:
        found = self._term()
        while sign := self._take("+", "-"):
            found = Operation(sign, found, self._term())
        return found

    def _term(self) -> Expression:
        found = self._factor()
        while sign := self._take("*", "/"):
            found = Operation(sign, found, self._factor())
        return found

    def _factor(self) -> Expression:
        negative = False
        while sign := self._take("+", "-"):
            negative ^= sign == "-"
        found = self._power()
        return Operation("-", Rational(ZERO), found) if negative else found

    def _power(self) -> Expression:
        found = self._atom()
        if not self._take("^", "**"):
            return found
        negative = self._take("-") is not None
        exponent = self._next
        if exponent is None or not exponent.isdecimal() or len(exponent) > 9:
            raise NumberError("an exponent is an integer; for others write exp(y*log(x)) or sqrt(x)")
        self._position += 1
        return Power(found, -int(exponent) if negative else int(exponent))

    def _atom(self) -> Expression:
        token = self._next
        if token is None:
            raise NumberError("something is missing at its end")
        self._position += 1
        if token[0].isdecimal() or token[0] == ".":
            return Rational(rational(token))
        if token == "(":
            found = self._enclosed()
            self._close()
            return found
        if token == "pi":
            return Pi()
        if not token[0].isalpha():
            raise NumberError(f"{token!r} is not expected there")
        if self._next != "(":
            raise NumberError(f"nothing is called {token}; known are pi and the functions {', '.join(FUNCTIONS)}")
        if token not in FUNCTIONS:
            raise NumberError(f"no function is called {token}; the functions are {', '.join(FUNCTIONS)}")
        self._position += 1
        argument = self._enclosed()
        self._close()
        return Function(token, argument)

    def _close(self) -> None:
        if not self._take(")"):
            raise NumberError("a parenthesis is not closed")


def _tokens(text: str) -> list[str]:
    tokens = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise NumberError(f"{text[position:].strip()[:1]!r} is not expected there")
        tokens.append(match[match.lastgroup or 0])
        position = match.end()
    return tokens
