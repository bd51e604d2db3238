"""The Rocq sources: their record, their numbers, and that the kernel refuses wrong numbers.

What needs ``coqc`` is run by ``-m system``, and skipped without it; the whole compilation is `python -m proofs_checks kernel`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from fractions import Fraction
from functools import reduce
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from filelock import FileLock

from proofs_checks.claimcheck.evidence import Grade
from proofs_checks.claimcheck.ledger import Book, Verdict
from proofs_checks.commands import compiling
from proofs_checks.commands.entries import show
from proofs_checks.kernel.certificates import refuse_other_models
from proofs_checks.kernel.compilation import compile_into, compile_sources
from proofs_checks.kernel.constants import unstated
from proofs_checks.kernel.coqc import KernelError, run_coqc
from proofs_checks.kernel.evidence import InKernel
from proofs_checks.kernel.headlines import _excerpt, _parts, headlines
from proofs_checks.kernel.questions import ALLOWED_AXIOMS, EXCLUDED_MIDDLE, OF_MEASURE_THEORY, allowed_axioms
from proofs_checks.kernel.record import is_current, kernel_word, note_compiled, record
from proofs_checks.kernel.sources import (
    FOLDER,
    digest,
    imported_files,
    needed_files,
    source,
    source_files,
    without_comments,
    written_theorems,
)
from proofs_checks.kernel.terms import rocq_terms
from proofs_checks.paper import registry
from proofs_checks.paper.section_6.conflicting_rows import CONFLICT
from tests.proofs_checks.pins import in_kernel
from theory import Arm, Bandit, fraction, gittins_value, index_certificate, priority_value, value_certificate
from theory.optimism import optimistic_value
from theory.paper import COUNTEREXAMPLE_RADIUS, counterexample, counterexample_m1, counterexample_m2

NEEDS = (
    pytest.mark.system,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(shutil.which("coqc") is None, reason="Rocq is not installed"),
)


def needs_rocq(test):
    return reduce(lambda marked, mark: mark(marked), NEEDS, test)


def test_kernel_record_is_current():
    assert is_current(), "run python -m proofs_checks kernel --record"
    assert [(theorem["file"], theorem["name"]) for theorem in record()["theorems"]] == [
        (theorem["file"], theorem["name"]) for theorem in written_theorems()
    ]


def test_digest_ignores_comments_and_notices_code(tmp_path):
    for name in (*source_files(), "_CoqProject"):
        shutil.copy(FOLDER / name, tmp_path)
    text = source("LowerBound.v")
    for changed, same in [
        (text.replace("(* With one arm", "(* Also (* and so on *) with one\n   arm"), True),
        (text.replace("3600 *", "3599 *"), False),
        (text.replace("Theorem one_arm", "(* Theorem one_arm *) Theorem one_arm"), True),
        (text.replace("(0 < K)%nat", "(0 <= K)%nat"), False),
    ]:
        assert changed != text
        (tmp_path / "LowerBound.v").write_text(changed, encoding="utf-8")
        assert (digest(tmp_path) == digest()) is same


def test_rocq_sources_follow_their_imports_and_admit_nothing():
    files = source_files()
    assert set(files) == {path.name for path in FOLDER.glob("*.v")}
    for number, file in enumerate(files):
        assert set(imported_files(source(file))) <= set(files[:number])
        assert not re.search(r"\b(Admitted|admit|Axiom|Axioms|Conjecture|Parameter|Parameters)\b", source(file)), file


def test_only_theorems_of_measure_theory_assume_further_axioms():
    """Exactly the theorems of `OF_MEASURE_THEORY` assume more than `ALLOWED_AXIOMS`."""
    more = set()
    for theorem in record()["theorems"]:
        assert set(theorem["assumptions"]) <= allowed_axioms(theorem["name"]), theorem["name"]
        if set(theorem["assumptions"]) - ALLOWED_AXIOMS:
            more.add(theorem["name"])
    assert more == OF_MEASURE_THEORY


@pytest.fixture
def fake_rocq(monkeypatch, tmp_path):
    """Replace ``coqc`` by a fake that accepts all sources, prints the recorded theorems and refuses Certificate1.v."""
    recorded, more = {f"{each['file'][:-2]}.{each['name']}": each for each in record()["theorems"]}, []

    def answered(command, cwd=None, **how):
        output = "Axioms:\n" + "\n".join(more) if more else "Closed under the global context"
        done, file = SimpleNamespace(returncode=0, stdout=output, stderr=""), command[-1]
        of_version = file == "--print-version"
        assert (command[0], how) == ("coqc", {"capture_output": True, "text": True, "check": of_version})
        if of_version:
            done.stdout = "8.16.1 4.14.1"
            return done
        text = (cwd / file).read_text(encoding="utf-8")
        assert all((cwd / f"{needed}o").exists() for needed in imported_files(text))
        (cwd / f"{file}o").touch()
        groups = dict(re.findall(r"Definition (group\d+) := (.*)\n", text))
        for name, what, theorem_or_group in re.findall(r'Redirect "(\w+)" (.*[ @])(\S+)[.]\n', text):
            axioms = {
                axiom
                for theorem in re.findall(r"@([\w.']+),", groups.get(theorem_or_group, ""))
                for axiom in recorded[theorem]["assumptions"]
            }
            output = ("\n".join(["Axioms:", *(f"{axiom}\n  : Prop" for axiom in [*axioms, *more])]) if "Print" in what
                else f"it\n     : {recorded[theorem_or_group]['statement'].replace(chr(10), chr(10) + ' ' * 7)}")  # fmt: skip
            (cwd / f"{name}.out").write_text(output, encoding="utf-8")
        if file == "Certificate1.v":
            done.returncode, done.stderr = 1, 'File "./Certificate1.v", line 5, characters 0-4:\nError: no\n'
        return done

    monkeypatch.setattr("proofs_checks.kernel.coqc.subprocess.run", answered)
    monkeypatch.setattr("proofs_checks.kernel.coqc.shutil.which", lambda _: "coqc")
    monkeypatch.setattr("proofs_checks.kernel.record.user_cache_path", lambda _: tmp_path / "cache")
    return more


def test_kernel_command_prints_every_theorem_and_forbidden_axioms(fake_rocq, tmp_path):
    found = CliRunner().invoke(compiling.kernel, ["--jobs", "3", "--json", "--keep", str(tmp_path / "kept")])
    content = json.loads(found.stdout)
    assert (found.exit_code, content.pop("forbidden"), content.pop("as_recorded")) == (0, {}, True)
    lines = {each["file"]: each["lines"] for each in content.pop("files")}
    assert lines == {file: len(source(file).splitlines()) for file in source_files()}
    assert all((tmp_path / "kept" / f"{file}o").exists() for file in lines)
    assert content == record()
    assert kernel_word() == "kernel (compiled here)"
    fake_rocq.append("mine")
    result = CliRunner().invoke(compiling.kernel, ["--jobs", "3"])
    assert result.exit_code == 1
    carried = {entry for theorem in record()["theorems"] for entry in theorem["entries"]}
    assert (
        f"Rocq 8.16.1 accepts {len(record()['theorems'])} theorems in {len(lines)} files ({sum(lines.values())} lines, 0 s); they carry {len(carried)} entries of the ledger."
        in re.sub(r"\d+ s\)", "0 s)", result.stdout)
    )
    assert "\nno_OFU assumes more than it may: mine\n" in result.stdout
    assert result.stdout.endswith("\nrecorded.json is not the record of these sources; write it with --record\n")


def test_excluded_middle_is_assumed_only_in_listed_files():
    """Only logarithms, maxima on compact sets and integrals need it."""
    where = {theorem["name"]: theorem["file"] for theorem in written_theorems()}
    of_logarithms = {file for file in source_files() if re.search(r"\b(ln|Rpower)\b", source(file))}
    assuming = {where[each["name"]] for each in record()["theorems"] if EXCLUDED_MIDDLE in each["assumptions"]}
    for file in assuming - {"Maximiser.v", "ExtendedIteration.v", "Integrals.v"}:  # Integrals.v through mathcomp
        assert of_logarithms.intersection(needed_files(file)), file
    assert assuming.isdisjoint({"Theorem3.v", "Gittins.v", "Conservation.v", "Hull.v", "Optimism.v", "Retirement.v"})


def named_theorems(entry):
    """Return the theorems that an entry's evidence or refutation names."""
    return {theorem for leaf in in_kernel(entry) for theorem in leaf.theorems}


