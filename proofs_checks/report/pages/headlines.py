"""The headlines: the theorems of ``Statements.v`` with their axioms, each beside the words of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from proofs_checks.claimcheck.ledger import Origin, Registry
from proofs_checks.kernel.headlines import FILE, Headline, headlines
from proofs_checks.kernel.record import kernel_word, record
from proofs_checks.report.pages.unicode_math import unicode_text
from theory.terminal.console import fitted


def entry_beside(headline: Headline, registry: Registry) -> str:
    """Return the entry to show beside a headline: of those that it establishes, the one with fewest other headlines.

    A headline that establishes no entry is shown beside the entry of the paper's theorem.

    Examples
    --------
    >>> from proofs_checks.paper import registry
    >>> [entry_beside(each, registry()) for each in headlines()][:4]
    ['thm:regret_upper_bound/psrl', 'thm:regret_upper_bound/ucrl2', 'thm:regret_upper_bound/ucbvi', 'beyond:upper']
    """
    if headline.entries:
        shared = Counter(entry for each in headlines() for entry in each.entries)
        return min(headline.entries, key=lambda entry: shared[entry])
    places = ((entry.place, entry.id) for entry in registry if entry.place)
    return next(name for place, name in places if (place.environment, place.label) == (headline.of, name))


def headline_contents(registry: Registry) -> list[dict[str, Any]]:
    """Return the headlines as ``--json`` prints them, each with the entry beside it and the entry's words."""
    return [
        {
            "name": each.name,
            "restates": f"{each.file.removesuffix('.v')}.{each.theorem}",
            "beside": entry.id,
            "origin": entry.origin.value,
            "words": entry.statement.paper_text if entry.origin is Origin.PRINTED else entry.statement.text,
            "said": each.said,
            "statement": each.statement,
            "definitions": each.definitions,
            "printed_by_the_kernel": each.printed,
            "assumptions": list(each.assumptions),
        }
        for each in headlines()
        for entry in [registry[entry_beside(each, registry)]]
    ]


def headline_lines(registry: Registry, width: int) -> Iterator[str]:
    """Yield the headlines as lines for a terminal of `width` columns."""
    for each in headline_contents(registry):
        yield f"\n{each['name']}"
        whose = "The paper" if each["origin"] == Origin.PRINTED.value else "Ours"
        axioms = (axiom.rpartition(".")[2] for axiom in each["assumptions"])
        yield from _wrapped(f"{whose} ({each['beside']}): {unicode_text(each['words'])}", width)
        yield from _wrapped(each["said"], width)
        for line in each["statement"].splitlines():
            yield from fitted(f"    {line}", width)
        yield from _wrapped(f"restates {each['restates']}; assumes: {', '.join(axioms) or 'nothing'}", width)
    how = f"{kernel_word().capitalize()}, Rocq {record()['rocq']}"
    yield from ("", *fitted(f"All definitions stand in proofs_checks/kernel/{FILE}. {how}.", width))


def _wrapped(text: str, width: int) -> Iterator[str]:
    for line in wrap(text, width, initial_indent="  ", subsequent_indent="  ", break_long_words=False):
        yield from fitted(line, width)
