//===- ActiveThreadsTest.cpp - guards against brute force -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random guards over ids, kernel arguments and memory, nested in ifs and loops.
// The analysis must agree with an evaluation of each thread by itself: exactly
// where everything is known, and as a sound bound for any contents of what is
// not.
//
//===----------------------------------------------------------------------===//

#include "TIRx/Dialect/TIRx/Analysis/ActiveThreads.h"
#include "TIRx/Dialect/TIRx/IR/TIRxOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tirx;
using llvm::BitVector;

namespace {

/// What is unknown at compile time: one value for the grid, and memory.
struct World {
  uint32_t argument;
  std::vector<uint32_t> memory;
};

/// A value in the text of a kernel and how a thread computes it.
struct Expr {
  std::string name;
  std::function<uint32_t(unsigned thread, unsigned counter, const World &)>
      eval;
};

/// Writes a random kernel and keeps what each value means.
class Generator {
public:
  Generator(unsigned seed, bool allowUnknown)
      : random(seed), allowUnknown(allowUnknown) {
    blockSize = std::vector<unsigned>{32, 64, 96, 128, 256}[below(5)];
  }

  unsigned below(unsigned n) { return random() % n; }

  Expr define(const std::string &text,
              std::function<uint32_t(unsigned, unsigned, const World &)> eval) {
    std::string name = "%v" + std::to_string(count++);
    body += name + " = " + text + "\n";
    return {name, std::move(eval)};
  }

  Expr constant(uint32_t value) {
    return define("arith.constant " + std::to_string(int32_t(value)) + " : i32",
                  [=](unsigned, unsigned, const World &) { return value; });
  }

  Expr id(const char *kind, const std::function<uint32_t(unsigned)> &eval) {
    Expr index = define(std::string("tirx.id ") + kind, nullptr);
    return define("arith.index_cast " + index.name + " : index to i32",
                  [=](unsigned t, unsigned, const World &) { return eval(t); });
  }

  /// Memory indexed by the thread (differs in each) or by its warp.
  Expr load(bool byWarp) {
    Expr index =
        define(byWarp ? "tirx.id warp_id" : "tirx.id thread_id", nullptr);
    return define("tirx.load %mem[" + index.name +
                      "] : !tirx.buffer<1024xi32, global> -> i32",
                  [=](unsigned t, unsigned, const World &world) {
                    return world.memory[byWarp ? t / 32 : t];
                  });
  }

  Expr leaf() {
    switch (below(allowUnknown ? 9 : 5)) {
    case 0:
      return constant(below(8));
    case 1:
      return constant(random());
    case 2:
      return id("thread_id", [](unsigned t) { return t; });
    case 3:
      return id("lane_id", [](unsigned t) { return t % 32; });
    case 4:
      return id("warp_id", [](unsigned t) { return t / 32; });
    case 5:
    case 6:
      return {"%arg", [](unsigned, unsigned, const World &world) {
                return world.argument;
              }};
    case 7:
      return load(/*byWarp=*/true);
    default:
      return load(/*byWarp=*/false);
    }
  }

  Expr integer(unsigned depth) {
    if (counter && below(4) == 0)
      return *counter;
    if (depth == 0)
      return leaf();
    Expr a = integer(depth - 1), b = integer(depth - 1);
    using Fn = uint32_t (*)(uint32_t, uint32_t);
    static const std::pair<const char *, Fn> ops[] = {
        {"arith.addi", [](uint32_t x, uint32_t y) { return x + y; }},
        {"arith.subi", [](uint32_t x, uint32_t y) { return x - y; }},
        {"arith.muli", [](uint32_t x, uint32_t y) { return x * y; }},
        {"arith.andi", [](uint32_t x, uint32_t y) { return x & y; }},
        {"arith.ori", [](uint32_t x, uint32_t y) { return x | y; }},
        {"arith.xori", [](uint32_t x, uint32_t y) { return x ^ y; }},
        {"arith.minui", [](uint32_t x, uint32_t y) { return std::min(x, y); }},
        {"arith.maxui", [](uint32_t x, uint32_t y) { return std::max(x, y); }},
        {"arith.minsi",
         [](uint32_t x, uint32_t y) {
           return uint32_t(std::min(int32_t(x), int32_t(y)));
         }},
    };
    // A divisor and a shift amount of their own keep the result defined.
    if (below(3) == 0) {
      uint32_t divisor = 1 + below(40);
      Expr c = constant(divisor);
      if (below(2))
        return define("arith.remui " + a.name + ", " + c.name + " : i32",
                      [=](unsigned t, unsigned i, const World &w) {
                        return a.eval(t, i, w) % divisor;
                      });
      return define("arith.divui " + a.name + ", " + c.name + " : i32",
                    [=](unsigned t, unsigned i, const World &w) {
                      return a.eval(t, i, w) / divisor;
                    });
    }
    auto [name, fn] = ops[below(std::size(ops))];
    Fn compute = fn;
    return define(std::string(name) + " " + a.name + ", " + b.name + " : i32",
                  [=](unsigned t, unsigned i, const World &w) {
                    return compute(a.eval(t, i, w), b.eval(t, i, w));
                  });
  }