def test_theorems_and_entries_refer_to_each_other():
    """The entries that a theorem lists use it, and no other entry uses it."""
    used = {entry.id: named_theorems(entry) for entry in registry()}
    for theorem in written_theorems():
        assert not [entry for entry in theorem["entries"] if theorem["name"] not in used[entry]], theorem["name"]
    named = {
        (theorem["name"], entry) for theorem in written_theorems() for entry in theorem["entries"] + theorem["step_of"]
    }
    assert {(theorem, entry) for entry, theorems in used.items() for theorem in theorems} <= named
    assert {entry for _, entry in named} <= set(used)


def resting_on_theorems():
    """Yield the entries that rest on theorems or are refuted by some, with that evidence."""
    return ((entry.id, leaf) for entry in registry() for leaf in in_kernel(entry))


def test_theorems_contain_the_numbers_of_their_claims():
    assert {claim_id: unstated(leaf.theorems, leaf.values) for claim_id, leaf in resting_on_theorems()
            if unstated(leaf.theorems, leaf.values)} == {}  # fmt: skip


def test_claim_with_another_number_than_its_theorem_is_refused():
    """C = 12/5, not the theorem's 5/2; likewise every number except 0 and 1, which a statement need not contain."""
    book, found = Book(registry()), registry()["thm:regret_upper_bound/psrl"].statement
    for constant, why in (("5/2", ""), ("12/5", "C = 12/5: stands in no statement of mb_psrl_regret")):
        statement = found.with_(first=2, C=constant)
        assert InKernel("mb_psrl_regret", **statement.parameters).establish(statement, book).why == why
    changed = 0
    for claim_id, leaf in resting_on_theorems():
        for name, value in leaf.values.items():
            if re.fullmatch(r"\d+(/\d+|\.\d+)?", str(value)) and fraction(value) not in (0, 1):
                other = fraction(value) * Fraction(997, 991)
                assert unstated(leaf.theorems, {name: other}) == [f"{name} = {other}"], claim_id
                changed += 1
    assert changed > 80


