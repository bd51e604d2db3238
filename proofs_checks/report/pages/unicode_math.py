"""Formulas for the terminal: the LaTeX source of a statement as Unicode text.

pylatexenc parses formulas and names symbols. This module writes a formula on one line, such that fractions, roots,
exponents and indices keep their grouping.
"""

from __future__ import annotations

import re
from functools import cache

from pylatexenc.latex2text import LatexNodes2Text, get_default_latex_context_db  # type: ignore[import-untyped]
from pylatexenc.latexwalker import (  # type: ignore[import-untyped]
    LatexCharsNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexNode,
    LatexSpecialsNode,
    LatexWalker,
)

_ABOVE = str.maketrans(
    "0123456789+-=()abcdefghijklmnoprstuvwxyzTHNK*'", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᴴᴺᴷ*′"
)
_BELOW = str.maketrans("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_RAISED = re.escape("".join(map(chr, (*_ABOVE.values(), *_BELOW.values()))))
_HATS = {"hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304"}
_PLAIN = {"mathrm", "text", "textrm", "operatorname", "mathbf", "boldsymbol", "bm", "textit", "emph", "mathit"}
_SILENT = {"left", "right", "displaystyle", "limits", "nonumber", "label"}
_SILENT |= {f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r")}
_FUNCTIONS = {"log", "exp", "max", "min", "sup", "inf", "lim"}
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_FRACTIONS = {"frac", "nicefrac"}
_SPACES = {",": " ", ";": " ", ":": " ", " ": " ", "quad": "  ", "qquad": "  ", "!": ""}
_SPACED = {"le", "leq", "ge", "geq", "ne", "neq", "approx", "sim", "in", "to", "mid", "land", "lor", "wedge", "vee"}
_SIGNS = {"ne": "≠", "sim": "~", "|": "‖", "land": "∧", "lor": "∨", "star": "★", "prime": "′"}
"""Signs that pylatexenc does not know, or writes otherwise."""


@cache
def unicode_text(text: str) -> str:
    r"""Return a sentence, with formulas between dollar signs, as Unicode text.

    Examples
    --------
    >>> unicode_text(r"$\sum_{m=1}^{T} \frac{1}{\sqrt{m}} \le 2\sqrt{T} - 1$ for $T \ge 1$.")
    '∑ₘ₌₁ᵀ 1/√m ≤ 2√T - 1 for T ≥ 1.'
    >>> unicode_text(r"$e^{-2\ell\varepsilon^2}$, $W_{h:H}^{\pi}$, $\hat Q_{k'}(x_a, y)$")
    'e^(-2ℓε²), W_(h:H)^π, Q̂_(k′)(xₐ, y)'
    >>> unicode_text(r"$\tfrac{Sn}{2}c \min\Bigl\{\sqrt{n\tau}, K\log\frac{K}{2e}\Bigr\}$")
    'Sn/2 c min{√(nτ), K log(K/(2e))}'
    >>> unicode_text(r"$\beta^5 - \beta + \frac{1}{2}$")
    'β⁵ - β + 1/2'
    >>> unicode_text(r"$\sqrt[3]{\pi} < \sqrt[n]{K}$")
    '∛π < (K)^(1/n)'
    """
    pieces = re.split(r"\$([^$]*)\$", text)
    return "".join(piece if number % 2 == 0 else formula_text(piece) for number, piece in enumerate(pieces))


@cache  # letters and short formulas stand in many sentences
def formula_text(latex: str) -> str:
    """Return one formula as Unicode text."""
    latex = re.sub(r"\\[dt]frac", r"\\frac", latex)
    nodes, _, _ = LatexWalker(latex, tolerant_parsing=True).get_latex_nodes()
    text = re.sub(r" {2,}", " ", _joined(list(nodes))).strip()
    text = re.sub(r"(?<=\S) +([)\]}])", r"\1", text)
    text = re.sub(r"(?<=[^\s(\[{])([+-]) ", r" \1 ", text)  # LaTeX drops the space between a macro and the sign
    return re.sub(r"\b(max|min|log|exp|sup|inf) ([({])", r"\1\2", text)


def _joined(nodes: list[LatexNode]) -> str:
    found = ""
    script = last = ""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, LatexCharsNode) and len(node.chars) > 1:
            # one character at a time, as an index or exponent without braces is a single character
            waiting[:0] = [_chars(character) for character in node.chars]
            continue
        if isinstance(node, LatexCharsNode) and node.chars in "^_":
            script = node.chars
            continue
        if script and isinstance(node, LatexCharsNode) and node.chars.isspace():
            continue
        text, name = _text(node), node.macroname if isinstance(node, LatexMacroNode) else ""
        if script:
            found, script, last = found.rstrip(" ") + _script(script, text), "", ""
            continue
        if last in _FUNCTIONS and name in _FRACTIONS:
            text = f"({text})"
        if (name in _FUNCTIONS and re.search(r"[\w)\]}′″]$", found)) or (
            last in _FRACTIONS and re.match(r"[\w√(]", text)
        ):
            found += " "
        found, last = found + text, name if text.strip() else last
    return found


def _chars(character: str) -> LatexCharsNode:
    return LatexCharsNode(parsing_state=None, pos=0, len=1, chars=character)


def _script(kind: str, text: str) -> str:
    inside = text.strip().replace(" ", "") if len(text) < 8 else text.strip()
    table = _ABOVE if kind == "^" else _BELOW
    if inside and all(ord(character) in table for character in inside):
        return inside.translate(table)
    return f"{kind}{inside}" if len(inside) == 1 else f"{kind}({inside})"


def _text(node: LatexNode) -> str:
    if isinstance(node, LatexCharsNode):
        spaced = f" {node.chars} " if node.chars in "=<>" else node.chars
        return "′" if node.chars == "'" else " " if node.chars.isspace() else spaced
    if isinstance(node, LatexGroupNode | LatexEnvironmentNode):
        return _joined(list(node.nodelist))
    if isinstance(node, LatexMacroNode):
        return _macro(node)
    if isinstance(node, LatexSpecialsNode):
        return str({"~": " ", "&": " ", "''": "″"}.get(node.specials_chars, node.specials_chars))
    return ""


def _macro(node: LatexMacroNode) -> str:
    name = node.macroname
    if name in _SILENT:
        return ""
    if name in _SPACES:
        return _SPACES[name]
    given = node.nodeargd.argnlist if node.nodeargd else []
    arguments = [_text(each).strip() for each in given if each is not None]
    if name in _FRACTIONS and len(arguments) == 2:
        above, below = (each if _simple(each) else f"({each})" for each in arguments)
        return f"{arguments[0] if arguments[0].isalnum() else above}/{below}"
    if name == "sqrt" and arguments:
        inside, degree = arguments[-1], "".join(arguments[:-1])  # the optional degree comes first, in brackets
        if degree not in _ROOTS:
            return f"({inside})^(1/{degree})"
        return _ROOTS[degree] + (inside if _simple(inside) else f"({inside})")
    if name in _HATS:
        inside = "".join(arguments)
        return inside[:1] + _HATS[name] + inside[1:]
    if name in _PLAIN:
        return "".join(arguments)
    sign = _SIGNS.get(name) or _plain_text().latex_to_text(f"${node.latex_verbatim()}$").strip() or name
    return f" {sign} " if name in _SPACED else f"{sign} " if name in _FUNCTIONS else sign


def _simple(text: str) -> bool:
    """Return whether a text is one letter or one number, which needs no parentheses under a root or in a fraction."""
    return re.fullmatch(rf"√?(\d+|\w[\u0300-\u036f]?[′{_RAISED}]?)", text) is not None


@cache
def _plain_text() -> LatexNodes2Text:
    return LatexNodes2Text(latex_context=get_default_latex_context_db(), math_mode="text")
