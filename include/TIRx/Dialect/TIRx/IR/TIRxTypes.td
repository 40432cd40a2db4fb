//===----------------------------------------------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Types: buffers, the shared-memory pool, barriers.

#ifndef TIRX_TYPES
#define TIRX_TYPES

include "TIRx/Dialect/TIRx/IR/TIRxDialect.td"
include "TIRx/Dialect/TIRx/IR/TIRxEnums.td"
include "TIRx/Dialect/TIRx/IR/TIRxInterfaces.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class TIRx_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TIRx_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TIRx_BufferType : TIRx_Type<"Buffer", "buffer"> {
  let summary = "a logical tile with a place in memory";
  let description = [{
    `!tirx.buffer<128x64xf16, shared, #layout>`: shape, element type, memory space
    and layout. Without a layout it is row-major on `m`.

    A `local` buffer whose layout has thread axes is one logical tile spread over
    the registers of a scope; its layout on `m` says which register of the thread.

    Constraints:
    - (buffer_c1) Extents are static and at least 1, and the number of elements and
      the bits that the layout stores fit 64-bit signed integers.
    - (buffer_c2) The layout has as many elements as the shape.
    - (buffer_c3) A `global` or `shared` layout uses the axis `m` only; a `tmem`
      layout uses `TLane` and `TCol` only, within 128 lanes and 512 columns of 32
      bits (`TCol` counts elements: hardware column `TCol * bits / 32`); a `local`
      layout uses thread axes and `m`.
    - (buffer_c4) Only a `local` or `tmem` layout has replicas.
    - (buffer_c5) The element type is an integer or float of 8 to 64 bits, or
      `!tirx.mbarrier` in `shared` memory; in `tmem` it has 8, 16 or 32 bits.
    - (buffer_c6) Coordinates are not negative, and those on thread axes stay inside
      their group: `laneid` below 32, `wid_in_wg` 4, `tid_in_wg` 128, `warpid` 32,
      `wgid` 8, `tx` 1024.

    Example:

    ```mlir
    !tirx.buffer<128x64xf16, shared, #tirx.compose<#tirx.swizzle<3, 3, 3>, #tirx.tile<S[(128, 64) : (64, 1)]>>>
    !tirx.buffer<2x!tirx.mbarrier, shared>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    EnumParameter<TIRx_MemorySpace>:$memorySpace,
    OptionalParameter<"::tirx::LayoutAttrInterface">:$layoutAttr);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    int64_t getNumElements() const;
    /// Bits of one element; a barrier has 64.
    unsigned getElementBits() const;
    /// The layout; row-major where the type names none.
    ::tirx::Layout getLayout() const;
    bool isGlobal() const { return getMemorySpace() == MemorySpace::Global; }
    bool isShared() const { return getMemorySpace() == MemorySpace::Shared; }
    bool isTmem() const { return getMemorySpace() == MemorySpace::Tmem; }
    bool isLocal() const { return getMemorySpace() == MemorySpace::Local; }
    /// Elements that one holder stores: the span of `m` in shared and global
    /// memory (counted from 0), the registers of one thread for a local buffer.
    int64_t getStorageElements() const;
    /// Bytes of those elements.
    int64_t getStorageBytes() const;
    /// Alignment in bytes that the layout asks of the base address: the period of
    /// its swizzle (1024, 512 or 256), at least 16, and 8 for barriers.
    int64_t getBaseAlignment() const;
    /// The lanes and the hardware columns (of 32 bits) that a `tmem` buffer
    /// covers, half-open, relative to its allocation.
    std::pair<int64_t, int64_t> getTmemLanes() const;
    std::pair<int64_t, int64_t> getTmemColumns() const;
  }];
}

def TIRx_MbarrierType : TIRx_Type<"Mbarrier", "mbarrier"> {
  let summary = "the element type of a buffer of mbarriers (64 bits, shared memory)";
}

def TIRx_PoolType : TIRx_Type<"Pool", "pool"> {
  let summary = "the shared-memory pool of a kernel";
}

class TIRx_BufferIn<string space, string summary>
    : Type<And<[CPred<"::llvm::isa<::tirx::BufferType>($_self)">,
                CPred<"::llvm::cast<::tirx::BufferType>($_self).is" # space # "()">]>,
           summary, "::tirx::BufferType">;
def TIRx_SharedBuffer : TIRx_BufferIn<"Shared", "buffer in shared memory">;
def TIRx_TmemBuffer : TIRx_BufferIn<"Tmem", "buffer in tensor memory">;
def TIRx_LocalBuffer : TIRx_BufferIn<"Local", "buffer in registers">;
def TIRx_BarrierBuffer
    : Type<And<[CPred<"::llvm::isa<::tirx::BufferType>($_self)">,
                CPred<"::llvm::isa<::tirx::MbarrierType>(::llvm::cast<::tirx::BufferType>($_self).getElementType())">,
                CPred<"::llvm::cast<::tirx::BufferType>($_self).getRank() == 1">]>,
           "buffer of mbarriers of rank 1", "::tirx::BufferType">;

#endif // TIRX_TYPES