def test_claim_with_two_numbers_swapped_is_refused():
    """(4, 7/2, 39) as (7/2, 4, 39), or with one number twice: the numbers occur in the theorem, but in other places."""
    exchanged = 0
    for claim_id, leaf in resting_on_theorems():
        numbers = {name: value for name, value in leaf.values.items()
                   if re.fullmatch(r"\d+(/\d+|\.\d+)?", str(value)) and fraction(value) not in (0, 1)}  # fmt: skip
        for one, other in combinations(numbers, 2):
            if numbers[one] == numbers[other]:
                continue
            swapped = {one: numbers[other], other: numbers[one]}
            twice = {one: numbers[other], other: numbers[other]}
            assert unstated(leaf.theorems, swapped), (claim_id, swapped)
            assert unstated(leaf.theorems, twice), (claim_id, twice)
            exchanged += 1
    assert exchanged >= 15


@pytest.mark.parametrize(
    "entry", [entry for entry in registry() if isinstance(entry.refutation, InKernel)], ids=lambda entry: entry.id
)
def test_kernel_refutation_applies_to_its_own_claim_only(entry, monkeypatch):
    book = Book(registry())
    found = book.judge_statement(entry.statement, entry)
    assert (found.verdict, found.grade) == (Verdict.FAILS, Grade.KERNEL)
    assert found.witness
    for parameters in [*entry.controls.values(), *entry.mutants.values()]:
        assert not entry.refutation.establish(entry.statement.with_(**parameters), book).established
    monkeypatch.setattr("proofs_checks.kernel.evidence.is_current", lambda: False)
    assert book.judge_statement(entry.statement, entry).grade is Grade.CERTIFIED


def test_in_kernel_requires_every_named_theorem():
    """A theorem that is a step of another establishes no entry by itself."""
    for entry, *theorems, established in [
        ("thm:no_OFU/members", "M1_in_set", "M2_in_set", True), ("thm:no_OFU/members", "M1_in_set", "M3_in_set", False),
        ("thm:no_OFU/members", "M1_in_set", "no_OFU", False), ("lem:moment/repair", "moment_converges", False),
        ("lem:moment/repair", "moment_converges", "moment_repaired", True),
    ]:  # fmt: skip
        statement = registry()[entry].statement
        outcome = InKernel(*theorems, **statement.parameters).establish(statement, Book(registry()))
        assert outcome.established is established
    with pytest.raises(ValueError, match="name the theorems"):
        InKernel(a=1)


def numbers(file, name):
    """Return the numbers of ``Definition name : ... := [:: ...]`` or ``:= p/q``, in their order."""
    found = re.search(rf"^Definition {name}\b[^=]*:=(?P<value>[^.]*)\.", source(file), re.MULTILINE)
    return [Fraction(number) for number in re.findall(r"-?\d+(?:/\d+)?", found["value"])]


def flat(rows):
    return [fraction(entry) for row in rows for entry in row]


def test_numbers_of_theorem_3_equal_the_models():
    a, b = counterexample().arms
    assert numbers("Theorem3.v", "a_rewards") == [fraction(reward) for reward in a.rewards]
    assert numbers("Theorem3.v", "a_rows") == flat(a.transitions)
    assert numbers("Theorem3.v", "a_radius") == [fraction(COUNTEREXAMPLE_RADIUS)]
    assert numbers("Theorem3.v", "b_rewards") == [fraction(reward) for reward in b.rewards]
    assert numbers("Theorem3.v", "b_rows") == flat(b.transitions)
    assert numbers("Theorem3.v", "M1_rows") == flat(counterexample_m1().arms[0].transitions)
    assert numbers("Theorem3.v", "M2_rows") == flat(counterexample_m2().arms[0].transitions)
    assert numbers("Theorem3.v", "beta") == [fraction(counterexample().discount)]


def test_numbers_of_extended_value_iteration_equal_the_example():
    """Arm 2 has a third state, out of reach."""
    a, b = CONFLICT.arms
    assert numbers("Optimism.v", "free_rewards") == [fraction(each) for each in a.rewards]
    assert numbers("Optimism.v", "free_rows") == flat(a.transitions)
    assert numbers("Optimism.v", "swap_rewards") == [*map(fraction, b.rewards), 0]
    rows = [[*row, 0] for row in b.transitions] + [[0, 0, 1]]
    assert numbers("Optimism.v", "swap_rows") == flat(rows)
    assert numbers("Optimism.v", "free_discount") == [fraction(CONFLICT.discount)]
    assert (a.transition_radius[0], *a.transition_radius[1:], *b.transition_radius) == (2, 0, 0, 0, 0)
    table = numbers("Optimism.v", "extended_table")
    extended = optimistic_value(CONFLICT).values
    pairs = [divmod(i, 2) for i in range(6)]
    assert [table[3 * i + j] for i, j in pairs] == [fraction(extended[i, j]) for i, j in pairs]


