# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the random wgmma of test/hardware/wgmma_cases.py on the simulator and compares the
accumulators with those of an H200: wgmma_random.py TIRX_RUN CASES CHECKSUMS MODE..."""

import json
import pathlib
import subprocess
import sys
import zlib

tirx_run, folder, checksums = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
want = pathlib.Path(checksums).read_text().split()
agree = 0
for path in sorted(folder.glob("wgmma_*.json")):
    launch = json.loads(path.read_text())
    for name, buffer in launch["buffers"].items():
        buffer["out"] = f"{name}.npy"
    path.write_text(json.dumps(launch))
    subprocess.run([tirx_run, path, *sys.argv[4:]], check=True, stdout=subprocess.DEVNULL)
    for name, buffer in launch["buffers"].items():
        size = 4 * buffer["shape"][0] * buffer["shape"][1]
        got = zlib.crc32((folder / f"{name}.npy").read_bytes()[-size:])
        if f"{got:08x}" == want[int(name[1:])]:
            agree += 1
        else:
            print(f"case {name[1:]} differs")
print(f"{agree} of {len(want)} agree")
