# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of `tirx-layout show --html` in a real browser, without a screen.

Chromium opens it, cells are hovered, and what the page says of them is compared
with what `tirx-layout eval` prints. `TIRX_SCREENSHOTS=folder` keeps pictures.
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import time

import pytest

sync_api = pytest.importorskip("playwright.sync_api")

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "build/release/bin/tirx-layout"
CHROMIUM = shutil.which("chromium")

FRAGMENT = "S[(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1)] + R[2 : 4@warpid] + 5@warpid"
SWIZZLED = "Compose(3, 3, 3, S[(8, 64) : (64, 1)])"
ACCUMULATOR = "S[(128, 512) : (1@TLane, 1@TCol)]"
LARGE = "Compose(3, 3, 3, S[(4, 256, 64) : (16384, 64, 1)])"
ODD = "S[(3, 7, 5) : (-40, 5, 1)] + 200"

CASES = {
    "fragment": (FRAGMENT, (8, 16), None),
    "swizzled": (SWIZZLED, (8, 64), "f16"),
    "accumulator": (ACCUMULATOR, (128, 512), "f32"),
    "large": (LARGE, (256, 256), "bf16"),
    "odd": (ODD, (3, 7, 5), "e4m3"),
    "sixbits": ("S[(4, 96) : (96, 1)]", (4, 96), "e2m3"),
    "one": ("S[1 : 1]", (1,), None),
    "manytoone": ("S[(4, 8) : (0, 1@laneid)]", (4, 8), None),
}


def run(*arguments: str) -> str:
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=True).stdout


def options(shape, dtype) -> list[str]:
    return ["--shape", "x".join(map(str, shape)), *(["--dtype", dtype] if dtype else [])]


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM:
        pytest.skip("no chromium")
    with sync_api.sync_playwright() as playwright:
        # Chromium's own sandbox does not work for root, and what it opens here
        # are files of ours.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, tmp_path, request):
    """Opens the page of `show` with arguments; fails on any error in it."""
    opened, problems = [], []

    def open_it(*arguments: str):
        file = tmp_path / "page.html"
        run("show", *arguments, "--html", str(file))
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("request", lambda asked: asked.url.startswith("file:") or problems.append(asked.url))
        page.goto(file.as_uri())
        page.wait_for_function("viewer.panels.every(panel => panel.width > 0 && !panel.queued)")
        opened.append(page)
        return page

    yield open_it
    folder = os.environ.get("TIRX_SCREENSHOTS")
    for number, page in enumerate(opened):
        if folder:
            page.screenshot(path=pathlib.Path(folder) / f"{request.node.name}-{number}.png")
        page.close()
    assert not problems


def hover(page, panel: int, row: int, column: int) -> None:
    """Moves the pointer to the middle of a cell that is in view."""
    page.evaluate(f"viewer.panels[{panel}].reveal({row}, {column})")
    x, y = page.evaluate(f"viewer.panels[{panel}].centreOf({row}, {column})")
    page.mouse.move(x, y)


def tip_lines(page) -> list[list[str]]:
    return page.evaluate("[...document.querySelectorAll('#tip div')].map(line => [...line.children].map(part => part.textContent))")


def explained(layout, shape, dtype, index) -> list[list[str]]:
    text = run("eval", layout, *options(shape, dtype), "--at", ",".join(map(str, index)), "--explain")
    return [line.split(maxsplit=1) for line in text.splitlines()]


def unflatten(flat: int, shape) -> tuple:
    index = []
    for extent in reversed(shape):
        index.append(flat % extent)
        flat //= extent
    return tuple(reversed(index))