def names(order):
    """Return the states of ``Definition order := priority [:: A2; B1; ...]``."""
    found = re.search(rf"^Definition {order} := priority \[::(?P<states>[^]]*)\]", source("Theorem3.v"), re.MULTILINE)
    return found["states"].replace(" ", "").split(";")


def test_values_of_theorem_3_equal_exact_computation():
    """Extended value iteration's maximum is attained in the set here, and so it is the supremum over the set."""
    estimates, from_a1_b1 = counterexample(), ("A1", "B1")
    over_set = {
        "value_pi2": optimistic_value(estimates, names("pi2")),
        "value_pi1": optimistic_value(estimates, names("pi1"), from_a1_b1),
        "value_most_optimistic": optimistic_value(estimates),
    }
    assert all(found.attained for found in over_set.values())
    values = {name: found.value for name, found in over_set.items()}
    values["value_M1"] = gittins_value(counterexample_m1()).value
    values["value_M2"] = gittins_value(counterexample_m2()).value
    statements = {theorem["name"]: theorem["statement"] for theorem in record()["theorems"]}
    for name, value in values.items():
        fractions = re.findall(r"\((\d+) / (\d+)\)", statements[name])
        assert [Fraction(int(p), int(q)) for p, q in fractions] == [fraction(value)], name
    assert priority_value(counterexample_m2(), names("pi1")).value == values["value_pi1"]
    survivor = optimistic_value(estimates, names("open_order"))
    assert (survivor.value, survivor.attained) == (values["value_most_optimistic"], True)


