"""Every command and program of the README and the tutorial, in order, in the README's environment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.M | re.S)


def unfolded(text):
    """Replace each run of blanks by one: the width of a table depends on its longest line."""
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("document", "least", "made"),
    [
        ("README.md", 12, ("runs/figures/regret.png", "page/index.html")),
        ("theory/FROM_LOGS.md", 5, ("machines.json", "indices.csv")),
    ],
)
def test_every_command_of_a_document_prints_its_printed_output(newcomer, document, least, made):
    printed = ""
    tried = []
    for block in BLOCK.finditer((ROOT / document).read_text(encoding="utf-8")):
        kind, body = block["kind"], block["body"]
        if block["file"]:
            newcomer.write(block["file"], body)
        elif kind == "sh" and "venv" not in body:  # CI runs those with venv
            printed = ""
            for line in body.splitlines():
                command, _, target = line.partition(" > ")
                done = newcomer.run(*command.split())
                assert done.returncode == (1 if "--replace" in line else 0), (line, done.stderr)
                assert "Traceback" not in done.stderr
                if target:
                    newcomer.write(target, done.stdout)
                printed += done.stdout
                tried.append(line)
        elif kind == "text":
            place = 0
            for part in map(unfolded, body.split("...\n")):
                place = unfolded(printed).find(part, place)
                assert place >= 0, f"not printed there: {part}"
        elif kind == "python":
            done = newcomer.run("python", "-W", "error", "-c", body)
            warnings = [
                line for line in done.stderr.splitlines() if not line.startswith("compiling ")
            ]  # first run only
            assert (done.returncode, warnings) == (0, [])
            assert done.stdout.strip() in ("", body.rpartition("  # ")[2].strip())
            assert done.stdout.strip() or "print(" not in body
            tried.append(body)
    assert len(tried) >= least
    assert all((newcomer.folder / name).exists() for name in made)


def test_readme_has_at_most_1500_words():
    assert len(README.split()) <= 1500


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)]+)\)", README))))
def test_links_of_the_readme_point_to_existing_files(target):
    assert (ROOT / target).exists()
