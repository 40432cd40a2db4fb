# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation of `tirx-layout eval` has a row in the page of the tool, and every
row is an operation: documented.py PAGE.md TIRX_LAYOUT."""

import json
import pathlib
import re
import subprocess
import sys

page, tool = sys.argv[1:]
answer = subprocess.run([tool, "eval", "--request", '{"op": "operations"}'], capture_output=True, text=True, check=True)
operations = set(json.loads(answer.stdout)["result"])
table = pathlib.Path(page).read_text().split("| `op` |")[1].split("\n\n")[0]
rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in table.splitlines()[2:]]
documented = {name for row in rows for name in row}
if operations != documented:
    sys.exit(f"not documented: {sorted(operations - documented)}; not there: {sorted(documented - operations)}")
