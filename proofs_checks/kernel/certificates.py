"""Certificates of ``python -m theory value | indices --certificate FILE``, checked inside the kernel.

A certificate becomes Rocq terms (`rocq_terms`). A function in ``Certificates.v`` decides by computation whether the
certificate is right. The function's soundness theorem, applied to the certificate, then says that no policy, however it
uses the past, does better, or that the numbers are the Gittins indices.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from proofs_checks.kernel.compilation import compile_into
from proofs_checks.kernel.coqc import KernelError, run_coqc
from proofs_checks.kernel.questions import ALLOWED_AXIOMS, assumptions_in
from proofs_checks.kernel.sources import needed_files
from proofs_checks.kernel.terms import rocq_terms
from theory import PAPER_MODELS, Bandit, index_certificate, paper_model, read_model, value_certificate

_ESTABLISHED = {
    "value": "no policy does better than these values, from any state, whatever it remembers and however it tosses "
    "coins; the policy named attains them",
    "indices": "these are the Gittins indices, suprema over all stopping times; playing an arm of largest index is "
    "optimal",
}

Named: TypeAlias = "tuple[str, Mapping[str, Any]]"
"""The name of a certificate, and its content."""

LARGEST_PRODUCT = 400
"""Largest number of global states of a model whose optimal values are certified, and not only its indices."""


def certificates_of_model(name: str) -> list[Named]:
    """Return the certificates of a model: its Gittins indices and, if the model is small, its optimal values."""
    bandit = _model(name)
    made: list[Named] = [(f"{name}, indices", index_certificate(bandit))]
    if max(bandit.sizes) ** len(bandit.arms) <= LARGEST_PRODUCT:
        made.append((f"{name}, values", value_certificate(bandit)))
    return made


def refuse_other_models(certificates: Sequence[Named], name: str) -> None:
    """Refuse certificates of any bandit other than the named model, or a model file.

    Raises
    ------
    KernelError
        If the discount, a reward or a probability in a certificate is not the model's.
    """
    wanted = dict(_numbers(index_certificate(_model(name))))
    for called, content in certificates:
        rocq_terms(called, content)  # refuses a certificate whose numbers are not integers
        given = dict(_numbers(content))
        for place in [*wanted, *given]:
            if place not in wanted or place not in given:
                raise KernelError(f"{called}: its arms and states are not those of {name}")
            (p, q), (r, s) = given[place], wanted[place]
            if q == 0 or p * s != q * r:
                raise KernelError(f"{called}: {place} is {p}/{q}, in {name} {r}/{s}")


def _numbers(content: Mapping[str, Any]) -> Iterator[tuple[str, tuple[int, int]]]:
    p, q = map(int, content["discount"])
    yield "the discount", (p, q)
    q_reward, q_row = int(content["reward_denominator"]), int(content["row_denominator"])
    for a, arm in enumerate(content["arms"], 1):
        for x, reward in enumerate(arm["rewards"], 1):
            yield f"arm {a}, state {x}: the reward", (int(reward), q_reward)
        for x, row in enumerate(arm["transitions"], 1):
            for y, entry in enumerate(row, 1):
                yield f"arm {a}, state {x}: the probability of state {y}", (int(entry), q_row)


def _model(name: str) -> Bandit:
    return paper_model(name) if name in PAPER_MODELS else read_model(name)


def check_certificates(
    certificates: Sequence[Named], workspace: Path, jobs: int, terms: Path | None
) -> list[dict[str, Any]]:
    """Have the kernel check certificates, and return what ``--json`` prints of each; keep their Rocq terms in `terms`.

    The seconds are those for reading the terms and computing, without compiling the sources, `jobs` at once.
    """
    written = [rocq_terms(name, content) for name, content in certificates]
    files = [f"Certificate{number}.v" for number in range(1, len(written) + 1)]
    if terms is not None:
        terms.mkdir(parents=True, exist_ok=True)
        for file, text in zip(files, written, strict=True):
            (terms / file).write_text(text, encoding="utf-8")
    compile_into(workspace, needed_files("Certificates.v"), jobs)
    checked = []
    for (name, content), file, text in zip(certificates, files, written, strict=True):
        (workspace / file).write_text(text, encoding="utf-8")
        start = time.perf_counter()
        accepted, said, assumptions = _decide(workspace, file, content["certificate"])
        checked.append(
            {
                "name": name,
                "kind": content["certificate"],
                "arms": len(content["arms"]),
                "states": content["states"],
                "accepted": accepted,
                "said": said,
                "assumptions": assumptions,
                "seconds": round(time.perf_counter() - start, 2),
            }
        )
    return checked


def _decide(workspace: Path, file: str, kind: str) -> tuple[bool, str, tuple[str, ...]]:
    try:
        assumptions = assumptions_in(run_coqc(workspace, file))
    except KernelError as error:
        if "the kernel refuses" not in str(error):
            raise
        return False, f"not every number in it is right ({error})", ()
    if not ALLOWED_AXIOMS.issuperset(assumptions):
        return False, f"it assumes more than the standard real numbers: {', '.join(assumptions)}", assumptions
    return True, _ESTABLISHED[kind], assumptions


def read_certificate(path: Path) -> Named:
    """Return a certificate file's name and content; a `KernelError` says why it cannot be read, or is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise KernelError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise KernelError(
            f"{path}: not JSON: {error}; give the file that indices or value --certificate wrote"
        ) from error
    if not isinstance(content, dict) or content.get("certificate") not in _ESTABLISHED:
        raise KernelError(f"{path}: no certificate; python -m theory value MODEL --certificate FILE writes one")
    return str(path), content
