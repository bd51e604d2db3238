"""The annotated paper: what is in the file."""

from __future__ import annotations

import re
from errno import ENOSPC
from html.parser import HTMLParser
from pathlib import Path

import pytest

import proofs_checks
from proofs_checks.claims import registry
from proofs_checks.commands.mistakes import all_causes
from proofs_checks.pages.annotated import PageError, prepare_folder, write_page
from proofs_checks.pages.annotated.mathematics import formula, prose
from proofs_checks.pages.annotated.skeleton import skeleton
from proofs_checks.pages.annotated.trees import Tree
from proofs_checks.pages.errata import errata
from proofs_checks.pages.terminal import print_summary, section_of
from proofs_checks.pages.theorems import theorem_summaries
from theory.errors import OutputError

FILTERS = ("verdict", "severity", "cause", "grade", "section", "origin")


class Document(HTMLParser):
    """The ids, links and sources of a page, and whether its elements are closed in order."""

    EMPTY = frozenset({"meta", "link", "input", "br", "wbr", "path", "rect", "mspace", "img", "hr"})

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded, self.open = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        self.loaded += [given[name] for name in ("src", "srcset", "data") if name in given]
        if tag == "link":
            self.loaded.append(given["href"])
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in self.EMPTY:
            assert self.open.pop() == tag, f"</{tag}> closes another element, line {self.getpos()}"


@pytest.fixture(scope="module")
def document(page):
    return Document(page.read_text(encoding="utf-8"))


def test_elements_are_closed_in_order_and_names_are_unique(document):
    assert document.open == []
    assert len(document.ids) == len(set(document.ids))


def test_every_internal_link_has_a_target(document):
    internal = {link[1:] for link in document.links if link.startswith("#")}
    assert len(internal) > 100
    assert internal <= set(document.ids)


def test_nothing_is_loaded_from_elsewhere(page, document):
    assert all(address.startswith("data:") for address in document.loaded)
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"@import|url\((?!data:|#)|https?://(?!www\.w3\.org)", text)


def test_every_entry_and_every_cause_is_on_the_page(ledger, document):
    assert {entry["id"] for entry in ledger} <= set(document.ids)
    assert {f"cause-{name}" for name in registry().causes} <= set(document.ids)


def test_every_entry_stands_once_at_the_place_of_its_line(ledger):
    parts = skeleton(ledger)
    placed = [entry["id"] for part in parts for entry in part.entries]
    assert sorted(placed) == sorted(entry["id"] for entry in ledger)
    for part in parts:
        for block in part.blocks:
            for entry in block.entries:
                if entry["location"]:
                    assert entry["location"]["section"] == part.section
                    assert f"({entry['location']['equation']})" in block.title or not entry["location"]["equation"]


def test_an_entry_at_no_place_of_the_paper_is_not_called_literature(ledger):
    (cited,) = [entry for entry in ledger if entry["id"] == "cited:gittins"]
    own = cited | {"id": "my:lemma"}
    parts = {part.title: [entry["id"] for entry in part.entries] for part in skeleton([own, cited]) if part.entries}
    assert parts == {"Beside the paper": ["my:lemma"], "Taken from the literature": ["cited:gittins"]}
    assert [section_of(entry) for entry in (own, cited)] == list(parts)


@pytest.mark.parametrize(("right", "said"), [(True, "."), (False, ", but not every variant as it should.")])
def test_the_summary_says_whether_variants_came_out(ledger, capsys, right, said):
    variant = {"kind": "mutant", "verdict": "holds", "as_it_should": right, "why": "no counterexample"}
    print_summary([ledger[0] | {"variants": {"twice": variant}}])
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"Every entry came out as recorded{said}"


def test_formulas_are_typeset_or_their_source_is_shown():
    assert "<mfrac>" in formula(r"\frac{1}{2}")
    assert "<mtable" in formula(r"\begin{aligned} a &= b \\ &\le c \end{aligned}")
    assert "<munderover>" in formula(r"\sum_{m=1}^{T} \frac{1}{\sqrt{m}}")
    assert formula("k'").count("′") == 1
    assert prose("a < $x$ & b") == "a &lt; <math><mi>x</mi></math> &amp; b"
    assert r"\{" not in formula(r"\bigl\{ x \bigr\}")
    assert prose(r"$\unknownmacro{x}$") == r'<code class="untypeset">\unknownmacro{x}</code>'


