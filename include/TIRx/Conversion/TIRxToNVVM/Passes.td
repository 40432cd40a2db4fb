//===- Passes.td - conversion passes -----------------------*- tablegen -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_CONVERSION_TIRXTONVVM_PASSES
#define TIRX_CONVERSION_TIRXTONVVM_PASSES

include "mlir/Pass/PassBase.td"

def LowerTiles : Pass<"tirx-lower-tiles"> {
  let summary = "expand tile ops into instructions (L1 to L2)";
  let description = [{
    Each tile op is served by a dispatch variant: the one it names with
    `dispatch("...")`, else the fitting one of highest priority. The choice is a
    remark on the op. When none fits, the error lists every variant with its
    reason. Structure and synchronisation ops become `tirx.ptx`.

    Unless the kernel has `tirx.explicit_sync`, the fences that the hardware's
    ordering rules ask for are added:

    | after | fence |
    |---|---|
    | a copy or fill that writes shared memory, in a kernel with asynchronous readers | `fence.proxy.async.shared::cta` |
    | `wait_group cp_async`, likewise | `fence.proxy.async.shared::cta` |
    | `mbarrier_init` | `fence.mbarrier_init.release.cluster` |
    | `barrier`, in a kernel that uses tensor memory | `tcgen05.fence` before and after |
    | `mbarrier_wait`, likewise | `tcgen05.fence::after_thread_sync` |
    | before `mbarrier_arrive`, likewise | `tcgen05.fence::before_thread_sync` |

    The target is the `#nvvm.target` of the `gpu.module`.

    Example:

    ```mlir
    tirx.cast thread %h, %f : !tirx.buffer<2xf16, local>, !tirx.buffer<2xf32, local>
    // becomes
    %0 = tirx.load %f[%c0] : !tirx.buffer<2xf32, local> -> vector<2xf32>
    %1 = arith.truncf %0 : vector<2xf32> to vector<2xf16>
    tirx.store %1, %h[%c0] : vector<2xf16>, !tirx.buffer<2xf16, local>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Say on each tile op which variant serves it and why others decline">
  ];
  let statistics = [
    Statistic<"numTileOps", "tile-ops", "Number of tile ops expanded">,
    Statistic<"numFences", "fences", "Number of fences added">
  ];
}

def ConvertTIRxToNVVM : Pass<"convert-tirx-to-nvvm"> {
  let summary = "take instruction-level kernels to the nvvm and llvm dialects (L2 to L3)";
  let description = [{
    `gpu.func` kernels become `llvm.func` kernels: a global buffer is a pointer in
    address space 1, the shared-memory pool one external symbol of dynamic shared
    memory, a local buffer a stack slot that LLVM promotes to registers. A
    `tirx.ptx` becomes the nvvm op that means exactly the same, else inline
    assembly. `arith`, `scf` and `index` stay; upstream's conversions follow.

    Constraints:
    - (local_index_static) An index into registers is a constant once loops with
      constant bounds are unrolled.

    Example:

    ```mlir
    %p = tirx.ptr %bar[%c0] : !tirx.buffer<1x!tirx.mbarrier, shared> -> !llvm.ptr<3>
    tirx.ptx "mbarrier.init.shared::cta.b64"(%p, %one) : (!llvm.ptr<3>, i32) -> ()
    // becomes
    nvvm.mbarrier.init %0, %one : !llvm.ptr<3>, i32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"
  ];
}

#endif // TIRX_CONVERSION_TIRXTONVVM_PASSES
