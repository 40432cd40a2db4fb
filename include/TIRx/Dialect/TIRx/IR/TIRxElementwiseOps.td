//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Tile ops that compute each element of the destination from the elements at
// the same place of their inputs.
//
// Constraints of all of them:
// - (elementwise_c1) Each input is a buffer with dst's shape once extents of 1 are
//   dropped, or a scalar.
// - (elementwise_c2) Each input has dst's element type.
// - (elementwise_c3) What is defined for floats only has elements that are floats,
//   and no op has barriers as elements.

#ifndef TIRX_ELEMENTWISE_OPS
#define TIRX_ELEMENTWISE_OPS

include "TIRx/Dialect/TIRx/IR/TIRxOpBase.td"

class TIRx_ElementwiseOp<string mnemonic, dag inputs, list<Trait> traits = []>
    : TIRx_Op<mnemonic, [TIRx_HasEffects, TIRx_Scoped,
        DeclareOpInterfaceMethods<TIRx_TileOpInterface>,
        DeclareOpInterfaceMethods<TIRx_ElementwiseOpInterface>] # traits> {
  let arguments = !con((ins TIRx_ScopeAttr:$scope, TIRx_BufferType:$dst), inputs,
                       (ins OptionalAttr<StrAttr>:$dispatch));
  let hasVerifier = 1;
}

def TIRx_FillOp : TIRx_ElementwiseOp<"fill", (ins AnyType:$value)> {
  let summary = "dst[x] = value for all x";
  let description = [{
    In registers, global or shared memory; `value` is a scalar. (elementwise_c1 to
    elementwise_c3.)

    Example:

    ```mlir
    tirx.fill warpgroup %acc, %zero : !tirx.buffer<64x128xf32, local, #frag>, f32
    ```
  }];
  let assemblyFormat = [{
    `` $scope $dst `,` $value (`dispatch` `(` $dispatch^ `)`)? attr-dict
    `:` custom<Buffer>(type($dst)) `,` type($value)
  }];
}

class TIRx_UnaryOp<string mnemonic, string formula, string note>
    : TIRx_ElementwiseOp<mnemonic,
        (ins AnyType:$src, Optional<AnyType>:$scale, Optional<AnyType>:$bias),
        [AttrSizedOperandSegments]> {
  let summary = "dst[x] = " # formula;
  let description = note # [{ With `scale` and `bias` the argument is src * scale +
    bias, rounded once where both are given. Elements of 16 bits are computed as f32
    and rounded at the end. (elementwise_c1 to elementwise_c3.)

    Example:

    ```mlir
    tirx.}] # mnemonic # [{ warpgroup %p, %s scale(%factor : f32) : !tirx.buffer<64x128xf32, local, #frag>,
        !tirx.buffer<64x128xf32, local, #frag>
    ```
  }];
  let assemblyFormat = [{
    `` $scope $dst `,` $src (`scale` `(` $scale^ `:` type($scale) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)? (`dispatch` `(` $dispatch^ `)`)?
    attr-dict `:` custom<Buffer>(type($dst)) `,` type($src)
  }];
}

def TIRx_SqrtOp : TIRx_UnaryOp<"sqrt", "sqrt(src[x])", "Rounded to nearest even.">;
def TIRx_ExpOp : TIRx_UnaryOp<"exp", "e to the power of src[x]",
    "`ex2.approx.f32` of the argument times log2(e), rounded to f32.">;
def TIRx_Exp2Op : TIRx_UnaryOp<"exp2", "2 to the power of src[x]", "`ex2.approx.f32`.">;
def TIRx_Log2Op : TIRx_UnaryOp<"log2", "log2(src[x])", "`lg2.approx.f32`.">;
def TIRx_ReciprocalOp : TIRx_UnaryOp<"reciprocal", "1 / src[x]",
    "Rounded to nearest even.">;
def TIRx_SiluOp : TIRx_UnaryOp<"silu", "src[x] / (1 + exp(-src[x]))",
    "The exponential as in `exp`, sum and quotient rounded to nearest even.">;

class TIRx_BinaryOp<string mnemonic, string formula, string note>
    : TIRx_ElementwiseOp<mnemonic, (ins AnyType:$a, AnyType:$b)> {
  let summary = "dst[x] = " # formula;
  let description = note # [{ (elementwise_c1 to elementwise_c3.)

    Example:

    ```mlir
    tirx.}] # mnemonic # [{ thread %d, %a, %b : !tirx.buffer<8xf32, local>, !tirx.buffer<8xf32, local>, f32
    ```
  }];
  let assemblyFormat = [{
    `` $scope $dst `,` $a `,` $b (`dispatch` `(` $dispatch^ `)`)? attr-dict
    `:` custom<Buffer>(type($dst)) `,` type($a) `,` type($b)
  }];
}

def TIRx_AddOp : TIRx_BinaryOp<"add", "a[x] + b[x]", "Floats round to nearest even.">;
def TIRx_SubOp : TIRx_BinaryOp<"sub", "a[x] - b[x]", "Floats round to nearest even.">;
def TIRx_MulOp : TIRx_BinaryOp<"mul", "a[x] * b[x]", "Floats round to nearest even.">;
def TIRx_FdivOp : TIRx_BinaryOp<"fdiv", "a[x] / b[x]", "Rounded to nearest even.">;
def TIRx_MaximumOp : TIRx_BinaryOp<"maximum", "max(a[x], b[x])",
    "Of floats NaN where either is; integers are signed.">;
def TIRx_MinimumOp : TIRx_BinaryOp<"minimum", "min(a[x], b[x])",
    "Of floats NaN where either is; integers are signed.">;

def TIRx_FmaOp : TIRx_ElementwiseOp<"fma", (ins AnyType:$a, AnyType:$scale, AnyType:$bias)> {
  let summary = "dst[x] = a[x] * scale[x] + bias[x]";
  let description = [{
    Floats only, rounded once, to nearest even. (elementwise_c1 to elementwise_c3.)

    Example:

    ```mlir
    tirx.fma thread %d, %a, %two, %b : !tirx.buffer<8xf32, local>, !tirx.buffer<8xf32, local>, f32,
        !tirx.buffer<8xf32, local>
    ```
  }];
  let assemblyFormat = [{
    `` $scope $dst `,` $a `,` $scale `,` $bias (`dispatch` `(` $dispatch^ `)`)? attr-dict
    `:` custom<Buffer>(type($dst)) `,` type($a) `,` type($scale) `,` type($bias)
  }];
}

#endif // TIRX_ELEMENTWISE_OPS
