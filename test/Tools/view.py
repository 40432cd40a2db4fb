# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what the page of a GEMM knows of its gemm_async: PAGE."""

import json
import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1]).read_text()
data = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
panes = {pane["name"].split("/")[-1]: pane for pane in data["panes"]}
shown = [name for name in panes if name != "SASS"]
print("panes:", ", ".join(shown))
source = next(pane for pane in data["panes"] if "file" in pane)
line = next(n for n, text in enumerate(source["lines"]) if "tirx.gemm_async thread" in text)
place = source["origins"][line]


def of(name: str, text: str) -> int:
    pane = panes[name]
    return sum(origin == place and text in line
               for origin, line in zip(pane["origins"], pane["lines"]))


print(f"gemm_async of the source: {of('tile IR', 'gemm_async')} in tile IR, "
      f"{of('instruction IR', 'tcgen05.mma')} tcgen05.mma in instruction IR, "
      f"{of('PTX', 'tcgen05.mma')} tcgen05.mma in PTX")
for remark in data["remarks"]:
    if remark["place"] == place:
        print("remark at gemm_async:", remark["message"])
print("pictures:", len(data["pictures"]))
assert all(picture["svg"].startswith("<svg") for picture in data["pictures"])
