"""Run the code of a notebook in order, and see that it prints what the notebook shows.

    python3 notebook.py NOTEBOOK [--write]

--write puts what it prints into the notebook. Neither Jupyter nor pandas is needed: tables
print as they do without pandas.
"""

import ast
import contextlib
import io
import json
import sys

sys.modules["pandas"] = None  # type: ignore[assignment]


def execute(source: str, names: dict) -> str:
    """What a cell prints, with the value of a last expression."""
    out = io.StringIO()
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if value is not None:
                print(repr(value))
    return out.getvalue()


def main() -> int:
    path, write = sys.argv[1], "--write" in sys.argv
    with open(path, encoding="utf-8") as f:
        book = json.load(f)
    names: dict = {"__name__": "__main__"}
    wrong = 0
    for n, cell in enumerate(book["cells"]):
        if cell["cell_type"] != "code":
            continue
        text = execute("".join(cell["source"]), names)
        shown = "".join("".join(o["text"]) for o in cell["outputs"])
        if write:
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(True)}] if text else []
        elif text != shown:
            print("cell %d prints\n%snot\n%s" % (n, text, shown))
            wrong = 1
    if write:
        with open(path, "w", encoding="utf-8") as f:
            json.dump(book, f, indent=1, ensure_ascii=False)
            f.write("\n")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