  Expr condition(unsigned depth) {
    if (depth == 0) {
      Expr a = integer(1), b = integer(below(2));
      switch (below(4)) {
      case 0:
        return define("arith.cmpi eq, " + a.name + ", " + b.name + " : i32",
                      [=](unsigned t, unsigned i, const World &w) -> uint32_t {
                        return a.eval(t, i, w) == b.eval(t, i, w);
                      });
      case 1:
        return define("arith.cmpi ult, " + a.name + ", " + b.name + " : i32",
                      [=](unsigned t, unsigned i, const World &w) -> uint32_t {
                        return a.eval(t, i, w) < b.eval(t, i, w);
                      });
      case 2:
        return define("arith.cmpi sge, " + a.name + ", " + b.name + " : i32",
                      [=](unsigned t, unsigned i, const World &w) -> uint32_t {
                        return int32_t(a.eval(t, i, w)) >=
                               int32_t(b.eval(t, i, w));
                      });
      default:
        return define("arith.cmpi ne, " + a.name + ", " + b.name + " : i32",
                      [=](unsigned t, unsigned i, const World &w) -> uint32_t {
                        return a.eval(t, i, w) != b.eval(t, i, w);
                      });
      }
    }
    Expr a = condition(depth - 1), b = condition(depth - 1);
    if (below(4) == 0) {
      Expr c = condition(0);
      return define(
          "arith.select " + c.name + ", " + a.name + ", " + b.name + " : i1",
          [=](unsigned t, unsigned i, const World &w) {
            return c.eval(t, i, w) ? a.eval(t, i, w) : b.eval(t, i, w);
          });
    }
    bool isAnd = below(2);
    return define(std::string(isAnd ? "arith.andi " : "arith.ori ") + a.name +
                      ", " + b.name + " : i1",
                  [=](unsigned t, unsigned i, const World &w) {
                    return isAnd ? a.eval(t, i, w) & b.eval(t, i, w)
                                 : a.eval(t, i, w) | b.eval(t, i, w);
                  });
  }

  std::mt19937 random;
  bool allowUnknown;
  unsigned blockSize;
  std::string body;
  unsigned count = 0;
  /// The loop's counter, inside a loop.
  std::optional<Expr> counter;
};

/// A chain of guards around one marked op, in a loop or not.
struct Kernel {
  std::string text;
  unsigned blockSize;
  /// Whether a thread reaches the op in round `counter` of the loop.
  std::function<bool(unsigned thread, unsigned counter, const World &)> reaches;
  unsigned rounds = 1;
};

Kernel generate(unsigned seed, bool allowUnknown) {
  Generator gen(seed, allowUnknown);
  Kernel kernel;
  kernel.blockSize = gen.blockSize;
  kernel.reaches = [](unsigned, unsigned, const World &) { return true; };
  std::string closing;
  if (gen.below(3) == 0) {
    // for i in [lower, upper): a thread that starts late skips early rounds, so
    // round k is counter lower + k.
    Expr lower = gen.integer(1), upper = gen.integer(1);
    Expr mask = gen.constant(3), one = gen.constant(1);
    Expr from = gen.define(
        "arith.andi " + lower.name + ", " + mask.name + " : i32", nullptr);
    Expr to = gen.define(
        "arith.andi " + upper.name + ", " + mask.name + " : i32", nullptr);
    gen.body += "scf.for %i = " + from.name + " to " + to.name + " step " +
                one.name + " : i32 {\n";
    closing = "}\n";
    auto start = [=](unsigned t, const World &w) {
      return lower.eval(t, 0, w) & 3;
    };
    auto stop = [=](unsigned t, const World &w) {
      return upper.eval(t, 0, w) & 3;
    };
    kernel.rounds = 4;
    kernel.reaches = [=](unsigned t, unsigned round, const World &w) {
      return start(t, w) + round < stop(t, w);
    };
    gen.counter = Expr{"%i", [=](unsigned t, unsigned round, const World &w) {
                         return start(t, w) + round;
                       }};
  }
  for (unsigned depth = 0, end = 1 + gen.below(3); depth < end; ++depth) {
    Expr guard = gen.condition(gen.below(3));
    bool inElse = gen.below(2);
    gen.body += "scf.if " + guard.name + " {\n" + (inElse ? "} else {\n" : "");
    closing += "}\n";
    kernel.reaches = [outer = kernel.reaches, guard,
                      inElse](unsigned t, unsigned round, const World &w) {
      return outer(t, round, w) && bool(guard.eval(t, round, w)) != inElse;
    };
  }
  kernel.text =
      "gpu.module @m { gpu.func @k(%arg: i32, %mem: !tirx.buffer<1024xi32, "
      "global>) kernel attributes {known_block_size = array<i32: " +
      std::to_string(gen.blockSize) + ", 1, 1>} {\n" + gen.body +
      "tirx.fence proxy_async\n" + closing + "gpu.return } }";
  return kernel;
}

class ActiveThreadsTest : public ::testing::Test {
protected:
  ActiveThreadsTest() {
    context.disableMultithreading();
    context.loadDialect<TIRxDialect, arith::ArithDialect, scf::SCFDialect,
                        gpu::GPUDialect, LLVM::LLVMDialect>();
  }

