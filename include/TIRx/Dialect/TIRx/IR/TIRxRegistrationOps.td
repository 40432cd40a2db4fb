//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Instructions that a user registers: `tirx.instruction` and its terminator.

#ifndef TIRX_REGISTRATION_OPS
#define TIRX_REGISTRATION_OPS

include "TIRx/Dialect/TIRx/IR/TIRxOpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def TIRx_InstructionOp : TIRx_Op<"instruction",
    [IsolatedFromAbove, Symbol, SingleBlock,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "an instruction of the user's own, with what it computes";
  let description = [{
    Syntax:

    ```
    operation ::= `tirx.instruction` @name "mnemonic" `(` (operand (`,` operand)*)? `)`
                  (`effects` `(` effect (`,` effect)* `)`)? (`text` "text")?
                  (`attributes` attr-dict)? region
    operand   ::= `out` name `:` type | (`in` | `inout` | `imm`) `%`name `:` type
    effect    ::= (`read` | `write`) name bytes proxy? | `convergent` | `orders`
    ```

    From here on `tirx.ptx "mnemonic"` works as for an instruction of the table:
    in the order of the text, `out` operands are results, `in` operands inputs,
    `inout` operands both, `imm` operands constant inputs. A vector type is an
    operand of several registers in braces, one value each.

    `effects` says what the instruction does to memory, by operand, with the
    number of bytes and, where it is not the generic one, the proxy (`async`,
    `tensormap`, `tcgen05`); `convergent`: the lanes of a warp run it together;
    `orders`: it orders all memory, as a fence does. Without `effects` it does
    nothing but compute.

    `text` is what is emitted, with `{name}` for an operand; all other braces are
    its own. By default it is the mnemonic and the operands in order. Where it consists of known PTX, it runs
    as that on GPU and simulator. Where it does not, the simulator calls the
    model that the compiler makes of the body.

    The body gives the meaning for one thread. Its arguments are the operands
    that are read, it yields those that are written.

    Constraints:
    - (instruction_c1) The mnemonic is a PTX opcode with modifiers, such as
      `acme.fma3.rn.f32`, and no other instruction of the module has it.
    - (instruction_c2) Operands have different names (letters, digits, `_`), and types i1, i8, i16, i32,
      i64, f16, bf16, f32, f64, a pointer, or a vector of 2 to 128 of the 16-,
      32- and 64-bit ones; an `imm` is an integer of up to 64 bits, an `out` or
      `inout` no pointer.
    - (instruction_c3) The text names every operand but no others; it consists of
      whole statements, without comments and strings, and names of its own do not
      begin with `%` or `tirx_p`, as those of the compiler do.
    - (instruction_c4) The body's arguments are the `in`, `inout` and `imm`
      operands and it yields the `out` and `inout` ones, in order.
    - (instruction_c5) An effect names a pointer operand, once for reading and once
      for writing, and at least one byte.
    - (instruction_c6) The body reads and writes memory through operands that say
      so in `effects` only.
    - (instruction_c7) The body consists of ops of arith, math, scf, vector, ub and
      llvm, without calls and inline assembly.
    - (instruction_c8) Where the table has the mnemonic, the operands are the
      table's, and there is no text.
    - (instruction_c9) The effects cover those that known PTX in the text has.

    Example:

    ```mlir
    tirx.instruction @fma3 "acme.fma3.rn.f32" (out d: f32, in %a: f32, in %b: f32, in %c: f32)
        text "{ .reg .f32 t; mul.rn.f32 t, {a}, {b}; add.rn.f32 {d}, t, {c}; }" {
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      tirx.yield %1 : f32
    }

    tirx.instruction @bump "acme.bump.global.u32" (out d: i32, in %p: !llvm.ptr<1>, imm %n: i32)
        effects(read p 4, write p 4) {
      %0 = llvm.load %p : !llvm.ptr<1> -> i32
      %1 = arith.addi %0, %n : i32
      llvm.store %1, %p : i32, !llvm.ptr<1>
      tirx.yield %0 : i32
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$mnemonic,
                       TypedArrayAttrBase<TIRx_OperandAttr, "operands">:$operand_list,
                       OptionalAttr<TypedArrayAttrBase<TIRx_EffectAttr, "effects">>:$effect_list,
                       UnitAttr:$convergent, UnitAttr:$orders,
                       OptionalAttr<StrAttr>:$text);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The operands in the order of the text.
    auto getInstructionOperands() {
      return getOperandList().getAsRange<::tirx::OperandAttr>();
    }
    /// The text with `{name}` for operands, never empty.
    std::string getEmittedText();
    /// Types of the values that a `tirx.ptx` of this instruction takes and
    /// gives: those of the operands, vectors spread out.
    void getValueTypes(::llvm::SmallVectorImpl<::mlir::Type> &inputs,
                       ::llvm::SmallVectorImpl<::mlir::Type> &results);
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
  }];
}

def TIRx_YieldOp : TIRx_Op<"yield", [Pure, ReturnLike, Terminator,
                                     ParentOneOf<["InstructionOp"]>]> {
  let summary = "what an instruction writes";
  let description = [{
    Example:

    ```mlir
    tirx.yield %d : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // TIRX_REGISTRATION_OPS
