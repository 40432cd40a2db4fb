//===- Warp.td - instructions of a warp -------------------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_PTX_WARP
#define TIRX_PTX_WARP

include "TIRx/PTX/Base.td"

defvar kWarp = ["Convergent"];
defvar Sync = Word<"sync">;
defvar Mask = Src<"mask", "b32">;

def : Instruction<"shfl", "Warp", "9.7.9.6", "reads a register of another lane", [
  Form<[Sync, Slot<"mode", ["up", "down", "bfly", "idx"]>, Type<["b32"]>],
       [PairDst<"d", "b32">, Src<"a">, Src<"b", "u32">, Src<"c", "u32">, Mask],
       [], kWarp, [], 60, ["sm_30"]>,
]>;
def : Instruction<"vote", "Warp", "9.7.13.9", "votes over the lanes of a warp", [
  Form<[Sync, Slot<"mode", ["all", "any", "uni"]>, Type<["pred"]>],
       [PredDst<"d">, PredSrc<"a">, Mask], [], kWarp>,
  Form<[Sync, Slot<"mode", ["ballot"]>, Type<["b32"]>],
       [Dst<"d">, PredSrc<"a">, Mask], [], kWarp>,
]> {
  let ptx = 60;
  let targets = ["sm_30"];
}
def : Instruction<"match", "Warp", "9.7.13.10", "finds lanes with the same value", [
  Form<[Slot<"mode", ["any"]>, Sync, Type<["b32", "b64"]>],
       [Dst<"d", "b32">, Src<"a">, Mask], [], kWarp>,
  Form<[Slot<"mode", ["all"]>, Sync, Type<["b32", "b64"]>],
       [PairDst<"d", "b32">, Src<"a">, Mask], [], kWarp>,
]> {
  let ptx = 60;
  let targets = ["sm_70"];
}
def : Instruction<"activemask", "Warp", "9.7.13.11", "the lanes running together",
                  [Form<[Type<["b32"]>], [Dst<"d">], [],
                        ["Convergent", "Volatile"], [], 62, ["sm_30"]>]>;
def : Instruction<"redux", "Warp", "9.7.13.12", "reduces a value over a warp", [
  Form<[Sync, Slot<"op", ["add", "min", "max"]>, Type<["u32", "s32"]>],
       [Dst<"d">, Src<"a">, Mask], [], kWarp, [], 70, ["sm_80"]>,
  Form<[Sync, Slot<"op", ["and", "or", "xor"]>, Type<["b32"]>],
       [Dst<"d">, Src<"a">, Mask], [], kWarp, [], 70, ["sm_80"]>,
  Form<[Sync, Slot<"op", ["min", "max"]>, Flag<"abs">, Flag<"NaN">,
        Type<["f32"]>],
       [Dst<"d">, Src<"a">, Mask], [], kWarp, [], 86, ["sm_100a", "sm_100f"]>,
]>;
def : Instruction<"elect", "Warp", "9.7.13.14", "elects one lane of a mask", [
  Form<[Sync], [PairDst<"d", "b32">, Mask], [], kWarp, [], 80, ["sm_90"]>,
]> {
  let lowering = "nvvm.elect.sync";
}

#endif // TIRX_PTX_WARP