def test_kernel_command_without_rocq_names_the_packages(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(KernelError, match="apt-get install coq libcoq-interval"):
        compile_sources(None, 1, {}, print)
    assert isinstance(CliRunner().invoke(compiling.kernel, []).exception, KernelError)


def test_evidence_line_states_whether_sources_were_compiled_here(monkeypatch, tmp_path):
    monkeypatch.setattr("proofs_checks.kernel.record.user_cache_path", lambda _: tmp_path)
    printed = CliRunner().invoke(show, ["thm:no_OFU"]).stdout
    expected = ("Evidence: kernel (recorded, not compiled here)", "Theorem3.no_OFU", "Added to the paper's words")
    assert all(each in printed for each in (*expected, "breaks_ties tie ->")), printed
    note_compiled()
    assert "Evidence: kernel (compiled here)" in CliRunner().invoke(show, ["thm:no_OFU"]).stdout
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr("proofs_checks.kernel.record.FOLDER", tmp_path)  # the same sources in another clone
        assert kernel_word() == "kernel (recorded, not compiled here)"
    monkeypatch.setattr("proofs_checks.kernel.record.digest", lambda: "of other sources")
    assert kernel_word() == "kernel (recorded, not compiled here)"


WRONG_NUMBERS = {"statement, a supremum": ("(values_over_set beta estimates pi2 (at_ s1 s3)) (321/50)",
    "(values_over_set beta estimates pi2 (at_ s1 s3)) (641/100)"),
    "statement, a printed value": ("Rabs (5163/800 - 647/100) <= 1/200", "Rabs (5163/800 - 645/100) <= 1/200"),
    "a reward": ("b_rewards : seq R := [:: 321/100; 0; 321/100]", "b_rewards : seq R := [:: 322/100; 0; 321/100]"),
    "a row": ("M2_rows : seq (seq R) := [:: [:: 3/5; 2/5; 0]", "M2_rows : seq (seq R) := [:: [:: 3/5; 3/10; 1/10]"),
    "the radius": ("a_radius : R := 1/5", "a_radius : R := 1/4"),
    "the open order": ("[:: A2; B1; A1; B3; A3; B2]", "[:: A2; B1; B3; A1; A3; B2]"),
    "the theorem, ties": ("breaks_ties tie ->\n  exists", "True ->\n  exists")}  # fmt: skip


@pytest.fixture(scope="module")
def compiled_sources(tmp_path_factory):
    """Return a folder where all sources are compiled, unchanged."""
    return workspace_with(tmp_path_factory)


def workspace_with(tmp_path_factory, needed_for=None):
    """Return a folder of this process's own that links to sources compiled once: by KERNEL_COMPILED, or by the first to ask."""
    kept = os.environ.get("KERNEL_COMPILED")
    together = (
        tmp_path_factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else tmp_path_factory.getbasetemp()
    )
    folder = Path(kept) if kept else together / f"compiled for {needed_for}"
    files = source_files() if needed_for is None else needed_files(needed_for)
    if kept:
        assert all((folder / file).read_text(encoding="utf-8") == source(file) for file in files), (
            f"{kept}: of other sources"
        )
    else:
        with FileLock(f"{folder}.lock"):
            if not (folder / "done").exists():
                shutil.rmtree(folder, ignore_errors=True)
                compile_into(folder, files, jobs=2)
                (folder / "done").touch()
    workspace = tmp_path_factory.mktemp("workspace")
    for file in files:
        (workspace / f"{file}o").symlink_to(folder / f"{file}o")
    return workspace


def hypotheses_of(statement):
    """Return how many arrows a statement has outside of brackets, before it says "exists" or "and"."""
    depth, found = 0, 0
    for part in re.findall(r"[()\[\]]|->|exists|/\\|.", statement, re.DOTALL):
        depth += (part in ("(", "[")) - (part in (")", "]"))
        if depth == 0 and part in ("exists", "/\\"):
            break
        found += part == "->" and depth == 0
    return found


def test_excerpt_has_visible_variables_alone_and_those_in_their_types():
    text = """Section One. Variables (d : D) (T : of d) (n : nat). Section Inner. Variable n : R. End Inner.
    Hypotheses (n1 : 1 <= n) (odd : T). Hypothesis even : 2 <= n. Definition f (x : T) := n. End One.
    Section Two. Variable T : R. Notation half := (f / T). Hypotheses (T0 : 0 < T) (T9 : T < 9) (T7 : T < 7).
    Theorem t : half = 1. Proof. exact T0. Qed. End Two."""
    parts = list(_parts(text))
    assert _excerpt(parts, len(parts) - 1, "T < 9 -> f / T = 1") == (
        "Variable T : R.\nNotation half := (f / T).\nHypotheses (T0 : 0 < T) (T9 : T < 9).\nTheorem t : half = 1.",
        "\nSection One.\nVariables (d : D) (T : of d) (n : nat).\nDefinition f (x : T) := n.\nEnd One.",
    )


def test_headlines_list_all_theorems_of_statements_v():
    """Each headline comes with every definition and hypothesis that it uses."""
    by_name = {(each["file"], each["name"]): each for each in record()["theorems"]}
    found = headlines.__wrapped__()
    assert [each.name for each in found] == [name for file, name in by_name if file == "Statements.v"]
    assert len(found) >= 12
    assert {each.of for each in found} == {"Theorem 1", "Theorem 2", "Theorem 3", ""}
    declared = re.findall(r"^(?:Definition|Fixpoint) (\w+)", code_lines(source("Statements.v")), re.MULTILINE)
    words = " ".join(source("Statements.v").split())
    for each in found:
        assert re.search(rf"{each.file}: {each.theorem}[.,] {re.escape(each.said)} ?\*\)", words), each.name
        assert each.entries == tuple(by_name[each.file, each.theorem]["entries"])
        assert each.printed == by_name["Statements.v", each.name]["statement"]
        assert each.assumptions
        text = f"{each.definitions}\n{each.statement}"
        assert not re.search("Proof|Lemma", text)
        for name in set(re.findall(r"[\w']+", without_comments(text))).intersection(declared):
            assert re.search(rf"^(?:Definition|Fixpoint) {name}\b", each.definitions, re.MULTILINE), (each.name, name)
            assert len(re.findall(rf"\b{name}\b", without_comments(text))) > 1, (each.name, name)
        assert each.definitions.count("\nSection") == each.definitions.count("\nEnd")
        hypotheses = [line for line in each.statement.splitlines() if line.startswith("Hypothes")]
        groups = sum(line.count(" : ") if line.startswith("Hypotheses") else 1 for line in hypotheses)
        written = each.statement.partition("Theorem ")[2]
        assert groups + hypotheses_of(written) == hypotheses_of(each.printed), each.name


def code_lines(text):
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


def restated(headline):
    """Return a source that equates a headline's displayed text with the proved statement, and refuses a variant."""
    text = source("Statements.v")
    place = headline.statement.rfind("<=")
    other = f"{headline.statement[:place]}<{headline.statement[place + 2 :]}" if place >= 0 else ""
    modules = [
        f"""Module {name}.
        Section Shown.
        {statement}
        Proof using All. Admitted.
        End Shown.
        {refused}Definition the_same : ltac:(let said := type of @{headline.name} in exact said) := @Statements.{headline.name}.
        End {name}.
        """
        for name, refused, statement in (("Right", "", headline.statement), ("Other", "Fail ", other))
        if statement
    ]
    before = text[text.index("From kernel") : text.index("Definition is_law")]
    return f"{before}\nFrom kernel Require Statements.\n{headline.definitions}\n{''.join(modules)}"


@needs_rocq
@pytest.mark.parametrize("headline", headlines(), ids=lambda each: each.name)
def test_kernel_equates_displayed_and_proved_headline(compiled_sources, headline):
    """The kernel also refuses to equate a variant of the headline."""
    (compiled_sources / "Shown.v").write_text(restated(headline), encoding="utf-8")
    run_coqc(compiled_sources, "Shown.v")


def test_statements_option_prints_headlines_beside_the_papers_words(monkeypatch):
    result = CliRunner().invoke(compiling.kernel, ["--statements"], env={"COLUMNS": "40"})
    assert (result.exit_code, max(map(len, result.stdout.splitlines()))) == (0, 40)
    words = " ".join(result.stdout.split())
    for expected in ("The paper (thm:lower_bound):", "Ours (beyond:upper):", "n * s * (1 - beta) <= 3598 * k ->"):
        assert expected in words
    assert "assumes: sig_forall_dec, sig_not_dec, functional_extensionality_dep" in words
    listed = json.loads(CliRunner().invoke(compiling.kernel, ["--statements", "--json"]).stdout)["statements"]
    assert [each["name"] for each in listed] == [each.name for each in headlines()]
    assert all(each["words"] and each["definitions"] for each in listed)
    assert CliRunner().invoke(compiling.kernel, ["--statements", "--record"]).exit_code == 2
    monkeypatch.setattr("proofs_checks.commands.compiling.is_current", lambda: False)
    assert isinstance(CliRunner().invoke(compiling.kernel, ["--statements"]).exception, KernelError)
    monkeypatch.setattr("proofs_checks.kernel.headlines.is_current", lambda: False)
    assert headlines.__wrapped__() == ()


WRONG_PRIORS = {
    "Dirichlet priors, the constant": ("<=\n      5/2 *", "<=\n      2 *"),
    "Dirichlet priors, rewards of 0 and 1 swapped": (
        "(a + INR (payments seen c true)) (b + INR (payments seen c false)) (post h c)",
        "(a + INR (payments seen c false)) (b + INR (payments seen c true)) (post h c)",
    ),
    "Dirichlet priors, moves counted twice": (
        "alpha y + INR (moved seen c y)) (a",
        "alpha y + 2 * INR (moved seen c y)) (a",
    ),
    "Dirichlet priors, unbounded functions": (
        "(forall h g, bounded g -> let chance",
        "(forall h (g : (A * S -> cell_law S) -> R), let chance",
    ),
}

WRONG_HEADLINES = {
    "Theorem 1, one episode": ("Hypotheses (K2 : (2 <= K)%nat)", "Hypotheses (K2 : (1 <= K)%nat)"),
    "Theorem 1, no discount": (
        "Hypotheses (discount : 0 <= beta < 1) (rho_ok",
        "Hypotheses (discount : 0 <= beta <= 1) (rho_ok",
    ),
    "laws without monotonicity": (
        "    & forall f g, is_bounded f -> is_bounded g -> (forall o, f o <= g o) -> E f <= E g].",
        "    & True].",
    ),
    "Theorem 1, a class without the radii": ("in_class (fun h t => is_one (has_strayed K h t))", "True"),
    "Theorem 1, a class without products": (
        "in_class (fun h t => plays_drawn best post (drop (size h - k) h) pi * g h t)",
        "True",
    ),
    "Theorem 1, MB-PSRL": ("<=\n    5/2 * (sqrt s + paper_log", "<=\n    12/5 * (sqrt s + paper_log"),
    "Theorem 1, measures": ("integral_of P regret <= 5/2 *", "integral_of P regret <= 12/5 *"),
    "Theorem 1, unbounded rewards": (
        "is_law rho -> (forall o, 0 <= pays o <= 1) -> (2 <= K)",
        "is_law rho -> (forall o, 0 <= pays o) -> (2 <= K)",
    ),
    "Theorem 1, no law": ("is_expectation prior -> is_posterior", "is_posterior"),
    "Theorem 1, a posterior for constants alone": (
        "forall ds (g : past_of_run -> Theta -> R), in_class g -> (exists C, forall h t, Rabs (g h t) <= C) ->",
        "forall ds (g : past_of_run -> Theta -> R), in_class g -> (exists C, forall h t, g h t = C) ->",
    ),
    "Theorem 1, unbounded density": (
        "(forall t a s o, 0 <= density t a s o <= D) -> (forall t",
        "(forall t a s o, 0 <= density t a s o) -> (forall t",
    ),
    "Theorem 1, smaller radius": ("* t_k)) / (2 * INR l", "* t_k)) / (4 * INR l"),
    "Theorem 1, MB-UCRL2": ("<= 21/10 * (sqrt", "<= 2 * (sqrt"),
    "Theorem 1, MB-UCBVI": ("regret_of <= 3 * (sqrt s *", "regret_of <= 29/10 * (sqrt s *"),
    "Theorem 2, too many arms": (
        "theorem_2_holds : (2 <= #|A|)%nat -> (1 <= #|S|)%nat -> (16 * #|S| <= K)%nat -> n * s * (1 - beta) <= 3598 * k",
        "theorem_2_holds : (2 <= #|A|)%nat -> (1 <= #|S|)%nat -> (16 * #|S| <= K)%nat -> n * s * (1 - beta) <= 3601 * k",
    ),
    "Theorem 2, one arm": ("theorem_2_holds : (2 <= #|A|)", "theorem_2_holds : (1 <= #|A|)"),
    "Theorem 2 fails, for fewer arms": ("3600 * k / (1 - beta) < s * n -> ~", "3500 * k / (1 - beta) < s * n -> ~"),
    "A": ("regret_of <= 4 * (B * sqrt B)", "regret_of <= 3 * (B * sqrt B)"),
    "M": ("regret_of <= 4 * (B * sqrt (s * n * k * L * R))", "regret_of <= 3 * (B * sqrt (s * n * k * L * R))"),
    "M, the grid": ("60 * B <= INR G", "59 * B <= INR G"),
    "M, the bonus": ("Rmax (9/5 * sqrt", "Rmax (8/5 * sqrt"),
    "total variance": ("phi pi T x <= (1 / (1 - beta)) ^ 2", "phi pi T x <= 1 / (1 - beta)"),
    "total variance, the index": ("(index b (y b) <= index", "(index b (y b) < index"),
    "B": ("forced (1/36 *", "forced (1/35 *"),
    "B and C": ("forced (1/51 *", "forced (1/50 *"),
    "C": ("forced (1/18 *", "forced (1/17 *"),
}


@needs_rocq
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        pytest.param(file, *change, id=what)
        for file, changes in (
            ("Theorem3.v", WRONG_NUMBERS),
            ("DirichletPrior.v", WRONG_PRIORS),
            ("Statements.v", WRONG_HEADLINES),
        )
        for what, change in changes.items()
    ],
)
def test_kernel_refuses_a_wrong_number(compiled_sources, file, right, wrong):
    """The recorded proof of a changed statement is refused: no evidence that the statement is tight, or false."""
    text = source(file)
    assert text.count(right) == 1
    (compiled_sources / "Wrong.v").write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises(KernelError, match=r"Wrong.v, line \d+: the kernel refuses"):
        run_coqc(compiled_sources, "Wrong.v")


