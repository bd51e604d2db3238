"""Model files under a coverage-guided fuzzer: ``python -m tests.fuzzing.model_files --seconds 600``.

Whatever the bytes are, the reader gives a model or one line, in bounded time and memory (`tests.fuzzing.reading` says
exactly what). What it finds is written to the folder of findings; ``--replay FILE`` reads one again. Inputs that were
found once are kept in ``tests/theory/test_hostile_files.py``.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from time import process_time

import click

from tests.fuzzing.mutation import mutated_json

LONGEST = 4096
"""Bytes of an input."""


@click.command()
@click.option(
    "--seconds", type=click.IntRange(min=1), default=600, show_default=True, metavar="N", help="For how long."
)
@click.option("--seed", type=click.IntRange(min=1), default=1, show_default=True, metavar="S", help="Of the mutations.")
@click.option(
    "--longest", default=5, show_default=True, metavar="N", help="Seconds of computing that one input may take."
)
@click.option("--megabytes", default=2048, show_default=True, metavar="N", help="Memory that may be used.")
@click.option("--findings", metavar="DIR", help="Where findings and the corpus go. [default: a new folder]")
@click.option("--replay", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="Read this input only.")
def fuzz(seconds: int, seed: int, longest: int, megabytes: int, findings: str | None, replay: str | None) -> None:
    """Look for inputs on which the reader of model files does anything but give a model or one line."""
    if replay is not None:
        from tests.fuzzing.reading import read_anything

        click.echo(read_anything(Path(replay).read_bytes()))
        return
    try:
        import atheris
    except ModuleNotFoundError:
        click.echo("error: the fuzzer is atheris: pip install -e '.[fuzz]'", err=True)
        raise SystemExit(2) from None
    with atheris.instrument_imports(include=["theory"]):
        from tests.fuzzing.reading import TOKENS, read_anything, seeds

    folder = Path(findings or mkdtemp(prefix="model_files-"))
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(seeds()):
        (corpus / f"seed-{number}").write_bytes(content)
    words = folder / "tokens"
    words.write_text("".join(f'"{_quoted(token)}"\n' for token in TOKENS), encoding="ascii")
    click.echo(f"findings and corpus: {folder}", err=True)
    # memory that is not there raises MemoryError, or ends FLINT: both are findings
    resource.setrlimit(resource.RLIMIT_AS, (2 * megabytes * 2**20,) * 2)
    # whatever else the machine does, computing time counts; libFuzzer's clock is for what never ends
    limits = [
        f"-max_total_time={seconds}",
        f"-timeout={20 * longest}",
        f"-rss_limit_mb={megabytes}",
        f"-max_len={LONGEST}",
    ]
    ways = [f"-seed={seed}", f"-dict={words}", f"-artifact_prefix={folder}/", "-print_final_stats=1", str(corpus)]

    def one_input(data: bytes) -> None:
        began = process_time()
        read_anything(data)
        assert process_time() - began <= longest, f"more than {longest} seconds"

    def mutated(data: bytes, most: int, number: int) -> bytes:
        changed = mutated_json(data, Random(number)) if number % 2 else None
        return changed if changed is not None and len(changed) <= most else atheris.Mutate(data, most)

    atheris.Setup([sys.argv[0], *limits, *ways], one_input, custom_mutator=mutated)
    atheris.Fuzz()


def _quoted(token: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else _bytes(c) for c in token)


def _bytes(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode())


if __name__ == "__main__":
    fuzz()