  ActiveThreads analyse(const Kernel &kernel) {
    OwningOpRef<Operation *> module =
        parseSourceString<ModuleOp>(kernel.text, &context);
    EXPECT_TRUE(module) << kernel.text;
    ActiveThreads active;
    if (!module)
      return active;
    (*module)->walk([&](gpu::GPUFuncOp func) {
      ActiveThreadAnalysis analysis(func, BlockShape{kernel.blockSize, 1, 1});
      func.walk([&](FenceOp op) { active = analysis.at(op); });
    });
    return active;
  }

  MLIRContext context;
};

BitVector reached(const Kernel &kernel, unsigned round, const World &world) {
  BitVector threads(kernel.blockSize);
  for (unsigned thread = 0; thread < kernel.blockSize; ++thread)
    if (kernel.reaches(thread, round, world))
      threads.set(thread);
  return threads;
}

World randomWorld(std::mt19937 &random) {
  World world;
  // Small numbers, so that comparisons go both ways.
  world.argument = random() % 3 ? random() % 8 : random();
  for (unsigned i = 0; i < 1024; ++i)
    world.memory.push_back(random() % 3 ? random() % 8 : random());
  return world;
}

TEST_F(ActiveThreadsTest, KnownGuardsAreExact) {
  World nothing{0, std::vector<uint32_t>(1024)};
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Kernel kernel = generate(seed, /*allowUnknown=*/false);
    if (kernel.rounds != 1)
      continue;
    ActiveThreads active = analyse(kernel);
    EXPECT_EQ(active.uncertainty, Granularity::Grid) << kernel.text;
    EXPECT_TRUE(active.threads == reached(kernel, 0, nothing)) << kernel.text;
  }
}

TEST_F(ActiveThreadsTest, UnknownGuardsAreBounded) {
  std::mt19937 random(7);
  unsigned uniform = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Kernel kernel = generate(seed, /*allowUnknown=*/true);
    ActiveThreads active = analyse(kernel);
    uniform += active.uncertainty < Granularity::Thread;
    unsigned size = groupSize(active.uncertainty, kernel.blockSize);
    for (unsigned sample = 0; sample < 8; ++sample) {
      World world = randomWorld(random);
      for (unsigned round = 0; round < kernel.rounds; ++round) {
        BitVector threads = reached(kernel, round, world);
        ASSERT_FALSE(threads.test(active.threads)) << kernel.text;
        for (unsigned first = 0; first < kernel.blockSize; first += size) {
          BitVector group(kernel.blockSize);
          group.set(first, std::min(first + size, kernel.blockSize));
          BitVector got = threads, possible = active.threads;
          got &= group;
          possible &= group;
          ASSERT_TRUE(got.none() || got == possible)
              << kernel.text << "\nround " << round << ", group at " << first
              << ", uncertain by "
              << stringifyGranularity(active.uncertainty).str();
        }
      }
    }
  }
  // "Threads may differ" bounds everything: where guards leave them together,
  // in an eighth of these kernels, the analysis must know.
  EXPECT_GT(uniform, 240u);
}

TEST(DescribeThreads, Words) {
  auto describe = [](unsigned size, auto member) {
    BitVector threads(size);
    for (unsigned t = 0; t < size; ++t)
      if (member(t))
        threads.set(t);
    return describeThreads(threads);
  };
  EXPECT_EQ(describe(128, [](unsigned) { return false; }), "no thread");
  EXPECT_EQ(describe(128, [](unsigned) { return true; }),
            "all 128 threads of the block");
  EXPECT_EQ(describe(128, [](unsigned t) { return t < 32; }),
            "threads 0 to 31 (warp 0)");
  EXPECT_EQ(describe(128, [](unsigned t) { return t % 32 == 0; }),
            "lane 0 of each of warps 0 to 3");
  EXPECT_EQ(describe(128, [](unsigned t) { return t / 32 % 2 == 1; }),
            "threads 32 to 63, 96 to 127 (warps 1, 3)");
  EXPECT_EQ(describe(128, [](unsigned t) { return t == 33; }),
            "thread 33 (lane 1 of warp 1)");
  EXPECT_EQ(describe(128, [](unsigned t) { return t < 33; }),
            "threads 0 to 32");
}

} // namespace
