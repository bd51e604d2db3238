"""Hostile files give a model or one error line, quickly; regressions found by a fuzzer."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests import command_line
from tests.first_contact.wrong_inputs import FILES
from tests.refusals import refusal
from theory import BanditError, model_text, paper_model, parse_model, rational, read_model
from theory.enclosures import EnclosedBandit, parse_enclosed_model, parse_number, read_enclosed_model

ROOT = Path(__file__).parents[2]
LONGEST_LINE = 1500  # characters of an error; a model of many states has long ones, of which some are named

NUMBERS = (
    *("exp(-1/100)", "1/3", "0.318 +/- 0.001", "sqrt(log(20)/2)", "1/2 + 1/4", "-3.21e-5", "pi^2/6", "2**-30"),
    *("exp(exp(exp(100)))", "1e999999999", "1e9999", "1e-9999", "2^999999999", "(1+1e-9999)^999999999"),
    *("1/(exp(1)-exp(1))", "log(-1)", "log(1+1e-9999)", "((2^31)^31)^31", "(0.5 ± 0.1)^99999", "- - +1", "sqrt(9)^2"),
    *("sqrt(" * 45 + "2" + ")" * 45, "exp(" * 20 + "-1e9999" + ")" * 20, "+".join(["1/(3^9999+1)"] * 8)),
)

TOKENS = (
    *('"discount"', '"arms"', '"initial"', '"states"', '"rewards"', '"transitions"', '"reward_radius"'),
    *('"transition_radius"', '"reward_laws"', '"bernoulli"', '"constant"', '"gaussian"', '"values"', '"probabilities"'),
    *('"deviation"', '"1/2"', "[[1]]", '[["1/2","1/2"],[0,1]]', "null", "true", "NaN", "\\ufeff", "\\u0000", "1e9999"),
    *("exp(", "log(", "sqrt(", "pi", "+/-", "**", "^", "e-", "e+", "/", "99999999", "±"),
)

ONE_NUMBER = '{{"discount": "{0}", "arms": [{{"rewards": ["{0}", 0], "transitions": [["{0}", "1-({0})"], [0, 1]]}}]}}'


def read_anything(data):
    """Read bytes as a model file, or after a "#" as the text of a number, alone and in a file; return the outcome."""
    if data[:1] != b"#":
        return outcome_of(lambda: read_file(data))
    text = data[1:].decode("utf-8", "replace")
    outcome = outcome_of(lambda: parse_number(text))
    outcome_of(lambda: read_file(ONE_NUMBER.format(text.replace("\\", "/").replace('"', "'")).encode()))
    return outcome


def read_file(data):
    found = parse_enclosed_model(data)
    if isinstance(found, EnclosedBandit):
        return "enclosed"
    assert parse_model(model_text(found)) == found, "the model differs after writing and reading"
    return "exact"


def outcome_of(read):
    try:
        found = read()
    except BanditError as error:
        line = str(error)
    else:
        return found if isinstance(found, str) else "a number"
    assert line, "an error without a message"
    assert len(line.splitlines()) == 1, f"several lines: {line!r}"
    assert len(line) <= LONGEST_LINE, f"{len(line)} characters: {line[:LONGEST_LINE]}"
    return "refused"


def seeds():
    """The models of the repository, the wrong files of first contact, and numbers."""
    named = ("counterexample", "counterexample-m1", "random-walk")
    models = [model_text(paper_model(name)).encode() for name in named]
    models.append((Path(__file__).parents[2] / "mbrl" / "examples" / "bandit.json").read_bytes())
    laws = (
        '{"discount": 0.5, "arms": [{"rewards": ["1/2"], "transitions": [[1]], "reward_laws": [%s]}], "initial": [0]}'
    )
    kinds = ('"bernoulli"', '{"gaussian": 1}', '{"values": [0, 1], "probabilities": ["1/2", "1/2"], "deviation": 2}')
    models += [(laws % kind).encode() for kind in kinds]
    files = [text.encode() for text in FILES if len(text) < 4096]
    return models + files + [b"#" + text.encode() for text in NUMBERS]


FOUND = [
    b"#+9",  # a sign that FLINT does not read
    # ends that approach 0 and would need more than 10^8 bits
    *("#(0.± 0.3)^99999990".encode(), b"#(0.5 +/- 0.49999999999)^999999999", b"#(-0.5 +/- 0.49999999999)^999999999"),
    # every summand made a rounded number long again: this took seconds
    b"#" + b"+".join([b"1/(3^9998+1)", b"1/(3^9999+1)", b"(1.+-1e-9999)^9999991/(3^9999+1)"] * 8),
]


@pytest.mark.parametrize("data", [*seeds(), *FOUND], ids=lambda data: repr(data[:40]))
def test_seeds_and_files_found_by_the_fuzzer_give_a_model_or_one_line(data):
    assert read_anything(data)


def test_enclosures_of_large_powers_stay_short():
    """Every step beyond the exact limit is rounded; otherwise thirty steps would multiply numbers of 10^5 bits."""
    power, small = parse_number("(1+1e-9999)^999999999"), rational("1e-9999")
    outer = None
    for bits in (64, 256, 1024):
        found = power.enclosure(bits)
        assert found.low <= 1 + 999999999 * small <= found.high
        assert max(end.bit_length() for value in (found.low, found.high) for end in (value.p, value.q)) <= bits + 1
        assert outer is None or found.within(outer)
        outer = found


def test_enclosure_of_a_rounded_sum_stays_short():
    terms = [f"1/(3^9999+{k})" for k in range(30)]
    truth = sum((rational(1) / (rational(3) ** 9999 + k) for k in range(30)), fmpq(0))
    found = parse_number("+".join(terms)).enclosure(64)
    assert found.contains(truth)
    assert found.width < truth / 2**58
    assert max(end.p.bit_length() for end in (found.low, found.high)) <= 65


@pytest.mark.parametrize(
    "changes",
    [
        {"transitions": [["1e9999"]]}, {"transitions": [["-1e9999"]]}, {"reward_radius": ["-" + "9" * 5000]},
        {"states": ["x" * 5000], "transitions": [[2]]}, {"k" * 5000: 1},
        {"reward_laws": {"gaussian": "-" + "9" * 5000}},
    ],
    ids=lambda changes: next(iter(changes))[:20],
)  # fmt: skip
def test_error_abbreviates_long_quotations(changes):
    model = {"discount": "1/2", "arms": [{"rewards": ["1"], "transitions": [["1"]]} | changes]}
    error = refusal(parse_model, json.dumps(model))
    assert len(error) < 600
    assert "..." in error


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom", "/dev/null"])
@pytest.mark.parametrize("read", [read_model, read_enclosed_model])
def test_devices_and_pipes_are_refused_as_models_without_waiting(path, read, tmp_path):
    assert refusal(read, path) == f"{path}: is no regular file; for standard input give '-' as the file"
    os.mkfifo(tmp_path / "pipe")
    assert "is no regular file" in refusal(read, tmp_path / "pipe")


def test_model_file_beyond_the_size_limit_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("theory.model_file.LARGEST_FILE", 100)
    text = '{"discount": "1/2", "arms": [{"rewards": ["1"], "transitions": [["1"]]}]}'
    (tmp_path / "model").write_text(text.ljust(100))
    assert read_model(tmp_path / "model").discount == fmpq(1, 2)
    (tmp_path / "model").write_text(text.ljust(101))
    error = "the model has more than 100 bytes; larger models are not read"
    assert refusal(read_model, tmp_path / "model").endswith(f"model: {error}")
    done = command_line.run("theory", "value", "-", "--initial", "0", stdin=text.ljust(101))
    assert (done.returncode, done.stderr) == (2, f"error: {error}\n")


@given(before=st.sampled_from(seeds()), after=st.sampled_from(seeds()), data=st.data())
def test_spliced_files_give_a_model_or_one_line(before, after, data):
    """The head of one seed file, some tokens, and the tail of another."""
    cut, rest = (data.draw(st.integers(0, len(each))) for each in (before, after))
    words = data.draw(st.lists(st.sampled_from(TOKENS), max_size=6))
    assert read_anything(before[:cut] + "".join(words).encode() + after[rest:])
