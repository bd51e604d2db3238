"""The file of Rocq terms that the kernel compiles for a certificate, of which it contains nothing but integers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from proofs_checks.kernel.coqc import KernelError

_INTEGER = re.compile(r"-?\d+", re.ASCII)
_HEAD = """From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Gittins Certificates.
"""
_KINDS = {
    "value": ("value_certificate", "check_values", "accepted_values"),
    "indices": ("index_certificate", "check_indices", "accepted_indices"),
}


def rocq_terms(name: str, content: Mapping[str, Any]) -> str:
    """Return the Rocq file that checks one certificate.

    Raises
    ------
    KernelError
        If a key of the certificate is missing, or a number is not an integer.
    """
    kind = content["certificate"]
    record, check, theorem = _KINDS[kind]
    term = _Terms(name, content)
    body = term.value() if kind == "value" else term.indices()
    return (
        f"{_HEAD}Definition certificate : {record} := {body}.\n"
        f"Lemma accepted : {check} certificate = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n"
        f"Definition established := {theorem} accepted.\n"
        "Print Assumptions established.\n"
    )


class _Terms:
    """The terms of one certificate; a missing or wrong value is an error that names its key."""

    def __init__(self, name: str, content: Mapping[str, Any]) -> None:
        self.name = name
        self.content = content

    def value(self) -> str:
        data = self.data()
        common = self.integer(self.key(self.content, "value_denominator"), "value_denominator")
        values = self.tree(self.key(self.content, "values"), "values")
        policy = self.tree(self.key(self.content, "policy"), "policy")
        return f"ValueCertificate {data} {common} {values} {policy}"

    def indices(self) -> str:
        arms = self.sequence(self.key(self.content, "arms"), "arms")
        levels = [self.sequence(self.key(arm, "levels"), "levels") for arm in arms]
        orders = [self.sequence(self.key(arm, "order"), "order") for arm in arms]
        written_levels = _list(_list(self.level(level) for level in arm) for arm in levels)
        written_orders = _list(_list(f"{self.natural(state, 'order')}%nat" for state in order) for order in orders)
        return f"IndexCertificate {self.data()} {written_levels} {written_orders}"

    def level(self, level: Any) -> str:
        index = self.sequence(self.key(level, "index"), "index")
        if len(index) != 2:
            self.refuse("index", "wants a numerator and a denominator")
        numerator, denominator = (self.integer(number, "index") for number in index)
        common = self.integer(self.key(level, "denominator"), "denominator")
        best = self.integers(self.key(level, "best"), "best")
        return f"(Level {numerator} {denominator} {common} {best})"

    def data(self) -> str:
        arms = self.sequence(self.key(self.content, "arms"), "arms")
        discount = self.sequence(self.key(self.content, "discount"), "discount")
        if len(discount) != 2:
            self.refuse("discount", "wants a numerator and a denominator")
        beta = " ".join(self.integer(number, "discount") for number in discount)
        dens = " ".join(
            self.integer(self.key(self.content, key), key) for key in ("reward_denominator", "row_denominator")
        )
        states = self.natural(self.key(self.content, "states"), "states")
        rewards = _list(self.integers(self.key(arm, "rewards"), "rewards") for arm in arms)
        rows = _list(
            _list(
                self.integers(row, "transitions") for row in self.sequence(self.key(arm, "transitions"), "transitions")
            )
            for arm in arms
        )
        return f"(BanditData {len(arms)} {states} {beta} {dens} {rewards} {rows})"

    def tree(self, node: Any, key: str) -> str:
        if isinstance(node, list):
            return f"(Node {_list(self.tree(branch, key) for branch in node)})"
        return f"(Leaf {self.integer(node, key)})"

    def key(self, content: Any, key: str) -> Any:
        if not isinstance(content, dict) or key not in content:
            self.refuse(key, "is missing")
        return content[key]

    def sequence(self, value: Any, key: str) -> list[Any]:
        if not isinstance(value, list):
            self.refuse(key, f"wants a list, not {value!r}")
        return value

    def integers(self, values: Any, key: str) -> str:
        return _list(self.integer(value, key) for value in self.sequence(values, key))

    def integer(self, value: Any, key: str) -> str:
        text = value if isinstance(value, str) else str(value) if type(value) is int else ""
        if not _INTEGER.fullmatch(text):
            self.refuse(key, f"wants integers, not {value!r}")
        return f"({int(text):#x})%Z"  # Rocq reads hexadecimal numbers in linear time, decimal ones in quadratic

    def natural(self, value: Any, key: str) -> int:
        if type(value) is not int or not 0 <= value < 10_000:
            self.refuse(key, f"wants an integer from 0 to 9999, not {value!r}")
        return int(value)

    def refuse(self, key: str, why: str) -> NoReturn:
        raise KernelError(f'{self.name}: "{key}" {why}')


def _list(terms: Any) -> str:
    return f"[:: {'; '.join(terms)}]"
