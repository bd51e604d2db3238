"""Sentences with formulas as HTML: the LaTeX source of a statement, typeset as MathML.

latex2mathml translates formulas. This module lets lines break before the relations and signs of a long formula, and
shows the source of a formula that could not be translated, marked as such.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from functools import cache

from latex2mathml.converter import convert
from markupsafe import Markup, escape

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|.", re.DOTALL)
_RELATIONS = {"=", "<", ">", *(rf"\{name}" for name in ("le", "leq", "ge", "geq", "ne", "neq", "approx", "in", "to"))}
_OPERATORS = {"+", "-"}
_SPACES = {r"\quad", r"\qquad", r"\;"}
_OPENING = {"{", "(", "[", r"\left", r"\begin", r"\{", r"\lfloor", r"\lceil"}
_CLOSING = {"}", ")", "]", r"\right", r"\end", r"\}", r"\rfloor", r"\rceil"}
_LEADING = (",", ";", ":", *_RELATIONS, *_OPERATORS, *_SPACES)  # a sign after one of these is not a binary operator
_DELIMITERS = {r"\left", r"\right"}
_LONG = 40
"""Length of source, in characters, above which a formula may be broken over lines."""

_OURS = re.compile(r' xmlns="[^"]*"| display="(?:inline|block)"')
_ENDING = tuple(".,;:)?!")
UNTYPESET = '<code class="untypeset">{}</code>'
"""HTML of a formula that the translator does not know, around its source."""
_BRACE = re.compile(r"(?<=>)\\([{}|])(?=<)")  # the translator leaves the backslash of a brace of given size
_BRACES = {"{": "{", "}": "}", "|": "‖"}
_LOW = re.compile(r"\\left\(((?:(?!\\left|\\right|\\[dt]?frac|\\sum|\\int|\\prod).)*)\\right\)")
_SIZED_OPENER = re.compile(r"\\[bB]igg?l?\s*([(\[]|\\\{|\\lVert\b|\\lfloor\b|\\lceil\b)")
_SIZED_CLOSER = re.compile(r"\\[bB]igg?r?\s*([)\]]|\\\}|\\rVert\b|\\rfloor\b|\\rceil\b)")
_ALONE = re.compile(r"<mrow>(<(m[ino])\b[^>]*>[^<]*</\2>)</mrow>")  # a row of one element needs no row
_NAMED = re.compile(r"(</m(?:i|n|sub|sup|frac|sqrt)>)?(?<!<ms..>)(?<!<msubsup>)(<mi>(?:log|exp)</mi>)(?=(<m[infs])?)")
_THIN = '<mspace width=".17em"/>'
_FIRST = re.compile(r"^(<math><mrow>)<mo>(?=[+−]</mo>)")  # a part that begins with an operator continues a formula
_REFERENCE = re.compile(r"&#x[0-9A-F]+;")


@cache
def prose(text: str) -> Markup:
    r"""Return a sentence, formulas between dollar signs and code between backticks, as HTML.

    Examples
    --------
    >>> print(prose(r"Let $x < 1$ & `y`."))
    Let <math><mrow><mi>x</mi><mo>&lt;</mo><mn>1</mn></mrow></math> &amp; <code>y</code>.
    """
    pieces = re.split(r"\$([^$]*)\$", text)
    found = Markup("")
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            found += _words(piece[1:] if number and piece.startswith(_ENDING) else piece)
        elif pieces[number + 1].startswith(_ENDING):  # no line begins with the comma or full stop after a formula
            typeset = formula(piece)
            last = max(typeset.rfind("<math>"), 0)
            found += typeset[:last] + Markup('<span class="nb">{}{}</span>').format(
                typeset[last:], pieces[number + 1][0]
            )
        else:
            found += formula(piece)
    return found


@cache
def formula(latex: str) -> Markup:
    r"""Return a formula as MathML: one element, or for a long formula several, between which a line may be broken.

    Examples
    --------
    >>> print(formula(r"K\log K"))  # with thin spaces, as in print
    <math><mrow><mi>K</mi><mspace width=".17em"/><mi>log</mi><mspace width=".17em"/><mi>K</mi></mrow></math>
    """
    latex = _lowered(latex)
    parts = _joined(_parts(latex)) if len(latex) > _LONG else [latex]
    first, *rest = [_mathml(part) for part in parts if part.strip()] or [Markup("")]
    return first + Markup("").join(Markup(_FIRST.sub(r'\1<mo form="infix">', str(each))) for each in rest)


def _words(text: str) -> Markup:
    words = escape(text)
    return words if text.count("`") % 2 else Markup(re.sub("`([^`]*)`", r"<code>\1</code>", str(words)))


@cache
def _mathml(latex: str) -> Markup:
    try:
        found = convert(_fenced(latex.replace("{aligned}", "{align*}")), display="block")
    except Exception:  # the translator may raise any error; the source is legible too
        return Markup(UNTYPESET).format(latex)
    found = _REFERENCE.sub(lambda found: html.escape(html.unescape(found[0]), quote=False), _OURS.sub("", found))
    found = _ALONE.sub(r"\1", _ALONE.sub(r"\1", found)).replace("<mi>′</mi>", "<mo>′</mo>")
    found = found.replace("<mo>/</mo>", '<mo lspace="0" rspace="0">/</mo>')
    found = _BRACE.sub(lambda match: _BRACES[match[1]], found)
    found = _NAMED.sub(lambda at: (at[1] + _THIN if at[1] else "") + at[2] + (_THIN if at[3] else ""), found)
    if "\\" in found or re.search(r"&(?!lt;|gt;|amp;)", found):
        return Markup(UNTYPESET).format(latex)
    return Markup(found)


def _lowered(latex: str) -> str:
    """Return a formula with plain brackets in place of SymPy's growing ones if their content is not tall."""
    before = ""
    while before != latex:
        before, latex = latex, _LOW.sub(r"(\1)", latex)
    return latex


def _fenced(latex: str) -> str:
    """Return a formula with brackets of fixed size replaced by growing pairs, which browsers draw better."""
    openers, closers = _SIZED_OPENER.findall(latex), _SIZED_CLOSER.findall(latex)
    if len(openers) != len(closers):
        return latex
    return _SIZED_CLOSER.sub(r"\\right\1", _SIZED_OPENER.sub(r"\\left\1", latex))


def _joined(parts: Iterable[str]) -> list[str]:
    """Return the parts of a formula, short ones joined, so that no line breaks within a relation such as x < 1."""
    found: list[str] = []
    for part in parts:
        if found and not found[-1].rstrip().endswith(tuple(_SPACES)) and len(found[-1]) + len(part) <= _LONG:
            found[-1] += part
        else:
            found.append(part)
    return found


def _parts(latex: str) -> Iterator[str]:
    """Yield the parts of a formula; each but the first begins with a relation or a sign, or after a wide space."""
    depth, part, closing = 0, "", False
    for match in _TOKEN.finditer(latex):
        token = match[0]
        if closing:  # any character after \left or \right is a delimiter
            part, closing = part + token, False
            continue
        breaks = token in _RELATIONS or (token in _OPERATORS and not part.rstrip().endswith(_LEADING))
        if depth == 0 and breaks and part.strip() and not part.rstrip().endswith(("_", "^")):
            yield part
            part = ""
        part += token
        depth += (token in _OPENING) - (token in _CLOSING)
        closing = token in _DELIMITERS
        if depth == 0 and token in _SPACES:
            yield part
            part = ""
    yield part
