# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instructions that random programs consist of, as templates.

`{a|b}` is a choice. A letter is an operand, a capital one is written:

  h 16 bits, r 32 bits, d 64 bits    integers
  x f16 or bf16, y two of them       floating point
  f f32, g f64
  p a predicate
  #N an integer below N

The identity of a warp (%warpid) is not here: hardware numbers them as it likes. Rounding
is always written out, since ptxas may fuse `mul` and `add` without it. One line
may be several instructions, `;` between them; %ta, %tb (32 bits) and %tc (64 bits) are
theirs alone.
"""

ROUND = "{rn|rz|rm|rp}"
TO_INT = "{rni|rzi|rmi|rpi}"
ORDER = "{eq|ne|lt|le|gt|ge}"
FLOAT_ORDER = "{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}"
FTZ, SAT = "{|.ftz}", "{|.sat}"

INTEGER = f"""
{{add|sub}}.{{s32|u32}} R, r, r
{{add|sub}}.sat.s32 R, r, r
{{add|sub}}.{{s16|u16}} H, h, h
{{add|sub}}.{{s64|u64}} D, d, d
mul.{{lo|hi}}.{{s16|u16}} H, h, h
mul.{{lo|hi}}.{{s32|u32}} R, r, r
mul.{{lo|hi}}.{{s64|u64}} D, d, d
mul.wide.{{s16|u16}} R, h, h
mul.wide.{{s32|u32}} D, r, r
mad.{{lo|hi}}.{{s16|u16}} H, h, h, h
mad.{{lo|hi}}.{{s32|u32}} R, r, r, r
mad.{{lo|hi}}.{{s64|u64}} D, d, d, d
mad.wide.{{s16|u16}} R, h, h, r
mad.wide.{{s32|u32}} D, r, r, d
mad.hi.sat.s32 R, r, r, r
mul24.{{lo|hi}}.{{s32|u32}} R, r, r
mad24.{{lo|hi}}.{{s32|u32}} R, r, r, r
sad.{{s16|u16}} H, h, h, h
sad.{{s32|u32}} R, r, r, r
sad.{{s64|u64}} D, d, d, d
{{abs|neg}}.s16 H, h
{{abs|neg}}.s32 R, r
{{abs|neg}}.s64 D, d
{{min|max}}.{{s16|u16}} H, h, h
{{min|max}}.{{s32|u32}} R, r, r
{{min|max}}.{{s64|u64}} D, d, d
{{min|max}}.relu.s32 R, r, r
{{min|max}}.{{s16x2|u16x2|relu.s16x2}} R, r, r
add.{{s16x2|u16x2}} R, r, r
{{popc|clz}}.b32 R, r
{{popc|clz}}.b64 R, d
brev.b32 R, r
brev.b64 D, d
bfind{{|.shiftamt}}.{{s32|u32}} R, r
bfind{{|.shiftamt}}.{{s64|u64}} R, d
bfe.{{s32|u32}} R, r, r, r
bfe.{{s64|u64}} D, d, r, r
bfi.b32 R, r, r, r, r
bfi.b64 D, d, d, r, r
szext.{{wrap|clamp}}.{{s32|u32}} R, r, r
bmsk.{{wrap|clamp}}.b32 R, r, r
lop3.b32 R, r, r, r, #256
shf.{{l|r}}.{{wrap|clamp}}.b32 R, r, r, r
prmt.b32{{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}} R, r, r, r
shl.b16 H, h, r
shr.{{b16|s16|u16}} H, h, r
shl.b32 R, r, r
shr.{{b32|s32|u32}} R, r, r
shl.b64 D, d, r
shr.{{b64|s64|u64}} D, d, r
shl.b32 R, r, #32
shr.s64 D, d, #64
{{and|or|xor}}.b16 H, h, h
{{and|or|xor}}.b32 R, r, r
{{and|or|xor}}.b64 D, d, d
{{not|cnot}}.b16 H, h
{{not|cnot}}.b32 R, r
{{not|cnot}}.b64 D, d
{{and|or|xor}}.pred P, p, p
not.pred P, p
dp4a.{{s32|u32}}.{{s32|u32}} R, r, r, r
dp2a.{{lo|hi}}.{{s32|u32}}.{{s32|u32}} R, r, r, r
or.b32 %ta, r, 1; {{div|rem}}.{{s32|u32}} R, r, %ta
or.b64 %tc, d, 1; {{div|rem}}.{{s64|u64}} D, d, %tc
add.cc.{{s32|u32}} %ta, r, r; addc.cc.{{s32|u32}} %tb, r, r; addc.u32 R, %ta, %tb
sub.cc.{{s32|u32}} %ta, r, r; subc.cc.{{s32|u32}} %tb, r, r; subc.u32 R, %ta, %tb
mad.lo.cc.{{s32|u32}} %ta, r, r, r; madc.hi.cc.{{s32|u32}} %tb, r, r, r; addc.u32 R, %ta, %tb
add.cc.{{s64|u64}} %tc, d, d; addc.{{s64|u64}} D, d, %tc
"""

COMPARE = f"""
setp.{ORDER}.{{s16|u16}} P, h, h
setp.{ORDER}.{{s32|u32}} P, r, r
setp.{ORDER}.{{s64|u64}} P, d, d
setp.{{lo|ls|hi|hs}}.u32 P, r, r
setp.{ORDER}.{{and|or|xor}}.{{s32|u32}} P, r, r, p
setp.{FLOAT_ORDER}{FTZ}.f32 P, f, f
setp.{FLOAT_ORDER}.{{and|or|xor}}{FTZ}.f32 P, f, f, p
setp.{FLOAT_ORDER}.f64 P, g, g
setp.{FLOAT_ORDER}{FTZ}.f16 P, x, x
setp.{FLOAT_ORDER}.bf16 P, x, x
set.{ORDER}.{{u32|s32}}.{{s32|u32}} R, r, r
set.{ORDER}.f32.{{s32|u32}} F, r, r
set.{FLOAT_ORDER}{FTZ}.{{u32|s32}}.f32 R, f, f
set.{FLOAT_ORDER}{FTZ}.f32.f32 F, f, f
set.{FLOAT_ORDER}.u32.f64 R, g, g
selp.b16 H, h, h, p
selp.{{b32|s32}} R, r, r, p
selp.b64 D, d, d, p
selp.f32 F, f, f, p
selp.f64 G, g, g, p
slct.b32.s32 R, r, r, r
slct.f32.s32 F, f, f, r
slct.b64.s32 D, d, d, r
slct{FTZ}.b32.f32 R, r, r, f
"""

FLOAT = f"""
{{add|sub|mul}}.{ROUND}{FTZ}{SAT}.f32 F, f, f
fma.{ROUND}{FTZ}{SAT}.f32 F, f, f, f
div.{ROUND}{FTZ}.f32 F, f, f
div.{{approx|full}}{FTZ}.f32 F, f, f
{{rcp|sqrt}}.{ROUND}{FTZ}.f32 F, f
{{rcp|sqrt|rsqrt|sin|cos|lg2|ex2}}.approx{FTZ}.f32 F, f
tanh.approx.f32 F, f
{{min|max}}{FTZ}{{|.NaN}}{{|.xorsign.abs}}.f32 F, f, f
{{abs|neg}}{FTZ}.f32 F, f
copysign.f32 F, f, f
testp.{{finite|infinite|number|notanumber|normal|subnormal}}.f32 P, f
{{add|sub|mul}}.{ROUND}.f64 G, g, g
fma.{ROUND}.f64 G, g, g, g
div.{ROUND}.f64 G, g, g
{{rcp|sqrt}}.{ROUND}.f64 G, g
rcp.approx.ftz.f64 G, g
rsqrt.approx{FTZ}.f64 G, g
{{min|max}}.f64 G, g, g
{{abs|neg}}.f64 G, g
copysign.f64 G, g, g
testp.{{finite|infinite|number|notanumber|normal|subnormal}}.f64 P, g
{{add|sub|mul}}.rn{FTZ}{SAT}.f16 X, x, x
fma.rn{FTZ}{{|.sat|.relu}}.f16 X, x, x, x
{{add|sub|mul}}.rn{FTZ}{SAT}.f16x2 Y, y, y
fma.rn{FTZ}{{|.sat|.relu}}.f16x2 Y, y, y, y
{{min|max}}{FTZ}{{|.NaN}}{{|.xorsign.abs}}.f16 X, x, x
{{min|max}}{FTZ}{{|.NaN}}{{|.xorsign.abs}}.f16x2 Y, y, y
{{min|max}}{{|.NaN}}{{|.xorsign.abs}}.bf16 X, x, x
{{min|max}}{{|.NaN}}{{|.xorsign.abs}}.bf16x2 Y, y, y
{{abs|neg}}{{.f16|.bf16|.ftz.f16}} X, x
{{abs|neg}}{{.f16x2|.bf16x2|.ftz.f16x2}} Y, y
{{add|sub|mul}}.rn.bf16 X, x, x
{{add|sub|mul}}.rn.bf16x2 Y, y, y
fma.rn{{|.relu}}.bf16 X, x, x, x
fma.rn{{|.relu}}.bf16x2 Y, y, y, y
ex2.approx.f16 X, x
ex2.approx.f16x2 Y, y
ex2.approx.ftz.bf16 X, x
ex2.approx.ftz.bf16x2 Y, y
tanh.approx.{{f16|bf16}} X, x
tanh.approx.{{f16x2|bf16x2}} Y, y
"""

CONVERT = f"""
cvt.{{u8|s8|u16|s16}}.{{s32|u32}} H, r
cvt.sat.{{u8|s8|u16|s16}}.{{s32|u32}} H, r
cvt.sat.{{u8|s8}}.{{s16|u16}} H, h
cvt.{{s32|u32}}.{{u8|s8|u16|s16}} R, h
cvt.{{s32|u32}}.{{s64|u64}} R, d
cvt.sat.{{s32|u32}}.{{s64|u64}} R, d
cvt.{{s64|u64}}.{{s32|u32}} D, r
cvt.{{s64|u64}}.{{u8|s8|u16|s16}} D, h
cvt.{ROUND}.f32.{{s32|u32}} F, r
cvt.{ROUND}.f32.{{s64|u64}} F, d
cvt.{ROUND}.f32.{{u16|s16|u8|s8}} F, h
cvt.{ROUND}.f64.{{s64|u64}} G, d
cvt.{ROUND}.f64.{{s32|u32}} G, r
cvt.{ROUND}.f16.{{s32|u32}} X, r
cvt.{ROUND}.f16.{{s64|u64}} X, d
cvt.{ROUND}.f16.{{u16|s16}} X, h
cvt.{TO_INT}{FTZ}.{{s32|u32}}.f32 R, f
cvt.{TO_INT}{FTZ}.{{s64|u64}}.f32 D, f
cvt.{TO_INT}.{{s16|u16|s8|u8}}.f32 H, f
cvt.{TO_INT}.{{s32|u32}}.f64 R, g
cvt.{TO_INT}.{{s64|u64}}.f64 D, g
cvt.{TO_INT}.{{s32|u32}}.f16 R, x
cvt.{TO_INT}.{{s16|u16}}.f16 H, x
cvt.f64.f32 G, f
cvt.ftz.f64.f32 G, f
cvt.{ROUND}{FTZ}{SAT}.f32.f64 F, g
cvt.{TO_INT}{FTZ}.f32.f32 F, f
cvt.{TO_INT}.f64.f64 G, g
cvt.{TO_INT}.f16.f16 X, x
cvt{FTZ}.sat.f32.f32 F, f
cvt.{{rn|rz}}.f16.f32 X, f
cvt.{ROUND}.f16.f64 X, g
cvt{FTZ}.f32.f16 F, x
cvt.f64.f16 G, x
cvt.{{rn|rz}}{{|.relu}}.bf16.f32 X, f
cvt.f32.bf16 F, x
cvt.{{rn|rz}}{{|.relu}}.{{f16x2|bf16x2}}.f32 Y, f, f
cvt.rna.tf32.f32 R, f
cvt.{{rn|rz}}{{|.relu}}.tf32.f32 R, f
cvt.rn.satfinite{{|.relu}}.{{e4m3x2|e5m2x2}}.f32 H, f, f
cvt.rn.satfinite{{|.relu}}.{{e4m3x2|e5m2x2}}.f16x2 H, y
cvt.rn{{|.relu}}.f16x2.{{e4m3x2|e5m2x2}} Y, h
cvt.pack.sat.{{s16|u16}}.s32 R, r, r
cvt.pack.sat.{{s8|u8}}.s32.b32 R, r, r, r
mov.b64 D, {{r, r}}
mov.b64 {{R, R}}, d
mov.b64 {{R, R}}, g
mov.b64 G, {{r, f}}
mov.b32 {{H, H}}, r
mov.b32 {{X, X}}, y
mov.b32 R, {{h, h}}
mov.b32 Y, {{x, x}}
mov.b32 R, f
mov.b32 F, r
mov.b32 Y, r
mov.b16 X, h
mov.b64 D, g
mov.b32 R, {{%tid.x|%laneid|%ctaid.x|%ntid.x|%nctaid.x|%lanemask_lt|%lanemask_ge}}
"""

# Executed by whole warps.
WARP = """
shfl.sync.{up|down|bfly|idx}.b32 R|P, r, r, {0x1f|0|0x1c1f|0x181f|0x101f}, -1
shfl.sync.{up|down|bfly|idx}.b32 F|P, f, #32, {0x1f|0|0x1c1f|0x181f}, -1
vote.sync.{all|any|uni}.pred P, p, -1
vote.sync.ballot.b32 R, p, -1
and.b32 %ta, r, 3; match.any.sync.b32 R, %ta, -1
and.b64 %tc, d, 1; match.any.sync.b64 R, %tc, -1
and.b32 %ta, r, 0x40000000; match.all.sync.b32 R|P, %ta, -1
redux.sync.{add|min|max}.{s32|u32} R, r, -1
redux.sync.{and|or|xor}.b32 R, r, -1
"""

# Executed by whole CTAs.
CTA = """
bar.red.popc.u32 R, 0, p
bar.red.{and|or}.pred P, 0, p
barrier.red.popc.u32 R, 0, p
"""

# Registers of 32 bits in A, B and C (64 for f64).
MATRIX = """
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 4 2 4 f y
mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 4 2 2 y y
mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 4 2 4 f y
mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 2 1 4 f y
mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 2 1 2 y y
mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 2 1 4 f y
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 4 2 4 f f
mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 2 1 4 f f
mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 4 2 4 r r
mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 4 2 4 r r
mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 2 1 4 r r
mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 1 1 2 r r
mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32 4 2 4 r r
mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc 4 2 4 r r
mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 1 1 2 g g
mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 4 2 4 g g
"""


def lines(text: str) -> list[str]:
    return [line for line in text.strip().splitlines() if line]
