//===- PTX.td - the PTX instruction table -----------------*- tablegen -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "TIRx/PTX/Arithmetic.td"
include "TIRx/PTX/AsyncCopy.td"
include "TIRx/PTX/Comparison.td"
include "TIRx/PTX/ControlFlow.td"
include "TIRx/PTX/Conversion.td"
include "TIRx/PTX/DataMovement.td"
include "TIRx/PTX/Logic.td"
include "TIRx/PTX/Matrix.td"
include "TIRx/PTX/Sparse.td"
include "TIRx/PTX/SpecialRegisters.td"
include "TIRx/PTX/Synchronization.td"
include "TIRx/PTX/Tcgen05.td"
include "TIRx/PTX/Video.td"
include "TIRx/PTX/Warp.td"
include "TIRx/PTX/Wmma.td"
