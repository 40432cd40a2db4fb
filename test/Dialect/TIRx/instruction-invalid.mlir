// RUN: tirx-opt %s -split-input-file -verify-diagnostics

// instruction_c1
// expected-error @+1 {{expected a PTX opcode such as acme.fma3.rn.f32, got '3x'}}
tirx.instruction @a "3x" () { tirx.yield }

// -----

// instruction_c1: an empty word
// expected-error @+1 {{expected a PTX opcode such as acme.fma3.rn.f32, got 'acme..f32'}}
tirx.instruction @a "acme..f32" () { tirx.yield }

// -----

// instruction_c1: two of one name
// expected-note @+1 {{it is registered here}}
tirx.instruction @a "acme.x" () { tirx.yield }
// expected-error @+1 {{expected a mnemonic that no other instruction has, got 'acme.x'}}
tirx.instruction @b "acme.x" () { tirx.yield }

// -----

// instruction_c2
// expected-error @+1 {{expected operands of different names, got two called 'a'}}
tirx.instruction @a "acme.x" (out a: f32, in %a: f32) { tirx.yield %a : f32 }

// -----

// instruction_c2: a type
// expected-error @+1 {{expected operand 'a', which is in, to have a type that the role allows (i1 to i64, f16 to f64, a pointer or a vector of them; imm: an integer), got 'i7'}}
tirx.instruction @a "acme.x" (in %a: i7) { tirx.yield }

// -----

// instruction_c2: an immediate
// expected-error @+1 {{expected operand 'a', which is imm,}}
tirx.instruction @a "acme.x" (imm %a: f32) { tirx.yield }

// -----

// instruction_c2: a pointer is not written
// expected-error @+1 {{expected operand 'p', which is inout,}}
tirx.instruction @a "acme.x" (inout %p: !llvm.ptr) { tirx.yield %p : !llvm.ptr }

// -----

// instruction_c2: a name
// expected-error @+1 {{expected an operand name of letters, digits and underscores that begins with no digit, got '0'}}
tirx.instruction @a "acme.x" (in %0: i32) { tirx.yield }

// -----

// instruction_c3
// expected-error @+1 {{expected a text with {a} for each operand, got "acme.x;"}}
tirx.instruction @a "acme.x" (in %a: i32) text "acme.x;" { tirx.yield }

// -----

// instruction_c3
// expected-error @+1 {{expected a text that names operands, got {b}, which is none}}
tirx.instruction @a "acme.x" (in %a: i32) text "acme.x {a}, {b};" { tirx.yield }

// -----

// instruction_c4
// expected-error @+1 {{expected a body with the arguments ('f32'), got ()}}
"tirx.instruction"() <{sym_name = "a", mnemonic = "acme.x", operand_list = [#tirx.operand<in, "a", f32>]}> ({
  "tirx.yield"() : () -> ()
}) : () -> ()

// -----

// instruction_c4: what it yields
tirx.instruction @a "acme.x" (out d: f32, in %a: i32) {
  // expected-error @+1 {{expected the values ('f32') of the operands that are written, got ('i32')}}
  tirx.yield %a : i32
}

// -----

// instruction_c5
// expected-error @+1 {{expected the effect 'read' on a pointer operand, got 'q', which is no operand}}
tirx.instruction @a "acme.x" (in %p: !llvm.ptr) effects(read q 4) { tirx.yield }

// -----

// instruction_c5
// expected-error @+1 {{expected the effect 'write' on a pointer operand, got 'a'}}
tirx.instruction @a "acme.x" (in %a: i32) effects(write a 4) { tirx.yield }

// -----

// instruction_c5
// expected-error @+1 {{expected the effect 'read' on 'p' to cover at least 1 byte, got 0}}
tirx.instruction @a "acme.x" (in %p: !llvm.ptr) effects(read p 0) { tirx.yield }

// -----

// instruction_c5
// expected-error @+1 {{expected one effect 'read' on 'p', got two}}
tirx.instruction @a "acme.x" (in %p: !llvm.ptr) effects(read p 4, read p 8) { tirx.yield }

// -----

// instruction_c6: an undeclared store
// expected-note @+1 {{of this instruction}}
tirx.instruction @a "acme.x" (in %p: !llvm.ptr, in %a: i32) effects(read p 4) {
  // expected-error @+1 {{expected an address computed from an operand with the effect 'write'}}
  llvm.store %a, %p : i32, !llvm.ptr
  tirx.yield
}

// -----

// instruction_c6: an address from nowhere
// expected-note @+1 {{of this instruction}}
tirx.instruction @a "acme.x" (out d: i32, in %p: !llvm.ptr, in %a: i64) effects(read p 4) {
  %0 = llvm.inttoptr %a : i64 to !llvm.ptr
  // expected-error @+1 {{expected an address computed from an operand with the effect 'read'}}
  %1 = llvm.load %0 : !llvm.ptr -> i32
  tirx.yield %1 : i32
}

