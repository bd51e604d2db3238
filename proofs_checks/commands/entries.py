"""Commands that run and print entries: `check` prints a line for each, `show` prints one in full."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from proofs_checks.commands.options import (
    check_filters,
    chosen,
    filters,
    fresh_option,
    json_option,
    leave_unless,
    progress,
)
from theory.terminal.console import console, jobs_option, number_of_jobs, print_json

if TYPE_CHECKING:  # entries are collected when they are asked for
    from proofs_checks.claimcheck.ledger import Entry, Registry


def _registry() -> Registry:
    from proofs_checks.paper import registry  # noqa: PLC0415  (entries are collected when they are asked for)

    return registry()


def run_entries(claim_ids: Sequence[str] | None, jobs: int | None, fresh: bool = False) -> list[dict[str, Any]]:
    """Return the content of the entries with these ids, of all entries for None."""
    from proofs_checks.claimcheck.ledger import run  # noqa: PLC0415
    from proofs_checks.paper import SOURCE  # noqa: PLC0415

    entries = _registry()
    ids = [entry.id for entry in entries] if claim_ids is None else [entries[each].id for each in claim_ids]
    with progress(len(ids)) as advance:
        return run(ids, entries, SOURCE, jobs=number_of_jobs(jobs), fresh=fresh, progress=advance)


def run_chosen(
    claim_ids: Sequence[str] | None, *, under: str | None, jobs: int | None, fresh: bool, **filters_given: Any
) -> list[dict[str, Any]]:
    """Return the content of the entries, of these or of all, that meet all options; only `--fails` needs verdicts."""
    entries = _registry()
    check_filters(entries, section=filters_given["section"], cause=filters_given["cause"])
    ids = [each.id for each in entries] if claim_ids is None else claim_ids
    ids = ids if under is None else entries.below(under)
    recorded = filters_given | {"fails": False}
    ids = [each for each in ids if chosen([_described(entries[each])], **recorded)]
    return [dict(each) for each in chosen(run_entries(ids, jobs, fresh), **filters_given)]


def _described(entry: Entry) -> dict[str, Any]:
    section, severity = entry.place.section if entry.place else "", entry.severity and entry.severity.value
    return {"section": section, "cause": entry.cause, "severity": severity, "origin": entry.origin.value}


def print_run(entries: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    """Print entries as a table or as JSON."""
    from proofs_checks.report.pages.terminal import print_ledger, print_summary  # noqa: PLC0415

    if as_json:
        print_json({"claims": list(entries)})
    else:
        print_ledger(entries)
        print_summary(entries)


own_option = click.option(
    "--from", "own", metavar="FILE", type=click.Path(path_type=Path), help="A Python file with claims of your own."
)


def _run_own(path: Path, claim_ids: Sequence[str]) -> tuple[list[dict[str, Any]], Registry]:
    """Return the content of a user file's claims (all, if no id is given), and these entries beside the ledger's."""
    from proofs_checks.claimcheck.ledger.own import beside, judged_beside, own_entries  # noqa: PLC0415

    own = own_entries(path)
    everything = beside(own, _registry())
    return judged_beside(own, everything, list(claim_ids)), everything


def _own_file(own: Path | None, words: Sequence[str]) -> tuple[Path | None, Sequence[str]]:
    """Return the user's file and the names of claims; a file may also stand before the names, without ``--from``."""
    return (Path(words[0]), words[1:]) if own is None and words and words[0].endswith(".py") else (own, words)


