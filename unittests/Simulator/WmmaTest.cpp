//===- WmmaTest.cpp - wmma: load, multiply, store -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole products: matrices in memory in every layout, with strides, through
// fragments and back.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/DType.h"
#include "TestKernel.h"
#include "gtest/gtest.h"
#include <random>

using namespace tirx::sim;

namespace {

struct Kind {
  const char *shape;
  unsigned m, n, k;
  const char *type, *dtype, *result, *resultDtype;
  unsigned a, b, c; ///< registers
};

std::string registers(const char *prefix, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + std::string(prefix) + std::to_string(i);
  return text + "}";
}

/// Rows of a matrix in memory, row- or column-major with a padded stride.
struct Stored {
  std::vector<int> values;
  unsigned rows, columns;
  bool columnMajor;
  unsigned stride;

  Stored(unsigned rows, unsigned columns, bool columnMajor, unsigned pad)
      : values(rows * columns), rows(rows), columns(columns),
        columnMajor(columnMajor), stride((columnMajor ? rows : columns) + pad) {
  }
  int &at(unsigned row, unsigned column) {
    return values[row * columns + column];
  }
  unsigned place(unsigned row, unsigned column) const {
    return columnMajor ? column * stride + row : row * stride + column;
  }
  unsigned size() const { return stride * (columnMajor ? columns : rows); }

  std::vector<uint8_t> pack(const DType *type) {
    std::vector<uint8_t> bytes;
    if (!type) { // one bit
      bytes.resize(size() / 8);
      for (unsigned r = 0; r < rows; ++r)
        for (unsigned c = 0; c < columns; ++c)
          bytes[place(r, c) / 8] |= at(r, c) << (place(r, c) % 8);
      return bytes;
    }
    bytes.resize(type->byteSize(size()));
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < columns; ++c)
        writeElement(bytes, *type, place(r, c), valueToBits(at(r, c), *type));
    return bytes;
  }
};

/// Types without a launch-file name.
const DType kTF32Element = {"tf32", DType::Float, 32, &kF32};
const DType kS4 = {"s4", DType::Signed, 4, nullptr};
const DType kU4 = {"u4", DType::Unsigned, 4, nullptr};

const DType *typeOf(llvm::StringRef name) {
  if (name == "tf32")
    return &kTF32Element;
  if (name == "s4")
    return &kS4;
  if (name == "u4")
    return &kU4;
  return lookupDType(name);
}

std::string kernelOf(const Kind &kind, bool aColumns, bool bColumns,
                     bool cColumns, const std::string &op,
                     const std::array<unsigned, 3> &strides) {
  bool isDouble = std::string(kind.type) == "f64";
  auto layout = [](bool columns) { return columns ? ".col" : ".row"; };
  auto load = [&](const char *part, bool columns, const char *type,
                  unsigned parameter, unsigned count, unsigned stride) {
    return "wmma.load." + std::string(part) + ".sync.aligned" +
           layout(columns) + "." + kind.shape + ".global." + type + " " +
           registers(part, count) + ", [%p" + std::to_string(parameter) +
           "], " + std::to_string(stride) + ";\n";
  };
  std::string type = kind.type, result = kind.result;
  std::string types =
      type == "f16" ? "." + result + "." + result
                    : "." + result + "." + type + "." + type + "." + result;
  std::string body = isDouble ? ".reg .f64" : ".reg .b32";
  body += " %a<8>, %b<8>, %c<8>, %e<8>;\n";
  body += load("a", aColumns, kind.type, 0, kind.a, strides[0]) +
          load("b", bColumns, kind.type, 1, kind.b, strides[1]) +
          load("c", cColumns, kind.result, 2, kind.c, strides[2]);
  body += "wmma.mma" + op + ".sync.aligned" + layout(aColumns) +
          layout(bColumns) + "." + kind.shape + types + " " +
          registers("e", kind.c) + ", " + registers("a", kind.a) + ", " +
          registers("b", kind.b) + ", " + registers("c", kind.c) + ";\n";
  body += "wmma.store.d.sync.aligned" + std::string(layout(!cColumns)) + "." +
          kind.shape + ".global." + kind.result + " [%p3], " +
          registers("e", kind.c) + ";\n";
  return entry(4, body);
}

