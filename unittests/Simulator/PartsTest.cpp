//===- PartsTest.cpp - formats, memories, barriers, files -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/FloatFormat.h"
#include "TIRx/Simulator/LaunchFile.h"
#include "TIRx/Simulator/LaunchRunner.h"
#include "TIRx/Simulator/MBarrier.h"
#include "TIRx/Simulator/Memory.h"
#include "TIRx/Simulator/Npy.h"
#include "TIRx/Simulator/TensorMemory.h"
#include "gtest/gtest.h"
#include <random>

using namespace tirx::sim;

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

struct NamedFormat {
  const char *name;
  const FloatFormat *format;
  unsigned bits;
};
static const NamedFormat kFormats[] = {
    {"f16", &kF16, 16},  {"bf16", &kBF16, 16}, {"e4m3", &kE4M3, 8},
    {"e5m2", &kE5M2, 8}, {"e2m1", &kE2M1, 4},  {"e2m3", &kE2M3, 6},
    {"e3m2", &kE3M2, 6}};

TEST(FloatFormat, EveryValueSurvivesARoundTrip) {
  for (const NamedFormat &f : kFormats)
    for (uint32_t bits = 0; bits < 1u << f.bits; ++bits) {
      double value = decodeFloat(bits, *f.format);
      uint32_t back = encodeFloat(value, *f.format);
      if (std::isnan(value))
        EXPECT_EQ(back, f.format->nan) << f.name << " " << bits;
      else
        EXPECT_EQ(back, bits) << f.name;
    }
}

/// The nearest value by search over all values of the format.
static uint32_t nearest(double value, const NamedFormat &f) {
  uint32_t best = 0;
  double bestDistance = INFINITY;
  for (uint32_t bits = 0; bits <= f.format->maxFinite; ++bits) {
    double distance = std::fabs(decodeFloat(bits, *f.format) - value);
    if (distance < bestDistance || (distance == bestDistance && !(bits & 1))) {
      best = bits;
      bestDistance = distance;
    }
  }
  return best;
}

TEST(FloatFormat, RoundsToNearestEven) {
  std::mt19937_64 random(7);
  for (const NamedFormat &f : kFormats) {
    if (f.bits > 8)
      continue;
    double max = decodeFloat(f.format->maxFinite, *f.format);
    std::uniform_real_distribution<double> any(0, max);
    for (int i = 0; i < 2000; ++i) {
      double value = any(random);
      if (i % 2) // exact ties and exact values
        value = (decodeFloat(random() % f.format->maxFinite, *f.format) +
                 decodeFloat(random() % f.format->maxFinite, *f.format)) /
                2;
      EXPECT_EQ(encodeFloat(value, *f.format), nearest(value, f))
          << f.name << " " << value;
    }
  }
}

TEST(FloatFormat, DirectedRoundingBracketsTheValue) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 20000; ++i) {
    double value =
        std::ldexp(double(int64_t(random())), int(random() % 60) - 85);
    double down = decodeFloat(encodeFloat(value, kF16, Rounding::Down), kF16);
    double up = decodeFloat(encodeFloat(value, kF16, Rounding::Up), kF16);
    double zero = decodeFloat(encodeFloat(value, kF16, Rounding::Zero), kF16);
    EXPECT_LE(down, value);
    EXPECT_GE(up, value);
    EXPECT_EQ(zero, value < 0 ? up : down);
  }
}

TEST(FloatFormat, OverflowAndSaturation) {
  EXPECT_EQ(encodeFloat(65519.0, kF16), 0x7bffu);
  EXPECT_EQ(encodeFloat(65520.0, kF16), 0x7c00u);
  EXPECT_EQ(encodeFloat(65520.0, kF16, Rounding::NearestEven, true), 0x7bffu);
  EXPECT_EQ(encodeFloat(-1e9, kE4M3, Rounding::NearestEven, true), 0xfeu);
  EXPECT_EQ(encodeFloat(1e9, kE5M2, Rounding::NearestEven, true), 0x7bu);
  EXPECT_EQ(encodeFloat(1.0, kTF32), 0x3f800000u);
}