def changed(certificate, path, new):
    """Replace the number at a path of a certificate by `new`, or by `new` of the old one if it is a function."""
    *inside, last = path
    for key in inside:
        certificate = certificate[key]
    certificate[last] = new(certificate[last]) if callable(new) else new


def one_more(number):
    return str(int(number) + 1)


WRONG_MODEL = [(("arms", 0, "rewards", 0), "301"), (("arms", 0, "transitions", 0), ["7", "3", "0"]),
    (("discount",), ["49", "100"])]  # fmt: skip
WRONG_VALUES = [
    *WRONG_MODEL,
    (("values", 0, 0), one_more),
    # every state's value too high: no step gains, but the policy named does not attain it
    (("values",), lambda values: [[str(int(number) + 1000) for number in row] for row in values]),
    (("policy", 0, 0), "0"),
    (("arms", 0, "transitions", 2), ["1", "0", "10"]),
    (("arms", 1, "transitions", 2), ["-1", "1", "10"]),
    (("value_denominator",), "0"),
]
WRONG_INDICES = [*WRONG_MODEL, (("arms", 0, "levels", 0, "index", 0), one_more),
    (("arms", 0, "levels", 2, "best", 0), one_more), (("arms", 0, "order"), lambda order: order[::-1])]  # fmt: skip


