"""The file of Rocq terms that the kernel compiles for a certificate, of which it contains nothing but integers.

A missing or wrong value is an error that names its key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from proofs_checks.kernel.coqc import KernelError

_INTEGER = re.compile(r"-?\d+", re.ASCII)
_HEAD = """From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect.
From kernel Require Import Sums Values Bandits Gittins Certificates.
"""
_Writer: TypeAlias = Callable[[Any, str], str]
"""A function that returns the term of a value, given also the value's key."""


def rocq_terms(name: str, content: Mapping[str, Any]) -> str:
    """Return the Rocq file that checks one certificate.

    Raises
    ------
    KernelError
        If a key of the certificate is missing, or a number is not an integer.
    """
    record, constructor, check, theorem, fields = _KINDS[content["certificate"]]
    try:
        arms = len(_items(_value(content, "arms"), "arms"))
        answer = _fields(*fields)(content, "")
        body = f"{constructor} (BanditData {arms} {_fields(*_DATA)(content, '')}) {answer}"
    except KernelError as error:
        raise KernelError(f"{name}: {error}") from None
    return (
        f"{_HEAD}Definition certificate : {record} := {body}.\n"
        f"Lemma accepted : {check} certificate = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n"
        f"Definition established := {theorem} accepted.\n"
        "Print Assumptions established.\n"
    )


def _fields(*fields: tuple[str, _Writer]) -> _Writer:
    return lambda content, _: " ".join(write(_value(content, key), key) for key, write in fields)


def _list(write: _Writer) -> _Writer:
    return lambda values, key: f"[:: {'; '.join(write(value, key) for value in _items(values, key))}]"


def _value(content: Any, key: str) -> Any:
    if not isinstance(content, dict) or key not in content:
        raise KernelError(f'"{key}" is missing')
    return content[key]


def _items(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise KernelError(f'"{key}" wants a list, not {value!r}')
    return value


def _integer(value: Any, key: str) -> str:
    text = value if isinstance(value, str) else str(value) if type(value) is int else ""
    if not _INTEGER.fullmatch(text):
        raise KernelError(f'"{key}" wants integers, not {value!r}')
    return f"({int(text):#x})%Z"  # Rocq reads hexadecimal numbers in linear time, decimal ones in quadratic


def _natural(value: Any, key: str) -> str:
    if type(value) is not int or not 0 <= value < 10_000:
        raise KernelError(f'"{key}" wants an integer from 0 to 9999, not {value!r}')
    return f"{value}%nat"


def _quotient(value: Any, key: str) -> str:
    if len(_items(value, key)) != 2:
        raise KernelError(f'"{key}" wants a numerator and a denominator')
    return " ".join(_integer(number, key) for number in value)


def _tree(node: Any, key: str) -> str:
    return f"(Node {_list(_tree)(node, key)})" if isinstance(node, list) else f"(Leaf {_integer(node, key)})"


def _level(level: Any, key: str) -> str:
    fields = _fields(("index", _quotient), ("denominator", _integer), ("best", _list(_integer)))
    return f"(Level {fields(level, key)})"


_DATA = (
    ("states", _natural),
    ("discount", _quotient),
    ("reward_denominator", _integer),
    ("row_denominator", _integer),
    ("arms", _list(_fields(("rewards", _list(_integer))))),
    ("arms", _list(_fields(("transitions", _list(_list(_integer)))))),
)
_VALUES = (("value_denominator", _integer), ("values", _tree), ("policy", _tree))
_INDICES = (
    ("arms", _list(_fields(("levels", _list(_level))))),
    ("arms", _list(_fields(("order", _list(_natural))))),
)
_KINDS = {
    "value": ("value_certificate", "ValueCertificate", "check_values", "accepted_values", _VALUES),
    "indices": ("index_certificate", "IndexCertificate", "check_indices", "accepted_indices", _INDICES),
}
"""The record, its constructor, the function that decides, its soundness theorem, and the fields after the bandit."""
