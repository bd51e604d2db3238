"""The page: one HTML file that contains its style, program and drawings, made from the templates beside this file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from proofs_checks.claimcheck.evidence import explanation
from proofs_checks.claimcheck.plain import flat_text
from proofs_checks.kernel import headlines, is_current, kernel_word, record, theorems_by_entry
from proofs_checks.paper.shared.source import CONVENTIONS, OUTLINE
from proofs_checks.report.pages.annotated import entries as shown
from proofs_checks.report.pages.annotated.explorers import explorer_data
from proofs_checks.report.pages.annotated.figures import page_figures
from proofs_checks.report.pages.annotated.mathematics import formula, prose
from proofs_checks.report.pages.annotated.skeleton import block_title, skeleton
from proofs_checks.report.pages.theorems import TheoremSummary
from theory.terminal.console import version_text

Entry = Mapping[str, Any]

MARK = "<!-- annotated paper of the markovian-bandits-companion -->"
_PACKAGE = "proofs_checks.report.pages.annotated"
_GREEK = {"alpha", "beta", "delta", "epsilon", "eta", "gamma", "lambda", "mu", "phi", "pi", "rho", "sigma", "tau"}


def render(
    entries: Sequence[Entry],
    causes: Sequence[Mapping[str, Any]],
    theorems: Sequence[TheoremSummary],
    reference: str | None = None,
) -> str:
    """Return the page of a ledger as HTML.

    Parameters
    ----------
    entries
        All entries, as ``--json`` prints them.
    causes
        The mistakes of the paper in the order in which they are shown (`errata.cause_content`).
    theorems
        The summary of each theorem.
    reference
        Path of the packages' reference, relative to the page; None if there is none.
    """
    known = {entry["id"]: entry for entry in entries}
    parts, figures = skeleton(entries), page_figures(theorems)
    environment = _environment()
    return environment.get_template("page.html.j2").render(
        mark=MARK,
        version=version_text(),
        entries=entries,
        known=known,
        parts=parts,
        causes=causes,
        cause_by_id={cause["id"]: cause for cause in causes},
        theorems=theorems,
        figures=figures,
        roots=shown.roots(entries),
        dozen=12,
        index=shown.index(entries, causes, theorems, parts) + shown.elsewhere(figures),
        resting=shown.resting_on(entries),
        kernel=theorems_by_entry(),
        kernel_steps=_kernel_steps(),
        headlines=headlines(),
        rocq=record()["rocq"],
        kernel_word=kernel_word(),
        conventions=CONVENTIONS,
        counts=_counts(entries),
        methods=shown.methods(entries),
        shown=shown,
        explanation=explanation,
        explorers=explorer_data(),
        reference=reference,
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "prose": prose,
        "formula": formula,
        "name": _name,
        "flat": flat_text,
        "slug": lambda text: text.replace(" ", "-"),
        "script": _script,
        "choice": lambda told: {"t_k": formula("t_k"), "tau_k": formula(r"\tau_k")}.get(told, told),
        "title": lambda place: (
            block_title(place) if place["equation"] or place["environment"] else f"Section {place['section']}"
        ),
        "paragraph": lambda place: "" if place["equation"] else _paragraph(place["line"]),
        "capital": lambda told: told[:1].upper() + told[1:],
    }
    environment.globals |= {"asset": _asset, "data_of": _data_of}
    return environment


def _asset(name: str) -> Markup:
    """Return a template file unchanged."""
    source = PackageLoader(_PACKAGE).get_source(Environment(autoescape=True), name)[0]
    return Markup(source)


def _data_of(name: str) -> str:
    """Return a template file in base 64, for a ``data:`` address."""
    return b64encode((files(_PACKAGE) / "templates" / name).read_bytes()).decode()


def _script(content: Any) -> Markup:
    r"""Return data as JSON that may stand inside a script element.

    Examples
    --------
    >>> print(_script(["a </script> in words"]))
    ["a \u003c/script> in words"]
    """
    return Markup(json.dumps(content, ensure_ascii=False).replace("<", "\\u003c"))


def _name(key: str) -> Markup | str:
    """Return the name of a value for the page: a Latin or Greek letter as a formula, other names as words.

    Examples
    --------
    >>> print(_name("beta"), _name("K"), _name("to"), _name("not_defined"))
    <math><mi>β</mi></math> <math><mi>K</mi></math> to not defined
    """
    if key in _GREEK:
        return formula(rf"\{key}")
    return formula(key) if len(key) == 1 and key.isalpha() else key.replace("_", " ")


def _counts(entries: Sequence[Entry]) -> dict[str, Counter[str]]:
    """Return, for each origin, the number of entries with each verdict."""
    counts = {origin: Counter[str]() for origin in shown.ORIGINS}
    for entry in entries:
        if entry["verdict"] != "withdrawn":
            counts[entry["origin"]][entry["verdict"]] += 1
    return counts


def _paragraph(line: int) -> str:
    number = OUTLINE.at(line).paragraph
    return f", paragraph {number}" if number else ""


def _kernel_steps() -> dict[str, list[dict[str, Any]]]:
    """Return the recorded theorems that are steps of an entry's argument, by entry."""
    found: dict[str, list[dict[str, Any]]] = {}
    if is_current():
        for theorem in record()["theorems"]:
            for entry in theorem["step_of"]:
                found.setdefault(entry, []).append(theorem)
    return found
