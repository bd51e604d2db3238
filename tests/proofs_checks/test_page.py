"""The file of the annotated paper: its content and links."""

from __future__ import annotations

import re
from errno import ENOSPC
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest
from markupsafe import escape

from proofs_checks.claimcheck import evidence
from proofs_checks.claimcheck.evidence.evidence import Leaf
from proofs_checks.kernel.headlines import headlines
from proofs_checks.paper import registry
from proofs_checks.report.pages.annotated import PageError, prepare_folder, rendering
from proofs_checks.report.pages.annotated.entries import DOES_NOT_HOLD, elsewhere, index, roots
from proofs_checks.report.pages.annotated.explorers import explorer_data
from proofs_checks.report.pages.annotated.mathematics import formula, prose
from proofs_checks.report.pages.annotated.rendering import write_page
from proofs_checks.report.pages.annotated.skeleton import skeleton
from proofs_checks.report.pages.errata import all_causes
from proofs_checks.report.pages.terminal import section_of
from proofs_checks.report.pages.theorems import TheoremSummary, theorem_summaries
from theory.errors import OutputError


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


def test_page_is_well_formed_and_internal_links_resolve(document):
    assert document.open == []
    assert len(document.ids) == len(set(document.ids))
    internal = {link[1:] for link in document.links if link.startswith("#")}
    assert len(internal) > 100
    assert internal <= set(document.ids)


def test_page_loads_nothing_from_other_addresses(page, document):
    assert all(address.startswith("data:") for address in document.loaded)
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"@import|url\((?!data:|#)|https?://(?!www\.w3\.org)", text)


def test_page_contains_every_entry_and_cause(ledger, document):
    assert {entry["id"] for entry in ledger} <= set(document.ids)
    assert {f"cause-{name}" for name in registry().causes} <= set(document.ids)


def test_skeleton_places_every_entry_once_in_its_section(ledger):
    parts = skeleton(ledger)
    placed = [entry["id"] for part in parts for entry in part.entries]
    assert sorted(placed) == sorted(entry["id"] for entry in ledger)
    for part in parts:
        for block in part.blocks:
            for entry in block.entries:
                if entry["location"]:
                    assert entry["location"]["section"] == part.section
                    assert f"({entry['location']['equation']})" in block.title or not entry["location"]["equation"]
    assert {"section-5", "section-5.1", "section-A", "section-A.2"} <= {part.anchor for part in parts}


def test_roots_are_theorems_or_entries_that_no_entry_depends_on(ledger):
    carried, begin = {other for entry in ledger for other in entry["depends_on"]}, roots(ledger)
    assert {"thm:no_OFU", "lem:sum", "eq:proof_bound"} <= {entry["id"] for entry in begin}
    for entry in begin:
        named = not entry["under"] and entry["location"]["environment"].startswith(("Theorem", "Lemma"))
        assert named or (len(entry["foundations"]) > 1 and entry["id"] not in carried), entry["id"]


def test_entry_without_a_place_is_listed_beside_the_paper(ledger):
    (cited,) = [entry for entry in ledger if entry["id"] == "cited:whittle"]
    own = cited | {"id": "my:lemma"}
    parts = {part.title: [entry["id"] for entry in part.entries] for part in skeleton([own, cited]) if part.entries}
    assert parts == {"Beside the paper": ["my:lemma"], "Taken from the literature": ["cited:whittle"]}
    assert [section_of(entry) for entry in (own, cited)] == list(parts)


def test_every_kind_of_evidence_has_an_explanation():
    kinds = [each for each in vars(evidence).values() if isinstance(each, type) and issubclass(each, Leaf)]
    named = {each.by for each in kinds} - {"", "nothing", "the literature"}  # these names need no explanation
    assert "algebra (SymPy)" in named
    assert [by for by in named if not evidence.explanation(by)] == []


def test_formula_is_typeset_or_printed_as_source():
    assert "<mfrac>" in formula(r"\frac{1}{2}")
    assert "<mtable" in formula(r"\begin{aligned} a &= b \\ &\le c \end{aligned}")
    assert "<munderover>" in formula(r"\sum_{m=1}^{T} \frac{1}{\sqrt{m}}")
    assert formula("k'").count("′") == 1
    assert prose("a < $x$ & b") == "a &lt; <math><mi>x</mi></math> &amp; b"
    assert r"\{" not in formula(r"\bigl\{ x \bigr\}")
    assert formula(r"\log\left(K \left(k - 1\right)\right)") == formula(r"\log(K (k - 1))")
    assert formula(r"\Big(\frac{1}{2}\Big)^2") == formula(r"\left(\frac{1}{2}\right)^2") != formula(r"(\frac{1}{2})^2")
    unknown = r'<code class="untypeset">\unknownmacro{x}</code>'
    assert prose(r"$\unknownmacro{x}$ $\unknownmacro{x}$.") == f'{unknown} <span class="nb">{unknown}.</span>'


