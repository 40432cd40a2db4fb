# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python of a page runs as it stands, block after block."""

import pathlib
import re

import pytest
from tirx.script import tile_ops

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["script.md"]


def blocks_of(page):
    """The blocks of Python, at the lines where the page has them."""
    lines, inside = [], False
    for line in page.splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", PAGES)
def test_blocks_run(name, tmp_path):
    text = blocks_of((ROOT / "docs" / name).read_text())
    assert text.strip()
    path = tmp_path / name.replace(".md", ".py")
    path.write_text(text)  # the parser reads the source from a file
    exec(compile(text, str(path), "exec"), {"__name__": "page"})


def test_the_page_lists_every_step_of_the_ladder():
    page = (ROOT / "docs/script.md").read_text()
    named = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert named == {p.stem for p in (ROOT / "examples/ladder").glob("*_*.py")}


def test_every_tile_op_says_what_it_does():
    assert all(op["summary"] for op in tile_ops._definitions().values())
