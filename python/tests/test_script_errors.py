# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in kernels at tile level: what is said of them, and where."""

import importlib.util
import itertools
import re

import pytest
from tirx import script as T
from tirx.runtime.kernel import CompileError

HEAD = """\
from tirx import script as T
from tirx.cuda.operator.tile_primitive.tma_utils import SwizzleMode, tma_shared_layout
from tirx.layout import S, TileLayout, tid_in_wg
from tirx.script import tile as Tx

@T.prim_func
def kernel(A: T.Buffer((128, 64), "float16"), B: T.Buffer((128, 64), "float16"),
           out: T.Buffer((64,), "int32")):
    t = T.thread_id([128])
"""

# A body, the line and the column in it, and the message. (...: names that may grow)
# ruff: noqa: E501
MISTAKES = [
    ("x = undefined + 1",
     1, 5,
     "expected a name that is bound, got 'undefined'"),
    ("""\
r = t
if t < 3:
    r = 4""",
     3, 5,
     "expected a mutable scalar to assign to in a branch or loop of the running "
     "kernel, but 'r' got a value at line 10: write `r: T.int32 = ...` there"),
    ("""\
if t < 3:
    y = 4
out[t] = y""",
     3, 10,
     "name 'y' is bound in the branch or loop of line 11 only: bind it before, as a "
     "mutable scalar `y: T.int32 = 0` if threads change it"),
    ("""\
with open("x") as f:
    pass""",
     1, 1,
     "expected Python that a kernel can be made of, got `with`: write `if` for a role "
     "of threads, and call begin and end functions"),
    ("""\
try:
    pass
except ValueError:
    pass""",
     1, 1,
     "expected Python that a kernel can be made of, got `try`: a kernel has no exceptions"),
    ("f = lambda x: x",
     1, 5,
     "expected Python that a kernel can be made of, got `lambda`: write a nested `def`"),
    ("Tx.cta.cpy(A[:, :], B[:, :])",
     1, 1,
     "expected a tile op, one of ..., got 'cpy' (is it "
     "'copy'?)"),
    ("Tx.cta.copy(A[:, :])",
     1, 1,
     "copy (cta): expected argument 'src'"),
    ('Tx.cta.copy(A[:, :], B[:, :], dispach="tma")',
     1, 1,
     "copy (cta): expected options of dst, src, dispatch, got 'dispach' (is it 'dispatch'?)"),
    ("Tx.cta.copy(A[:, :], t)",
     1, 1,
     "copy (cta): operand 'src': expected a buffer or a slice of one, got a value of i32"),
    ("Tx.cta.copy(A[0:64, :], B[:, :])",
     1, 1,
     "'tirx.copy' op expected dst and src to have the same shape once extents of 1 are"
     " dropped, got 64x64 and 128x64"),
    ("Tx.cta.copy(A[0:200, :], B[:, :])",
     1, 13,
     "'A': expected dimension 0 inside 0 to 128, got 0 to 200"),
    ("Tx.cta.copy(A[t : t * 2, :], B[:, :])",
     1, 15,
     "expected a slice whose length is known while the kernel is compiled: write start"
     " : start + LENGTH"),
    ("Tx.cta.copy(A[:, 0:64:2], B[:, :])",
     1, 13,
     "'A': expected a slice without a step, got step 2"),
    ("Tx.cta.copy(A[:, :, :], B[:, :])",
     1, 13,
     "'A': expected 2 indices, got 3"),
    ("out[t, 1] = 3",
     1, 1,
     "'out': expected 1 indices, got 2"),
    ("out[64] = 3",
     1, 1,
     "'out': expected index 0 in 0 to 63, got 64"),
    ("""\
if t == 0:
    T.cuda.cta_sync()""",
     2, 5,
     "'tirx.barrier' op expected all threads of the cta to reach it (scope cta), got "
     "thread 0 (lane 0 of warp 0)"),
    ("""\
if t == 0:
    Tx.cta.copy(A[:, :], B[:, :])""",
     2, 5,
     "'tirx.copy' op expected all threads of the cta to reach it (scope cta), got "
     "thread 0 (lane 0 of warp 0)"),
    ('Tx.cta.copy(A[:, :], B[:, :], dispatch="tma")',
     1, 1,
     "'tirx.copy' op has no dispatch variant \"tma\": expected one of ..."),
    ("""\
pool = T.SMEMPool()
bar = pool.alloc((1,), "uint32")
T.ptx.mbarrier.init(bar.ptr_to([0]), 1)""",
     3, 1,
     "mbarrier.init: expected an mbarrier, such as bar.ptr_to([0]) of pool.alloc((1,),"
     " \"uint64\")"),
    ("""\
pool = T.SMEMPool()
bar = pool.alloc((1,), "uint64")
T.ptx.mbarrier.init(bar.ptr_to([0]), t)""",
     3, 1,
     "count: expected a positive integer that is known while the kernel is compiled, "
     "got a value of the running kernel"),
    ("""\
pool = T.SMEMPool()
a = pool.alloc((128, 64), "float16")
Tx.gemm_async(a, A[:, :], B[:, :], dispatch="tcgen05")""",
     3, 1,
     "'tirx.gemm_async' op expected N to agree, got 64 from D and 128 from B (D is (M,"
     " N), A is (M, K), B is (N, K))"),
    ("""\
for i in A:
    pass""",
     1, 10,
     "expected a range or a sequence that is known while the kernel is compiled: write"
     " range(n)"),
    ("""\
for i in range(t):
    z = [1, 2][i]""",
     2, 9,
     "expected a number that is known while the kernel is compiled, got a value of the"
     " running kernel"),
    ('x: T.int32 = "a"',
     1, 1,
     "expected a value of i32, got str"),
    ("x: T.nothing = 3",
     1, 4,
     "module 'tirx.script' has no attribute 'nothing'"),
    ("x: T.int32 = 1.5",
     1, 1,
     "expected an integer for i32, got 1.5"),
    ("T.warpgroup_id([2])",
     1, 1,
     "T.warpgroup_id: expected 128 threads of a CTA as T.thread_id says, got 256"),
    ("T.lane_id([64])",
     1, 1,
     "T.lane_id: expected [32], got [64]"),
    ("return 3",
     1, 1,
     "expected return without a value: a kernel writes its results into buffers"),
    ("assert t < 3",
     1, 1,
     "expected a condition that is known while the kernel is compiled: write "
     "T.cuda.trap_when_assert_failed(condition)"),
    ('assert 1 > 2, "one is not more than two"',
     1, 1,
     "one is not more than two"),
    ("""\
while 1 < 2:
    x = 3""",
     1, 1,
     "expected at most 65536 rounds to write out: write a loop on a mutable scalar"),
    ("y = A + B",
     1, 5,
     "expected numbers, got a buffer: tile ops compute on buffers, such as Tx.copy and"
     " Tx.cast"),
    ("y = A[0, 0] + t.foo",
     1, 15,
     "'Expr' object has no attribute 'foo'"),
    ("T.ptx.mad.lo.s32(t, 1)",
     1, 1,
     "mad.lo.s32: expected operands (d, a, b, c), got 2 operands"),
    ("T.cuda.warpgroup_sync(77)",
     1, 1,
     "warpgroup_sync: expected a barrier of 1 to 15, got 77"),
    ('x = f"{t}"',
     1, 5,
     "expected a value that is known while the kernel is compiled in a string, got one"
     " of the running kernel"),
    ("""\
for i in T.unroll(t):
    pass""",
     1, 10,
     "expected bounds that are known while the kernel is compiled: write T.serial for "
     "a loop of the running kernel"),
    ("""\
for i in T.unroll(4):
    if t == i:
        break""",
     3, 9,
     "expected no break under a condition of the running kernel in a loop that is "
     "written out: write T.serial"),
    ("""\
def f(x):
    return f(x)
f(t)""",
     2, 12,
     "expected at most 64 calls inside each other: a function of a kernel cannot call "
     "itself without end"),
    ("""\
pool = T.SMEMPool()
a = pool.alloc((100, 60), "float16", layout=tma_shared_layout("float16", SwizzleMode.SWIZZLE_128B_ATOM, (100, 60)))""",
     2, 45,
     "expected the extent along K of a swizzle of 128 bytes to be a multiple of 64, got 60"),
    ("""\
pool = T.SMEMPool()
a = pool.alloc((128, 64), "float16", layout=TileLayout(S[(128, 32) : (32, 1)]))
Tx.cta.copy(a[:, :], A[:, :])""",
     2, 5,
     "alloc: expected a layout of 8192 elements, as many as the shape has, got 4096"),
    ('x = T.decl_buffer((128, 128), "float32", scope="shared")',
     1, 5,
     "scope: expected 'tmem', got 'shared': shared memory comes from T.SMEMPool, "
     "registers from T.alloc_local"),
    ("""\
pool = T.SMEMPool()
tm = T.TMEMPool(pool, columns=100)""",
     2, 6,
     "columns: expected 32, 64, 128, 256 or 512, got 100"),
    ("""\
pool = T.SMEMPool()
tm = T.TMEMPool(pool, columns=128)
acc = tm.alloc((128, 256), "float32")""",
     3, 7,
     "expected at most 128 columns, which are left of 128, got 256"),
    ("""\
pool = T.SMEMPool()
bar = pool.alloc((1,), "uint64")
bar[0] = 3
T.ptx.mbarrier.init(bar.ptr_to([0]), 1)""",
     3, 1,
     "'tirx.store' op expected the value to be '!tirx.mbarrier' or a vector of it of "
     "rank 1, got 'i64'"),
    ("a, b = 1, 2, 3",
     1, 1,
     "expected 2 values to unpack, got 3"),
    ('x = T.alloc_local((t,), "int32")',
     1, 5,
     "alloc_local: expected extents that are positive integers, got a value of the "
     "running kernel"),
    ('Tx.cta.copy(A[:, :], B[:, :], scope="warp")',
     1, 1,
     "copy (cta): expected options of dst, src, dispatch, got 'scope'"),
    ("A[:, 0] = 3",
     1, 1,
     "expected one element to assign to, got a region: write Tx.copy(destination, source)"),
    ('r = T.alloc_local((4,), "float99")',
     1, 5,
     "expected an element type, one of f16, bf16, f32, f64, f8e4m3, f8e5m2, i8, u8, "
     "i16, u16, i32, u32, i64, u64, bool, got 'float99'"),
    ("del t",
     1, 1,
     "expected Python that a kernel can be made of, got `del`: names end with the "
     "branch or loop that they are bound in"),
    ("""\
x = 5
x.y = 3""",
     2, 1,
     "'int' object has no attribute 'y'"),
    ("import os",
     1, 1,
     "expected Python that a kernel can be made of, got `import`: import at the head "
     "of the file"),
    ("""\
async def f():
    pass""",
     1, 1,
     "expected Python that a kernel can be made of, got an async function: write `def`"),
    ("print(t)",
     1, 1,
     "print: expected values that are known while the kernel is compiled, got one of "
     "the running kernel: write it to a buffer"),
    ("x = (lambda: 3)()",
     1, 6,
     "expected Python that a kernel can be made of, got `lambda`: write a nested `def`"),
    ("yield t",
     1, 1,
     "expected Python that a kernel can be made of, got `yield`: call a helper "
     "function in a loop"),
    ("x = [v for v in t]",
     1, 17,
     "'Expr' object is not iterable"),
    ("""\
if A:
    pass""",
     1, 4,
     "expected a condition, got a buffer"),
    ('x = T.alloc_local((4,), "float32", layout=3)',
     1, 5,
     "alloc_local: expected a layout such as TileLayout(S[...]), got int"),
    ("T.ptx.tcgen05.commit(A.ptr_to([0, 0]))",
     1, 1,
     "tcgen05.commit: expected an mbarrier, such as bar.ptr_to([0]) of "
     "pool.alloc((1,), \"uint64\")"),
    ("T.ptx.tcgen05.alloc(A.ptr_to([0, 0]), n_cols=512)",
     1, 1,
     "tmem_alloc: expected a word of shared memory, such as slot[0] of "
     "pool.alloc((1,), \"uint32\")"),
    ('T.ptx.fence.proxy_async("local")',
     1, 1,
     "fence.proxy_async: expected \"shared::cta\", \"global\" or \"\", got 'local'"),
    ("T.ptx.mad.lo.s32(t, 1, cta_group=1)",
     1, 1,
     "mad.lo.s32: expected no option 'cta_group': an instruction has its modifiers in "
     "its name"),
    ("B.permute(1, 1)",
     1, 1,
     "permute: expected each of dimensions 0 to 1 once, got [1, 1]"),
    ("x = A.view(100, 64)",
     1, 5,
     "view: expected a shape of 8192 elements, got 6400"),
    ("""\
for i in range(4):
    pass
else:
    pass""",
     4, 5,
     "expected a loop without else: set a mutable scalar before break"),
    ("x = T.address_of(3)",
     1, 5,
     "expected an element of shared memory or a buffer, got int"),
    ("""\
def f(a, b):
    return a
x = f(1)""",
     3, 5,
     "f: expected argument 'b'"),
    ("""\
def f(a):
    if t < 3:
        return a
f(1)""",
     3, 9,
     "expected return outside of branches and loops of the running kernel: assign to a"
     " mutable scalar and return it at the end"),
    ('Tx.wg.copy(A[:, :], B[:, :], "vectorized")',
     1, 1,
     "copy (warpgroup): expected at most 2 arguments (dst, src), got 3"),
    ("""\
regs = T.alloc_local((128, 64), "float16", layout=TileLayout(S[(128, 64) : (1 @ tid_in_wg, 1)]))
regs[0, 0] = 1""",
     2, 1,
     "expected a buffer without thread axes to index: take .view(n) of the tile, what "
     "one thread holds"),
    ('Tx.gemm_async(A[:, :], A[:, :], B[:, :], accum="yes")',
     1, 1,
     "expected a number or a value of the kernel, got str 'yes'"),
    ("T.cta_id([t])",
     1, 1,
     "cta_id: expected 1 to 3 positive integers that are known while the kernel is "
     "compiled, got ['a run-time value']"),
]