@pytest.mark.parametrize("name", CASES)
def test_hover_says_what_eval_says(open_page, name):
    layout, shape, dtype = CASES[name]
    page = open_page(layout, *options(shape, dtype))
    rows, columns, size = page.evaluate("[viewer.logical.rows, viewer.logical.columns, viewer.logical.size]")
    rng = random.Random(name)
    for flat in {0, size - 1, *(rng.randrange(size) for _ in range(8))}:
        hover(page, 0, flat // columns, flat % columns)
        assert tip_lines(page) == explained(layout, shape, dtype, unflatten(flat, shape))


@pytest.mark.parametrize("name", CASES)
def test_hover_in_the_physical_grid(open_page, name):
    layout, shape, dtype = CASES[name]
    page = open_page(layout, *options(shape, dtype))
    size = page.evaluate("viewer.logical.size")
    rng = random.Random(name)
    for flat in {0, size - 1, *(rng.randrange(size) for _ in range(5))}:
        for row, column in page.evaluate(f"viewer.panels[1].source.cellsOf({flat})"):
            hover(page, 1, row, column)
            lines = tip_lines(page)
            here = page.evaluate(f"viewer.panels[1].source.elements({row}, {column}).elements")
            assert flat in here
            expected = explained(layout, shape, dtype, unflatten(here[0], shape))
            assert lines[: len(expected)] == expected
            # The logical grid marks all elements of the cell.
            columns = page.evaluate("viewer.logical.columns")
            assert page.evaluate("viewer.panels[0].marks") == [[i // columns, i % columns] for i in here]


def test_memory_is_rows_of_128_bytes(open_page):
    page = open_page(SWIZZLED, "--dtype", "f16")
    assert page.evaluate("viewer.panels[1].source.columns") == 64
    for flat in range(0, 512, 37):
        answer = json.loads(subprocess.run([TOOL, "eval", "--json", "-"], input=json.dumps({"op": "apply", "layout": SWIZZLED, "index": flat}), capture_output=True, text=True, check=True).stdout)
        m = answer["result"]["m"]
        hover(page, 0, flat // 64, flat % 64)
        assert page.evaluate("viewer.panels[1].marks") == [[m // 64, m % 64]]


def test_threads_are_rows_and_copies_are_marked(open_page):
    page = open_page(FRAGMENT, "--shape", "8x16")
    hover(page, 0, 1, 3)
    # Lane 5; warps 5 and 9 of 5..10, two registers each.
    assert page.evaluate("viewer.panels[1].marks") == [[5, 1], [5, 9]]
    hover(page, 1, 0, 5)
    assert tip_lines(page) == [["cell", "0 by 7,1: no element"]]


def count_colours(page, panel: int) -> int:
    return page.evaluate(
        """number => {
          const canvas = viewer.panels[number].base;
          const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
          return new Set(pixels).size;
        }""",
        panel,
    )


@pytest.mark.parametrize("name", ["accumulator", "large"])
def test_large_layouts_open_quickly(open_page, name):
    layout, shape, dtype = CASES[name]
    start = time.monotonic()
    page = open_page(layout, *options(shape, dtype))
    seconds = time.monotonic() - start
    assert count_colours(page, 0) > 32 and count_colours(page, 1) > 32
    # The best of some: other work on the machine is none of the page's.
    draw = "(() => { const start = performance.now(); for (const panel of viewer.panels) panel.drawCells(); return performance.now() - start; })()"
    frame = min(page.evaluate(draw) for _ in range(5))
    print(f"{name}: opened in {seconds:.2f} s, drawn in {frame:.0f} ms")
    assert seconds < 20 and frame < 1000


def test_a_size_that_no_table_holds(open_page):
    page = open_page("S[(1048576, 1048576) : (1048576, 1)]")
    hover(page, 0, 1000000, 77)
    assert ["flat", str(1000000 * 2**20 + 77)] in tip_lines(page)


def test_zoom_and_pan_keep_the_cell_under_the_pointer(open_page):
    page = open_page(ACCUMULATOR)
    x, y = page.evaluate("viewer.panels[0].centreOf(60, 200)")
    page.mouse.move(x, y)
    before = page.evaluate("viewer.panels[0].cell")
    for _ in range(12):
        page.mouse.wheel(0, -200)
    page.wait_for_function(f"viewer.panels[0].cell > {before} * 4")
    page.mouse.move(x + 1, y)
    assert ["index", "(60, 200)"] in tip_lines(page)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)
    page.mouse.up()
    page.mouse.move(x + 61, y + 40)
    assert ["index", "(60, 200)"] in tip_lines(page)
    page.click("#reset")
    assert page.evaluate("viewer.panels[0].cell") == pytest.approx(before)


def test_keys_and_pins(open_page):
    page = open_page(SWIZZLED, "--dtype", "f16")
    page.focus(".stage")
    for key in ["ArrowDown", "ArrowDown", "ArrowRight"]:
        page.keyboard.press(key)
    assert ["index", "(1, 1)"] in tip_lines(page)
    page.keyboard.press("Escape")
    assert page.is_hidden("#tip")
    x, y = page.evaluate("viewer.panels[0].centreOf(3, 11)")
    page.mouse.click(x, y)
    page.mouse.move(x + 100, y)
    assert ["index", "(3, 11)"] in tip_lines(page)


def test_colours_and_themes(open_page):
    page = open_page(SWIZZLED, "--dtype", "f16")
    assert "bank" in page.inner_text("#colour")
    page.select_option("#colour", label="bank")
    page.wait_for_timeout(100)
    light = count_colours(page, 0)
    assert light > 32
    assert "bank" in page.inner_text("#legend")
    pixel = "(() => { const p = viewer.panels[0]; return [...p.base.getContext('2d').getImageData(p.left + 3, p.top + 3, 1, 1).data].join(); })()"
    before = page.evaluate(pixel)
    page.click("#theme")
    page.wait_for_timeout(100)
    assert page.evaluate(pixel) != before


def test_two_layouts_and_their_difference(open_page):
    plain = "S[(8, 64) : (64, 1)]"
    page = open_page(plain, SWIZZLED, "--dtype", "f16")
    assert page.inner_text("#verdict").startswith("448 of 512 elements differ, first (1,0): A m 64")
    assert page.evaluate("viewer.panels.length") == 3
    hover(page, 0, 1, 0)
    lines = tip_lines(page)
    assert ["base", "m 64, byte 128, bank 0"] in lines and ["base", "m 72, byte 144, bank 4"] in lines
    assert page.evaluate("[viewer.panels[1].marks, viewer.panels[2].marks]") == [[[1, 0]], [[1, 8]]]
    # Row 0 is the same in both.
    alphas = page.evaluate("[viewer.panels[0].source.cell(0, 5).alpha, viewer.panels[0].source.cell(1, 5).alpha]")
    assert alphas[0] < alphas[1] == 1


def test_the_worst_conflict_is_outlined(open_page):
    access = ["--dtype", "f16", "--access", "S[(32, 64) : (1@laneid, 1)]", "--vector", "8"]
    page = open_page("S[(32, 64) : (64, 1)]", SWIZZLED.replace("(8, 64)", "(32, 64)"), *access)
    lines = page.inner_text("#verdict").splitlines()
    assert "worst: bank 0 by lanes 0, 1, 2, 3, 4, 5, 6, 7" in lines[1]
    assert lines[2].endswith("no bank conflicts")
    worst = [[row, column] for row in range(8) for column in range(8)]
    marks = "viewer.panels.map(panel => panel.marks)"
    assert page.evaluate(marks) == [worst, worst, []]
    hover(page, 0, 20, 20)
    assert page.evaluate(marks)[0] == [[20, 20]]
    page.keyboard.press("Escape")
    assert page.evaluate(marks) == [worst, worst, []]
    page.select_option("#colour", label="lane of the access")
    page.select_option("#colour", label="instruction")
