//===- ControlFlow.td - branches, calls and the end of a thread --*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_CONTROLFLOW
#define TIRX_PTX_CONTROLFLOW

include "TIRx/PTX/Base.td"

defvar Uni = Flag<"uni">;

def : Instruction<"bra", "Control", "9.7.12.3", "branches",
                  [Form<[Uni], [Label<"target">], [], ["Control"]>]>;
def : Instruction<"brx.idx", "Control", "9.7.12.4",
                  "branches to the entry of a list that an index names", [
  Form<[Uni], [Src<"index", "u32">, Label<"targets">], [], ["Control"], [], 60,
       ["sm_30"]>,
]>;
// `call (ret), f, (params)[, targets or prototype]`; the lists may be missing.
def : Instruction<"call", "Control", "9.7.12.5", "calls a function", [
  Form<[Uni],
       [Maybe<Symbol<"results">>, Label<"function">, Maybe<Symbol<"params">>,
        Maybe<Symbol<"prototype">>],
       [], ["Control", "SideEffects"]>,
]>;
def : Instruction<"ret", "Control", "9.7.12.6", "returns from a function",
                  [Form<[Uni], [], [], ["Control"]>]>;
def : Instruction<"exit", "Control", "9.7.12.7", "ends the thread",
                  [Form<[], [], [], ["Control"]>]>;
def : Instruction<"trap", "System", "9.7.19.4", "aborts the kernel",
                  [Form<[], [], [], ["Control", "SideEffects"]>]>;
def : Instruction<"brkpt", "System", "9.7.19.1", "stops for the debugger",
                  [Form<[], [], [], ["SideEffects"]>]>;
def : Instruction<"nanosleep", "System", "9.7.19.2", "waits for some nanoseconds", [
  Form<[Type<["u32"]>], [Src<"t">], [], ["SideEffects"], [], 63, ["sm_70"]>,
]>;
def : Instruction<"pmevent", "System", "9.7.19.3", "triggers a performance event", [
  Form<[], [Imm<"a", "s32", "0..15">], [], ["SideEffects"]>,
  Form<[Word<"mask">], [Imm<"a", "s32", "0..65535">], [], ["SideEffects"]>,
]>;
def : Instruction<"setmaxnreg", "System", "9.7.19.5",
                  "changes the number of registers of the warpgroup's threads", [
  Form<[Slot<"action", ["inc", "dec"]>, Word<"sync">, Word<"aligned">,
        Type<["u32"]>],
       [Imm<"count", "u32", "24..256/8">], [], ["Convergent", "SideEffects"], [], 80,
       ["sm_90a", "sm_100a", "sm_100f", "sm_101a", "sm_101f", "sm_110a",
        "sm_110f", "sm_120a", "sm_120f"]>,
]>;

// --- Stack -------------------------------------------------------------------

class Stack<string m, string sec, string sum, list<Operand> ops>
    : Instruction<m, "System", sec, sum,
                  [Form<[Type<["u32", "u64"]>], ops, [], ["SideEffects"], [], 73,
                        ["sm_52"]>]>;
def : Stack<"alloca", "9.7.17.3", "allocates local memory until the function ends",
            [Dst<"ptr">, Src<"size">, Maybe<Imm<"align", "u32", "1,2,4,8,16,32,64,128">>]>;
def : Stack<"stacksave", "9.7.17.1", "the stack pointer", [Dst<"d">]>;
def : Stack<"stackrestore", "9.7.17.2", "sets the stack pointer", [Src<"a">]>;

#endif // TIRX_PTX_CONTROLFLOW
