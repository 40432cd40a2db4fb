# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses that hardware may let pass: each is reported at its line, with these words."""

import numpy as np
import pytest

from ptx_run import run

PRELUDE = """.const .u32 table[4] = {1, 2, 3, 4};
.visible .entry k(.param .u64 in, .param .u64 out) {
.reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<8>, %in, %out;
.shared .align 8 .b8 s[64];
.local .align 8 .b8 l[16];
ld.param.u64 %in, [in]; ld.param.u64 %out, [out];
"""
LINE = 4 + PRELUDE.count("\n")  # of the access, behind the header

CASES = {
    "past the end": ("ld.global.u32 %r0, [%in+256];",
                     "[R42] global read of 4 bytes at 0x700000000100 is outside every allocation: "
                     "0 bytes past the end of 'in0' (256 bytes at 0x700000000000)"),
    "astride the end": ("ld.global.v2.u32 {%r0, %r1}, [%in+256];", "[R42] global read of 8 bytes at 0x700000000100"),
    "before the start": ("st.global.u32 [%in+-4], %r0;", "[R42] global write of 4 bytes at 0x6ffffffffffc is outside"),
    "guard zone": ("st.global.u8 [%in+300], %r0;", "44 bytes past the end of 'in0' (256 bytes at 0x700000000000)"),
    "null": ("mov.u64 %rd0, 0; ld.global.u32 %r0, [%rd0];", "[R42] global read of 4 bytes at 0x0 is outside"),
    "misaligned": ("ld.global.u32 %r0, [%in+2];", "[alignment] expected a global address that is a multiple of the 4 bytes accessed, got 0x700000000002"),
    "misaligned vector": ("ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%in+8];", "expected a global address that is a multiple of the 16 bytes accessed, got 0x700000000008"),
    "misaligned atomic": ("atom.global.add.u64 %rd0, [%in+4], 1;", "expected a global address that is a multiple of the 8 bytes accessed, got 0x700000000004"),
    "shared past the end": ("ld.shared.u32 %r0, [s+64];",
                            "[R42] shared read of 4 bytes at 0x440 is outside every allocation: s+64, shared memory is [0x400, 0x440)"),
    "local past the end": ("ld.local.u32 %r0, [l+4096];", "[R42] local read of 4 bytes"),
    "global address as shared": ("cvt.u32.u64 %r1, %in; ld.shared.u32 %r0, [%r1];", "[R42] shared read of 4 bytes at 0x0 is outside"),
    "shared address as global": ("mov.u64 %rd0, s; ld.global.u32 %r0, [%rd0];", "[R42] global read of 4 bytes at 0x400 is outside"),
    "constants are read only": ("mov.u64 %rd0, table; cvta.const.u64 %rd0, %rd0; st.u32 [%rd0], 1;", "constant"),
    "freed": ("""{ .param .b64 size; .param .b64 block; st.param.b64 [size], 32; call (block), malloc, (size);
 ld.param.b64 %rd0, [block]; } { .param .b64 block; st.param.b64 [block], %rd0; call free, (block); } ld.u32 %r0, [%rd0];""",
              "[R42] global read of 4 bytes at 0x700000200200 is outside every allocation"),
    "freed twice": ("""{ .param .b64 size; .param .b64 block; st.param.b64 [size], 32; call (block), malloc, (size);
 ld.param.b64 %rd0, [block]; } { .param .b64 block; st.param.b64 [block], %rd0; call free, (block); }
 { .param .b64 block; st.param.b64 [block], %rd0; call free, (block); }""", "free"),
}
HEAP = """.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
"""


@pytest.mark.parametrize("name", CASES)
def test_is_reported(name, tmp_path):
    body, words = CASES[name]
    heap = HEAP if "malloc" in body else ""
    text = f"{heap}{PRELUDE}{body}\nst.global.u32 [%out], %r0;\nret;\n}}\n"
    status, said, _ = run(tmp_path, text, [np.arange(64, dtype=np.uint32)], 4, 1, dtype=np.uint32)
    assert status == 1 and words in said, said
    if not heap:
        assert f"k.ptx:{LINE}: error: " in said, said
    assert "at cta (0, 0, 0), warp 0, lane 0" in said


def test_reads_of_bytes_never_written_count(tmp_path):
    text = f"{PRELUDE}ld.shared.u32 %r0, [s+8]; st.global.u32 [%out], %r0;\nret;\n}}\n"
    status, said, _ = run(tmp_path, text, [np.arange(64, dtype=np.uint32)], 4, 1, dtype=np.uint32)
    assert status == 0 and "byte 0 was never written (it reads as 0x7f)" in said, said
