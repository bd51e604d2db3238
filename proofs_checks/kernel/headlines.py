"""The headlines: each theorem of ``Statements.v``, with all the definitions that it uses.

Nothing is compiled here; the text of the file is cut into sentences. A headline has the theorem with the variables,
hypotheses and notation of its section that it uses; the definitions, each in its section; and the theorem as the kernel
printed it for the record, with every hypothesis spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from proofs_checks.kernel.record import is_current, record
from proofs_checks.kernel.sources import FOLDER

FILE = "Statements.v"
_NAME = re.compile(r"[A-Za-z_][\w']*")
_RESTATES = re.compile(r"\(\*\s*(?P<file>\w+\.v): (?P<theorem>\w+)[.,]\s*")
_DECLARES = re.compile(r"(?:Definition|Fixpoint|Notation|Theorem|Lemma) (?P<name>[\w']+)")
_IN_A_SECTION = ("Variable", "Hypothes", "Notation")


@dataclass(frozen=True)
class Headline:
    """A theorem that the kernel accepted, as it is written for a reader of the paper.

    Attributes
    ----------
    name
        Name in ``Statements.v``.
    of
        ``Theorem 2``, for example, for a theorem of the paper; "" otherwise.
    said
        Text of the comment before it.
    file, theorem
        The theorem that it restates, and that theorem's file.
    entries : tuple of str
        The entries of the ledger that the restated theorem establishes.
    statement, definitions
        The statement as written, and the definitions that it uses, directly or not.
    printed
        The statement as the kernel printed it.
    assumptions : tuple of str
        The axioms that its proof uses.
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
class _Sentence:
    """A sentence of Rocq, with the comments before it and on its line, and the sections around it."""

    text: str
    comment: str
    sections: tuple[int, ...]
    proof: str = ""

    @cached_property
    def kind(self) -> str:
        return self.text.split()[0]

    @cached_property
    def local(self) -> bool:
        """Whether its names are known only within its section."""
        return self.kind.startswith(_IN_A_SECTION)

    @cached_property
    def declares(self) -> set[str]:
        """The names that it declares."""
        if self.kind.startswith(("Variable", "Hypothes")):
            return {name for group in _groups(self.text) for name in group.partition(":")[0].strip("( ").split()}
        found = _DECLARES.match(self.text)
        return {found["name"]} if found else set()

    @cached_property
    def uses(self) -> set[str]:
        return set(_NAME.findall(self.text)) - self.declares


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
    sentences = list(_sentences((FOLDER / FILE).read_text(encoding="utf-8")))
    recorded = {(each["file"], each["name"]): each for each in record()["theorems"]}
    found = []
    for number, sentence in enumerate(sentences):
        if sentence.kind != "Theorem":
            continue
        (name,) = sentence.declares
        restated = _RESTATES.search(sentence.comment)
        if restated is None:
            raise ValueError(f"{FILE}: the comment before {name} does not say what it restates")
        paper = re.match(r"theorem_(\d)", name)
        own, other = recorded[FILE, name], recorded[restated["file"], restated["theorem"]]
        statement, definitions = _excerpt(sentences, number, own["statement"])
        found.append(
            Headline(
                name,
                f"Theorem {paper[1]}" if paper else "",
                " ".join(sentence.comment[restated.end() :].rstrip("*) \n").split()),
                restated["file"],
                restated["theorem"],
                tuple(other["entries"]),
                statement,
                definitions,
                own["statement"],
                tuple(own["assumptions"]),
            )
        )
    return tuple(found)


def _sentences(text: str) -> Iterator[_Sentence]:
    """Yield the sentences outside proofs; each theorem keeps its proof."""
    sections: list[int] = []
    comment, place, last = "", 0, None
    for number, match in enumerate(_PARTS.finditer(text)):
        part = match[0].strip()
        between = text[place : match.start()]
        place = match.end()
        if part.startswith("(*"):
            if last is not None and "\n" not in between:  # on the line of the sentence before it
                last = replace(last, text=f"{last.text}   {part}")
            else:
                comment = part
            continue
        if last is not None and last.kind in ("Theorem", "Lemma") and not last.proof.endswith("Qed."):
            last = replace(last, proof=f"{last.proof} {part}")
            continue
        if last is not None:
            yield last
            if last.kind == "Section":
                sections.append(number)
            elif last.kind == "End":
                sections.pop()
        last = _Sentence(part, comment, tuple(sections))
        comment = ""
    if last is not None:
        yield last


_PARTS = re.compile(r"\(\*(?:(?!\*\)).)*\*\)|[^\s(](?:(?!\(\*)(?!\.(?=\s|$)).)*\.(?=\s|$)", re.DOTALL)
"""A comment (comments are not nested), or a sentence, which ends with a full stop before white space."""


