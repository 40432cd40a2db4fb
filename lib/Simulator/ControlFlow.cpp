//===- ControlFlow.cpp - where diverged lanes meet ------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace tirx::sim;

namespace {

/// Basic blocks with a virtual exit as the last one.
struct Graph {
  std::vector<uint32_t> start;
  std::vector<uint32_t> blockOf;
  std::vector<llvm::SmallVector<uint32_t, 2>> successors, predecessors;
  uint32_t exit;

  void addEdge(uint32_t from, uint32_t to) {
    successors[from].push_back(to);
    predecessors[to].push_back(from);
  }
};

Graph buildGraph(const std::vector<Inst> &code, const std::vector<Flow> &flow) {
  size_t n = code.size();
  std::vector<bool> leader(n, false);
  if (n)
    leader[0] = true;
  for (size_t pc = 0; pc < n; ++pc) {
    if (flow[pc] == Flow::Falls)
      continue;
    if (flow[pc] == Flow::Branches)
      leader[code[pc].target] = true;
    if (pc + 1 < n)
      leader[pc + 1] = true;
  }
  Graph graph;
  graph.blockOf.resize(n);
  for (size_t pc = 0; pc < n; ++pc) {
    if (leader[pc])
      graph.start.push_back(pc);
    graph.blockOf[pc] = graph.start.size() - 1;
  }
  uint32_t blocks = graph.start.size();
  graph.exit = blocks;
  graph.successors.resize(blocks + 1);
  graph.predecessors.resize(blocks + 1);
  for (uint32_t b = 0; b < blocks; ++b) {
    uint32_t last = (b + 1 < blocks ? graph.start[b + 1] : n) - 1;
    bool conditional = code[last].guard != kNoSlot;
    if (flow[last] == Flow::Branches)
      graph.addEdge(b, graph.blockOf[code[last].target]);
    if (flow[last] == Flow::Ends)
      graph.addEdge(b, graph.exit);
    if (flow[last] == Flow::Falls || conditional)
      graph.addEdge(b, last + 1 < n ? graph.blockOf[last + 1] : graph.exit);
  }
  return graph;
}

/// Blocks in post-order of a walk from the exit along predecessors.
std::vector<uint32_t> reversePostOrder(const Graph &graph) {
  std::vector<uint32_t> order;
  std::vector<uint32_t> nextChild(graph.successors.size(), 0);
  std::vector<bool> seen(graph.successors.size(), false);
  std::vector<uint32_t> stack = {graph.exit};
  seen[graph.exit] = true;
  while (!stack.empty()) {
    uint32_t block = stack.back();
    if (nextChild[block] == graph.predecessors[block].size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    uint32_t child = graph.predecessors[block][nextChild[block]++];
    if (!seen[child]) {
      seen[child] = true;
      stack.push_back(child);
    }
  }
  return order;
}

/// Cooper, Harvey and Kennedy's iteration on the reversed graph. Blocks that
/// cannot reach the exit keep kNoPc.
std::vector<uint32_t> postDominators(const Graph &graph) {
  std::vector<uint32_t> order = reversePostOrder(graph);
  std::vector<uint32_t> number(graph.successors.size(), kNoPc);
  for (size_t i = 0; i < order.size(); ++i)
    number[order[i]] = i;
  std::vector<uint32_t> idom(graph.successors.size(), kNoPc);
  idom[graph.exit] = graph.exit;
  auto intersect = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (number[a] < number[b])
        a = idom[a];
      while (number[b] < number[a])
        b = idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == graph.exit)
        continue;
      uint32_t best = kNoPc;
      for (uint32_t successor : graph.successors[*it])
        if (idom[successor] != kNoPc)
          best = best == kNoPc ? successor : intersect(successor, best);
      if (best != idom[*it]) {
        idom[*it] = best;
        changed = true;
      }
    }
  }
  return idom;
}

} // namespace

void tirx::sim::computeJoins(std::vector<Inst> &code,
                             const std::vector<Flow> &flow) {
  Graph graph = buildGraph(code, flow);
  std::vector<uint32_t> idom = postDominators(graph);
  for (size_t pc = 0; pc < code.size(); ++pc) {
    if (flow[pc] != Flow::Branches || code[pc].guard == kNoSlot)
      continue;
    uint32_t block = idom[graph.blockOf[pc]];
    if (block != kNoPc && block != graph.exit)
      code[pc].join = graph.start[block];
  }
}
