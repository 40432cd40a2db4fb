//===- LaunchFileTest.cpp - what launch files say -------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/LaunchFile.h"
#include "gtest/gtest.h"

using namespace tirx::sim;

/// A launch file with one argument and buffers A (f16) and E (e2m1).
static std::string withArg(llvm::StringRef arg) {
  return (R"({"kernel": "k.ptx", "buffers": {
    "A": {"dtype": "f16", "shape": [128, 64]},
    "E": {"dtype": "e2m1", "shape": [128, 64]}}, "args": [)" +
          arg + "]}")
      .str();
}

static std::string errorOf(const std::string &text) {
  auto file = parseLaunchFile(text);
  if (file)
    return "";
  return llvm::toString(file.takeError());
}

TEST(LaunchFile, TensorMapTiled) {
  auto file = parseLaunchFile(withArg(
      R"({"tensormap": {"of": "A", "offset": 128, "dims": [64, 128],
          "strides": [128], "box": [64, 32], "element_strides": [1, 2],
          "interleave": "none", "swizzle": "128B_atom32B_flip8B",
          "l2": "256B", "oob": "nan"}})"));
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  const ArgSpec &arg = file->launches[0].args[0];
  EXPECT_EQ(arg.kind, ArgSpec::TensorMap);
  EXPECT_EQ(arg.buffer, "A");
  EXPECT_EQ(arg.offset, 128);
  const TensorMapDescription &map = arg.map;
  EXPECT_EQ(map.mode, TensorMapMode::Tiled);
  EXPECT_EQ(map.type, TensorMapType::F16);
  EXPECT_EQ(map.dims, (llvm::SmallVector<uint64_t, 5>{64, 128}));
  EXPECT_EQ(map.strides, (llvm::SmallVector<uint64_t, 4>{128}));
  EXPECT_EQ(map.box, (llvm::SmallVector<uint32_t, 5>{64, 32}));
  EXPECT_EQ(map.elementStrides, (llvm::SmallVector<uint32_t, 5>{1, 2}));
  EXPECT_EQ(map.swizzle, TensorMapSwizzle::B128Atom32Flip8);
  EXPECT_EQ(map.l2, TensorMapL2::B256);
  EXPECT_EQ(map.fill, TensorMapFill::NaN);
}

TEST(LaunchFile, TensorMapIm2col) {
  auto file = parseLaunchFile(withArg(
      R"({"tensormap": {"of": "E", "dims": [64, 8, 8, 2],
          "strides": [32, 256, 2048], "lower": [-1, -2], "upper": [1, 0],
          "channels": 64, "pixels": 16}})"));
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  const TensorMapDescription &map = file->launches[0].args[0].map;
  EXPECT_EQ(map.mode, TensorMapMode::Im2col);
  EXPECT_EQ(map.type, TensorMapType::U4x16Align8);
  EXPECT_EQ(map.lower, (llvm::SmallVector<int32_t, 3>{-1, -2}));
  EXPECT_EQ(map.upper, (llvm::SmallVector<int32_t, 3>{1, 0}));
  EXPECT_EQ(map.channels, 64u);
  EXPECT_EQ(map.pixels, 16u);
  EXPECT_EQ(map.elementStrides, (llvm::SmallVector<uint32_t, 5>{1, 1, 1, 1}));
}

TEST(LaunchFile, TensorMapErrorsNameTheKey) {
  struct {
    const char *map, *error;
  } cases[] = {
      {R"({"dims": [64], "box": [64]})",
       "args[0].tensormap.of: expected the name of a buffer, got none"},
      {R"({"of": "B", "dims": [64], "box": [64]})",
       "args[0].tensormap.of: expected the name of a buffer, got 'B'"},
      {R"({"of": "A", "dims": [64], "box": [64], "offset": 16385})",
       "args[0].tensormap.offset: expected 0 to 16384 bytes, got 16385"},
      {R"({"of": "A", "dims": [], "box": []})",
       "args[0].tensormap.dims: expected an array of 1 to 5 integers"},
      {R"({"of": "A", "dims": [64, 128], "box": [64, 64]})",
       "args[0].tensormap.strides: expected this key, got none"},
      {R"({"of": "A", "dims": [64, 128], "strides": [1, 2], "box": [64, 64]})",
       "args[0].tensormap.strides: expected an array of 1 integers"},
      {R"({"of": "A", "dims": [64], "box": [0]})",
       "args[0].tensormap.box[0]: expected an integer from 1 to"},
      {R"({"of": "A", "dims": [64], "box": [64], "swizle": "32B"})",
       "args[0].tensormap.swizle: unknown key; the nearest known key is "
       "'swizzle'"},
      {R"({"of": "A", "dims": [64], "box": [64], "swizzle": "16B"})",
       "args[0].tensormap.swizzle: expected one of none, 32B"},
      {R"({"of": "A", "dims": [64], "box": [64], "lower": [1]})",
       "args[0].tensormap.box: expected either 'box' or the keys of im2col"},
      {R"({"of": "A", "dims": [64], "lower": [1]})",
       "args[0].tensormap.dims: expected 3 to 5 dimensions for im2col, got 1"},
  };
  for (auto &c : cases)
    EXPECT_NE(errorOf(withArg("{\"tensormap\": " + std::string(c.map) + "}"))
                  .find(c.error),
              std::string::npos)
        << errorOf(withArg("{\"tensormap\": " + std::string(c.map) + "}"))
        << "\nexpected: " << c.error;
}

TEST(LaunchFile, Devices) {
  std::string body = R"("kernel": "k.ptx", "buffers": {"A": {"dtype": "f16",
      "shape": [1], "device": 1}}, "device": 1, "cooperative": true,
      "pdl": true})";
  auto file = parseLaunchFile(R"({"devices": 2, )" + body);
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  EXPECT_EQ(file->devices, 2u);
  EXPECT_EQ(file->buffers[0].device, 1u);
  EXPECT_EQ(file->launches[0].device, 1u);
  EXPECT_TRUE(file->launches[0].cooperative);
  EXPECT_TRUE(file->launches[0].pdl);
  EXPECT_EQ(errorOf("{" + body), "buffers.A.device: expected a device below "
                                 "'devices' (1), got 1");
  EXPECT_EQ(errorOf(R"({"devices": 9, )" + body),
            "devices: expected an integer from 1 to 8, got 9");
}
