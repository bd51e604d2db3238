"""The headlines: each theorem of ``Statements.v``, with all the definitions that it uses.

Nothing is compiled here; the text of the file is cut into sentences. A headline has the theorem with the variables,
hypotheses and notation of its section that it uses; the definitions, each in its section; and the theorem as the kernel
printed it for the record, with every hypothesis spelled out.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, groupby

from proofs_checks.kernel.record import is_current, record
from proofs_checks.kernel.sources import source

FILE = "Statements.v"
_COMMENT = r"\(\*(?:(?!\*\)).)*\*\)"  # comments are not nested
_SENTENCE = re.compile(
    rf"(?:(?P<comment>{_COMMENT})\s*)*(?P<text>[^\s(](?:(?!\(\*)(?!\.(?=\s|$)).)*\.)(?=\s|$)"
    rf"(?:[ \t]*(?P<beside>{_COMMENT}))?(?P<proof>\s+Proof\b.*?Qed\.)?",
    re.DOTALL,
)
"""A sentence, which ends with a full stop before white space; the comments before it and on its line; its proof."""
_NAME = re.compile(r"[A-Za-z_][\w']*")
_RESTATES = re.compile(r"\(\*\s*(?P<file>\w+\.v): (?P<theorem>\w+)[.,]\s*")


@dataclass(frozen=True)
class Headline:
    """A theorem of `FILE` as a reader of the paper sees it, beside the theorem of another file that it restates.

    ``of`` names the theorem of the paper, or is "". ``entries`` are those that the restated theorem establishes.
    """

    name: str
    of: str
    said: str
    file: str
    theorem: str
    entries: tuple[str, ...]
    statement: str
    definitions: str
    printed: str
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class _Part:
    """A sentence of Rocq, or one of the ``groups`` of a declaration of variables or hypotheses; it uses other parts."""

    kind: str
    text: str
    whole: str
    groups: int
    comment: str
    proof: str
    sections: tuple[str, ...]
    names: frozenset[str]
    uses: frozenset[int]

    @property
    def local(self) -> bool:
        """Whether its names are known only within its section."""
        return self.kind.startswith((*_IN_GROUPS, "Notation"))


_IN_GROUPS = ("Variable", "Hypothes")


@cache
def headlines() -> tuple[Headline, ...]:
    """Return the headlines in the order of the file, or none if the record is not of the sources in this folder.

    Examples
    --------
    >>> [each.name for each in headlines()][:3], headlines()[0].of
    (['theorem_1_psrl', 'theorem_1_ucrl2', 'theorem_1_ucbvi'], 'Theorem 1')
    """
    if not is_current():
        return ()
    parts = list(_parts(source(FILE)))
    recorded = {(each["file"], each["name"]): each for each in record()["theorems"]}
    found = []
    for number, part in enumerate(parts):
        if part.kind != "Theorem":
            continue
        (name,) = part.names
        restated = _RESTATES.search(part.comment)
        if restated is None:
            raise ValueError(f"{FILE}: the comment before {name} does not say what it restates")
        paper = re.match(r"theorem_(\d)", name)
        own, other = recorded[FILE, name], recorded[restated["file"], restated["theorem"]]
        found.append(
            Headline(
                name,
                f"Theorem {paper[1]}" if paper else "",
                " ".join(part.comment[restated.end() :].rstrip("*) \n").split()),
                restated["file"],
                restated["theorem"],
                tuple(other["entries"]),
                *_excerpt(parts, number, own["statement"]),
                own["statement"],
                tuple(own["assumptions"]),
            )
        )
    return tuple(found)


def _parts(text: str) -> Iterator[_Part]:
    """Yield the parts outside proofs, but for the commands that open and close sections."""
    known, sections, number = ChainMap[str, int](), tuple[str, ...](), 0
    for match in _SENTENCE.finditer(text):
        whole = "   ".join(filter(None, (match["text"], match["beside"])))
        kind = whole.split()[0]
        if kind == "Section":
            known, sections = known.new_child(), (*sections, whole)
        if kind == "End":
            known, sections = known.parents, sections[:-1]
        if kind in ("From", "Section", "End"):
            continue
        groups = _groups(match["text"]) if kind.startswith(_IN_GROUPS) else [whole]
        for group in groups:
            names = frozenset(_NAME.findall(group.partition(":")[0]) if group is not whole else [whole.split()[1]])
            uses = frozenset(known[name] for name in {*_NAME.findall(group)} - names if name in known)
            part = _Part(
                kind, group, whole, len(groups), match["comment"] or "", match["proof"] or "", sections, names, uses
            )
            yield part
            if kind not in ("Lemma", "Theorem"):
                known.maps[0 if part.local else -1].update(dict.fromkeys(names, number))
            number += 1


def _groups(text: str) -> list[str]:
    """Return the parenthesised groups of a declaration of variables, or its only group without parentheses.

    Examples
    --------
    >>> _groups("Variables (A S : finType)  (next : (O -> S) -> S)."), _groups("Variable A : finType.")
    (['(A S : finType)', '(next : (O -> S) -> S)'], ['A : finType'])
    """
    rest = text.rstrip(".").split(maxsplit=1)[1]
    if not rest.startswith("("):
        return [rest]
    groups, depth = [""], 0
    for letter in rest:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        groups[-1] += letter
        if depth == 0:
            groups.append("")
    return [group for group in groups if group.strip()]


def _excerpt(parts: list[_Part], number: int, printed: str) -> tuple[str, str]:
    """Return a theorem with what it uses of its section, and the definitions that it uses, each in its section.

    It has the hypotheses of its section that its proof names, or that the kernel printed.
    """
    theorem, said = parts[number], " ".join(printed.split())
    named = set(_NAME.findall(theorem.proof))
    waiting, needed = [number], set[int]()
    for place, each in enumerate(parts[:number]):
        says = " ".join(each.text.removeprefix("(").removesuffix(")").partition(":")[2].split())
        own = each.kind.startswith("Hypothes") and each.sections == theorem.sections
        if own and (each.names & named or f"{says} ->" in said):
            waiting.append(place)
    while waiting:
        place = waiting.pop()
        if place not in needed:
            needed.add(place)
            waiting += parts[place].uses
    beside, above = list[_Part](), list[_Part]()
    for place in sorted(needed - {number}):
        mine = parts[place].local and parts[place].sections == theorem.sections
        (beside if mine else above).append(parts[place])
    return "\n".join([*_written(beside), theorem.whole]), "\n".join(_in_sections(above))


def _written(parts: Iterable[_Part]) -> Iterator[str]:
    """Yield sentences with their comments; of variables and hypotheses only the groups given."""
    for whole, found in groupby(parts, lambda part: part.whole):
        groups = list(found)
        yield from filter(None, [groups[0].comment])
        yield (
            whole if len(groups) == groups[0].groups else f"{groups[0].kind} {' '.join(each.text for each in groups)}."
        )


def _in_sections(parts: Iterable[_Part]) -> Iterator[str]:
    """Yield sentences with their comments, inside the commands that open and close their sections."""
    open_now: tuple[str, ...] = ()
    for sections, found in chain(groupby(parts, lambda part: part.sections), [((), ())]):
        while open_now != sections[: len(open_now)]:
            yield f"End {open_now[-1].split()[1]}"
            open_now = open_now[:-1]
        yield from (f"\n{each}" for each in sections[len(open_now) :])
        yield from _written(found)
        open_now = sections