def _excerpt(sentences: Sequence[_Sentence], number: int, printed: str) -> tuple[str, str]:
    """Return a theorem with the variables and hypotheses of its section that it uses, and the definitions it uses."""
    theorem = sentences[number]
    names = dict(_hypotheses(sentences, number, printed)) | {number: set()}
    needed, waiting = set(names), list(names)
    while waiting:
        at = waiting.pop()
        for name in sentences[at].uses:
            place = _declared(sentences, at, name)
            if place is None:
                continue
            if place not in needed or name not in names[place]:
                needed.add(place)
                names.setdefault(place, set()).add(name)
                waiting.append(place)
    mine = [at for at in sorted(needed) if sentences[at].local and sentences[at].sections == theorem.sections]
    statement = [_with_comment(sentences[at], names[at]) for at in mine] + [theorem.text]
    return "\n".join(statement), "\n".join(_in_sections(sentences, sorted(needed - {number, *mine}), names))


def _hypotheses(sentences: Sequence[_Sentence], number: int, printed: str) -> Iterator[tuple[int, set[str]]]:
    """Yield the hypotheses of its section that a theorem has: those its proof names, or the kernel printed."""
    said, named = " ".join(printed.split()), set(_NAME.findall(sentences[number].proof))
    for place, each in zip(range(number), sentences, strict=False):
        if each.kind.startswith("Hypothes") and each.sections == sentences[number].sections:
            kept = [group for group in _groups(each.text) if _names_of(group) & named or f"{_says(group)} ->" in said]
            if kept:
                yield place, set().union(*map(_names_of, kept))


def _says(group: str) -> str:
    return " ".join(group.removeprefix("(").removesuffix(")").partition(":")[2].split())


def _declared(sentences: Sequence[_Sentence], number: int, name: str) -> int | None:
    """Return the number of the latest sentence visible from a sentence that declares a name, or None."""
    here = sentences[number].sections
    for place in range(number - 1, -1, -1):
        each = sentences[place]
        seen = not each.local or here[: len(each.sections)] == each.sections
        if name in each.declares and seen and each.kind not in ("Lemma", "Theorem"):
            return place
    return None


def _with_comment(sentence: _Sentence, names: set[str]) -> str:
    return "\n".join(part for part in (sentence.comment, _kept(sentence, names)) if part)


def _kept(sentence: _Sentence, names: set[str]) -> str:
    """Return a sentence; of variables and hypotheses only the groups with these names, and groups that those use."""
    if not sentence.kind.startswith(("Variable", "Hypothes")):
        return sentence.text
    groups, kept, wanted = _groups(sentence.text), list[str](), set(names)
    while len(kept) < len(found := [group for group in groups if _names_of(group) & wanted]):
        kept = found
        wanted |= {name for group in kept for name in _NAME.findall(group)}
    return sentence.text if kept == groups else f"{sentence.kind} {' '.join(kept)}."


def _names_of(group: str) -> set[str]:
    return set(group.partition(":")[0].strip("( ").split())


def _groups(text: str) -> list[str]:
    """Return the parenthesised groups of a declaration of variables, or its only group without parentheses.

    Examples
    --------
    >>> _groups("Variables (A S : finType)  (next : (O -> S) -> S).  (* of (all) *)"), _groups("Variable A : finType.")
    (['(A S : finType)', '(next : (O -> S) -> S)'], ['A : finType'])
    """
    rest = text.partition("(*")[0].strip().rstrip(".").split(maxsplit=1)[1]
    if not rest.startswith("("):
        return [rest]
    groups, depth, group = [], 0, ""
    for letter in rest:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        group += letter
        if depth == 0:
            groups.append(group.strip())
            group = ""
    return [group for group in groups if group]


def _in_sections(sentences: Sequence[_Sentence], places: Sequence[int], names: dict[int, set[str]]) -> Iterator[str]:
    """Yield the lines of sentences with their comments, inside the commands that open and close their sections."""
    open_now: tuple[int, ...] = ()
    titles = {number: sentences[number] for number in range(len(sentences)) if sentences[number].kind == "Section"}
    opened_by = {sentences[number + 1].sections[-1]: titles[number] for number in titles}
    for place in places:
        sentence = sentences[place]
        common = 0
        while common < min(len(open_now), len(sentence.sections)) and open_now[common] == sentence.sections[common]:
            common += 1
        yield from (f"End {opened_by[each].text.split()[1]}" for each in reversed(open_now[common:]))
        for each in sentence.sections[common:]:
            yield f"\n{opened_by[each].text}"
        open_now = sentence.sections
        yield _with_comment(sentence, names[place])
    yield from (f"End {opened_by[each].text.split()[1]}" for each in reversed(open_now))
