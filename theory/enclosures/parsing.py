r"""Text such as ``"sqrt(log(20)/2)"`` or ``"0.318 +/- 0.001"`` as an expression. Nothing is ever evaluated as code.

Python's own parser reads the text; only these of its expressions are accepted: decimals and ``pi``; the signs
``+ - * /``; integer powers, by ``^`` or ``**``; the functions exp, log (natural) and sqrt; and ``a +/- b`` (or ``±``)
with the largest error b, which binds less than a sum. Rational expressions give exact numbers.
"""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from theory.enclosures.expressions import Expression, Function, Operation, Pi, Power, Rational, enclose
from theory.enclosures.ranges import BITS_TRIED, FUNCTIONS
from theory.errors import NumberError, shown
from theory.rationals import ZERO, rational

LONGEST_TEXT: Final = 1000
_DEEPEST: Final = 50
_MOST_OPERATIONS: Final = 200  # bounds the depth of the recursion
_FOREIGN: Final = re.compile(r"[^\w\s.()*/^±+-]|[^\x00-\x7f±]")
_NUMBER: Final = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_LEADING_ZEROS: Final = re.compile(r"(?<![\w.])0+(?=\d)", re.ASCII)  # Python refuses these
_SIGNS: Final = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitOr: "+/-"}


def parse_number(text: str) -> Expression:
    """Return the number that `text` says, kept as an expression; exact where it is rational.

    Raises
    ------
    NumberError
        If the text is no expression, has an unknown function, or a value that is not certainly real (``log(-1)``) or is
        beyond ``10**10000``. The error is one line that quotes the text.

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
        found = _read(text)
        value = enclose(found, BITS_TRIED[0])
    except NumberError as error:
        raise NumberError(f"{quoted!r} is not a number: {error}") from None
    return Rational(value.low) if value.is_exact and not found.is_fixed else found


def _read(text: str) -> Expression:
    if len(text) > LONGEST_TEXT:
        raise NumberError(f"it is longer than {LONGEST_TEXT} characters")
    if foreign := _FOREIGN.search(text):
        raise NumberError(f"{foreign[0]!r} is not expected there")
    if max(accumulate((character == "(") - (character == ")") for character in f"0{text}")) >= _DEEPEST:
        raise NumberError(f"it is nested deeper than {_DEEPEST}")
    source = " ".join(text.split()).replace("+/-", "|").replace("±", "|").replace("^", "**")
    source = _LEADING_ZEROS.sub("", source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warns of "1or 2", which is refused
            tree = ast.parse(source, mode="eval").body
    except (SyntaxError, MemoryError, RecursionError) as error:
        why = getattr(error, "msg", "nested too deeply").partition(".")[0]
        raise NumberError(f"it is no expression ({why})" if source else "it is empty") from None
    if sum(isinstance(node, (ast.BinOp, ast.UnaryOp)) for node in ast.walk(tree)) > _MOST_OPERATIONS:
        raise NumberError(f"it has more than {_MOST_OPERATIONS} operations")
    return _expression(tree, source)


def _expression(node: ast.AST, source: str) -> Expression:
    match node:
        case ast.Constant() if _NUMBER.fullmatch(said := _source_text(node, source)):
            return Rational(rational(said))
        case ast.Name("pi"):
            return Pi()
        case ast.Name(name):
            raise NumberError(f"nothing is called {name}; known are pi and the functions {', '.join(FUNCTIONS)}")
        case ast.Call(ast.Name(name), [argument], []):
            if name not in FUNCTIONS:
                raise NumberError(f"no function is called {name}; the functions are {', '.join(FUNCTIONS)}")
            return Function(name, _expression(argument, source))
        case ast.UnaryOp(ast.USub(), operand):
            return Operation("-", Rational(ZERO), _expression(operand, source))
        case ast.UnaryOp(ast.UAdd(), operand):
            return _expression(operand, source)
        case ast.BinOp(left, ast.Pow(), right):
            return Power(_expression(left, source), _exponent(_source_text(right, source)))
        case ast.BinOp(ast.BinOp(_, ast.BitOr()) as left, ast.BitOr(), right) if (
            ")" not in source[left.end_col_offset : right.col_offset]  # which would end a sum in parentheses
        ):
            raise NumberError("'+/-' is not expected there")
        case ast.BinOp(left, sign, right) if type(sign) in _SIGNS:
            return Operation(_SIGNS[type(sign)], _expression(left, source), _expression(right, source))
    raise NumberError(f"{_source_text(node, source)!r} is not expected there")


def _exponent(said: str) -> int:
    digits = said.removeprefix("-").strip()
    if not digits.isdecimal() or len(digits) > 9:
        raise NumberError("an exponent is an integer; for others write exp(y*log(x)) or sqrt(x)")
    return -int(digits) if said[0] == "-" else int(digits)


def _source_text(node: Any, source: str) -> str:
    return source[node.col_offset : node.end_col_offset].replace("**", "^").replace("|", "+/-")
