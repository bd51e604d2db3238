"""The page: one HTML file that contains its style, program and drawings, made from the templates beside this file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from proofs_checks.claimcheck.evidence import explanation
from proofs_checks.claimcheck.plain import flat_text
from proofs_checks.kernel.headlines import headlines
from proofs_checks.kernel.record import kernel_word, record, theorems_by_entry
from proofs_checks.paper.shared.source import CONVENTIONS, OUTLINE
from proofs_checks.report.pages.annotated import MARK, REFERENCE, prepare_folder
from proofs_checks.report.pages.annotated import entries as shown
from proofs_checks.report.pages.annotated.explorers import explorer_data
from proofs_checks.report.pages.annotated.figures import page_figures
from proofs_checks.report.pages.annotated.mathematics import formula, prose
from proofs_checks.report.pages.annotated.skeleton import block_title, skeleton
from proofs_checks.report.pages.theorems import TheoremSummary
from theory.terminal.console import version_text
from theory.terminal.outputs import writing

Entry = Mapping[str, Any]

_TEMPLATES = Path(__file__).with_name("templates")
_GREEK = {"alpha", "beta", "delta", "epsilon", "eta", "gamma", "lambda", "mu", "phi", "pi", "rho", "sigma", "tau"}


def write_page(
    folder: Path, entries: Sequence[Entry], causes: Sequence[Mapping[str, Any]], theorems: Sequence[TheoremSummary]
) -> Path:
    """Write the page of a ledger into a folder (`prepare_folder`), and return its path; link to a reference there.

    Entries are as ``--json`` prints them, causes (`errata.all_causes`) in the order in which they are shown.
    """
    page = prepare_folder(folder)
    parts, figures = skeleton(entries), page_figures(theorems)
    counts = {origin: Counter[str]() for origin in shown.ORIGINS}
    for entry in entries:
        if entry["verdict"] != "withdrawn":
            counts[entry["origin"]][entry["verdict"]] += 1
    template = _environment().get_template("page.html.j2")
    content = template.render(
        mark=MARK,
        version=version_text(),
        entries=entries,
        known={entry["id"]: entry for entry in entries},
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
        kernel_steps=theorems_by_entry("step_of"),
        headlines=headlines(),
        rocq=record()["rocq"],
        kernel_word=kernel_word(),
        conventions=CONVENTIONS,
        counts=counts,
        methods=shown.methods(entries),
        shown=shown,
        explanation=explanation,
        explorers=explorer_data(),
        reference=REFERENCE if (folder / REFERENCE).exists() else None,
    )
    with writing(f"page {page}"):
        page.write_text(content, encoding="utf-8")
    return page


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
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
        "paragraph": _paragraph,
        "capital": lambda told: told[:1].upper() + told[1:],
    }
    environment.globals |= {
        "asset": lambda name: Markup((_TEMPLATES / name).read_text(encoding="utf-8")),
        "data_of": lambda name: b64encode((_TEMPLATES / name).read_bytes()).decode(),
    }
    return environment


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


def _paragraph(place: Mapping[str, Any]) -> str:
    number = 0 if place["equation"] else OUTLINE.at(place["line"]).paragraph
    return f", paragraph {number}" if number else ""
