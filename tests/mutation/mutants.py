"""The mutants of a source file: each differs from it in one small place, and compiles.

The operators are those of Mothra's sufficient set (Offutt et al., 1996) and of the usual tools: arithmetic, comparison and
boolean operators, conditions negated, constants one up or down, `min` and `max`, `all` and `any`, signs, results, the
order of two arguments, `break` and `continue`, the ends of slices. Texts for people are left alone: docstrings, formatted
strings, what is raised or asserted, `__repr__`; so are annotations, decorators and `zip(strict=)`.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from tokenize import NAME, OP, tokenize

ARITHMETIC = {
    ast.Add: ("-", "*"),
    ast.Sub: ("+",),
    ast.Mult: ("/", "+"),
    ast.Div: ("*",),
    ast.FloorDiv: ("*", "/"),
    ast.Mod: ("//",),
    ast.Pow: ("*",),
    ast.BitOr: ("&",),
    ast.BitAnd: ("|",),
    ast.BitXor: ("&",),
    ast.LShift: (">>",),
    ast.RShift: ("<<",),
}
COMPARISON = {
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
NAMES = {
    "min": "max",
    "all": "any",
    "minimum": "maximum",
    "argmin": "argmax",
    "floor": "ceil",
}
NAMES |= {other: name for name, other in NAMES.items()}
SYMMETRIC = {
    "min",
    "max",
    "minimum",
    "maximum",
    "gcd",
    "array_equal",
    "isinstance",
    "issubclass",
    "getattr",
    "setattr",
    "hasattr",
    "cast",
}
TEXTS = {"__repr__", "__str__", "__format__", "_repr_html_", "_repr_latex_"}
NUMBER = re.compile(r"-?\d+(\.\d+)?(/\d+)?")

Edit = tuple[int, int, str]


@dataclass(frozen=True)
class Mutant:
    """One small change: where it is, and the lines it changes before and after, as text on one line."""

    file: str
    function: str
    kind: str
    before: str
    after: str
    line: int
    end_line: int
    statement: int
    edits: tuple[Edit, ...]
    on_loading: bool = False
    """Whether it is executed when the file is loaded, and not again: a constant, the body of a class, the default of a parameter."""
    occurrence: int = 1

    def rank(self, seed: int) -> bytes:
        """Return its place in the sample of this seed; changes elsewhere leave it in place."""
        identity = (seed, self.file, self.function, self.before, self.after, self.occurrence)
        return sha256(repr(identity).encode()).digest()

    def applied(self, source: bytes) -> bytes:
        return edited(source, self.edits)

    def compiles(self, source: bytes) -> bool:
        """Say whether this is another program: some changes of signs or brackets are none, a few are not Python."""
        try:
            return ast.dump(ast.parse(self.applied(source))) != _dumped(source)
        except SyntaxError:
            return False


@cache
def _dumped(source: bytes) -> str:
    return ast.dump(ast.parse(source))


def edited(source: bytes, edits: tuple[Edit, ...]) -> bytes:
    for start, end, text in sorted(edits, reverse=True):
        source = source[:start] + text.encode() + source[end:]
    return source


def mutants(source: bytes, file: str) -> list[Mutant]:
    """Return all mutants of a file, in the order of the source; those to be used have to be asked whether they compile."""
    found = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for mutant in _Maker(source, file).made():
        key = (mutant.function, mutant.before, mutant.after)
        seen[key] += 1
        found.append(replace(mutant, occurrence=seen[key]))
    return found


class _Maker:
    def __init__(self, source: bytes, file: str) -> None:
        self.source = source
        self.file = file
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def made(self) -> Iterator[Mutant]:
        for node, function, statement, on_loading in walked(ast.parse(self.source)):
            for kind, edits in self.changes(node):
                yield replace(self.mutant(function, statement, kind, edits), on_loading=on_loading)

    def mutant(self, function: str, statement: int, kind: str, edits: tuple[Edit, ...]) -> Mutant:
        first = bisect_right(self.starts, min(edit[0] for edit in edits)) - 1
        last = bisect_right(self.starts, max(edit[1] for edit in edits) - 1) - 1
        start, end = self.starts[first], self.starts[last + 1]
        moved = tuple((a - start, b - start, text) for a, b, text in edits)
        lines = self.source[start:end]
        before, after = (" ".join(text.decode().split()) for text in (lines, edited(lines, moved)))
        return Mutant(self.file, function, kind, before, after, first + 1, last + 1, statement, edits)

    def at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def between(self, left: ast.AST, right: ast.AST) -> tuple[int, int]:
        """Return the place of the operator between two operands, which may stand in brackets and on several lines."""
        start, end = self.span(left)[1], self.span(right)[0]
        found = []
        gap = b"(" + self.source[start:end].replace(b")", b" ").replace(b"(", b" ") + b"\n)"
        starts = [0]
        for line in gap.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for token in tokenize(BytesIO(gap).readline):
            if token.type in (OP, NAME) and token.string not in "()":
                found.append(
                    (
                        starts[token.start[0] - 1] + token.start[1] - 1 + start,
                        starts[token.end[0] - 1] + token.end[1] - 1 + start,
                    )
                )
        return found[0][0], found[-1][1]

    def changes(self, node: ast.AST) -> Iterator[tuple[str, tuple[Edit, ...]]]:
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                bracketed = self.brackets(node)
                for other in ARITHMETIC.get(type(op), ()):
                    yield "arithmetic", (*bracketed, (*self.between(left, right), other))
            case ast.AugAssign(target=target, op=op, value=value):
                for other in ARITHMETIC.get(type(op), ()):
                    yield "arithmetic", ((*self.between(target, value), f"{other}="),)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                for one, op, two in zip((left, *comparators), ops, comparators, strict=False):
                    for other in COMPARISON[type(op)]:
                        yield "comparison", ((*self.between(one, two), other),)
            case ast.BoolOp(op=op, values=values):
                other = "or" if isinstance(op, ast.And) else "and"
                pairs = pairwise(values)
                yield "boolean", (*self.brackets(node), *((*self.between(*pair), other) for pair in pairs))
            case ast.UnaryOp(op=ast.Not()):
                start = self.span(node)[0]
                yield "not removed", ((start, start + 3, ""),)
            case ast.UnaryOp(op=ast.USub()):
                start = self.span(node)[0]
                yield "sign", ((start, start + 1, "+"),)
            case ast.Constant(value=value):
                for other in constants(value):
                    yield "constant", ((*self.span(node), other),)
            case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
                yield "name", ((*self.span(node), NAMES[name]),)
            case ast.Attribute(attr=name, ctx=ast.Load()) if name in NAMES:
                end = self.span(node)[1]
                yield "name", ((end - len(name), end, NAMES[name]),)
            case ast.Return(value=value) if value is not None and not is_none(value):
                start, end = self.span(value)
                yield "result", ((*self.outer(node, start, end), "None"),)
            case ast.Break():
                yield "loop", ((*self.span(node), "continue"),)
            case ast.Continue():
                yield "loop", ((*self.span(node), "break"),)
            case ast.Slice():
                yield from self.slice_ends(node)
            case ast.Call():
                yield from self.swapped(node)
        yield from self.negated(node)

    def outer(self, statement: ast.AST, start: int, end: int) -> tuple[int, int]:
        """Return what a `return` returns, with the brackets around it."""
        return self.span(statement)[0] + len("return "), max(end, self.span(statement)[1])

    def brackets(self, node: ast.AST) -> tuple[Edit, Edit]:
        start, end = self.span(node)
        return (start, start, "("), (end, end, ")")

    def negated(self, node: ast.AST) -> Iterator[tuple[str, tuple[Edit, ...]]]:
        tests = []
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            tests = [node.test]
        elif isinstance(node, ast.comprehension):
            tests = node.ifs
        for test in tests:
            if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
                start, end = self.span(test)
                yield "condition", ((start, start, "not ("), (end, end, ")"))

    def slice_ends(self, node: ast.Slice) -> Iterator[tuple[str, tuple[Edit, ...]]]:
        for end in (node.lower, node.upper):
            if end is not None:
                yield "slice", ((*self.span(end), ""),)
                if not isinstance(end, ast.Constant):
                    yield "slice", ((*self.span(end), f"({self.text(end)}) + 1"),)

    def swapped(self, node: ast.Call) -> Iterator[tuple[str, tuple[Edit, ...]]]:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for one, two in pairwise(node.args):
            starred = isinstance(one, ast.Starred) or isinstance(two, ast.Starred | ast.GeneratorExp)
            if not starred and called not in SYMMETRIC and ast.dump(one) != ast.dump(two):
                yield "arguments", ((*self.span(one), self.text(two)), (*self.span(two), self.text(one)))


def constants(value: object) -> Iterator[str]:
    """Yield what may stand in place of a constant; a text that reads as a number is one (`"6.47"`, `"1/2"`)."""
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, int | float):
        yield repr(value + 1)
        yield repr(value - 1)
    elif isinstance(value, str) and NUMBER.fullmatch(value):
        head, slash, denominator = value.partition("/")
        whole, point, decimals = head.partition(".")
        digits = len(decimals)
        scaled = int(whole + decimals)
        for other in (scaled + 1, scaled - 1):
            shown = f"{other:0{digits + 1 + (other < 0)}d}"
            yield repr((f"{shown[:-digits]}.{shown[-digits:]}" if point else shown) + slash + denominator)


def is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def walked(tree: ast.Module) -> Iterator[tuple[ast.AST, str, int, bool]]:
    """Yield every node that may change, the qualified name of the function around it, and the line of its statement.

    Beside them, whether the node is executed when the file is loaded.
    """

    def walk(node: ast.AST, function: str, line: int, on_loading: bool) -> Iterator[tuple[ast.AST, str, int, bool]]:
        yield node, function or "module", line, on_loading
        for child in changing(node):
            inside = function
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inside = f"{function}.{child.name}".lstrip(".")
            still = on_loading and not is_body(child, node)
            yield from walk(child, inside, child.lineno if isinstance(child, ast.stmt) else line, still)

    return walk(tree, "", 1, True)


def is_body(node: ast.AST, parent: ast.AST) -> bool:
    """Whether a node is executed when the function that is its parent is called, as its defaults are not."""
    match parent:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            return node in body
        case ast.Lambda(body=body):
            return node is body
    return False


def changing(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node without the texts, types and checks that are left alone."""
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "type_params", "msg", "pattern"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not left_alone(child, node):
                yield child


def left_alone(node: ast.AST, parent: ast.AST) -> bool:
    match node:
        case ast.Raise() | ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal():
            return True
        case ast.FunctionDef(name=name):
            return name in TEXTS
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case ast.Assign(value=ast.BinOp(op=ast.BitOr())) if isinstance(parent, ast.Module):
            return True  # a union of types
        case ast.BinOp(op=ast.BitOr()) if isinstance(parent, ast.Call):
            return getattr(parent.func, "id", "") in {"isinstance", "issubclass", "cast"}
        case ast.Call(func=ast.Attribute(attr="warn")) | ast.Call(func=ast.Name(id="TypeVar")):
            return True
        case ast.keyword(arg="strict"):
            return True
    return False