const Kind kKinds[] = {
    {"m16n16k16", 16, 16, 16, "f16", "f16", "f32", "f32", 8, 8, 8},
    {"m8n32k16", 8, 32, 16, "f16", "f16", "f16", "f16", 8, 8, 4},
    {"m32n8k16", 32, 8, 16, "f16", "f16", "f32", "f32", 8, 8, 8},
    {"m16n16k16", 16, 16, 16, "bf16", "bf16", "f32", "f32", 4, 4, 8},
    {"m8n32k16", 8, 32, 16, "bf16", "bf16", "f32", "f32", 2, 8, 8},
    {"m32n8k16", 32, 8, 16, "bf16", "bf16", "f32", "f32", 8, 2, 8},
    {"m16n16k8", 16, 16, 8, "tf32", "tf32", "f32", "f32", 4, 4, 8},
    {"m16n16k16", 16, 16, 16, "s8", "i8", "s32", "i32", 2, 2, 8},
    {"m32n8k16", 32, 8, 16, "u8", "u8", "s32", "i32", 4, 1, 8},
    {"m8n32k16", 8, 32, 16, "s8", "i8", "s32", "i32", 1, 4, 8},
    {"m8n8k4", 8, 8, 4, "f64", "f64", "f64", "f64", 1, 1, 2},
    {"m8n8k32", 8, 8, 32, "s4", "s4", "s32", "i32", 1, 1, 2},
    {"m8n8k32", 8, 8, 32, "u4", "u4", "s32", "i32", 1, 1, 2},
    {"m8n8k128", 8, 8, 128, "b1", "", "s32", "i32", 1, 1, 2}};

} // namespace

TEST(Wmma, EveryTypeShapeAndLayout) {
  std::mt19937 random(31);
  for (const Kind &kind : kKinds)
    for (unsigned layouts = 0; layouts < 8; ++layouts)
      for (std::string op : {"", ".xor.popc", ".and.popc"}) {
        std::string type = kind.type;
        bool isBit = type == "b1",
             narrow = isBit || type == "s4" || type == "u4";
        bool aColumns = layouts & 1, bColumns = layouts & 2,
             cColumns = layouts & 4;
        if (isBit == op.empty() || (narrow && (aColumns || !bColumns)))
          continue;
        unsigned pad = layouts % 2 ? (isBit ? 128 : 32) : 0;
        Stored a(kind.m, kind.k, aColumns, pad),
            b(kind.k, kind.n, bColumns, pad), c(kind.m, kind.n, cColumns, 16);
        bool isSigned = type[0] != 'u';
        for (int &v : a.values)
          v = isBit ? random() % 2 : int(random() % 7) - (isSigned ? 3 : 0);
        for (int &v : b.values)
          v = isBit ? random() % 2 : int(random() % 7) - (isSigned ? 3 : 0);
        for (int &v : c.values)
          v = int(random() % 41) - 20;
        TestKernel kernel(kernelOf(kind, aColumns, bColumns, cColumns, op,
                                   {a.stride, b.stride, c.stride}));
        const DType *resultType = typeOf(kind.resultDtype);
        const DType *elementType = isBit ? nullptr : typeOf(kind.dtype);
        kernel.buffer(a.pack(elementType));
        kernel.buffer(b.pack(elementType));
        kernel.buffer(c.pack(resultType));
        Allocation *out = kernel.empty(resultType->byteSize(kind.m * kind.n));
        kernel.parameters.block = {32, 1, 1};
        ASSERT_EQ(kernel.run(), "") << kind.shape << type << layouts;
        auto bytes = TestKernel::read<uint8_t>(out);
        for (unsigned row = 0; row < kind.m; ++row)
          for (unsigned column = 0; column < kind.n; ++column) {
            int want = c.at(row, column);
            for (unsigned i = 0; i < kind.k; ++i) {
              int x = a.at(row, i), y = b.at(i, column);
              want += op == ".xor.popc" ? x ^ y : x * y;
            }
            unsigned place =
                cColumns ? row * kind.n + column : column * kind.m + row;
            ASSERT_EQ(bitsToValue(readElement(bytes, *resultType, place),
                                  *resultType),
                      double(want))
                << kind.shape << type << op << " layouts " << layouts << " row "
                << row << " column " << column;
          }
      }
}

TEST(Wmma, AddressesAreChecked) {
  auto rules = [](const std::string &address, const std::string &stride) {
    TestKernel kernel(
        entry(1, ".reg .b32 %a<8>;\nadd.u64 %rd0, %p0, 0;\n" + address +
                     "wmma.load.a.sync.aligned.row.m16n16k16."
                     "global.f16 " +
                     registers("a", 8) + ", [%rd0], " + stride + ";\n"));
    kernel.buffer(std::vector<uint16_t>(16 * 24));
    kernel.parameters.block = {32, 1, 1};
    return kernel.run();
  };
  EXPECT_EQ(rules("", "24"), "");
  EXPECT_EQ(rules("add.u64 %rd0, %rd0, 8;\n", "16"), "alignment");
  EXPECT_EQ(rules("", "20"), "alignment");
  EXPECT_EQ(rules("", "8"), "R42");
  EXPECT_EQ(rules("", "32"), "R42"); // past the end
  EXPECT_EQ(
      rules("mul.wide.u32 %rd1, %t, 32;\nadd.u64 %rd0, %rd0, %rd1;\n", "16"),
      "R28");
}
