# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of `tirx-compile --view` in a real browser, without a screen: lines are clicked, and
what is marked is compared with the locations of the levels themselves."""

import pathlib
import shutil
import subprocess
import time

import pytest

sync_api = pytest.importorskip("playwright.sync_api")

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILE = ROOT / "build/release/bin/tirx-compile"
CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM:
        pytest.skip("no chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def open_page(browser, path: pathlib.Path):
    page = browser.new_page(viewport={"width": 1800, "height": 900})
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto(path.as_uri())
    return page


@pytest.fixture(scope="module")
def view(browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("view") / "view.html"
    subprocess.run([COMPILE, "examples/hgemm.mlir", "--target=sm_100a", "--view", path], check=True,
                   cwd=ROOT)
    page = open_page(browser, path)
    yield page
    assert page.errors == []


def pane(page, name):
    return page.locator(f".pane[data-name='{name}']")


def show(page, name, text):
    """The row of the first line with this text, scrolled to: others are not in the document."""
    line = page.evaluate("""([name, text]) => {
        const pane = panes.find(p => p.data.name === name);
        const line = pane.data.lines.findIndex(line => line.includes(text));
        pane.show(line);
        pane.draw();
        return line;
    }""", [name, text])
    return pane(page, name).locator(f".row[data-line='{line}']")


def marked(page, name):
    """Numbers of all marked lines, those that are not drawn included."""
    return page.evaluate("""name => {
        const pane = panes.find(p => p.data.name === name);
        return [...pane.marked].sort((a, b) => a - b).map(line => pane.data.lines[line]);
    }""", name)


def test_click_on_a_tile_op_marks_what_it_became(view):
    show(view, "tile IR", "tirx.gemm_async").locator(".number").click()
    assert [line.strip().split()[0] for line in marked(view, "examples/hgemm.mlir")] == [
        "tirx.gemm_async"]
    instructions = marked(view, "instruction IR")
    assert sum("tcgen05.mma" in line for line in instructions) == 4
    assert not any("tcgen05.commit" in line or "tcgen05.ld" in line for line in instructions)
    ptx = marked(view, "PTX")
    assert sum(line.strip().startswith("tcgen05.mma") for line in ptx) == 4
    assert not any(".loc" in line for line in ptx)
    # They are scrolled to.
    assert pane(view, "PTX").locator(".row.marked", has_text="tcgen05.mma").first.is_visible()


def test_click_on_ptx_leads_back(view):
    row = show(view, "PTX", "tcgen05.commit")
    row.locator(".number").click()
    assert [line.strip().split()[0] for line in marked(view, "tile IR")] == ["tirx.commit"]
    assert row.evaluate("row => row.classList.contains('chosen')")


def test_lines_without_origin_do_nothing(view):
    before = view.locator("#status").text_content()
    show(view, "PTX", ".address_size").locator(".number").click()
    assert view.locator("#status").text_content() == before


def test_dispatch_and_layout_open(view):
    copy = show(view, "tile IR", "tirx.copy cta")
    copy.locator(".badge[data-kind=dispatch]").click()
    assert "16 bytes" in view.locator("#content").text_content()
    copy.locator(".badge[data-kind=layout]").click()
    picture = view.locator("#content img").first
    assert picture.evaluate("image => image.complete && image.naturalWidth > 100")
    assert "128x64xf16, shared" in view.locator("#content h3").first.text_content()
    view.keyboard.press("Escape")
    assert view.locator("#details").is_hidden()


def test_tabs_hide_panes(view):
    view.locator("nav button", has_text="PTX").click()
    assert pane(view, "PTX").is_hidden()
    view.locator("nav button", has_text="PTX").click()
    assert pane(view, "PTX").is_visible()


def test_ten_thousand_lines_stay_quick(browser, tmp_path):
    body = "\n".join(
        f"    %{i + 1} = arith.addi %{i}, %x : i32\n"
        f"    tirx.store %{i + 1}, %A[%c{i % 8}] : i32, !tirx.buffer<8xi32, global>"
        for i in range(6000))
    constants = "\n".join(f"    %c{i} = arith.constant {i} : index" for i in range(8))
    kernel = tmp_path / "long.mlir"
    kernel.write_text(f"""gpu.module @m {{
  gpu.func @long(%A: !tirx.buffer<8xi32, global>, %x: i32) kernel
      attributes {{known_block_size = array<i32: 1, 1, 1>}} {{
{constants}
    %0 = tirx.load %A[%c0] : !tirx.buffer<8xi32, global> -> i32
{body}
    gpu.return
  }}
}}
""")
    subprocess.run([COMPILE, kernel, "--target=sm_80", "--view", tmp_path / "long.html"], check=True)
    begin = time.perf_counter()
    page = open_page(browser, tmp_path / "long.html")
    show(page, "tile IR", "%5000 = ").locator(".number").click()
    assert page.locator(".row.chosen").count() == 1
    assert page.locator(".row").count() < 1000  # what can be seen, and a little
    assert time.perf_counter() - begin < 5
    assert page.errors == []
