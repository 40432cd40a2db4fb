//===- Fragment.h - a tile spread over the registers of threads -*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_CONVERSION_TIRXTONVVM_FRAGMENT_H
#define TIRX_LIB_CONVERSION_TIRXTONVVM_FRAGMENT_H

#include "IndexMath.h"
#include "TIRx/Conversion/TIRxToNVVM/Dispatch.h"
#include "TIRx/Layout/Algebra.h"

namespace tirx {

/// How a local buffer with thread axes is spread: which elements a thread
/// holds, and in which registers. Digits of a logical index are digits of a
/// thread's id or of a register's number.
class Fragment {
public:
  /// Fails, with a reason, where the threads of `scope` cannot tell their
  /// elements by division.
  static mlir::FailureOr<Fragment> get(mlir::Value buffer, llvm::StringRef name,
                                       Scope scope,
                                       const DispatchContext &context,
                                       Reasons &reasons);

  /// The part of the index along each dimension that the thread decides.
  llvm::SmallVector<mlir::Value> threadIndices(mlir::OpBuilder &builder,
                                               mlir::Location loc) const;
  /// Whether the thread holds elements, and with `once` the first copy of them;
  /// null where all do.
  mlir::Value holdsElements(mlir::OpBuilder &builder, mlir::Location loc,
                            bool once) const;

  /// One register, or several that hold neighbours.
  struct Register {
    /// Counted from the first register of the buffer.
    int64_t number = 0;
    /// The part of the index along each dimension that the register decides.
    llvm::SmallVector<int64_t> indices;
  };
  /// Each `vector` registers side by side that hold neighbours along `dim`.
  llvm::SmallVector<Register> getRegisters(unsigned dim, int64_t vector) const;
  /// The longest such run whose registers begin at multiples of it, a power of
  /// two up to `limit`.
  int64_t getVector(unsigned dim, int64_t limit) const;

  int64_t getNumRegisters() const { return numRegisters; }
  /// A row of all registers of one thread.
  mlir::Value getRow(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  /// `extent` values of the id on an axis, `stride` apart, or of the number of
  /// a register, that are steps of `weight` along dimension `dim`.
  struct Digit {
    unsigned dim;
    int64_t extent, stride, weight;
  };
  /// All that an axis of threads decides; replicas have no dimension.
  struct ThreadAxis {
    Axis axis;
    int64_t size = 0, offset = 0;
    llvm::SmallVector<Digit> digits; ///< by stride
  };
  static constexpr unsigned kReplica = ~0u;

  mlir::LogicalResult collect(llvm::StringRef name, Reasons &reasons);
  mlir::LogicalResult orderThreads(const DispatchContext &context,
                                   llvm::StringRef name, Reasons &reasons);
  void addIter(const Iter &iter, unsigned dim, int64_t weight);
  mlir::Value getId(mlir::OpBuilder &builder, mlir::Location loc,
                    const ThreadAxis &axis) const;

  mlir::Value buffer;
  unsigned rank = 0;
  llvm::SmallVector<ThreadAxis> threads;
  llvm::SmallVector<Digit> registers;
  int64_t numRegisters = 0;
};

} // namespace tirx

#endif // TIRX_LIB_CONVERSION_TIRXTONVVM_FRAGMENT_H