@pytest.fixture(scope="module")
def certificate_workspace(tmp_path_factory):
    return workspace_with(tmp_path_factory, needed_for="Certificates.v")


def check(workspace, content):
    (workspace / "Check.v").write_text(rocq_terms("certificate", content), encoding="utf-8")
    run_coqc(workspace, "Check.v")


@needs_rocq
@pytest.mark.parametrize("certify", [value_certificate, index_certificate])
def test_kernel_accepts_value_and_index_certificates(certificate_workspace, certify):
    check(certificate_workspace, certify(counterexample_m2()))
    small = Arm(rewards=["1/3"], transitions=[[1]])
    ties = Arm(rewards=[1, 0, 1], transitions=[[0, 1, 0], [0, 0, 1], ["1/2", 0, "1/2"]])
    check(certificate_workspace, certify(Bandit(arms=[small, ties, ties], discount="9/10")))
    check(certificate_workspace, certify(Bandit(arms=[ties], discount=0)))


def irregular_arm(size, first):
    """Return an arm with different rewards in all states and up to three next states each."""
    transitions = [[Fraction(0)] * size for _ in range(size)]
    for x, row in enumerate(transitions):
        for target, probability in ((3 * x + first, "1/2"), (x * x + 2, "3/10"), (x + 1, "1/5")):
            row[target % size] += Fraction(probability)
    return Arm(rewards=[Fraction((7 * x + first) % 23, 23) for x in range(size)], transitions=transitions)


@needs_rocq
@pytest.mark.parametrize("certify", [value_certificate, index_certificate])
@pytest.mark.parametrize("size", [4, 10, 20])
def test_kernel_accepts_certificates_of_up_to_20_states(certificate_workspace, certify, size):
    check(certificate_workspace, certify(Bandit([irregular_arm(size, 1), irregular_arm(size, 5)], "9/10")))


def refused(workspace, certificates):
    """Compile one file that succeeds only if the kernel refuses every certificate."""
    head, *_ = rocq_terms("certificate", certificates[0]).partition("Definition certificate")
    modules = []
    for number, content in enumerate(certificates):
        stated, proved, _ = rocq_terms("certificate", content).removeprefix(head).partition(" Qed.\n")
        assert proved
        modules.append(f"Module Wrong{number}.\n{stated} Fail Qed. Abort.\nEnd Wrong{number}.\n")
    (workspace / "Refused.v").write_text(head + "".join(modules), encoding="utf-8")
    run_coqc(workspace, "Refused.v")


