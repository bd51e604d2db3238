"""Call an implementation: find the line of its errors, and check that it leaves its arguments unchanged."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mbrl.arrays import Floats
from mbrl.importing import described
from proofs_checks.trials.conformance.judging import Judgement, failure
from theory.errors import LONGEST_WORD, shown


def answer_of(implementation: Callable[..., Any], shape: tuple[int, ...], **arguments: Any) -> Floats | Judgement:
    """Return the answer as an array of finite numbers of this shape, or the judgement of a defect.

    The arguments are arrays, lists of arrays and numbers, given by position.
    """
    before = deepcopy(arguments)
    try:
        with its_output_apart():
            answer = implementation(*arguments.values())
    except (Exception, SystemExit) as error:
        line = described(error)
        if isinstance(error, TypeError) and "positional argument" in line:
            line += f"; it is called with ({', '.join(arguments)})"
        return failure("error", line)
    for name, value in arguments.items():
        if not _same(value, before[name]):  # equivalent: it asks either way round
            return failure("changes its arguments", f"the argument {name} was changed; work on a copy")
    numbers = _array(answer)
    if numbers is None or answer is None:
        return failure("no number", f"{shown(answer)} was returned, which is no array of numbers")
    if numbers.dtype.kind not in "biuf":  # a conversion to floats would drop imaginary parts, and parse text
        return failure("no number", f"an array of type {numbers.dtype} was returned; real numbers are wanted")
    if not np.isfinite(numbers).all():
        return failure("not finite", "the answer holds nan or infinity")
    if numbers.shape != shape:
        wanted = f"{shape[0]} numbers are wanted" if shape else "return one number"
        return failure("wrong shape", f"an answer of shape {numbers.shape}; {wanted}")
    return numbers.astype(float)


def _array(answer: Any) -> NDArray[Any] | None:
    """Return an answer as an array, with objects such as fractions as floats; None if it is not made of numbers."""
    try:
        found = np.asarray(answer)
        return found.astype(float) if found.dtype.kind == "O" else found
    except (TypeError, ValueError):  # lists of unequal lengths, objects that are no numbers
        return None


class Heard(io.TextIOBase):
    r"""The output that an implementation prints; only its beginning is kept, as there may be a thousand calls.

    Examples
    --------
    >>> heard = Heard()
    >>> [heard.write(text) for text in ("\n ", "a", "b \nc")], heard.first_line
    ([2, 1, 4], 'ab')
    >>> heard = Heard()
    >>> heard.write("a" * 999), heard.first_line == "a" * LONGEST_WORD
    (999, True)
    """

    _text = ""

    @property
    def first_line(self) -> str:
        """The beginning of the first line that is not blank; "" if nothing was printed."""
        return self._text.partition("\n")[0].rstrip()

    def write(self, text: str) -> int:
        """Append `text` to what was printed."""
        self._text = (self._text + text).lstrip()[:LONGEST_WORD]
        return len(text)


@contextmanager
def its_output_apart() -> Iterator[Heard]:
    """Capture what the implementation prints, as stdout is for the report; a nested use writes to the outermost one."""
    if isinstance(sys.stdout, Heard):
        yield sys.stdout
        return
    with redirect_stdout(Heard()) as heard:
        yield heard


def _same(found: Any, before: Any) -> bool:
    if isinstance(before, list):
        return len(found) == len(before) and all(map(_same, found, before))
    return bool(np.array_equal(found, before))