TEST(FloatFormat, RoundToOddRoundsOnce) {
  // 1 + 2^-24 is a tie in f32; 2^-80 more must push it up.
  double sum = addRoundToOdd(1.0 + 0x1p-24, 0x1p-80);
  EXPECT_EQ(encodeFloat(sum, kF32), 0x3f800001u);
  sum = addRoundToOdd(1.0 + 0x1p-24, -0x1p-80);
  EXPECT_EQ(encodeFloat(sum, kF32), 0x3f800000u);
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

TEST(Memory, TracksWrittenBytes) {
  ByteStore store(300);
  EXPECT_FALSE(store.isWritten(0, 1));
  store.markWritten(60, 10);
  EXPECT_TRUE(store.isWritten(60, 10));
  EXPECT_FALSE(store.isWritten(59, 2));
  EXPECT_FALSE(store.isWritten(69, 2));
  EXPECT_EQ(store.firstUnwritten(60, 20), 70u);
  store.markWritten(0, 300);
  EXPECT_TRUE(store.isWritten(0, 300));
}

TEST(Memory, GuardZonesSeparateAllocations) {
  GlobalMemory memory;
  Allocation *a = *memory.allocate("a", 100);
  Allocation *b = *memory.allocate("b", 1000, 1024);
  EXPECT_EQ(b->base % 1024, 0u);
  EXPECT_EQ(memory.find(a->base, 100), a);
  EXPECT_EQ(memory.find(a->base + 1, 100), nullptr);
  EXPECT_EQ(memory.find(a->base - 1, 1), nullptr);
  EXPECT_EQ(memory.find(b->base + 999, 1), b);
  EXPECT_EQ(memory.find(~uint64_t(0), 8), nullptr);
  EXPECT_NE(memory.describe(a->base + 104).find("4 bytes past the end of 'a'"),
            std::string::npos);
  memory.release(a);
  EXPECT_EQ(memory.find(a ? b->base : 0, 1), b);
}

static std::optional<unsigned> allocate(TensorMemory &memory,
                                        unsigned columns) {
  auto column = memory.findFree(columns);
  if (column)
    memory.take(*column, columns);
  return column;
}

TEST(TensorMemory, AllocatesAndFrees) {
  TensorMemory memory;
  auto a = allocate(memory, 256), b = allocate(memory, 128),
       c = allocate(memory, 128);
  ASSERT_TRUE(a && b && c);
  EXPECT_FALSE(allocate(memory, 32));
  EXPECT_NE(memory.release(*b, 64), "");
  EXPECT_NE(memory.release(*b + 1, 128), "");
  EXPECT_EQ(memory.release(*b, 128), "");
  EXPECT_NE(memory.release(*b, 128), "");
  EXPECT_EQ(memory.find(*b, 1), nullptr);
  EXPECT_EQ(*allocate(memory, 32), *b);
  EXPECT_NE(memory.find(*a + 255, 1), nullptr);
  // The window must not reach from one allocation into the next.
  EXPECT_EQ(memory.find(*a + 255, 2), nullptr);
}

/// Both CTAs of a pair get columns that are free in each.
TEST(TensorMemory, FindsColumnsThatAreFreeInTwo) {
  TensorMemory even, odd;
  even.take(0, 128);
  odd.take(64, 128);
  odd.take(256, 128);
  EXPECT_EQ(even.findFree(64, &odd), 192u);
  EXPECT_EQ(odd.findFree(128, &even), 384u);
  EXPECT_FALSE(even.findFree(256, &odd));
  EXPECT_EQ(even.findFree(256), 128u);
}

TEST(MBarrier, CompletesOnArrivalsAndBytes) {
  MBarrier barrier(2);
  EXPECT_TRUE(barrier.isComplete(1));
  EXPECT_FALSE(barrier.isComplete(0));
  EXPECT_EQ(barrier.arriveExpectTx(1, 64, false), "");
  EXPECT_EQ(barrier.arrive(1), "");
  EXPECT_FALSE(barrier.isComplete(0));
  EXPECT_EQ(barrier.completeTx(64), "");
  EXPECT_TRUE(barrier.isComplete(0));
  EXPECT_EQ(barrier.getPending(), 2u);
}

TEST(MBarrier, BytesMayCompleteBeforeTheyAreExpected) {
  MBarrier barrier(1);
  EXPECT_EQ(barrier.completeTx(32), "");
  EXPECT_EQ(barrier.getPhase(), 0u);
  EXPECT_EQ(barrier.arriveExpectTx(1, 32, false), "");
  EXPECT_EQ(barrier.getPhase(), 1u);
}

TEST(MBarrier, RefusesWhatTheHardwareCannotCount) {
  MBarrier barrier(1);
  EXPECT_NE(barrier.arrive(2), "");
  EXPECT_NE(barrier.arrive(0), "");
  EXPECT_NE(barrier.expectTx(1 << 20), "");
  EXPECT_EQ(barrier.getPending(), 1u);
  EXPECT_EQ(barrier.arriveDrop(1), "");
  EXPECT_EQ(barrier.getExpected(), 0u);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

TEST(Npy, RoundTrip) {
  NpyArray array;
  array.code = "f4";
  array.shape = {2, 3};
  for (int i = 0; i < 24; ++i)
    array.data.push_back(i);
  std::string text = printNpy(array);
  EXPECT_EQ((text.size() - 24) % 64, 0u);
  auto back = parseNpy(text);
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(back->shape, array.shape);
  EXPECT_EQ(back->data, array.data);
  EXPECT_EQ(back->code, "f4");
}

TEST(Npy, ReordersColumnMajorData) {
  NpyArray array;
  array.code = "u1";
  array.shape = {2, 3};
  array.data = {0, 3, 1, 4, 2, 5};
  std::string text = printNpy(array);
  text.replace(text.find("False"), 5, "True ");
  auto back = parseNpy(text);
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(back->data, (std::vector<uint8_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Npy, RefusesBadFiles) {
  NpyArray array;
  array.code = "f4";
  array.shape = {4};
  array.data.assign(16, 1);
  std::string good = printNpy(array);
  for (size_t cut = 0; cut < good.size(); ++cut) {
    auto result = parseNpy(llvm::StringRef(good).take_front(cut));
    EXPECT_FALSE(bool(result));
    llvm::consumeError(result.takeError());
  }
  std::string big = good;
  big.replace(big.find("<f4"), 3, ">f4");
  auto result = parseNpy(big);
  EXPECT_FALSE(bool(result));
  llvm::consumeError(result.takeError());
}

static std::string parseError(llvm::StringRef text) {
  auto file = parseLaunchFile(text);
  if (file)
    return "";
  return llvm::toString(file.takeError());
}

TEST(LaunchFile, ParsesTheFormat) {
  auto file = parseLaunchFile(R"({
    "kernel": "k.ptx", "entry": "f", "grid": [2, 3], "block": [128],
    "buffers": {"A": {"dtype": "f16", "shape": [4, 8], "fill": 1.5},
                "B": {"dtype": "u64", "shape": [1], "fill": 18446744073709551615}},
    "args": [{"buffer": "A", "offset": 16}, {"i32": -1}, {"f32": 1.0},
             {"null": true}, {"struct": [{"i8": 1}, {"f64": "inf"}], "align": 16}]})");
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  EXPECT_EQ((*file->launches[0].grid)[1], 3u);
  EXPECT_EQ((*file->launches[0].grid)[2], 1u);
  EXPECT_EQ(file->launches[0].args.size(), 5u);
  EXPECT_EQ(file->launches[0].args[1].bits, 0xffffffffu);
  EXPECT_EQ(file->launches[0].args[2].bits, 0x3f800000u);
  EXPECT_EQ(std::get<ConstantFill>(file->find("A")->data).bits, 0x3e00u);
  EXPECT_EQ(std::get<ConstantFill>(file->find("B")->data).bits, ~uint64_t(0));
}

TEST(LaunchFile, ErrorsNameTheKey) {
  EXPECT_NE(parseError(R"({"kernel": "k", "gird": [1]})").find("'grid'"),
            std::string::npos);
  EXPECT_NE(parseError(R"({"kernel": "k", "grid": [0]})").find("grid"),
            std::string::npos);
  EXPECT_NE(parseError(R"({"grid": [1]})").find("kernel"), std::string::npos);
  EXPECT_NE(parseError(R"({"kernel": "k", "args": [{"i32": 3000000000000}]})")
                .find("args[0].i32"),
            std::string::npos);
  EXPECT_NE(parseError(R"({"kernel": "k", "args": [{"buffer": "A"}]})")
                .find("args[0].buffer"),
            std::string::npos);
  EXPECT_NE(parseError(R"({"kernel": "k", "buffers": {"A": {"dtype": "f17",
                           "shape": [1]}}})")
                .find("buffers.A.dtype"),
            std::string::npos);
  EXPECT_NE(parseError(R"({"kernel": "k", "buffers": {"A": {"dtype": "f16",
                           "shape": [1], "fill": 0, "file": "x"}}})")
                .find("buffers.A"),
            std::string::npos);
  EXPECT_NE(parseError("{"), "");
  EXPECT_NE(parseError("[]"), "");
  EXPECT_NE(parseError(std::string(100000, '[')), "");
}