@needs_rocq
@pytest.mark.parametrize(("certify", "wrong"), [(value_certificate, WRONG_VALUES), (index_certificate, WRONG_INDICES)])
def test_kernel_refuses_wrong_certificates(certificate_workspace, certify, wrong):
    certificates = [certify(counterexample_m2()) for _ in wrong]
    for certificate, each in zip(certificates, wrong, strict=True):
        changed(certificate, *each)
    refused(certificate_workspace, certificates)
    with pytest.raises(KernelError, match="The command has not failed"):
        refused(certificate_workspace, [*certificates, certify(counterexample_m2())])


@pytest.mark.parametrize("rocq", ["fake_rocq", pytest.param("tmp_path", marks=NEEDS, id="Rocq")])
def test_kernel_command_prints_the_result_of_every_certificate(tmp_path, request, rocq):
    more = request.getfixturevalue(rocq)
    wrong = value_certificate(counterexample_m1())
    changed(wrong, ("values", 0, 0), one_more)
    right, spoilt = tmp_path / "right.json", tmp_path / "spoilt.json"
    right.write_text(json.dumps(value_certificate(counterexample_m1())), encoding="utf-8")
    spoilt.write_text(json.dumps(wrong), encoding="utf-8")
    named = ["--certificate", str(spoilt), "--certificate", str(right), "--model", "counterexample-m2"]
    result = CliRunner().invoke(compiling.kernel, [*named, "--terms", str(tmp_path / "terms")])
    assert result.exit_code == 1
    size = "2 arms of 3 states"
    assert [line.split(" in ")[0] for line in result.stdout.splitlines()] == [f"{spoilt}: {size}, refused",
        f"{right}: {size}, accepted", f"counterexample-m2, indices: {size}, accepted",
        f"counterexample-m2, values: {size}, accepted"]  # fmt: skip
    assert "not every number in it is right" in result.stdout.splitlines()[0]
    assert (tmp_path / "terms" / "Certificate1.v").read_text(encoding="utf-8") == rocq_terms("", wrong)
    if more != tmp_path:
        more.append("mine")
        assert re.search(
            "refused .*: mine", CliRunner().invoke(compiling.kernel, ["--certificate", str(right)] * 2).stdout
        )


@pytest.mark.parametrize("certify", [value_certificate, index_certificate])
def test_certificate_of_another_model_is_refused(certify):
    right = certify(counterexample_m2())
    refuse_other_models([("certificate", right)], "counterexample-m2")
    for other, message in [
        ("counterexample-m1", "arm 1, state 1: the probability of state 1 is 6/10, in counterexample-m1 2/5"),
        ("counterexample", "arm 1, state 1: the probability of state 1 is 6/10, in counterexample 1/2"),
        ("random-walk", "the discount is 1/2, in random-walk 99/100"),
    ]:
        with pytest.raises(KernelError, match=message):
            refuse_other_models([("certificate", right)], other)
    with pytest.raises(KernelError, match="the discount is 0/0, in counterexample-m2 1/2"):
        refuse_other_models([("certificate", right | {"discount": ["0", "0"]})], "counterexample-m2")


def test_certificate_options_require_a_certificate():
    result = CliRunner().invoke(compiling.kernel, ["--of", "random-walk"])
    assert result.exit_code == 2
    assert "--of and --terms are about certificates" in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON"),
        ("[]", "no certificate"),
        ('{"certificate": "value"}', '"arms" is missing'),
        ('{"certificate": "indices", "arms": 3}', '"arms" wants a list, not 3'),
        ('{"certificate": "indices", "arms": [{"levels": [{"index": ["1"]}], "order": []}]}', "wants a numerator and a denominator"),
    ],
)  # fmt: skip
def test_file_without_a_certificate_is_refused_in_one_line(tmp_path, content, message):
    path = tmp_path / "certificate.json"
    path.write_text(content, encoding="utf-8")
    error = CliRunner().invoke(compiling.kernel, ["--certificate", str(path)]).exception
    assert isinstance(error, KernelError)
    assert message in str(error)
    assert "\n" not in str(error)


def test_rocq_terms_accepts_only_integers():
    certificate = value_certificate(counterexample_m2())
    for text in ("1)%Z. Axiom false", "1.0", "", "0x10", "١"):
        certificate["values"][0][0] = text
        with pytest.raises(KernelError, match='"values" wants integers'):
            rocq_terms("certificate", certificate)
    certificate["values"][0][0] = 16
    assert "(BanditData 2 3%nat (0x1)%Z (0x2)%Z " in (written := rocq_terms("certificate", certificate))
    assert "(Node [:: (Node [:: (Leaf (0x10)%Z); (Leaf (" in written
    for states in (-1, 10_000, "3", True):
        with pytest.raises(
            KernelError, match=f'^certificate: "states" wants an integer from 0 to 9999, not {states!r}$'
        ):
            rocq_terms("certificate", certificate | {"states": states})
