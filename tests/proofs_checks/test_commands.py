"""Output and refusals of ``python -m proofs_checks``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from proofs_checks.claimcheck.ledger import UnknownClaimError
from proofs_checks.commands import entries as commands
from proofs_checks.commands.app import _COMMANDS
from proofs_checks.paper import registry
from proofs_checks.paper.shared.source import OUTLINE
from proofs_checks.report.pages.terminal import entry_lines, print_entry, print_ledger, print_summary
from tests import command_line
from tests.pinned import hold

SOME = ("thm:no_OFU/value-pi2", "thm:no_OFU/value-M1")


def run(*arguments):
    return command_line.run("proofs_checks", *arguments)


def check(*arguments):
    """Check claims in this process: starting workers takes long."""
    return run("check", *arguments, "--jobs", "1")


def test_check_prints_verdicts_and_values_as_json():
    done = check(*SOME, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    entries = json.loads(done.stdout)["claims"]
    assert [entry["id"] for entry in entries] == list(SOME)
    assert [entry["verdict"] for entry in entries] == ["holds", "fails"]
    assert entries[0]["values"]["value"] == "321/50"
    assert entries[1]["witness"]["value"] == "5163/800"
    assert entries[1]["location"]["equation"] == 40


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Theorem 2", "thm:lower_bound"),
        ("Thm. 2", "thm:lower_bound"),
        ("lemma 4", "lem:moment"),
        ("eq. (25)", "lem:moment"),
        ("(25)", "lem:moment"),
        ("equation 40", "thm:no_OFU/value-M1"),
        ("eq. (6)", "eq:EVI/shared-rows"),
        ("Fig. 5(b)", "fig:task_scheduling/mb-psrl"),
        ("Figure 1(a)", "sec:numerical/ucbvi-worst"),
        ("Figure 1(b)", "sec:numerical/time-order"),
        ("fig:randomwalk_cpt_3b4s", "sec:numerical/time-order"),
        ("eq:thm2", "thm:lower_bound"),
        ("eq. (12)", "thm:lower_bound"),
        ("eq:EVI", "eq:EVI/shared-rows"),
        ("thm:no_OFU", "thm:no_OFU"),
        ("Lemma 2", "lem:regret_decomposition"),
        ("Lemma 6", "lem:concentration_psrl"),
        ("line 438", "thm:lower_bound"),
        ("6.42", "thm:no_OFU/value-pi2"),
        ("6.47", "thm:no_OFU/value-M1"),
        ("761.4", "fig:randomwalk_3b4s/mb-ucrl2"),
        ("0.250", "fig:randomwalk/indices"),
        ("eq. (42)", "eq:simulation_value/expectation/repair"),
        ("Lemma moment", "lem:moment"),
        ("theorem no_OFU", "thm:no_OFU"),
        ("eq:lemma_HK", "lem:moment"),
    ],
)
def test_entry_is_found_by_its_name_in_the_paper(name, found):
    assert registry().named(name)[0].id == found


@pytest.mark.parametrize(
    ("name", "has_regret"), [("Fig. 1", 1), ("Fig. 1a", 1), ("Figure 1(b)", 0), ("fig:randomwalk_cpt_3b4s", 0)]
)
def test_figure_opens_its_claims_and_those_of_the_text_that_cites_it(name, has_regret):
    timed = {f"sec:numerical/time-{each}" for each in ("order", "smallest", "constant")}
    found = {entry.id for entry in registry().named(name)}
    assert timed <= found
    assert ("fig:randomwalk_3b4s/mb-ucrl2" in found) == has_regret


def test_each_label_opens_claims_or_names_a_section_that_has_some():
    sections = {entry.place.section for entry in registry() if entry.place}
    numbers = [*(f"Fig. {n}" for n in range(1, 7)), "Fig. 3(a)", "Table 1", "Table 2"]
    labels = [name for name in OUTLINE.lines if ":" in name]
    assert len(labels) > 90
    for name in [*labels, *numbers]:
        try:
            found = registry().named(name)
        except UnknownClaimError as error:
            told = str(error)
        else:
            assert found, name
            continue
        section = re.search(r"--section (\S+) lists the claims there$", told)
        assert section is not None, told
        assert any(each == section[1] or each.startswith(f"{section[1]}.") for each in sections), told
        assert not name.startswith(("Fig", "Table")), told


def test_show_lists_other_entries_of_the_same_equation():
    others = run("show", "eq. (40)").stdout.partition("Other entries of eq. (40): ")[2]
    assert "thm:no_OFU/value-pi2 (holds)" in others.replace("\n", " ").split(", ")
    assert check("eq. (25)", "--json").returncode == 0


def test_show_opens_an_entry_by_a_number_among_its_values():
    assert run("show", "thm:no_OFU/strict-pi2").returncode == 0  # computes and keeps it
    assert "thm:no_OFU/strict-pi2" in run("show", "5163/800").stdout


@pytest.mark.parametrize("name", ["theorem_M", "Statements.theorem_M"])
def test_show_prints_a_theorem_of_the_kernel_and_the_entries_on_it(name):
    done = run("show", name)
    assert done.returncode == 0
    assert done.stdout.startswith("\nStatements.theorem_M\n")
    assert "\n  carries: beyond:minimax\n" in done.stdout
    assert done.stdout.endswith("\n  restates: MinimaxLearner.minimax_regret\n")
    assert json.loads(run("show", name, "--json").stdout)["entries"][0] == "beyond:minimax"


def test_show_prints_witness_and_steps_and_is_deterministic():
    done = run("show", "thm:no_OFU/value-M1")
    assert done.returncode == 0
    assert "Evidence: exhaustive, 12 instances" in run("show", "fig:randomwalk/indices/repair").stdout
    parts = ("printed: Section C, equation (40)", "Verdict: fails", "value = 5163/800", "thm:no_OFU/value-M1/repair")
    steps = ("  2. unit steps of the margin", "Nearest known to be false, with 4.999995 in place of 5:")
    assert "\n  Witness: " in run("show", "gittins-cost/sum").stdout
    by_hand = run("show", "thm:lower_bound/one-state").stdout
    for output, expected in (
        (done.stdout, parts),
        (run("show", "gittins-cost/sum").stdout, steps),
        (by_hand, ["[BY HAND]"]),
    ):
        assert [part for part in expected if part not in output] == []
    for words in (["lem:sum/integral"], ["lem:sum/integral", "--json"]):
        assert run("show", *words).stdout == run("show", *words).stdout != ""


def test_mutants_option_adds_verdicts_of_mutants():
    done = check(SOME[0], "--mutants", "--json")
    assert done.returncode == 0
    (entry,) = json.loads(done.stdout)["claims"]
    assert entry["variants"]["printed = 6.43"] | {"why": ""} == {
        "kind": "mutant", "verdict": "fails", "as_it_should": True, "why": "",
        "witness": {"value": "321/50", "printed": "6.43"},
    }  # fmt: skip


def test_check_prints_every_id_once_at_the_start_of_a_line():
    ids = registry().below("thm:no_OFU")
    printed = check("--under", "thm:no_OFU").stdout.splitlines()
    assert [line.split(" ")[0] for line in printed if line.split(" ")[0] in ids] == ids  # each once: grep finds it


def test_check_filters_select_entries():
    def ids(*words):
        return [entry["id"] for entry in json.loads(check(*words, "--json").stdout)["claims"]]

    assert ids("--under", "lem:sum", "--fails") == ["lem:sum/reorder", "lem:sum/floor", "lem:sum/integral"]
    assert set(ids("--under", "lem:sum", "--cause", "integral-from-1")) == {"lem:sum/integral"}
    assert "lem:sum/integral/repair" in ids("--under", "lem:sum", "--origin", "ours")


def test_check_computes_only_what_the_filters_leave(monkeypatch):
    asked = []
    monkeypatch.setattr(commands, "run_entries", lambda ids, jobs, fresh: asked.extend(ids) or [])
    few = {"fails": False, "section": "7", "cause": None, "severity": None, "origin": None}
    assert commands.run_chosen(None, under=None, jobs=1, fresh=False, **few) == []
    assert asked == [each.id for each in registry() if each.place and each.place.section.partition(".")[0] == "7"] != []


def test_help_keeps_line_breaks_of_example_programs():
    assert "\n      def half(S, n, K, t, N, beta):\n" in run("properties", "--help").stdout
    assert "\n      python -m proofs_checks soak --models 1000 --jobs 2 --json\n" in run("soak", "--help").stdout
    assert not any("\\b" in run(each, "--help").stdout for each in _COMMANDS)


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_causes_prints_one_item_per_cause_within_the_width(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    listed = run("causes").stdout.splitlines()
    causes = json.loads(run("causes", "--json").stdout)["causes"]
    begun = [line.split()[1] for line in listed[: listed.index("")] if line[0] != " "]
    assert begun == [cause["id"] for cause in causes]
    assert max(map(len, listed)) <= columns
    assert columns < 160 or len(listed) == len(causes) + 2
    of = [sum(cause["severity"] == each for cause in causes) for each in ("major", "gap", "edge", "slip")]
    assert " ".join(listed).endswith("it touches: {} major, {} gap, {} edge, {} slip".format(*of))


def test_wrong_arguments_are_refused_in_one_line():
    for arguments, part in [
        (("check",), "name claims, or choose some by --section"),
        (("check", "--replace", "c=1"), "check replaces nothing: python -m proofs_checks properties --replace c=1"),
        (("check", "--under", "lem:som"), "no claim is called 'lem:som'; the nearest are lem:sum"),
        (("show", "theorem 9"), "no claim is called 'theorem 9'"),
        (("check", "--cause", "integral"), "no cause is called 'integral'; the nearest are integral-from-1, "),
        (("report",), "Missing argument"),
    ]:
        done = run(*arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("error: ")
        assert part in done.stderr
        assert done.stderr.count("\n") == 1


ALL = """id origin location withdrawn under paper ours statement domain verdict smaller_domain severity cause evidence by refuted_by
    instances effective_evidence by_hand reason steps values decimals witness nearest_refuted depends_on cited repairs
    repaired_by mutants controls different_readings"""
OURS = dict.fromkeys(ALL.split(), "") | {"id": "own:it", "origin": "ours", "verdict": "holds", "as_recorded": True}
OURS |= {"statement": r"$x \le 2$.", "ours": r"$x \le 2$.", "by_hand": 0}
OURS |= {"reading": {}, "compared": {}, "variants_read": {}}
AT = {"section": "A.1", "heading": "Sums", "environment": "Lemma 1", "equation": None, "line": 7}
WITHIN = [{"text": "$x$", "by": "algebra"}, {"text": "y", "by": "", "not_established": "no"}]
PRINTED = OURS | {"id": "lem:it", "origin": "printed", "location": AT, "paper": r"$x \le 3$.", "domain": r"$x \ge 0$"}
PRINTED |= {"verdict": "fails", "as_recorded": False, "recorded": {"verdict": "holds"}, "reading": {"at 0": "real"}}
PRINTED |= {"severity": "gap", "cause": "typo", "smaller_domain": "$x$", "evidence": "argued", "by": "steps"}
PRINTED |= {"refuted_by": "a point", "instances": 9, "effective_evidence": "tested", "reason": "since $x$"}
PRINTED |= {"steps": [{"text": "all", "by": "hand", "steps": WITHIN}, {"text": "end", "by": "hand"}]}
PRINTED |= {"values": {"v": "1/3"}, "decimals": {"v": "0.3"}, "witness": {"v": "1/3"}, "different_readings": ["b" * 99]}
PRINTED |= {"compared": {"left": "$x$", "right": "$3$", "claimed": r"$x \le 3$"}}
PRINTED |= {"nearest_refuted": {"c": 4}, "nearest_reads": {"c": r"$x \le 4$"}, "nearest_at": {"c": {"x": "7/2"}}}
PRINTED |= {"parameters": {"c": 3, "d": 1}, "variants_read": {"controls:1": r"$x \le 5$"}, "by_hand": 2}
LISTS = ("depends_on", "cited", "repairs", "repaired_by", "mutants", "controls")
PRINTED |= {each: [f"{each}:1", "b"] for each in LISTS}
BARE = PRINTED | {"ours": "", "location": AT | {"environment": "", "equation": 40}, "effective_evidence": "argued"}


WITHDRAWN = BARE | {"verdict": "withdrawn"}
IN_THE_KERNEL = {"evidence": "kernel", "by": "the kernel of Rocq: value_M1"}
REFUTED, RIGHT = (
    {"kind": kind, "as_it_should": True, "verdict": each} for kind, each in (("mutant", "fails"), ("control", "holds"))
)
WRONG = {"$c$": {"kind": "mutant", "as_it_should": False, "why": "so" * 50}}
VARIANTS = WRONG | {"d": REFUTED, "e": RIGHT, "f": RIGHT | {"verdict": "undecided"}}
PINNED = Path(__file__).with_name("printed.txt")
"""What the commands print of these entries: review it as a reader would."""


@pytest.fixture
def hold_printed(monkeypatch, tmp_path):
    """Compare a text with its pin; sources of the kernel count as not compiled here."""
    monkeypatch.setattr(sys.modules["proofs_checks.kernel.record"], "user_cache_path", lambda _: tmp_path)
    return lambda name, lines: hold(PINNED, name, (line or "." for line in lines))


ENTRIES = {
    "ours": (OURS, 99),
    "printed": (PRINTED, 99),
    "by a point": (BARE | {"by": ""}, 99),
    "withdrawn": (PRINTED | {"withdrawn": "$x$"}, 99),
    "withdrawn, beside others": (PRINTED | {"withdrawn": "$x$", "under": "thm:it"}, 99),
    "theorem, narrow": (OURS | IN_THE_KERNEL, 40),
    "theorem": (OURS | {"evidence": "kernel", "by": "the kernel of Rocq: rounding"}, 99),
    "five columns": (OURS | {"statement": "abcd a/b:cdef"}, 5),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_entry_prints_as_pinned(name, hold_printed):
    hold_printed(name, "\n".join(line.plain for line in entry_lines(*ENTRIES[name])).splitlines())


@pytest.mark.parametrize("width", [48, 49, 89, 90])
def test_ledger_prints_as_pinned_at_any_width(width, hold_printed, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    long = OURS | {"id": "own:2", "statement": "1" * 99}
    print_ledger([OURS, long, PRINTED, PRINTED | {"as_recorded": True}, BARE | {"location": AT | {"section": ""}}])
    print_entry(PRINTED | {"withdrawn": "a " * 50})
    hold_printed(f"ledger of {width} columns", capsys.readouterr().out.splitlines())


SUMMARIES = {
    "summary": [OURS],
    "summary with a witness": [OURS | {"variants": {"$c$": REFUTED | {"witness": {"c": "1/3", "right": "2"}}}}],
    "summary with variants": [OURS, PRINTED | {"evidence": "kernel", "variants": VARIANTS, "as_recorded": True}],
    "summary of what is not as recorded": [OURS, PRINTED, WITHDRAWN],
}


@pytest.mark.parametrize("name", SUMMARIES)
def test_summary_prints_as_pinned(name, hold_printed, capsys):
    print_summary(SUMMARIES[name])
    hold_printed(name, capsys.readouterr().out.splitlines())
