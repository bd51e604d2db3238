"""Judge claims of a user's file, which may rest on entries of the ledger."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

from mbrl.importing import described
from proofs_checks.claimcheck.ledger.chapter import Chapter
from proofs_checks.claimcheck.ledger.content import Content
from proofs_checks.claimcheck.ledger.registry import Registry
from proofs_checks.claimcheck.ledger.runner import run
from theory import BanditError


def own_entries(path: Path) -> Chapter:
    """Return one chapter with the entries of all chapters that a Python file makes."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if not path.is_file():
        raise BanditError(f"{path}: there is no such file")
    if spec is None or spec.loader is None:
        raise BanditError(f"{path}: is no Python file")
    module, where, refused = importlib.util.module_from_spec(spec), path.absolute(), list[str]()
    try:
        tree = ast.parse(path.read_bytes(), where)
        flags = compile(tree, where, "exec", dont_inherit=True).co_flags & annotations.compiler_flag
        for each in tree.body:  # one by one, so that a refused entry does not hide the next
            try:
                exec(compile(ast.Module([each], []), where, "exec", flags, dont_inherit=True), vars(module))
            except ValueError as error:
                refused.append(described(error))
    except (Exception, SystemExit) as error:
        chained = "truth value of Relational" in str(error)
        advice = ". Python cannot chain relations: write 0 <= beta and beta <= 1 as two, separated by a comma"
        refused.append(f"{described(error)}{advice * chained}")
    if refused:
        raise BanditError(f"{path}: {'; '.join(refused)}")
    chapters = {id(each): each for each in vars(module).values() if isinstance(each, Chapter)}
    found = Chapter()
    found.entries = [entry for chapter in chapters.values() for entry in chapter]
    if not found.entries:
        raise BanditError(
            f"{path}: enters no claim; make a Chapter() and enter one with chapter.ours().relation(...), "
            "as claim.py of the README does"
        )
    return found


def beside(own: Chapter, ledger: Registry) -> Registry:
    """Return the entries of the ledger together with the user's claims."""
    for entry in own:
        if entry.id in ledger:
            raise BanditError(f"{entry.id} is the id of an entry of the ledger; give yours another id")
    try:
        return Registry([*ledger, *own], list(ledger.causes.values()), [entry.id for entry in own], ledger.outline)
    except ValueError as error:
        raise BanditError(str(error)) from None


def judged_beside(own: Chapter, registry: Registry, claim_ids: list[str]) -> list[Content]:
    """Return the contents of the user's claims with these ids, or of all; `beside` returns the registry."""
    mine = [entry.id for entry in own]
    return run([registry[claim_id].id for claim_id in claim_ids] or mine, registry, "", own=mine)
