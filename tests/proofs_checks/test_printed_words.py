"""Words attributed to the paper contain only numbers that the paper's source has in that section."""

import re

from proofs_checks.claimcheck.verdicts import Origin
from proofs_checks.paper import registry

# Every number of the paper's source, by section, each once; without comments, labels, references and citations, and
# with the digits of table cells as decimals.
NUMBERS = {
    "Abstract": "2", "1": "1 2 250", "2": "0 1 3", "3": "0 1", "4": "1 2", "5": "1 2 3 16 60", "6": "1 2 3",
    "7": "0.99 1 2 3 4 9 11 80 3000 300000", "8": "2 04", "A": "0 0.5 1 1.5 2 2.1 2.5 3 3.92 4 5 7 8 9 16 87",
    "B": "0 1 2 3.1 3.2 4 8 16 20 40 60", "C": "0 0.1 0.2 0.4 0.5 0.6 0.7 0.9 1 2 3 3.21 4 5.96 6.00 6.42 6.47",
    "D": "0 0.01 0.1 0.2 0.250 0.256 0.276 0.286 0.2892 0.2894 0.3 0.35 0.392 0.4 0.5 0.65 0.7 0.99 1.0 1 2 3 4 5 6 9 11 240 272 3000",
    "E": "0 0.1 0.8 0.99 1 2 3 4 5 9 10 11 16 19 80 90 240 3000",
    "F": "0.99 1 2 3 5 16 40 50 90 200 260 350 400 3000",
}  # fmt: skip
PLACES = re.compile(
    r"`[^`]*`|(?:eq\. |equations? )?\(\d+\)"
    r"|(?:Theorem|Lemma|Section|Appendix|Algorithm|Scenario|scenario|Table|Figure|equation|line) [A-F]?\d*(?:\.\d+)?"
)
FRACTIONS = {"1/2", "3/2", "5/2", "1/20", "1/60"}  # of two numbers, in all of the source; 5/2 as the decimal 2.5
FRACTION = re.compile(r"\\[dt]?frac\s*(?:\{(\d+)\}|(\d))\s*(?:\{(\d+)\}|(\d))|(?<![\w.}^])(\d+)/(\d+)(?!\w)")
PRINTED = [entry for entry in registry() if entry.origin is Origin.PRINTED and not entry.withdrawn]


def numbers_in(text):
    """Return the numbers of a sentence, places of the paper and names of entries left out."""
    text = PLACES.sub(" ", text)
    fractions = {"/".join(filter(None, digits)) for digits in FRACTION.findall(text)}
    return fractions | set(re.findall(r"\d+(?:\.\d+)?", FRACTION.sub(" ", text)))


def foreign(text, places):
    """Return the numbers of a text that the sections of these places do not have; 0, 1 and 2 are everyone's."""
    sections = {(place.section or "Abstract").split(".")[0] for place in places}
    known = FRACTIONS | {each for section in sections for each in NUMBERS[section].split()}
    return numbers_in(text) - {"0", "1", "2"} - known


def test_printed_claims_contain_only_numbers_of_their_section():
    foreign_numbers = {entry.id: foreign(entry.statement.paper_text, [entry.place]) for entry in PRINTED}
    assert len(foreign_numbers) > 150
    assert {name: numbers for name, numbers in foreign_numbers.items() if numbers} == {}


def test_quoted_mistakes_contain_only_numbers_of_their_section():
    foreign_numbers = {
        cause.id: foreign(cause.printed, [e.place for e in registry() if e.cause == cause.id and e.place])
        for cause in registry().causes.values()
    }
    assert {name: numbers for name, numbers in foreign_numbers.items() if numbers} == {}


def test_foreign_lists_numbers_that_the_section_does_not_print():
    theorem = registry()["thm:regret_upper_bound"]
    assert foreign(theorem.statement.own_text, [theorem.place]) == {
        "2.5",
        "2.1",
    }  # C = 5/2 and C' = 21/10; the 3 of C'' is one of the section's own numbers
    assert foreign("at least $6.46$", [registry()["thm:no_OFU/value-M1"].place]) == {"6.46"}
    assert foreign(r"with $\beta = \frac{1}{3}$ and $C = 21/10$", [theorem.place]) == {"1/3", "21/10"}
    assert foreign(r"Theorem 7, eq. (99), `x:17`, $\frac12$", [theorem.place]) == set()
