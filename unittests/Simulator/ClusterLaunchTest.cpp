//===- ClusterLaunchTest.cpp - cluster launch control ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

using namespace tirx::sim;

namespace {

const char *const kShared =
    ".shared .align 16 .b8 answer[16];\n.shared .align 8 .b64 bar;\n";

/// One thread a CTA asks and waits; `shape` is .shared::cta, with or without
/// multicast. The answer ends up in %rq.
std::string ask(const std::string &multicast) {
  return "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;\n"
         "@%q3 clusterlaunchcontrol.try_cancel.async.shared::cta"
         ".mbarrier::complete_tx::bytes" +
         multicast +
         ".b128 [answer], [bar];\n"
         "wait: mbarrier.try_wait.parity.shared.b64 %q0, [bar], %r9;\n"
         "@!%q0 bra wait;\n"
         "xor.b32 %r9, %r9, 1;\n"
         "ld.shared.b128 %rq, [answer];\n";
}

/// Every CTA adds one to the cell of each CTA of the grid whose work it does;
/// then it takes over the work of others, until there is none.
std::string persistent(unsigned cluster, const std::string &multicast) {
  std::string all = cluster > 1 ? "barrier.cluster.arrive.release;\n"
                                  "barrier.cluster.wait.acquire;\n"
                                : "";
  return ".reg .b128 %rq;\n"
         "mov.u32 %r10, %cluster_ctarank;\nsetp.eq.u32 %q3, %r10, 0;\n"
         "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ctaid.y;\nmov.u32 %r9, 0;\n"
         "mov.u32 %r12, %cluster_ctaid.x;\n"
         "mbarrier.init.shared.b64 [bar], 1;\n"
         "fence.mbarrier_init.release.cluster;\n" +
         all +
         "work: mov.u32 %r2, %nctaid.x;\n"
         "mad.lo.u32 %r3, %r1, %r2, %r0;\nmul.wide.u32 %rd0, %r3, 4;\n"
         "add.u64 %rd0, %rd0, %p0;\nred.global.add.u32 [%rd0], 1;\n"
         "mov.u32 %r13, %ctaid.x;\n" +
         ask(multicast) +
         "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %q1, %rq;\n"
         "@!%q1 bra done;\n"
         "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 "
         "{%r4, %r5, %r6, %r7}, %rq;\n"
         "clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r1, "
         "%rq;\n"
         "setp.ne.u32 %q2, %r1, %r5;\n@%q2 trap;\n"
         "add.u32 %r0, %r4, %r12;\n"
         "fence.proxy.async.shared::cta;\n" +
         all + "bra work;\ndone:\n" + all;
}

/// Cells that were not done exactly once, and the rules of reports.
std::string run(unsigned cluster, const std::string &multicast, AsyncMode mode,
                uint64_t seed) {
  LaunchOptions options;
  options.async = mode;
  options.seed = seed;
  std::string text = entry(1, kShared + persistent(cluster, multicast));
  TestKernel kernel(text, options);
  kernel.parameters.grid = {12, 3, 1};
  kernel.parameters.block = {1, 1, 1};
  kernel.parameters.cluster = {cluster, 1, 1};
  Allocation *cells = kernel.buffer(std::vector<uint32_t>(36, 0));
  std::string wrong = kernel.run();
  for (uint32_t count : TestKernel::read<uint32_t>(cells))
    if (count != 1)
      wrong += " " + std::to_string(count);
  return wrong;
}

TEST(ClusterLaunch, EachClusterIsDoneOnce) {
  for (AsyncMode mode : {AsyncMode::Eager, AsyncMode::Lazy})
    EXPECT_EQ(run(1, "", mode, 0), "");
  for (unsigned seed = 0; seed < 8; ++seed)
    EXPECT_EQ(run(1, "", AsyncMode::Random, seed), "");
}

TEST(ClusterLaunch, MulticastReachesEveryCta) {
  for (unsigned cluster : {2, 4}) {
    for (AsyncMode mode : {AsyncMode::Eager, AsyncMode::Lazy})
      EXPECT_EQ(run(cluster, ".multicast::cluster::all", mode, 0), "");
    for (unsigned seed = 0; seed < 8; ++seed)
      EXPECT_EQ(
          run(cluster, ".multicast::cluster::all", AsyncMode::Random, seed),
          "");
  }
}

/// In lazy mode one cluster does everything: the others never start.
TEST(ClusterLaunch, TakenClustersDoNotStart) {
  LaunchOptions options;
  options.async = AsyncMode::Lazy;
  TestKernel kernel(entry(1, kShared + persistent(1, "")), options);
  kernel.parameters.grid = {5, 1, 1};
  kernel.buffer(std::vector<uint32_t>(5, 0));
  EXPECT_EQ(kernel.run(), "");
  EXPECT_EQ(kernel.statistics.ctas, 1u);
}

/// The rules that one CTA of a grid of one breaks with `body`.
std::string rulesOf(const std::string &body, unsigned grid = 1) {
  TestKernel kernel(
      entry(0, kShared +
                   std::string(".reg .b128 %rq;\nmov.u32 %r9, 0;\n"
                               "setp.eq.u32 %q3, %r9, 0;\n"
                               "mbarrier.init.shared.b64 [bar], 1;\n") +
                   body));
  kernel.parameters.grid = {grid, 1, 1};
  return kernel.run();
}

TEST(ClusterLaunch, R39) {
  const std::string query =
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %q1, %rq;\n";
  EXPECT_EQ(rulesOf(ask("") + query), "");
  // Another one behind a refusal that was read.
  EXPECT_EQ(rulesOf(ask("") + query +
                    "clusterlaunchcontrol.try_cancel.async.shared::cta"
                    ".mbarrier::complete_tx::bytes.b128 [answer], [bar];\n"),
            "R39");
  // The coordinates of none.
  EXPECT_EQ(rulesOf(ask("") +
                    "clusterlaunchcontrol.query_cancel.get_first_ctaid::x"
                    ".b32.b128 %r0, %rq;\n"),
            "R39");
  // No answer at all.
  EXPECT_EQ(rulesOf("mov.u64 %rd0, 1; mov.b128 %rq, {%rd0, %rd0};\n" + query),
            "R39");
  // Not aligned.
  EXPECT_EQ(rulesOf("clusterlaunchcontrol.try_cancel.async.shared::cta"
                    ".mbarrier::complete_tx::bytes.b128 [answer+8], [bar];\n"),
            "alignment");
}

} // namespace
