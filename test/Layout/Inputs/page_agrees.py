# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page that `show --html` writes computes the places that the library does.

  page_agrees.py TIRX_LAYOUT NODE

Random layouts, all their elements: the page's script, run by node, against
`eval --json`.
"""

import json
import random
import re
import subprocess
import sys
import tempfile

LAYOUTS = 120
AXES = ["m", "m", "laneid", "warpid", "TLane", "TCol", "cbx"]

DRIVER = """
const fs = require('fs');
for (const data of JSON.parse(fs.readFileSync(process.argv[2]))) {
  const layout = data.layouts[0], logical = new grids.LogicalGrid(data);
  const grid = new grids.PhysicalGrid(layout, logical.size), images = [];
  for (let flat = 0; flat < logical.size; ++flat) {
    const image = evaluate.image(layout, flat);
    images.push(image.map(point => Object.fromEntries(layout.axes.map((name, i) => [name, point[i]]))));
    if (logical.flatAt(...logical.cellOf(flat)) !== flat) throw new Error(`logical cell of ${flat}`);
    for (const point of image) {
      const cell = grid.cellOf(point);
      if (!(cell[0] >= 0 && cell[0] < grid.rows && cell[1] >= 0 && cell[1] < grid.columns))
        throw new Error(`${layout.text}: cell ${cell} of ${flat} is outside ${grid.rows} by ${grid.columns}`);
      if (!grid.elementsAt(...cell, 1e6).elements.includes(flat)) throw new Error(`contents of ${cell}`);
    }
  }
  console.log(JSON.stringify(images));
}
"""


def random_layout(rng: random.Random) -> str:
    swizzled = rng.random() < 0.4
    extents = [rng.choice([1, 2, 3, 4, 5, 7, 8]) for _ in range(rng.randint(1, 4))]

    def stride():
        value = rng.choice([0, 1, 2, 3, 8, 64, 100, 2**33])
        return value if swizzled or rng.random() < 0.7 else -value

    def step():
        axis = rng.choice(AXES)
        return f"{stride()}" if axis == "m" else f"{stride()}@{axis}"

    text = f"S[({', '.join(map(str, extents))}) : ({', '.join(step() for _ in extents)})]"
    if rng.random() < 0.4:
        text += f" + R[{rng.choice([2, 3])} : {step()}]"
    if rng.random() < 0.4:
        text += f" + {rng.randint(1, 1000)}@{rng.choice(AXES)}"
    if swizzled:
        b = rng.randint(0, 3)
        text = f"Compose({rng.randint(0, 4)}, {b}, {rng.randint(b, 33)}, {text})"
    return text


def page_parts(page: str):
    data = re.search(r'id="data">(.*?)</script>', page, re.S).group(1)
    script = re.search(r"<script>(.*?)</script>", page, re.S).group(1)
    # What needs no browser: everything in front of the panels.
    return json.loads(data), script[: script.index("// A grid on a canvas")]


def main() -> int:
    tool, node = sys.argv[1:]
    rng = random.Random(4)
    layouts = [random_layout(rng) for _ in range(LAYOUTS)]
    pages = []
    for layout in layouts:
        shown = subprocess.run([tool, "show", layout, "--html", "-"], capture_output=True, text=True)
        if shown.returncode:
            # Strides of several axes may span more than a picture has.
            assert "expected coordinates and" in shown.stderr, shown.stderr
            continue
        data, script = page_parts(shown.stdout)
        pages.append((layout, data, script))
    assert len(pages) > LAYOUTS / 2, len(pages)

    with tempfile.NamedTemporaryFile("w", suffix=".js") as program, tempfile.NamedTemporaryFile("w") as inputs:
        program.write(pages[0][2].replace("module.exports", "module.none") + DRIVER)
        program.flush()
        json.dump([data for _, data, _ in pages], inputs)
        inputs.flush()
        ran = subprocess.run([node, program.name, inputs.name], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
    by_page = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(by_page) == len(pages)

    requests = [
        json.dumps({"op": "image", "layout": layout, "index": flat})
        for (layout, _, _), images in zip(pages, by_page)
        for flat in range(len(images))
    ]
    answered = subprocess.run([tool, "eval", "--json", "-"], input="\n".join(requests), capture_output=True, text=True, check=True)
    answers = iter(answered.stdout.splitlines())
    for (layout, _, _), images in zip(pages, by_page):
        for flat, image in enumerate(images):
            answer = json.loads(next(answers))
            if answer.get("result") != image:
                print(f"{layout} at {flat}: page {image}, library {answer}")
                return 1
    print(f"{len(requests)} elements of {len(pages)} layouts agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
