//===- TableTest.cpp - the PTX instruction table --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Table.h"
#include "Combinations.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace tirx::ptx;
using testing::HasSubstr;

namespace {

ResolvedInstruction get(StringRef text) {
  Expected<ResolvedInstruction> inst = resolve(text);
  if (!inst) {
    ADD_FAILURE() << text.str() << ": " << toString(inst.takeError());
    return *resolve("exit");
  }
  return *inst;
}

std::string errorOf(StringRef text) {
  Expected<ResolvedInstruction> inst = resolve(text);
  return inst ? "accepted as " + print(*inst) : toString(inst.takeError());
}

/// "d:write:f32x4" for each operand.
std::string operandsOf(StringRef text) {
  std::string result;
  for (const OperandSpec &o : operands(get(text))) {
    const char *access = o.access == Access::Read    ? "r"
                         : o.access == Access::Write ? "w"
                                                     : "rw";
    result += (result.empty() ? "" : " ") + o.name.str() + ":" + access + ":" +
              spelling(o.type).str();
    if (o.lanes != 1)
      result += "*" + std::to_string(o.lanes);
    if (o.optional)
      result += "?";
  }
  return result;
}

std::string targetError(StringRef text, StringRef target, unsigned ptx = 90) {
  return toString(checkTarget(get(text), target, ptx));
}

// --- Resolving ---------------------------------------------------------------

TEST(Resolve, SlotsAndDefaults) {
  ResolvedInstruction inst = get("ld.global.v4.u32");
  EXPECT_EQ(inst.opcode(), Opcode::ld);
  EXPECT_EQ(inst.get(Mod::space), Token::global);
  EXPECT_EQ(inst.get(Mod::vec), Token::v4);
  EXPECT_EQ(inst.get("type"), "u32");
  EXPECT_TRUE(inst.has(Token::global));
  EXPECT_FALSE(inst.has(Token::shared));
  EXPECT_EQ(inst.get(Mod::cop), Token::none);

  ResolvedInstruction atom = get("atom.global.add.u32");
  EXPECT_EQ(atom.get(Mod::sem), Token::relaxed);
  EXPECT_EQ(atom.written(Mod::sem), Token::none);
  EXPECT_EQ(atom.get(Mod::scope), Token::gpu);
  EXPECT_FALSE(atom.has("gpu"));
}

TEST(Resolve, LongestMnemonicWins) {
  EXPECT_EQ(get("mbarrier.arrive.b64").opcode(), Opcode::mbarrier_arrive);
  EXPECT_EQ(get("mbarrier.arrive.expect_tx.b64").opcode(),
            Opcode::mbarrier_arrive_expect_tx);
  EXPECT_EQ(get("bar.warp.sync").opcode(), Opcode::bar_warp_sync);
  EXPECT_EQ(get("bar.sync").opcode(), Opcode::bar);
  EXPECT_EQ(get("tcgen05.wait::ld.sync.aligned").opcode(),
            Opcode::tcgen05_wait_ld);
  EXPECT_EQ(get("cp.async.bulk.wait_group.read").opcode(),
            Opcode::cp_async_bulk_wait_group);
}

TEST(Resolve, OtherSpellings) {
  ResolvedInstruction inst = get("st.shared::cta.f32");
  EXPECT_EQ(inst.get(Mod::space), Token::shared);
  EXPECT_EQ(print(inst), "st.shared.f32");
  // In a bulk copy the two ends are told apart, so the name stays whole.
  EXPECT_EQ(get("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes")
                .get(Mod::dst),
            Token::shared_cta);
}

TEST(Resolve, AnyOrderWhereItIsClear) {
  EXPECT_EQ(print(get("atom.add.acq_rel.gpu.global.u32")),
            "atom.acq_rel.gpu.global.add.u32");
  EXPECT_EQ(print(get("ld.v2.global.f32")), "ld.global.v2.f32");
}

// Reordering must never change which side of a conversion or copy is which.
TEST(Resolve, OrderOfTypesAndSpacesIsMeaning) {
  EXPECT_THAT(errorOf("cvt.rn.s16.f32"), HasSubstr("expected"));
  EXPECT_THAT(errorOf("cvt.bf16.f32"), HasSubstr("expected"));
  EXPECT_THAT(errorOf("cp.async.bulk.shared::cta.shared::cluster."
                      "mbarrier::complete_tx::bytes"),
              HasSubstr("expected"));
  EXPECT_THAT(errorOf("mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32"),
              HasSubstr("expected"));
  ResolvedInstruction cvt = get("cvt.rn.f16.f32");
  EXPECT_EQ(cvt.get(Mod::type), Token::f16);
  EXPECT_EQ(cvt.get(Mod::atype), Token::f32);
}

TEST(Resolve, Errors) {
  EXPECT_EQ(errorOf("ladd.u32"),
            "expected a PTX instruction, got 'ladd.u32' (did you mean 'add'?)");
  EXPECT_THAT(errorOf("ld.globl.u32"), HasSubstr("did you mean '.global'?"));
  EXPECT_THAT(errorOf("ld.globl.u32"), HasSubstr("got '.globl'"));
  EXPECT_THAT(errorOf("ld.global"), HasSubstr("got the end of the name"));
  EXPECT_THAT(errorOf("ld.global"), HasSubstr("'.u32'"));
  EXPECT_THAT(errorOf("exit.now"), HasSubstr("expected no modifier of 'exit'"));
  EXPECT_THAT(errorOf("ld.shared.v4.f64"), HasSubstr("at most 16 bytes"));
  EXPECT_THAT(errorOf("max.abs.f16"), HasSubstr("xorsign"));
  EXPECT_THAT(errorOf("add.u32.u32"), HasSubstr("expected"));
  EXPECT_THAT(errorOf("mbarrier.arrive.release.b64"), HasSubstr("scope"));
}

TEST(Resolve, OddTexts) {
  for (StringRef text : {"", ".", "..", "ld.", "ld..u32", ".u32", "ld u32",
                         "tcgen05", "tcgen05.", "add.\xff"})
    EXPECT_THAT(errorOf(text), HasSubstr("expected")) << text.str();
  std::string many = "ld";
  for (int i = 0; i != 100000; ++i)
    many += ".u32";
  EXPECT_THAT(errorOf(many), HasSubstr("expected"));
  EXPECT_THAT(errorOf(std::string(1 << 20, 'x')), HasSubstr("expected"));
}

// --- Operands ----------------------------------------------------------------

TEST(Operands, TypesFollowModifiers) {
  EXPECT_EQ(operandsOf("mul.wide.u16"), "d:w:u32 a:r:u16 b:r:u16");
  EXPECT_EQ(operandsOf("mad.wide.s32"), "d:w:s64 a:r:s32 b:r:s32 c:r:s64");
  EXPECT_EQ(operandsOf("ld.global.v4.f32"), "d:w:f32*4 a:r:");
  EXPECT_EQ(operandsOf("cvt.rn.f16x2.f32"), "d:w:f16x2 a:r:f32 b:r:f32");
  EXPECT_EQ(operandsOf("ld.global.L2::cache_hint.u32"),
            "d:w:u32 a:r: policy:r:b64");
  EXPECT_EQ(operandsOf("setp.lt.and.s32"), "p:w:pred a:r:s32 b:r:s32 c:r:pred");
  EXPECT_EQ(operandsOf("shl.b64"), "d:w:b64 a:r:b64 b:r:u32");
}

TEST(Operands, Tcgen05) {
  EXPECT_EQ(operandsOf("tcgen05.ld.sync.aligned.32x32b.x64.b32"),
            "r:w:b32*64 taddr:r:");
  EXPECT_EQ(operandsOf("tcgen05.ld.sync.aligned.16x256b.x8.pack::16b.b32"),
            "r:w:b32*32 taddr:r:");
  EXPECT_EQ(operandsOf("tcgen05.st.sync.aligned.16x32bx2.x2.b32"),
            "taddr:r: split:r:s32 r:r:b32*2");
  EXPECT_EQ(operandsOf("tcgen05.mma.cta_group::1.kind::f16"),
            "d:r: a:r:b64 b:r:b64 idesc:r:b32 disable_output_lane:r:b32*4? "
            "enable_input_d:r:pred scale_input_d:r:u32?");
  EXPECT_THAT(operandsOf("tcgen05.mma.cta_group::2.kind::f16"),
              HasSubstr("disable_output_lane:r:b32*8?"));
  EXPECT_EQ(operandsOf("tcgen05.commit.cta_group::1.mbarrier::arrive::one."
                       "shared::cluster.multicast::cluster.b64"),
            "mbar:r: cta_mask:r:u16");
}

TEST(Operands, Fragments) {
  EXPECT_EQ(operandsOf("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
            "d:w:f32*4 a:r:b32*4 b:r:b32*2 c:r:f32*4");
  EXPECT_EQ(operandsOf("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"),
            "d:w:b32*2 a:r:b32*4 b:r:b32*2 c:r:b32*2");
  EXPECT_EQ(operandsOf("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"),
            "d:w:f64*2 a:r:f64 b:r:f64 c:r:f64*2");
  EXPECT_EQ(operandsOf("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"),
            "r:w:b32*4 a:r:");
  EXPECT_THAT(operandsOf("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"),
              HasSubstr("d:rw:f32*64"));
  EXPECT_THAT(operandsOf("wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16"),
              HasSubstr("d:rw:b32*16"));
}

TEST(Operands, Wmma) {
  // f16 fragments of A and B have 8 registers in all shapes.
  EXPECT_EQ(operandsOf("wmma.load.a.sync.aligned.row.m8n32k16.shared.f16"),
            "r:w:b32*8 p:r: stride:r:u32?");
  EXPECT_EQ(operandsOf("wmma.load.b.sync.aligned.col.m8n32k16.bf16"),
            "r:w:b32*8 p:r: stride:r:u32?");
  EXPECT_EQ(operandsOf("wmma.load.a.sync.aligned.col.m8n32k16.global.s8"),
            "r:w:b32 p:r: stride:r:u32?");
  EXPECT_EQ(operandsOf("wmma.mma.sync.aligned.row.col.m32n8k16.f32.f16"),
            "d:w:f32*8 a:r:b32*8 b:r:b32*8 c:r:b32*4");
  EXPECT_EQ(
      operandsOf(
          "wmma.mma.sync.aligned.row.row.m16n16k16.s32.u8.u8.s32.satfinite"),
      "d:w:s32*8 a:r:b32*2 b:r:b32*2 c:r:s32*8");
  EXPECT_EQ(operandsOf("wmma.store.d.sync.aligned.row.m8n8k4.f64"),
            "p:r: r:r:f64*2 stride:r:u32?");
}

TEST(Operands, Sparse) {
  EXPECT_EQ(operandsOf("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col."
                       "f32.f16.f16.f32"),
            "d:w:f32*4 a:r:b32*4 b:r:b32*4 c:r:f32*4 e:r:b32 f:r:s32");
  EXPECT_EQ(operandsOf("mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"),
            "d:w:f32*4 a:r:tf32*2 b:r:tf32*2 c:r:f32*4 e:r:b32 f:r:s32");
  EXPECT_THAT(
      operandsOf("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"),
      HasSubstr("b:r:b64 meta:r:b32 selector:r:s32 scale_d:r:pred"));
  // Four products, each of a quarter of the warp.
  EXPECT_EQ(operandsOf("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16"),
            "d:w:f32*8 a:r:b32*2 b:r:b32*2 c:r:b32*4");
}

TEST(Operands, PartsOfRegisters) {
  SmallVector<OperandSpec, 8> specs = operands(get("vabsdiff4.u32.u32.u32"));
  EXPECT_EQ(specs[0].parts, PartRule::ByteMask);
  EXPECT_EQ(specs[1].parts, PartRule::ByteSelector);
  EXPECT_EQ(specs[3].parts, PartRule::None);
  for (StringRef good : {"b0", "b3", "b10", "b320", "b3210"})
    EXPECT_TRUE(isPartSuffix(PartRule::ByteMask, good)) << good.str();
  for (StringRef bad : {"", "b", "b01", "b00", "b4", "h1", "b32100", "b3 0"})
    EXPECT_FALSE(isPartSuffix(PartRule::ByteMask, bad)) << bad.str();
  EXPECT_TRUE(isPartSuffix(PartRule::ByteSelector, "b7770"));
  EXPECT_FALSE(isPartSuffix(PartRule::ByteSelector, "b777"));
  EXPECT_FALSE(isPartSuffix(PartRule::ByteSelector, "b8000"));
  EXPECT_TRUE(isPartSuffix(PartRule::HalfSelector, "h33"));
  EXPECT_FALSE(isPartSuffix(PartRule::HalfSelector, "h34"));
  EXPECT_TRUE(isPartSuffix(PartRule::HalfMask, "h10"));
  EXPECT_FALSE(isPartSuffix(PartRule::HalfMask, "h01"));
  EXPECT_FALSE(isPartSuffix(PartRule::None, "h1"));
}

TEST(Operands, RemoteArriveHasNoState) {
  SmallVector<OperandSpec, 8> specs =
      operands(get("mbarrier.arrive.release.cluster.shared::cluster.b64"));
  EXPECT_TRUE(specs[0].onlySink);
  EXPECT_FALSE(operands(get("mbarrier.arrive.shared.b64"))[0].onlySink);
}

// --- Effects -----------------------------------------------------------------

TEST(Effects, Memory) {
  Effects load = effects(get("ld.acquire.gpu.global.u32"));
  ASSERT_EQ(load.memory.size(), 1u);
  EXPECT_EQ(load.memory[0].operand, 1u);
  EXPECT_EQ(load.memory[0].access, Access::Read);
  EXPECT_EQ(load.memory[0].space, Token::global);
  EXPECT_EQ(load.sem, Token::acquire);
  EXPECT_EQ(load.scope, Token::gpu);
  EXPECT_TRUE(load.flags & Orders);

  EXPECT_TRUE(effects(get("add.f32")).isPure());
  EXPECT_FALSE(effects(get("add.cc.u32")).isPure());
  EXPECT_FALSE(effects(get("bar.sync")).isPure());
  EXPECT_TRUE(effects(get("shfl.sync.idx.b32")).flags & Convergent);
  EXPECT_TRUE(effects(get("elect.sync")).flags & Convergent);
}

TEST(Effects, Asynchronous) {
  Effects mma = effects(get("tcgen05.mma.cta_group::1.kind::f16"));
  EXPECT_TRUE(mma.flags & Asynchronous);
  ASSERT_EQ(mma.memory.size(), 3u);
  EXPECT_EQ(mma.memory[0].space, Token::tmem);
  EXPECT_EQ(mma.memory[0].access, Access::ReadWrite);
  EXPECT_EQ(mma.memory[1].proxy, Proxy::Async);

  Effects tma = effects(get("cp.async.bulk.tensor.2d.shared::cluster.global."
                            "mbarrier::complete_tx::bytes"));
  ASSERT_EQ(tma.memory.size(), 3u);
  EXPECT_EQ(tma.memory[0].space, Token::shared_cluster);
  EXPECT_EQ(tma.memory[1].space, Token::global);
}

TEST(Effects, Sizes) {
  EXPECT_EQ(effects(get("ld.global.v4.f32")).memory[0].bytes, 16u);
  EXPECT_EQ(effects(get("st.shared.b8")).memory[0].bytes, 1u);
  EXPECT_EQ(effects(get("atom.global.add.noftz.f16x2")).memory[0].bytes, 4u);
  EXPECT_EQ(effects(get("ld.global.v8.f32")).memory[0].bytes, 32u);
  EXPECT_EQ(effects(get("mbarrier.init.shared.b64")).memory[0].bytes, 8u);
  EXPECT_EQ(
      effects(get("tcgen05.st.sync.aligned.32x32b.x8.b32")).memory[0].bytes,
      32u);
  Effects bulk = effects(
      get("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"));
  ASSERT_EQ(bulk.memory.size(), 3u);
  EXPECT_EQ(bulk.memory[0].bytes, 0u);
  EXPECT_EQ(bulk.memory[0].sizeOperand, 2u);
  EXPECT_EQ(bulk.memory[2].bytes, 8u);
}

TEST(Effects, Completion) {
  auto completion = [](StringRef text) {
    return effects(get(text)).flags & CompletionFlags;
  };
  EXPECT_EQ(completion("cp.async.ca.shared.global"), CompletesInCpGroup);
  EXPECT_EQ(completion("cp.async.bulk.global.shared::cta.bulk_group"),
            CompletesInBulkGroup);
  EXPECT_EQ(completion("cp.reduce.async.bulk.shared::cluster.shared::cta."
                       "mbarrier::complete_tx::bytes.add.u32"),
            CompletesOnMbarrier);
  EXPECT_EQ(completion("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"),
            CompletesInWgmmaGroup);
  EXPECT_EQ(completion("tcgen05.mma.cta_group::1.kind::f16"),
            CompletesByCommit);
  EXPECT_EQ(completion("tcgen05.ld.sync.aligned.32x32b.x1.b32"),
            CompletesByWait);
  EXPECT_EQ(completion("ld.global.u32"), 0u);
}

// Only what begins work for later says how it ends, and all of that but the
// releases, whose completion other threads see by acquiring, do.
TEST(Effects, AsynchronousWorkCompletes) {
  for (const InstructionInfo &info : instructions())
    for (const Form &form : info.forms) {
      bool isRelease = (form.flags & Asynchronous) && (form.flags & Orders);
      bool completes = form.flags & CompletionFlags;
      EXPECT_EQ(completes, (form.flags & Asynchronous) && !isRelease)
          << info.mnemonic.str();
    }
}

// --- Targets -----------------------------------------------------------------

TEST(Targets, ChipsAndFamilies) {
  const char *mma = "tcgen05.mma.cta_group::1.kind::f16";
  for (StringRef good : {"sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a"})
    EXPECT_EQ(targetError(mma, good), "") << good.str();
  for (StringRef bad : {"sm_90a", "sm_100", "sm_103", "sm_120a", "sm_120f"})
    EXPECT_THAT(targetError(mma, bad), HasSubstr("expected target sm_100a"))
        << bad.str();
  EXPECT_THAT(targetError("tcgen05.mma.cta_group::1.kind::i8", "sm_103a"),
              HasSubstr("'.kind::i8' of 'tcgen05.mma'"));
  EXPECT_THAT(targetError("wgmma.fence.sync.aligned", "sm_100a"),
              HasSubstr("sm_90a"));
  EXPECT_EQ(targetError("elect.sync", "sm_103a"), "");
  EXPECT_THAT(targetError("elect.sync", "sm_80"), HasSubstr("sm_90 or later"));
  EXPECT_THAT(targetError("elect.sync", "gfx90a"), HasSubstr("'gfx90a'"));
}

TEST(Targets, Versions) {
  EXPECT_THAT(targetError("elect.sync", "sm_90", 78),
              HasSubstr("expected PTX 8.0 or later for 'elect', got 7.8"));
  EXPECT_EQ(targetError("elect.sync", "sm_90", 0), "");
  EXPECT_THAT(targetError("ld.global.v8.f32", "sm_100", 86), HasSubstr("8.8"));
}

// --- The table as a whole ----------------------------------------------------

TEST(Table, LookupFindsEveryInstruction) {
  for (const InstructionInfo &info : instructions()) {
    EXPECT_EQ(lookup(info.mnemonic), &info) << info.mnemonic.str();
    EXPECT_EQ(&lookup(info.opcode), &info);
    EXPECT_FALSE(info.forms.empty());
    EXPECT_FALSE(info.summary.empty());
  }
  EXPECT_EQ(lookup("nonsense"), nullptr);
  EXPECT_EQ(lookup(""), nullptr);
}

TEST(Table, NamesRoundTrip) {
  for (const InstructionInfo &info : instructions())
    for (const Form &form : info.forms)
      for (const ModifierSlot &slot : form.slots) {
        EXPECT_EQ(findMod(spelling(slot.mod)), slot.mod);
        for (const Choice &choice : slot.choices)
          EXPECT_EQ(findToken(spelling(choice.token)), choice.token);
      }
  EXPECT_EQ(findToken("no_such"), std::nullopt);
  EXPECT_EQ(findToken(""), std::nullopt);
  EXPECT_EQ(findMod("type"), Mod::type);
}

TEST(Table, EveryTypeOfAnOperandHasAWidth) {
  for (const InstructionInfo &info : instructions())
    for (const Form &form : info.forms)
      for (const OperandInfo &operand : form.operands)
        if (operand.typeRule == TypeRule::Fixed)
          EXPECT_NE(bitWidth(operand.type), 0u)
              << info.mnemonic.str() << " " << operand.name.str();
  EXPECT_EQ(bitWidth(Token::e2m1x2), 8u);
  EXPECT_EQ(bitWidth(Token::bf16x2), 32u);
  EXPECT_EQ(packedElements(Token::e4m3x4), 4u);
  EXPECT_EQ(bitWidth(Token::global), 0u);
}

// The first choice of every slot names an instruction that prints as itself.
TEST(Table, SimplestNameOfEveryFormResolves) {
  for (const InstructionInfo &info : instructions())
    for (const Form &form : info.forms) {
      std::string text = info.mnemonic.str();
      for (const ModifierSlot &slot : form.slots)
        if (!slot.optional)
          text += "." + spelling(slot.choices[0].token).str();
      Expected<ResolvedInstruction> inst = resolve(text);
      if (!inst) {
        // Only a restriction may refuse it.
        EXPECT_FALSE(form.restrictions.empty()) << text;
        consumeError(inst.takeError());
        continue;
      }
      EXPECT_EQ(print(*inst), text);
    }
}

// The combinations as the slots and restrictions have them, against `resolve`.
TEST(Table, RandomCombinationsResolveToThemselves) {
  std::mt19937_64 random(1);
  for (const InstructionInfo &info : instructions())
    for (const Form &form : info.forms)
      for (int i = 0; i != 40; ++i) {
        Tokens tokens = combination(form, random() % numCombinations(form));
        std::string name = nameOf(info, tokens);
        Expected<ResolvedInstruction> inst = resolve(name);
        if (isLegal(form, tokens)) {
          ASSERT_TRUE(bool(inst)) << name;
          EXPECT_EQ(print(*inst), name);
        } else if (!inst) {
          consumeError(inst.takeError());
        } else {
          // Then another form has it.
          EXPECT_NE(&inst->form(), &form) << name;
        }
      }
}

TEST(SpecialRegisters, Lookup) {
  const SpecialRegisterInfo *tid = lookupSpecialRegister("%tid");
  ASSERT_NE(tid, nullptr);
  EXPECT_EQ(tid->id, SpecialRegister::tid);
  EXPECT_EQ(tid->lanes, 3);
  EXPECT_EQ(lookupSpecialRegister("%tid.x"), nullptr);
  EXPECT_TRUE(lookupSpecialRegister("%clock64")->isVolatile);
  for (const SpecialRegisterInfo &info : specialRegisters())
    EXPECT_EQ(lookupSpecialRegister(info.name), &info) << info.name.str();
}

} // namespace