def test_page_typesets_every_formula_of_the_ledger(page):
    text = page.read_text(encoding="utf-8")
    assert re.findall(r'class="untypeset">([^<]*)', text) == []
    words = re.sub(r"<(script|pre|style|code)\b.*?</\1>|<[^>]*>", "|", text, flags=re.DOTALL)
    assert re.findall(r"[^|]*[\\$][^|]*", words) == []


def test_long_formula_breaks_before_relations_outside_brackets():
    long = r"\left( \frac{a_1}{2} + a_2 = b_1 + b_2 + b_3 \right) + c \le d_1 + d_2 + d_3 + d_4 + d_5 + d_6"
    broken = formula(long)
    last = broken.rindex("<math>")  # with which the comma stays
    assert prose(f"a ${long}$, b") == f'a {broken[:last]}<span class="nb">{broken[last:]},</span> b'
    assert broken.count("<math>") == 3
    assert broken.index("<mo>=") < broken.index("</math>") < broken.index("≤")
    assert '</math><math><mrow><mo form="infix">+' in broken  # or it would have no space after it
    assert "infix" not in formula("-x")
    domain = r"0 \le \beta < 1,\; K \ge 2,\; S \ge 1,\; n \ge 2,\; \rho \in P"
    assert formula(domain) == "".join(
        formula(part)
        for part in (r"0 \le \beta < 1,\; ", r"K \ge 2,\; ", r"S \ge 1,\; ", r"n \ge 2,\; ", r"\rho \in P")
    )


def test_page_has_few_elements_outside_templates(page):
    """Folded parts are templates, which a browser builds only when they are opened."""
    text = page.read_text(encoding="utf-8")
    outside, depth = 0, 0
    for tag in re.finditer(r"<(/?)([a-zA-Z][\w-]*)", text[text.index("<body") :]):
        depth += (-1 if tag[1] else 1) * (tag[2] == "template")
        outside += depth == 0 and not tag[1]
    assert 1000 < outside < 15_000


def test_page_shows_kernel_statements_with_theorems_and_entries(page):
    text = page.read_text(encoding="utf-8")
    summaries = re.findall(r'<article class="theorem" id="summary-(theorem-\d)".*?</article>', text, re.DOTALL)
    assert summaries == ["theorem-1", "theorem-2", "theorem-3"]
    assert not re.search("<article(?![^>]* aria-label)", text)
    for each in headlines():
        entries = [f'<article class="entry from-\\w+" id="{re.escape(entry)}"' for entry in each.entries]
        summary = [f'<article class="theorem" id="summary-{each.of.lower().replace(" ", "-")}"'] if each.of else []
        for start in entries + summary:
            (article,) = re.findall(rf"{start}.*?</article>", text, re.DOTALL)
            for passage in (each.statement, each.definitions, each.printed, ", ".join(each.assumptions)):
                assert str(escape(passage)) in article, (each.name, start)


def test_undecided_segments_of_the_explorer_are_narrow():
    rows = [row for region in explorer_data()["moments"].values() for row in region.values()]
    open_ = [(high - low) / (1 - low) for row in rows for low, high, holds in row if holds == "undecided"]
    assert 1 / 400 < min(open_) <= max(open_[:3]) <= 1 / 200  # the first three are single parts