@click.command()
@click.argument("claims", nargs=-1, metavar="CLAIM...")
@own_option
@click.option("--replace", hidden=True)
@click.option("--mutants", is_flag=True, help="Also run each claim's variants: false ones must be refuted.")
@filters
@fresh_option
@json_option
@jobs_option
def check(
    claims: Sequence[str],
    own: Path | None,
    mutants: bool,
    replace: str | None,
    under: str | None,
    fresh: bool,
    as_json: bool,
    jobs: int | None,
    **filters_given: Any,
) -> None:
    """Check claims: those named, those of a section, those under an entry, or those of a file of yours.

    Evidence for a claim of your own (`by=`), from proofs_checks.claimcheck.evidence: Solver() for polynomials and roots
    (Z3), Enclosures() on a bounded domain, LeastAt(x, value) where the margin is monotone in x (for sums up to a whole
    K: LeastAt(K, 1)), Cases((conditions, evidence), ...), TermByTerm for convergent series, Algebra() for identities,
    Invariant() for a process, Everywhere() for finitely many instances, Samples(count) at some, Argument or a list for
    steps, ByHand("why") for what you grant.
    """
    if replace is not None:
        raise click.UsageError(f"check replaces nothing: python -m proofs_checks properties --replace {replace}")
    own, claims = _own_file(own, claims)
    if own is not None:
        if under is not None or any(filters_given.values()):
            raise click.UsageError("--from checks the file's claims, all or those named: leave the other choices out")
        entries, everything = _run_own(own, claims)
    else:
        if not claims and under is None and not any(filters_given.values()):
            raise click.UsageError("name claims, or choose some by --section, --under, --cause, --fails, ...")
        everything = _registry()
        ids = [everything.named(claim)[0].id for claim in claims] or None
        entries = run_chosen(ids, under=under, jobs=jobs, fresh=fresh, **filters_given)
        if not entries and not as_json:
            click.echo("No claim meets all of these choices; nothing was checked.")
            return
    if mutants:
        _add_variants(entries, everything)
    print_run(entries, as_json=as_json)
    variants = [each for entry in entries for each in entry.get("variants", {}).values()]
    leave_unless(all(entry["as_recorded"] for entry in entries) and all(each["as_it_should"] for each in variants))


@click.command()
@click.argument("words", metavar="CLAIM", nargs=-1)
@own_option
@json_option
def show(words: Sequence[str], own: Path | None, as_json: bool) -> None:
    """Show one claim: statement, domain, evidence step by step, exact values, witness, and the claims it rests on.

    CLAIM is an id, or a name such as "Theorem 2", "Lemma 4", "eq. (25)", "6.42". A number that no claim prints opens an
    entry that has it as a value, once the ledger was computed; the name of a theorem of the kernel prints its statement
    and the entries that rest on it. With --from FILE, CLAIM is the id of a claim in your Python file, and may be left
    out if the file has only one.
    """
    from proofs_checks.claimcheck.kept import kept  # noqa: PLC0415
    from proofs_checks.report.pages.terminal import print_entry  # noqa: PLC0415

    own, words = _own_file(own, words)
    claim = " ".join(words) if words else None  # people also type Theorem 2 without quotes
    others: list[str] = []
    if own is not None:
        found, _ = _run_own(own, [claim] if claim else [])
        if len(found) > 1:
            raise click.UsageError(f"name one of the claims of {own}: {', '.join(entry['id'] for entry in found)}")
        (entry,) = found
    elif claim is None:
        raise click.UsageError("Missing argument 'CLAIM'.")
    elif found_by_id := kept(claim):  # a kept result is shown without importing the entries
        entry = found_by_id
    else:
        from proofs_checks.claimcheck.kept import with_value  # noqa: PLC0415
        from proofs_checks.claimcheck.ledger import UnknownClaimError  # noqa: PLC0415
        from theory import PAPER_MODELS, ModelError  # noqa: PLC0415

        if claim in PAPER_MODELS:
            raise ModelError(f"{claim} is a model: python -m theory value {claim}, or indices, optimism, example")
        try:
            first, *rest = _registry().named(claim)
        except UnknownClaimError:
            from proofs_checks.commands.compiling import show_theorem  # noqa: PLC0415

            if show_theorem(claim, as_json=as_json):
                return
            if not (ids := with_value(claim, [each.id for each in _registry()])):
                raise
            first, *rest = [_registry()[each] for each in ids]
        entry = dict(kept(first.id) or run_entries([first.id], jobs=1)[0])
        others = [f"{each.id} ({each.verdict.value})" for each in rest]
    if as_json:
        print_json(entry)
    else:
        print_entry(entry)
        if claim and others:
            parts = " (of all its parts)" if claim.lower().startswith("fig") and ":" not in claim else ""
            console().print(f"\nOther entries of {claim}{parts}: {', '.join(others)}")
    leave_unless(entry["as_recorded"])


def _add_variants(entries: list[dict[str, Any]], registry: Registry) -> None:
    from proofs_checks.claimcheck.ledger import Book, variants  # noqa: PLC0415
    from proofs_checks.claimcheck.plain import plain  # noqa: PLC0415

    book = Book(registry)
    with progress(len(entries), "varying") as advance:
        for entry in entries:
            entry["variants"] = {
                each.name: {
                    "kind": "mutant" if each.is_mutant else "control",
                    "verdict": each.verdict.value,
                    "as_it_should": each.as_it_should,
                    "why": each.why,
                    "witness": plain(each.values) if each.is_mutant else {},
                }
                for each in variants(registry[entry["id"]], book)
            }
            advance(entry["id"])