TEST(LaunchFile, RandomFollowsTheFormula) {
  // splitmix64 of state 0, from the reference implementation.
  EXPECT_EQ(splitmix64(0), 0xe220a8397b1dcdafull);
  BufferSpec buffer;
  buffer.type = lookupDType("i32");
  buffer.shape = {1000};
  RandomFill random;
  random.seed = 0;
  random.low = -4;
  random.high = 4;
  random.integer = true;
  buffer.data = random;
  std::vector<uint8_t> data = fillBuffer(buffer);
  std::vector<int> seen(8, 0);
  for (uint64_t i = 0; i < 1000; ++i) {
    double value =
        bitsToValue(readElement(data, *buffer.type, i), *buffer.type);
    ASSERT_GE(value, -4);
    ASSERT_LT(value, 4);
    ++seen[int(value) + 4];
  }
  for (int count : seen)
    EXPECT_GT(count, 60);
  // 0xe220a8 / 2^24 * 8 - 4 = 3.066, whose floor is 3.
  EXPECT_EQ(int32_t(readElement(data, *buffer.type, 0)), 3);
}

TEST(Compare, TolerancesAndBits) {
  BufferSpec buffer;
  buffer.type = lookupDType("f32");
  buffer.shape = {2, 2};
  auto bytes = [](std::vector<float> values) {
    std::vector<uint8_t> data(values.size() * 4);
    std::memcpy(data.data(), values.data(), data.size());
    return data;
  };
  auto got = bytes({1.0f, NAN, -0.0f, 5.0f});
  auto want = bytes({1.0f, NAN, 0.0f, 5.1f});
  BufferResult exact = compareElements(got, want, *buffer.type, buffer);
  EXPECT_EQ(exact.mismatches, 2u);
  EXPECT_EQ(exact.first, (std::vector<uint64_t>{1, 0}));
  buffer.absoluteTolerance = 0.2;
  EXPECT_EQ(compareElements(got, want, *buffer.type, buffer).mismatches, 0u);
  auto infinite = bytes({INFINITY, 0, 0, 0});
  EXPECT_EQ(compareElements(got, infinite, *buffer.type, buffer).mismatches,
            3u);
}