def test_search_index_has_titles_places_and_witnesses(ledger):
    causes = all_causes(registry())
    summaries = theorem_summaries(ledger, causes, registry())
    found = {each["id"]: each for each in index(ledger, causes, summaries, skeleton(ledger))}
    titles = [found["summary-theorem-1"]["title"], *(each["title"] for each in elsewhere(())[:2])]
    assert titles == ["Theorem 1", "Try it: the counterexample of Theorem 3", "Try it: the region of Lemma 4"]
    entries, told = {entry["id"]: entry for entry in ledger}, {name for name, each in found.items() if each["told"]}
    assert told >= set(entries) | {f"cause-{cause['id']}" for cause in causes}
    lemma = found["lem:sum"]
    assert (lemma["kind"], lemma["title"], lemma["section"]) == ("claim", "Lemma 3, lem:sum", "A.2")
    assert "appendix a.2" in lemma["places"]
    assert "thm:lower_bound" in found["summary-theorem-2"]["places"]
    assert "equation (12)" in found["summary-theorem-2"]["places"]
    assert found["section-5.1"]["title"] == "Section 5.1: Upper Bounds on Regret"
    assert "4951/1950" in found["eq:EVI/shared-rows"]["find"]  # of its witness
    assert found["thm:regret_upper_bound"]["uses"] == entries["thm:regret_upper_bound"]["depends_on"]
    failing = {entry["id"] for entry in ledger if entry["severity"] == "gap" and entry["verdict"] in DOES_NOT_HOLD}
    assert {each["id"] for each in found.values() if each["kind"] == "claim" and each["severity"] == "gap"} == failing


def test_page_shows_our_constants_only_in_our_boxes(page, ledger):
    text = page.read_text(encoding="utf-8")
    assert 'class="verdict v-holds-in-part"' in text
    (theorem,) = [entry for entry in ledger if entry["id"] == "thm:regret_upper_bound"]
    assert [str(theorem["parameters"][name]) for name in ("psrl", "ucrl2", "ucbvi")] == ["5/2", "21/10", "3"]
    constants = [
        "C</mi><mo>=</mo><mn>2.5</mn>",
        "<mo>′</mo></msup><mo>=</mo><mn>2.1</mn>",
        "<mi>″</mi></msup><mo>=</mo><mn>3</mn>",
    ]
    boxes = re.findall(r'<div class="printed.*?</div>', text, flags=re.DOTALL)
    assert len(boxes) > 2 * len(registry().causes)
    assert not [box for box in boxes if any(constant in box for constant in constants)]
    ours = "".join(re.findall(r'<div class="ours".*?</div>', text, flags=re.DOTALL))
    assert all(constant in ours for constant in constants)


def test_prepare_folder_refuses_a_foreign_page(tmp_path):
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(PageError, match="choose another folder"):
        prepare_folder(tmp_path)
    assert (tmp_path / "index.html").read_text() == "mine"
    (tmp_path / "file").write_text("")
    with pytest.raises(PageError, match="cannot be written"):
        prepare_folder(tmp_path / "file")


def test_write_page_raises_output_error_on_a_full_disk(tmp_path, monkeypatch):
    def disk_full(*_, **__):
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(rendering, "page_figures", lambda theorems: [])
    monkeypatch.setattr(Path, "write_text", disk_full)
    with pytest.raises(OutputError, match=r"^page .*index.html: cannot be written \(No space left on device\)$"):
        write_page(tmp_path, [], [], [])


def test_theorem_summaries_list_claims_constants_and_causes(ledger):
    summaries = theorem_summaries(ledger, all_causes(registry()), registry())
    assert [summary.name for summary in summaries] == ["Theorem 1", "Theorem 2", "Theorem 3"]
    first = summaries[0]
    assert {entry["id"].rpartition("/")[2] for entry in first.claims} >= {"psrl", "ucrl2", "ucbvi"}
    assert [(row["learner"], row["printed"], row["will_do"]) for row in first.constants] == [
        ("MB-PSRL", "170.696", "5/2"),
        ("MB-UCRL2", "85.639", "21/10"),
        ("MB-UCBVI", "1366.671", "3"),
    ]
    assert {name for name, _, _ in first.readings} >= {"clock", "prior"}
    assert all(summary.established for summary in summaries)
    assert "moment-lemma" in {cause["id"] for cause in first.causes}
    moved = {"foundations": [next(entry["id"] for entry in ledger if entry["cause"] == "moment-lemma")]}
    other = theorem_summaries([entry | moved for entry in ledger], all_causes(registry()), registry())[1]
    assert {cause["id"] for cause in other.causes} - {cause["id"] for cause in summaries[1].causes} == {"moment-lemma"}


@pytest.mark.parametrize(("parts", "whole"), [(["a", "b"], True), (["b", "c"], False)])
def test_summary_is_in_parts_if_the_theorem_depends_on_its_claims(parts, whole):
    summary = SimpleNamespace(theorem={"depends_on": ["a", "other"]}, claims=[{"id": each} for each in parts])
    assert TheoremSummary.in_parts.fget(summary) is whole