// -----

// instruction_c6: other ops on memory
tirx.instruction @a "acme.x" (out d: i32, in %p: !llvm.ptr, in %a: i32) effects(read p 4, write p 4) {
  // expected-error @+1 {{expected llvm.load and llvm.store to be the only ops that touch memory}}
  %0 = llvm.atomicrmw add %p, %a monotonic : !llvm.ptr, i32
  tirx.yield %0 : i32
}

// -----

// instruction_c7
tirx.instruction @a "acme.x" (out d: i32, in %a: i32) {
  // expected-error @+1 {{expected the body of an instruction to consist of arith, math, scf, vector, ub and llvm, without calls and inline assembly}}
  %0 = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %a : (i32) -> i32
  tirx.yield %0 : i32
}

// -----

// instruction_c8
// expected-error @+1 {{expected the operands that PTX gives add.f32: }}
tirx.instruction @a "add.f32" (out d: f32, in %a: f32) { tirx.yield %a : f32 }

// -----

// instruction_c8: types
// expected-error @+1 {{of add.f32 to be a float or integer of 32 bits (.f32) as in PTX, got 'f64'}}
tirx.instruction @a "add.f32" (out d: f64, in %a: f64, in %b: f64) { tirx.yield %a : f64 }

// -----

// instruction_c8: text
// expected-error @+1 {{expected no text for add.f32, which is emitted as PTX has it}}
tirx.instruction @a "add.f32" (out d: f32, in %a: f32, in %b: f32) text "sub.f32 {d}, {a}, {b};" { tirx.yield %a : f32 }

// -----

// instruction_c3: characters
// expected-error @+1 {{expected a text of printable characters, got 0x0}}
tirx.instruction @a "acme.x" (in %a: i32) text "acme.x {a};\00" { tirx.yield }

// -----

// instruction_c3: comments
// expected-error @+1 {{expected a text without comments and strings, got '//'}}
tirx.instruction @a "acme.x" (in %a: i32) text "acme.x; // {a}" { tirx.yield }

// -----

// instruction_c3: a register of that name would stand for an operand
// expected-error @+1 {{expected names of the text's own that do not begin with % or tirx_p, as the compiler's do, got '%r1'}}
tirx.instruction @a "acme.x" (out d: i32, in %a: i32) text "{ .reg .b32 %r1; mov.b32 %r1, {a}; mov.b32 {d}, %r1; }" { tirx.yield %a : i32 }

// -----

// instruction_c3: blocks
// expected-error @+1 {{expected a text with a } for each {, got "} acme.x {a}; {"}}
tirx.instruction @a "acme.x" (in %a: i32) text "} acme.x {a}; {" { tirx.yield }

// -----

// instruction_c3: the last statement
// expected-error @+1 {{expected a text that ends with ';' or a block, got "acme.x {a}"}}
tirx.instruction @a "acme.x" (in %a: i32) text "acme.x {a}" { tirx.yield }

// -----

// instruction_c9: other lanes
// expected-error @+1 {{expected effects with 'convergent', which 'activemask.b32' in the text has}}
tirx.instruction @a "acme.x" (out d: i32) text "activemask.b32 {d};" { %0 = arith.constant 0 : i32 tirx.yield %0 : i32 }

// -----

// instruction_c9: memory
// expected-error @+1 {{expected effects with 'write', which 'st.global.u32' in the text has}}
tirx.instruction @a "acme.x" (in %p: !llvm.ptr<1>, in %a: i32) effects(read p 4) text "{ st.global.u32 [{p}], {a}; }" { tirx.yield }

// -----

// instruction_c9: what changes by itself
// expected-error @+1 {{expected effects with 'orders' for a text that reads %clock, which changes by itself}}
tirx.instruction @a "acme.x" (out d: i32) text "mov.u32 {d}, %clock;" { %0 = arith.constant 0 : i32 tirx.yield %0 : i32 }

// -----

// instruction_c1: an outer module has it
module {
  // expected-note @+1 {{it is registered here}}
  tirx.instruction @a "acme.x" () { tirx.yield }
  module {
    // expected-error @+1 {{expected a mnemonic that no other instruction has, got 'acme.x'}}
    tirx.instruction @a "acme.x" () { tirx.yield }
  }
}

// -----

// ptx_c1: neither in the table nor registered here
module @inner {
  tirx.instruction @a "acme.x" () { tirx.yield }
}
func.func @f() {
  // expected-error @+1 {{'tirx.ptx' op}}
  tirx.ptx "acme.x"() : () -> ()
  return
}

// -----

