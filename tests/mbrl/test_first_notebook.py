"""The notebook, run cell by cell: every cell prints its stored output, and the last one shows a figure."""

import ast
import json
from contextlib import redirect_stdout
from io import StringIO

from mbrl.commands.app import EXAMPLES
from tests.mbrl.command_line import PROJECT

NOTEBOOK = PROJECT / "mbrl" / "examples" / EXAMPLES["notebook"]
PRINTED_BY_THE_PAPER = ("6.42", "6.45", "5.96", "6.00")  # except the second, which the paper prints for another model


def run_cell(source, names):
    """Run a cell as a notebook does, and return the value of its last line if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return last and eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_notebook_prints_its_stored_outputs():
    names, figure, printed = {}, None, []
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            with redirect_stdout(StringIO()) as stdout:
                figure = run_cell("".join(cell["source"]), names)
            printed.append("".join("".join(output["text"]) for output in cell["outputs"]))
            assert stdout.getvalue() == printed[-1]
    assert printed[2].splitlines()[0] == "9 of 9 indices proved"
    exactly = [part for line in printed[3].splitlines() for part in line.replace(",", "").split() if "/" in part]
    assert tuple(f"{int(p) / int(q):.2f}" for p, q in (part.split("/") for part in exactly)) == PRINTED_BY_THE_PAPER
    assert figure._repr_png_().startswith(b"\x89PNG")
