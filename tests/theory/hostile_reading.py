"""The fuzz target of the reader of model files: any bytes give a model or one error line."""

from __future__ import annotations

from pathlib import Path

from tests.first_contact.wrong_inputs import FILES
from theory import BanditError, model_text, paper_model, parse_model
from theory.enclosures import EnclosedBandit, parse_enclosed_model, parse_number

LONGEST_LINE = 1500
"""Characters of an error; a model of many states has long ones, of which some are named."""

NUMBERS = (
    *("exp(-1/100)", "1/3", "0.318 +/- 0.001", "sqrt(log(20)/2)", "1/2 + 1/4", "-3.21e-5", "pi^2/6", "2**-30"),
    *("exp(exp(exp(100)))", "1e999999999", "1e9999", "1e-9999", "2^999999999", "(1+1e-9999)^999999999"),
    *("1/(exp(1)-exp(1))", "log(-1)", "log(1+1e-9999)", "((2^31)^31)^31", "(0.5 ± 0.1)^99999", "- - +1", "sqrt(9)^2"),
    *("sqrt(" * 45 + "2" + ")" * 45, "exp(" * 20 + "-1e9999" + ")" * 20, "+".join(["1/(3^9999+1)"] * 8)),
)
"""Texts that are numbers, or nearly."""

TOKENS = (
    *('"discount"', '"arms"', '"initial"', '"states"', '"rewards"', '"transitions"', '"reward_radius"'),
    *('"transition_radius"', '"reward_laws"', '"bernoulli"', '"constant"', '"gaussian"', '"values"', '"probabilities"'),
    *('"deviation"', '"1/2"', "[[1]]", '[["1/2","1/2"],[0,1]]', "null", "true", "NaN", "\\ufeff", "\\u0000", "1e9999"),
    *("exp(", "log(", "sqrt(", "pi", "+/-", "**", "^", "e-", "e+", "/", "99999999", "±"),
)
"""What model files are made of."""

_ONE_NUMBER = '{{"discount": "{0}", "arms": [{{"rewards": ["{0}", 0], "transitions": [["{0}", "1-({0})"], [0, 1]]}}]}}'


def read_anything(data: bytes) -> str:
    """Read bytes as a model file, or text as a number and within a file, and return the outcome in a word.

    The first byte chooses: a "#" is followed by the text of a number.

    Raises
    ------
    AssertionError
        For an error of several lines or endless ones, or a model that is another one when written and read again.
    Exception
        Whatever the reader raises that is no `BanditError`.
    """
    if data[:1] != b"#":
        return _outcome(lambda: _read_file(data))
    text = data[1:].decode("utf-8", "replace")
    outcome = _outcome(lambda: parse_number(text))
    _outcome(lambda: _read_file(_ONE_NUMBER.format(text.replace("\\", "/").replace('"', "'")).encode()))
    return outcome


def _read_file(data: bytes) -> str:
    found = parse_enclosed_model(data)
    if isinstance(found, EnclosedBandit):
        return "enclosed"
    assert parse_model(model_text(found)) == found, "the model differs after writing and reading"
    return "exact"


def _outcome(read) -> str:
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


def seeds() -> list[bytes]:
    """Return the seed files: the models of the repository, the wrong files of first contact, and numbers."""
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