// ptx_c2: a registered one
// expected-note @+1 {{of this instruction}}
tirx.instruction @a "acme.x" (out d: f32, in %a: f32) { tirx.yield %a : f32 }
func.func @f(%i: i32) {
  // expected-error @+1 {{expected the types ('f32') -> ('f32'), got ('i32') -> ('f32')}}
  %0 = tirx.ptx "acme.x"(%i) : (i32) -> f32
  return
}

// -----

// ptx_c5: a registered one
tirx.instruction @a "acme.x" (imm %n: i32) { tirx.yield }
func.func @f(%i: i32) {
  // expected-error @+1 {{expected 'n' to be a constant: the instruction takes an immediate there}}
  tirx.ptx "acme.x"(%i) : (i32) -> ()
  return
}

// -----

// Syntax: the role of an operand
// expected-error @+1 {{expected out, in, inout or imm, got 'ref'}}
tirx.instruction @a "acme.x" (ref %a: i32) { tirx.yield }

// -----

// Syntax: an effect
// expected-error @+1 {{expected read, write, convergent or orders, got 'touch'}}
tirx.instruction @a "acme.x" (in %p: !llvm.ptr) effects(touch p 4) { tirx.yield }

// -----

// Syntax: a proxy
// expected-error @+1 {{expected generic, async, tensormap or tcgen05, got 'slow'}}
tirx.instruction @a "acme.x" (in %p: !llvm.ptr) effects(read p 4 slow) { tirx.yield }

// -----

// ptx_c5: the constants that PTX takes
func.func @f(%d: !llvm.ptr<3>, %s: !llvm.ptr<1>) {
  %c5 = arith.constant 5 : i32
  // expected-error @+1 {{expected 'size' to be 4, 8 or 16, got 5}}
  tirx.ptx "cp.async.ca.shared.global"(%d, %s, %c5) : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
  return
}

// -----

// ptx_c5: as the metadata needs
func.func @f(%r: i32) {
  %c2 = arith.constant 2 : i32
  // expected-error @+1 {{expected 'f' to be 0 to 1, got 2}}
  %d:2 = tirx.ptx "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16"(%r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %r, %c2) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> (i32, i32)
  return
}

// -----

// ptx_c2: either of two operands
func.func @f(%d: !llvm.ptr<3>, %s: !llvm.ptr<1>, %n: i32, %p: i1) {
  %c16 = arith.constant 16 : i32
  tirx.ptx "cp.async.ca.shared.global"(%d, %s, %c16, %p) : (!llvm.ptr<3>, !llvm.ptr<1>, i32, i1) -> ()
  // expected-error @+1 {{expected operand 'ignore_src' of 'cp.async' or operand 'src_size', got both}}
  tirx.ptx "cp.async.ca.shared.global"(%d, %s, %c16, %n, %p) : (!llvm.ptr<3>, !llvm.ptr<1>, i32, i32, i1) -> ()
  return
}

// -----

// ptx_c2: one width in a vector
func.func @f(%p: i64) {
  // expected-error @+1 {{expected result 'd' to be values of one width, 32 bits as the first, got 'i16'}}
  %0:2 = tirx.ptx "ldu.v2.u8"(%p) : (i64) -> (i32, i16)
  return
}

// -----

// ptx_c2: addresses that are too narrow or too wide
func.func @f(%n: i32, %d: i64, %p: i1) {
  // expected-error @+1 {{expected operand 'd' to be !llvm.ptr<6> or i32, got 'i64'}}
  tirx.ptx "tcgen05.mma.cta_group::1.kind::f16"(%d, %d, %d, %n, %p) : (i64, i64, i64, i32, i1) -> ()
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{expected operand 'a' to be a pointer or i64, got 'i32'}}
  %0 = tirx.ptx "ld.global.u32"(%n) : (i32) -> i32
  return
}

// -----

func.func @f(%b: i8) {
  // expected-error @+1 {{expected operand 'a' to be a pointer, i32 or i64, got 'i8'}}
  %0 = tirx.ptx "isspacep.shared"(%b) : (i8) -> i1
  return
}

// -----

// ptx_c2: offsets as the modifiers say
func.func @f(%m: i64, %n: i32, %o: i16) {
  tirx.ptx "cp.async.bulk.prefetch.tensor.4d.L2.global.im2col"(%m, %n, %n, %n, %n, %o, %o) : (i64, i32, i32, i32, i32, i16, i16) -> ()
  // expected-error @+1 {{expected values for}}
  tirx.ptx "cp.async.bulk.prefetch.tensor.4d.L2.global.im2col"(%m, %n, %n, %n, %n, %o) : (i64, i32, i32, i32, i32, i16) -> ()
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{expected operand 'a' to be a pointer or i64, got 'i32'}}
  tirx.ptx "multimem.red.relaxed.sys.global.and.b32"(%n, %n) : (i32, i32) -> ()
  return
}