_numbers = itertools.count()


def load(tmp_path, text):
    name = f"mistake_{next(_numbers)}"
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kernel


def mistake_of(tmp_path, text):
    """File, line, column and message of the first error."""
    with pytest.raises((T.ScriptError, CompileError)) as caught:
        load(tmp_path, text).compile()
    error = caught.value
    if isinstance(error, T.ScriptError):
        return (*error.place, error.message)
    first = error.diagnostics[0]
    return first["file"], first["line"], first["column"], first["message"]


@pytest.mark.parametrize("body,line,column,message", MISTAKES)
def test_mistake(tmp_path, body, line, column, message):
    text = HEAD + "".join(f"    {entry}\n" for entry in body.splitlines())
    file, got_line, got_column, got = mistake_of(tmp_path, text)
    assert file.startswith(str(tmp_path))
    start, _, end = message.partition("...")
    assert got == message or "..." in message and got.startswith(start) and got.endswith(end)
    assert (got_line - HEAD.count("\n"), got_column - 4) == (line, column)


def test_number_of_threads_must_be_known(tmp_path):
    text = HEAD.replace("    t = T.thread_id([128])\n", "    t = T.thread_id()\n")
    _, line, _, message = mistake_of(tmp_path, text)
    assert line == 7 and message.startswith("expected the number of threads of a CTA: write")


def test_parameters_have_types(tmp_path):
    text = HEAD.replace('out: T.Buffer((64,), "int32")', "out: int")
    _, line, column, message = mistake_of(tmp_path, text)
    assert (line, column) == (8, 12)
    assert message == ("parameter 'out': expected a type such as T.Buffer((M, N), \"float16\") or "
                       "T.int32, got int")


def test_mistake_in_a_helper_is_where_the_helper_has_it(tmp_path):
    helper = "def helper(x):\n    return x + missing\n\n"
    text = helper + HEAD + "    out[t] = helper(t)\n"
    _, line, column, message = mistake_of(tmp_path, text)
    assert (line, column) == (2, 16) and re.search("got 'missing'", message)
