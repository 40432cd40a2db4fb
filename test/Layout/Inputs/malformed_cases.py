# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of cases that are no such files: malformed_cases.py TIRX_LAYOUT.

Each has exit status 2 and a message with the case and the key.
"""

import json
import subprocess
import sys

CASE = {"layout": "S[8 : 1]", "shape": [8], "input": [1], "expected": {"m": 1}}


def without(key):
    return {"apply": [{k: v for k, v in CASE.items() if k != key}]}


def with_(**changes):
    return {"apply": [CASE, {**CASE, **changes}]}


FILES = [
    (without("layout"), ["apply[0]", "'layout'"]),
    (without("shape"), ["apply[0]", "'shape'"]),
    (without("input"), ["apply[0]", "'input'"]),
    (without("expected"), ["apply[0]", "'expected'"]),
    (with_(layout=3), ["apply[1]", "expected a layout"]),
    (with_(layout="S[8 : "), ["apply[1]", "layout 'S[8 : '"]),
    (with_(shape="8"), ["apply[1]", "shape"]),
    (with_(shape=[9]), ["apply[1]", "expected a shape of 8 elements"]),
    (with_(shape=[-8]), ["apply[1]", "expected a shape"]),
    (with_(input=[8]), ["apply[1]", "index 0"]),
    (with_(input=[0, 0]), ["apply[1]", "index of 1 dimensions"]),
    (with_(expected=[1]), ["apply[1]", "'expected'"]),
    (with_(expected={"m": "1"}), ["apply[1]", "'m'"]),
    (with_(expected={"m": 1, "replicas": 3}), ["apply[1]", "'replicas'"]),
    (with_(expected={"m": 1, "replicas": [3]}), ["apply[1]", "'replicas'"]),
    (with_(expected={"m": 1, "lane": 3}, dtype_bits=8), ["apply[1]", "'lane'"]),
    (with_(expected={"m": 1, "byte": 1}), ["apply[1]", "'dtype_bits'", "'byte'"]),
    (with_(expected={"m": 1, "byte": 1}, dtype_bits=0), ["apply[1]", "'dtype_bits'"]),
    (with_(layout="S[8 : 1] + R[1000000 : 1]", expected={"m": 1, "replicas": []}), ["apply[1]", "65536 copies"]),
    ({"apply": {}}, ["'apply'"]),
    ({"apply": [3]}, ["apply[0]", "expected an object"]),
    ({"algebra": [{"layout": "S[8 : 1]"}]}, ["algebra[0]", "'op'"]),
    ({"algebra": [{"op": "slice", "layout": "S[8 : 1]", "input": {}, "expected": None}]}, ["algebra[0]", "'shape'"]),
    ({"algebra": [{"op": "group", "layout": "S[8 : 1]", "input": {"shape": [8]}}]}, ["algebra[0]", "'expected'"]),
    ({"cases": [{"kind": 3}]}, ["cases[0]", "'kind'"]),
    ({"requests": [{"op": "size", "layout": "S[8 : 1]"}]}, ["requests[0]", "'expected'", "'error'"]),
    ({"requests": [{"op": "size", "layout": "S[8 : 1]", "expected": 8, "error": ""}]}, ["requests[0]", "'error'"]),
    ({"requests": [{"op": "size", "layout": "S[8 : 1]", "error": 3}]}, ["requests[0]", "a string at key 'error'"]),
    ({"requests": [{"layout": "S[8 : 1]", "expected": 8}]}, ["requests[0]", "'op'"]),
    # A wrong case before the malformed one is not reported either.
    ({"apply": [{**CASE, "expected": {"m": 2}}, 3]}, ["apply[1]"]),
    ({"other": []}, ["'apply'", "'algebra'", "'cases'", "'requests'"]),
    ([], ["expected an object"]),
]
TEXTS = [("", ["'-'"]), ("{", ["'-'"]), ("[" * 70, ["64 levels"])]


def main() -> int:
    failed = 0
    for text, parts in [(json.dumps(file), parts) for file, parts in FILES] + TEXTS:
        ran = subprocess.run([sys.argv[1], "check", "-"], input=text, capture_output=True, text=True)
        if ran.returncode != 2 or ran.stdout or "error: " not in ran.stderr or not all(part in ran.stderr for part in parts):
            failed += 1
            print(f"{text}: exit status {ran.returncode}, expected 2 and {parts}, got: {ran.stdout}{ran.stderr}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