def test_every_formula_of_the_ledger_is_typeset(page):
    text = page.read_text(encoding="utf-8")
    assert re.findall(r'class="untypeset">([^<]*)', text) == []
    assert "$" not in re.sub(r"<(script|pre|style)\b.*?</\1>", "", text, flags=re.DOTALL)


def test_a_long_formula_may_be_broken_before_its_relations_but_not_within_brackets():
    broken = formula(r"\left( \frac{a_1}{2} + a_2 = b_1 + b_2 + b_3 \right) + c \le d_1 + d_2 + d_3 + d_4 + d_5 + d_6")
    assert broken.count("<math>") == 2
    assert broken.index("=") < broken.index("</math>") < broken.index("≤")


def test_a_tree_shows_what_its_root_rests_on_down_to_each_depth():
    def entry(name, *uses):
        return {"id": name, "depends_on": list(uses)}

    contents = {each["id"]: each for each in (entry("r", "a", "c"), entry("a", "b"), entry("b", "c"), entry("c"))}
    tree = Tree(contents["r"], contents)
    assert tree.depths == {"r": 0, "a": 1, "b": 2, "c": 3}
    drawn = {drawing.depth: {box.entry["id"]: box for box in drawing.boxes} for drawing in tree.drawings()}
    assert [sorted(boxes) for boxes in drawn.values()] == [["a", "r"], ["a", "b", "r"], ["a", "b", "c", "r"]]
    assert drawn[1]["r"].hidden == 1
    assert [len(drawing.curves) for drawing in tree.drawings()] == [1, 2, 4]
    for drawing in tree.drawings():
        places = {(box.x, box.y) for box in drawing.boxes}
        assert len(places) == len(drawing.boxes)
    assert drawn[3]["r"].x < drawn[3]["a"].x < drawn[3]["b"].x < drawn[3]["c"].x


def test_a_page_of_someone_else_is_not_overwritten(tmp_path):
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(PageError, match="choose another folder"):
        prepare_folder(tmp_path)
    assert (tmp_path / "index.html").read_text() == "mine"
    (tmp_path / "file").write_text("")
    with pytest.raises(PageError, match="cannot be written"):
        prepare_folder(tmp_path / "file")


def test_a_page_that_turns_out_not_to_be_writable_is_a_late_failure(tmp_path, monkeypatch):
    def disk_full(*_, **__):
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", disk_full)
    with pytest.raises(OutputError, match=r"^page .*index.html: cannot be written \(No space left on device\)$"):
        write_page(tmp_path, [], [], [])


def test_each_theorem_has_a_summary_with_what_is_established(ledger):
    summaries = theorem_summaries(ledger, all_causes(), registry())
    assert [summary.name for summary in summaries] == ["Theorem 1", "Theorem 2", "Theorem 3"]
    first = summaries[0]
    assert {entry["id"].rpartition("/")[2] for entry in first.claims} >= {"psrl", "ucrl2", "ucbvi"}
    assert len(first.constants) > 10
    assert {name for name, _, _ in first.readings} >= {"clock", "prior"}
    assert all(summary.established for summary in summaries)
    assert "moment-lemma" in {cause["id"] for cause in first.causes}


def test_errata_beside_the_code_are_those_of_the_ledger(ledger):
    causes = all_causes()
    written = (Path(proofs_checks.__file__).parent / "ERRATA.md").read_text(encoding="utf-8")
    found = errata(causes, theorem_summaries(ledger, causes, registry()))
    assert written == found, "out of date: python -m proofs_checks errata > proofs_checks/ERRATA.md"
    assert all(cause["instead"] in written and cause["why"] in written for cause in causes)
    order = [
        written.index(f"## {name}")
        for name in ("False", "Gaps", "Edges", "Slips", "Theorem 1", "Theorem 2", "Theorem 3")
    ]
    assert order == sorted(order)
