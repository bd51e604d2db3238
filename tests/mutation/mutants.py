"""The mutants of a source file: each differs from it in one small place, and is another program.

The operators are those of Mothra's sufficient set (Offutt et al., 1996) and of the usual tools. Texts for people are left
alone: docstrings, formatted strings, what is raised or asserted; so are annotations, decorators and `zip(strict=)`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

EXCUSE = "# equivalent:"
SWAPPED = {
    ast.Add: (ast.Sub, ast.Mult), ast.Sub: (ast.Add,), ast.Mult: (ast.Div, ast.Add), ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult, ast.Div), ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,), ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,), ast.BitXor: (ast.BitAnd,), ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,),
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,), ast.And: (ast.Or,), ast.Or: (ast.And,),
}  # fmt: skip
NAMES = {"min": "max", "all": "any", "minimum": "maximum", "argmin": "argmax", "floor": "ceil"}
NAMES |= {other: name for name, other in NAMES.items()}
SYMMETRIC = {*NAMES, "gcd", "array_equal", "isinstance", "issubclass", "getattr", "setattr", "hasattr", "cast", "Cases"}
TEXTS = {"__repr__", "__str__", "__format__", "_repr_html_", "_repr_latex_"}
NUMBER = re.compile(r"-?\d+(\.\d+)?(/\d+)?")


@dataclass(frozen=True)
class Mutant:
    """One small change: the lines that it changes, before and after, and the whole source with it."""

    file: str
    line: int
    end_line: int
    before: str
    after: str
    source: str

    def rank(self, seed: int) -> bytes:
        """Return its place in the sample of this seed; changes elsewhere leave it in place."""
        return sha256(repr((seed, self.file, self.before, self.after)).encode()).digest()


def mutants(source: str, file: str) -> Iterator[Mutant]:
    """Yield all mutants of a file, without those that a comment excuses, in the order of the source."""
    content, tree = source.encode(), ast.parse(source)
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = source.splitlines()
    for node in walked(tree):
        for place, other in changes(node):
            first, last = place.lineno, place.end_lineno
            if any(EXCUSE in line for line in lines[first - 1 : last]) or ast.dump(place) == ast.dump(other):
                continue
            begin, end = starts[first - 1] + place.col_offset, starts[last - 1] + place.end_col_offset
            text = ast.unparse(ast.fix_missing_locations(other))
            text = f"({text})" if isinstance(other, ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.Compare) else text
            made = (content[:begin] + text.encode() + content[end:]).decode()
            before = " ".join(" ".join(lines[first - 1 : last]).split())
            after = (content[starts[first - 1] : begin] + text.encode() + content[end : starts[last]]).decode()
            yield Mutant(file, first, last, before, " ".join(after.split()), made)


def changes(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield pairs of a node to replace and its replacement."""
    match node:
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            yield from ((node, with_(node, op=other())) for other in SWAPPED.get(type(op), ()))
        case ast.Compare(ops=ops):
            for number, op in enumerate(ops):
                for other in SWAPPED[type(op)]:
                    yield node, with_(node, ops=[*ops[:number], other(), *ops[number + 1 :]])
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield node, operand
        case ast.Constant(value=value):
            yield from ((node, ast.Constant(other)) for other in constants(value))
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield node, with_(node, id=NAMES[name])
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in NAMES:
            yield node, with_(node, attr=NAMES[name])
        case ast.Return(value=ast.AST() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield node, ast.Return(ast.Constant(None))
        case ast.Break():
            yield node, ast.Continue()
        case ast.Continue():
            yield node, ast.Break()
        case ast.Slice(lower=lower, upper=upper):
            for end, value in (("lower", lower), ("upper", upper)):
                if value is not None:
                    yield node, with_(node, **{end: None})
                    yield node, with_(node, **{end: ast.BinOp(value, ast.Add(), ast.Constant(1))})
        case ast.Call(func=func, args=args) if getattr(func, "attr", getattr(func, "id", "")) not in SYMMETRIC:
            for number, (one, two) in enumerate(pairwise(args)):
                if not isinstance(one, ast.Starred) and not isinstance(two, ast.Starred | ast.GeneratorExp):
                    yield node, with_(node, args=[*args[:number], two, one, *args[number + 2 :]])
    tests = node.ifs if isinstance(node, ast.comprehension) else [getattr(node, "test", None)]
    yield from ((test, ast.UnaryOp(ast.Not(), test)) for test in tests if isinstance(test, ast.expr))


def with_(node: ast.AST, **fields: object) -> ast.AST:
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def constants(value: object) -> Iterator[object]:
    """Yield replacements of a constant; a text that reads as a number counts as one (`"6.47"`, `"1/2"`)."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1)
    elif isinstance(value, str) and NUMBER.fullmatch(value):
        head, slash, denominator = value.partition("/")
        whole, point, decimals = head.partition(".")
        for other in (int(whole + decimals) + 1, int(whole + decimals) - 1):
            digits = f"{other:0{len(decimals) + 1 + (other < 0)}d}"
            cut = len(digits) - len(decimals)
            yield f"{digits[:cut]}{point}{digits[cut:]}{slash}{denominator}"


def walked(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every node that may change: not the texts, types and checks that are left alone."""
    yield node
    for field, value in ast.iter_fields(node):
        if field not in {"annotation", "returns", "decorator_list", "type_params", "msg", "pattern"}:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not left_alone(child):
                    yield from walked(child)


def left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.keyword(arg="strict"):
            return True
        case ast.FunctionDef(name=name):
            return name in TEXTS
        case ast.Expr(value=ast.Constant(value=str())) | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.Call(func=ast.Attribute(attr="warn")):
            return True
    return False
