//===- ParserTest.cpp - tests of the PTX parser ---------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextTest.h"
#include <random>

using namespace tirx::ptx;
using Kind = Operand::Kind;

/// The last instruction but the `ret` that `kernel` adds.
static const Instruction &last(const Module &module) {
  return *module.instructions[module.instructions.size() - 2];
}

static std::unique_ptr<Module> parseBody(llvm::StringRef body) {
  auto module = parse(kernel(body));
  EXPECT_TRUE(!module || module->instructions.size() >= 2);
  return module;
}

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

TEST(PTXParser, Header) {
  auto module = parse(".version 7.8 .target sm_90a, debug\n.address_size 32");
  EXPECT_EQ(module->version, 78u);
  EXPECT_EQ(module->target, "sm_90a");
  ASSERT_EQ(module->targetOptions.size(), 1u);
  EXPECT_EQ(module->targetOptions[0], "debug");
  EXPECT_EQ(module->addressSize, 32u);
}

TEST(PTXParser, FunctionsAndDirectives) {
  auto module = parse(R"(
.version 8.7
.target sm_100a
.extern .func (.param .b32 r) f(.param .b64 a);
.weak .func (.param .b32 r) f(.param .b64 a) { ret; }
.visible .entry k(.param .u64 .ptr .global .align 16 p,
                  .param .align 64 .b8 map[128])
.reqntid 128, 2
.reqnctapercluster 2, 1, 1
.minnctapersm 1
.explicitcluster
{ ret; }
)");
  ASSERT_EQ(module->functions.size(), 3u);
  const Function *f = module->findFunction("f");
  EXPECT_TRUE(f->isDefinition);
  EXPECT_EQ(f->returns.size(), 1u);
  const Function *k = module->findFunction("k");
  EXPECT_TRUE(k->isEntry);
  EXPECT_EQ(k->linkage, Linkage::Visible);
  EXPECT_EQ(k->extents("reqntid"), (std::array<uint64_t, 3>{128, 2, 1}));
  EXPECT_EQ(k->extents("reqnctapercluster"),
            (std::array<uint64_t, 3>{2, 1, 1}));
  EXPECT_FALSE(k->extents("maxntid"));
  EXPECT_TRUE(k->findDirective("explicitcluster"));
  EXPECT_TRUE(k->params[0]->isPointer);
  EXPECT_EQ(k->params[0]->pointerSpace, StateSpace::Global);
  EXPECT_EQ(k->params[0]->pointerAlign, 16u);
  EXPECT_EQ(k->params[1]->align, 64u);
  EXPECT_EQ(k->params[1]->sizeInBytes(), 128u);
}

TEST(PTXParser, Initialisers) {
  auto module = parse(R"(.version 8.7
.target sm_90
.global .f32 m[2][3] = {{1.0, 0f40000000}, {3.0}};
.global .u64 a[2] = {generic(m)+4, m};
.const .v4 .f32 q[2] = {{1.0, 2.0, 3.0, 4.0}, {5.0}};
.global .b8 b[] = {0x1ff, -1, 3 > 2 ? 7 : 8, (1 + 2) * 3, 010, 0b11};
.global .b8 bytes[2] = {0xFF(m), 0xFF00(generic(m)+1)};
)");
  auto &m = *module->globals[0];
  ASSERT_EQ(m.init.size(), 3u);
  EXPECT_EQ(m.init[0].bits, 0x3F800000u);
  EXPECT_EQ(m.init[1].bits, 0x40000000u);
  EXPECT_EQ(m.init[2].index, 3u);
  auto &a = *module->globals[1];
  EXPECT_TRUE(a.init[0].generic);
  EXPECT_EQ(a.init[0].symbol, "m");
  EXPECT_EQ(a.init[0].bits, 4u);
  EXPECT_FALSE(a.init[1].generic);
  auto &q = *module->globals[2];
  EXPECT_EQ(q.init[4].index, 4u);
  EXPECT_EQ(q.sizeInBytes(), 32u);
  auto &b = *module->globals[3];
  EXPECT_EQ(b.sizeInBytes(), 6u);
  std::vector<uint64_t> bits;
  for (const Initializer &value : b.init)
    bits.push_back(value.bits);
  EXPECT_EQ(bits, (std::vector<uint64_t>{0xff, 0xff, 7, 9, 8, 3}));
  auto &bytes = *module->globals[4];
  EXPECT_EQ(bytes.init[1].mask, 0xFF00u);
  EXPECT_EQ(bytes.init[1].bits, 1u);
  EXPECT_TRUE(bytes.init[1].generic);
}

/// What ptxas makes of floats in variables of another type.
TEST(PTXParser, FloatsAsInitialBits) {
  auto module = parse(R"(.version 8.7
.target sm_90
.global .b32 a[3] = {1.5, 0f3FC00000, 0d3FF8000000000000};
.global .b64 b[2] = {1.5, 0f3FC00000};
.global .b16 c = 0d3FF8000012345678;
.global .f64 d = 0f3FC00000;
)");
  std::vector<uint64_t> bits;
  for (const Variable *variable : module->globals)
    for (const Initializer &value : variable->init)
      bits.push_back(value.bits);
  EXPECT_EQ(bits, (std::vector<uint64_t>{0x3FC00000, 0x3FC00000, 0x3FC00000,
                                         0x3FF8000000000000, 0x3FC00000, 0x5678,
                                         0x3FC00000}));
}

TEST(PTXParser, UnsizedSharedMemory) {
  auto module = parse(".version 8.7\n.target sm_90\n"
                      ".extern .shared .align 1024 .b8 x[];");
  EXPECT_TRUE(module->findGlobal("x")->isUnsized());
  EXPECT_EQ(module->findGlobal("x")->sizeInBytes(), 0u);
  EXPECT_EQ(module->findGlobal("x")->alignment(), 1024u);
}

TEST(PTXParser, DebugInformation) {
  auto module = parse(R"(.version 8.7
.target sm_90
.file 1 "a.py"
.section .debug_str
{
.b8 123 // } in a comment
L: .b32 .debug_abbrev
}
.file 2 "b.py", 12, 34
)");
  EXPECT_EQ(module->findFile(2), "b.py");
  EXPECT_EQ(module->findFile(3), "");
  EXPECT_EQ(module->items.size(), 3u);
}

//===----------------------------------------------------------------------===//
// Instructions and operands
//===----------------------------------------------------------------------===//

TEST(PTXParser, Opcode) {
  auto module = parseBody("cp.async.bulk.shared::cluster.global.mbarrier::"
                          "complete_tx::bytes [%r1], [%rd1], %r2, [%r3];");
  EXPECT_EQ(last(*module).opcode, "cp.async.bulk.shared::cluster.global."
                                  "mbarrier::complete_tx::bytes");
  EXPECT_EQ(last(*module).operands.size(), 4u);
  EXPECT_EQ(last(*parseBody("tcgen05.ld.sync.aligned.16x64b.x1.b32 %r1, "
                            "[%r2];"))
                .opcode,
            "tcgen05.ld.sync.aligned.16x64b.x1.b32");
}

TEST(PTXParser, OpcodesInPieces) {
  auto module =
      parseBody("@%p1\n add/* a */ .s32\n.sat %r1, %r1, 1; # 1 \"f\"");
  EXPECT_EQ(last(*module).opcode, "add.s32.sat");
  EXPECT_EQ(last(*module).opcodeLoc.line, 12u);
  EXPECT_EQ(last(*module).opcodeLoc.column, 2u);
}

TEST(PTXParser, AttributesAndPrototypes) {
  auto module = parse(R"(.version 8.7
.target sm_90
.visible .attribute(.managed) .global .u32 m;
.func .attribute(.unified(1, 2)) f() { ret; }
.entry k() {
  .reg .b64 %rd<2>;
  p: .callprototype ()_ (.param .b64 _) .noreturn .abi_preserve 8;
  call %rd1, (%rd0), p;
}
.file 1 "C:\dir\"
)");
  EXPECT_EQ(module->globals[0]->attributes, ".managed");
  EXPECT_EQ(module->functions[0]->attributes, ".unified(1, 2)");
  const Label &proto = *llvm::cast<Label>(module->functions[1]->body[1]);
  ASSERT_EQ(proto.directives.size(), 2u);
  EXPECT_EQ(proto.directives[0].name, "noreturn");
  EXPECT_EQ(proto.directives[1].values[0], 8u);
  EXPECT_EQ(module->findFile(1), "C:\\dir\\");
}

TEST(PTXParser, Operands) {
  auto module = parseBody("x.y %r12, _, {%r1, 5, _}, [%rd1+-8], [g], "
                          "%r1|%p2, !%p1, 0fBF800000, %tid.x, %rd3+2, "
                          "[%rd1, {%r1, %r2}], -7, %v.y, g+4;");
  auto ops = last(*module).operands;
  ASSERT_EQ(ops.size(), 14u);
  EXPECT_TRUE(ops[0].is(Kind::Register));
  EXPECT_EQ(ops[0].variable->name, "%r");
  EXPECT_EQ(ops[0].index, 12u);
  EXPECT_TRUE(ops[1].is(Kind::Sink));
  ASSERT_TRUE(ops[2].is(Kind::Vector));
  EXPECT_EQ(ops[2].elements[1].value, 5);
  EXPECT_TRUE(ops[2].elements[2].is(Kind::Sink));
  EXPECT_EQ(ops[3].base().name, "%rd1");
  EXPECT_EQ(ops[3].value, -8);
  EXPECT_TRUE(ops[4].base().is(Kind::Symbol));
  EXPECT_EQ(ops[4].base().variable->space, StateSpace::Global);
  ASSERT_TRUE(ops[5].is(Kind::Pair));
  EXPECT_EQ(ops[5].elements[1].name, "%p2");
  EXPECT_TRUE(ops[6].negated);
  EXPECT_TRUE(ops[7].is(Kind::Float));
  EXPECT_EQ(uint32_t(ops[7].value), 0xBF800000u);
  EXPECT_TRUE(ops[8].is(Kind::Special));
  EXPECT_EQ(ops[8].suffix, "x");
  EXPECT_EQ(ops[9].value, 2);
  EXPECT_TRUE(ops[9].is(Kind::Register));
  ASSERT_EQ(ops[10].elements.size(), 2u);
  EXPECT_EQ(ops[10].elements[1].elements.size(), 2u);
  EXPECT_EQ(ops[11].value, -7);
  EXPECT_EQ(ops[12].suffix, "y");
  EXPECT_TRUE(ops[13].is(Kind::Symbol));
  EXPECT_EQ(ops[13].value, 4);
}

TEST(PTXParser, Constants) {
  struct Case {
    const char *text;
    int64_t value;
  };
  for (auto [text, value] : {Case{"0x10", 16},
                             {"010", 8},
                             {"0b101", 5},
                             {"42U", 42},
                             {"18446744073709551615", -1},
                             {"0xFFFFFFFFFFFFFFFFU", -1},
                             {"-9223372036854775808", INT64_MIN},
                             {"1 + 2 * 3", 7},
                             {"(1 + 2) * 3", 9},
                             {"10 - 4 - 3", 3},
                             {"1 << 4 | 3", 19},
                             {"~0 & 0xff", 255},
                             {"!5", 0},
                             {"-7 / 2", -3},
                             {"-7 % 4", -3},
                             {"-1 > 1", 0},
                             {"(.u64)(-1) > 1", 1},
                             {"-8 >> 1", -4},
                             {"1 ? 2 : 0 ? 3 : 4", 2},
                             {"WARP_SZ * 4", 128},
                             {"-WARP_SZ", -32},
                             {"1 << 64", 0},
                             {"2 == 2 && 3 != 3", 0}}) {
    auto module = parseBody(std::string("mov.b64 %rd1, ") + text + ";");
    ASSERT_TRUE(module) << text;
    EXPECT_TRUE(last(*module).operands[1].is(Kind::Integer)) << text;
    EXPECT_EQ(last(*module).operands[1].value, value) << text;
  }
}

TEST(PTXParser, FloatConstants) {
  auto module = parseBody("x 0f3F800000, 0D3FF0000000000000, 1.5, -2.5e-1, "
                          "-0f3F800000;");
  auto ops = last(*module).operands;
  EXPECT_EQ(ops[0].floatBits, 32);
  EXPECT_EQ(ops[1].floatBits, 64);
  EXPECT_EQ(ops[1].value, 0x3FF0000000000000);
  EXPECT_EQ(ops[2].value, 0x3FF8000000000000);
  EXPECT_EQ(uint64_t(ops[3].value), 0xBFD0000000000000);
  EXPECT_EQ(ops[4].value, 0xBF800000);
}

TEST(PTXParser, ScopesShadow) {
  auto module = parseBody(R"(
mov.b32 %r1, 0;
{ .reg .b64 %r1, t<3>; mov.b64 %r1, t2; mov.b32 %r2, 0; }
mov.b32 %r1, 1;)");
  auto &all = module->instructions;
  size_t n = all.size();
  const Operand &outer = all[n - 5]->operands[0];
  const Operand &inner = all[n - 4]->operands[0];
  EXPECT_EQ(outer.variable->type, ScalarType::b32);
  EXPECT_EQ(inner.variable->type, ScalarType::b64);
  EXPECT_EQ(all[n - 4]->operands[1].index, 2u);
  EXPECT_EQ(all[n - 3]->operands[0].variable, outer.variable);
  EXPECT_EQ(all[n - 2]->operands[0].variable, outer.variable);
}

TEST(PTXParser, RangesThatEndInDigits) {
  auto module = parseBody(".reg .b32 q1<3>; .reg .b32 q<2>; x q12, q11, q1;");
  auto ops = last(*module).operands;
  EXPECT_EQ(ops[0].variable->name, "q1");
  EXPECT_EQ(ops[0].index, 2u);
  EXPECT_EQ(ops[2].variable->name, "q");
  EXPECT_EQ(ops[2].index, 1u);
}

namespace {

/// Random blocks with declarations and uses, and for each use the line of the
/// declaration and the index that a search through all of them finds. A use of
/// nothing is not written.
struct RandomScopes {
  explicit RandomScopes(unsigned seed) : random(seed) { block(0); }

  struct Declared {
    std::string name;
    unsigned count, line; ///< count 0: one register
  };
  struct Use {
    unsigned line, index;
  };

  std::string text = ".version 8.7\n.target sm_90\n.entry k() ";
  std::vector<Use> uses;

private:
  unsigned pick(unsigned n) { return random() % n; }

  /// Which register of the declaration has this name, if any.
  static std::optional<unsigned> indexOf(const Declared &declared,
                                         const std::string &name) {
    if (declared.count == 0)
      return declared.name == name ? std::optional(0u) : std::nullopt;
    llvm::StringRef digits = name;
    unsigned index;
    if (!digits.consume_front(declared.name) ||
        digits.getAsInteger(10, index) || index >= declared.count)
      return std::nullopt;
    return index;
  }

  void declare() {
    static const char *const names[] = {"r", "r1", "r12", "q", "q0", "r01"};
    Declared declared{names[pick(6)], pick(2) ? 0 : 1 + pick(30), line};
    // Two meanings of one name in one scope are an error.
    for (const Declared &other : scopes.back())
      for (unsigned i = 0; i != std::max(1u, declared.count); ++i)
        if (indexOf(other, declared.count ? declared.name + std::to_string(i)
                                          : declared.name))
          return;
    for (const Declared &other : scopes.back())
      if ((other.name == declared.name && !other.count == !declared.count) ||
          (!other.count && indexOf(declared, other.name)))
        return;
    text += ".reg .b32 " + declared.name +
            (declared.count ? "<" + std::to_string(declared.count) + ">" : "") +
            ";\n";
    ++line;
    scopes.back().push_back(declared);
  }

  void use() {
    static const char *const stems[] = {"r", "r1", "q", "q0"};
    std::string name = stems[pick(4)];
    if (pick(4))
      name += std::to_string(pick(32));
    // The whole name, and of the ranges that with the shortest name.
    const Declared *best = nullptr;
    size_t bestScope = 0;
    for (size_t i = 0; i != scopes.size(); ++i)
      for (const Declared &declared : scopes[i]) {
        if (!declared.count || !indexOf(declared, name))
          continue;
        if (!best || declared.name.size() <= best->name.size()) {
          best = &declared;
          bestScope = i;
        }
      }
    for (size_t i = 0; i != scopes.size(); ++i)
      for (const Declared &declared : scopes[i])
        if (!declared.count && declared.name == name &&
            (!best || i >= bestScope)) {
          best = &declared;
          bestScope = i;
        }
    if (!best)
      return;
    text += "x " + name + ";\n";
    uses.push_back({best->line, *indexOf(*best, name)});
    ++line;
  }

  void block(unsigned depth) {
    scopes.emplace_back();
    text += "{\n";
    ++line;
    for (unsigned i = 0; i != 12; ++i) {
      unsigned what = pick(6);
      if (what == 0 && depth != 4)
        block(depth + 1);
      else if (what < 3)
        declare();
      else
        use();
    }
    text += "}\n";
    ++line;
    scopes.pop_back();
  }

  std::mt19937 random;
  unsigned line = 3;
  std::vector<std::vector<Declared>> scopes;
};

} // namespace

TEST(PTXParser, NamesMeanTheInnermostDeclaration) {
  size_t uses = 0;
  for (unsigned seed = 0; seed != 300; ++seed) {
    RandomScopes scopes(seed);
    auto module = parse(scopes.text);
    ASSERT_TRUE(module) << scopes.text;
    ASSERT_EQ(module->instructions.size(), scopes.uses.size());
    for (size_t i = 0; i != scopes.uses.size(); ++i) {
      const Operand &operand = module->instructions[i]->operands[0];
      ASSERT_TRUE(operand.is(Kind::Register));
      EXPECT_EQ(operand.variable->loc.line, scopes.uses[i].line) << scopes.text;
      EXPECT_EQ(operand.index, scopes.uses[i].index) << scopes.text;
    }
    uses += scopes.uses.size();
  }
  EXPECT_GE(uses, 1000u);
}

TEST(PTXParser, LabelsBelongToTheirBlock) {
  auto module = parseBody(R"(
{ bra L; L: bra End; }
{ L: bra L; }
End: bra End;)");
  auto &all = module->instructions;
  size_t n = all.size();
  const Label *first = all[n - 5]->operands[0].label;
  const Label *second = all[n - 3]->operands[0].label;
  EXPECT_EQ(first->name, "L");
  EXPECT_NE(first, second);
  EXPECT_EQ(all[n - 4]->operands[0].label, all[n - 2]->operands[0].label);
}

TEST(PTXParser, CallsAndTables) {
  auto module = parseBody(R"(
A: B:
ts: .branchtargets A, B;
brx.idx %r1, ts;
proto: .callprototype (.param .b32 _) _ (.param .b64 _);
{ .param .b64 p0; .param .b32 r0; call (r0), %rd1, (p0), proto; }
call.uni callee;)");
  auto &all = module->instructions;
  size_t n = all.size();
  const Label *table = all[n - 4]->operands[1].label;
  ASSERT_EQ(table->role, Label::Role::BranchTargets);
  EXPECT_EQ(table->targets[1].label->name, "B");
  auto ops = all[n - 3]->operands;
  EXPECT_TRUE(ops[0].is(Kind::List));
  EXPECT_EQ(ops[3].label->role, Label::Role::CallPrototype);
  EXPECT_EQ(ops[3].label->params.size(), 1u);
  EXPECT_EQ(last(*module).operands[0].callee->name, "callee");
}

TEST(PTXParser, GuardsAndLocations) {
  auto module = parseBody("@%p1 x;\n.loc 1 20 3\n@!%p2 y;\n"
                          ".loc 2 30 4, function_name $L, inlined_at 1 20 3\n"
                          "z;");
  auto &all = module->instructions;
  size_t n = all.size();
  EXPECT_FALSE(all[n - 4]->guard->negated);
  EXPECT_EQ(all[n - 4]->location, nullptr);
  EXPECT_TRUE(all[n - 3]->guard->negated);
  EXPECT_EQ(all[n - 3]->location->line, 20u);
  EXPECT_EQ(all[n - 2]->location->file, 2u);
  EXPECT_EQ(all[n - 2]->location->rest, "function_name $L, inlined_at 1 20 3");
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

struct ErrorCase {
  const char *body, *message;
};

TEST(PTXParserErrors, Body) {
  for (auto [body, message] : {
           ErrorCase{"mov.b32 %r1, %r64;",
                     "expected a declared register, got '%r64'"},
           {"mov.b32 %r1 %r2;", "expected ';', got '%r2'"},
           {"bra Nowhere;", "expected a declared name, got 'Nowhere'"},
           {"bra L; { L: }", "expected a declared name, got 'L'"},
           {"L: L: x;", "redefinition of label 'L', which is on line 11"},
           {".reg .b32 a; .reg .b64 a;",
            "redefinition of 'a', which is declared on line 11"},
           {"@%r1 bra L; L:", "expected a predicate after @, got '%r1' of "
                              "type .b32"},
           {"@%q bra L; L:", "expected a declared predicate after @, got '%q'"},
           {"mov.b32 %r1, 09;", "expected octal digits after a leading 0, got "
                                "'09'"},
           {"mov.b32 %r1, 0f3F80;",
            "expected 8 hexadecimal digits after 0f, got '0f3F80'"},
           {"mov.b32 %r1, 1 / 0;", "expected a divisor other than zero"},
           {"mov.b32 %r1, 99999999999999999999;",
            "expected a number of at most 64 bits, got "
            "'99999999999999999999'"},
           {"ld.b32 %r1, [5.0];", "expected a register, a variable or an "
                                  "integer as the base of an address"},
           {"ld.b32 %r1, [%rd1;", "expected ']', got ';'"},
           {"x {};", "expected an operand, got '}'"},
           {"x {{%r1}};", "expected an operand, got '{'"},
           {"mov.b32 %r1, \"a\";", "expected an operand, got '\"a\"'"},
           {".reg .b33 x;", "expected a type such as .b32, got '.b33'"},
           {".reg .b32 x<0>;", "expected a count from 1 to 2^30"},
           {".local .align 3 .b8 x[4];",
            "expected an alignment that is a power of two, got 3"},
           {".local .b8 x[4][];",
            "expected an extent: only the first may be left out, got ']'"},
           {".local .b8 x[9000000000000][9000000000000];",
            "expected a variable of at most 2^48 bytes"},
           {".shared .pred x;", "expected .pred only for registers"},
           {".shared .b32 x = 1;", "expected an initialiser only for .global "
                                   "and .const variables"},
           {".reg .b32 arg;",
            "redefinition of 'arg', which is declared on line 7"},
           {".reg .b32 %r1;",
            "redefinition of '%r1', which is in the range of line 8"},
           {"ret\n.reg .b32 x;", "expected ';', got '.reg'"},
           {".bogus;", "expected an instruction, a label or a declaration, got "
                       "'.bogus'"},
           {"x ?;", "expected an operand, got '?'"},
           {"x `;", "unexpected character"},
           {"g.x %r1, g.x;", "expected a register before '.x', got 'g'"},
       })
    EXPECT_EQ(errorsOf(kernel(body)), std::string(message) + "\n") << body;
}

TEST(PTXParserErrors, ModuleLevel) {
  const std::string head = ".version 8.7\n.target sm_90\n";
  for (auto [text, message] : {
           ErrorCase{".reg .b32 x;", "expected a variable in .global, .shared "
                                     "or .const at module level, got '.reg'"},
           {".global .b32 x = {1};",
            "expected at most 0 levels of braces for 'x'"},
           {".global .b32 x[2] = {1, 2, 3};",
            "expected fewer elements for 'x'"},
           {".global .b32 x[2] = 1;", "expected '{', got '1'"},
           {".global .u32 x = 1.5;",
            "expected an integer for a variable of type .u32"},
           {".global .b32 x[2][2] = {1, 2};",
            "expected '{' of an element of 'x', which is an array or a vector "
            "itself, got '1'"},
           {".global .u64 x[2] = {x, 0};",
            "expected a declared variable or function, got 'x'"},
           {".shared .b32 s; .global .u64 x = s;",
            "expected the address of a function or of a variable in .global or "
            ".const, got 's' in .shared"},
           {".common .const .b32 x;",
            "expected .common only for variables in .global, got 'x' in "
            ".const"},
           {".global .b32 x[];",
            "expected an extent above 0 for 'x': only that of an .extern "
            "variable may be left out"},
           {".func f() { ret; } .alias a, f;",
            "expected a declared function, got 'a', which is not declared"},
           {".file 1 \"a\\\"b\"",
            "expected ', timestamp, size' or nothing after the name of the "
            "file, got 'b\"'"},
           {".language c;", "expected a function, a variable or another module "
                            "directive, got '.language'"},
           {".global .f32 x = 1;",
            "expected a float for a variable of type .f32"},
           {".entry k() { ret;",
            "expected '}' that closes the block of line 3, got the end of the "
            "file"},
           {".entry k() { ret; } .entry k() { ret; }",
            "redefinition of 'k', which is defined on line 3"},
           {".entry k() .maxntid { ret; }",
            "expected a number after .maxntid, got '{'"},
           {".entry k() .bogus 1 { ret; }",
            "expected a function directive (.maxntid, .reqntid, .minnctapersm, "
            ".maxnreg, .reqnctapercluster, ...), the body or ';', got "
            "'.bogus'"},
           {".extern .func f() { ret; }",
            "expected ';' after an external function, got a body"},
           {"/* never closed", "expected */ at the end of the comment"},
           {".alias a, b;",
            "expected a function, got 'b', which is not declared"},
           {".section .debug_x { ", "expected '}' at the end of the section"},
       })
    EXPECT_EQ(errorsOf(head + text), std::string(message) + "\n") << text;
  EXPECT_EQ(errorsOf(".version 9.3\n.target sm_90\n.language c;"),
            "expected a function, a variable or another module directive, got "
            "'.language'; .version 9.3 is newer than 9.0, the newest that is "
            "known\n");
  EXPECT_EQ(errorsOf(""), "expected '.version' at the start of the module, "
                          "got the end of the file\n");
  EXPECT_EQ(errorsOf(".version eight"),
            "expected a version such as 8.7, got 'eight'\n");
  EXPECT_EQ(errorsOf(".version 8.7\n.target debug"),
            "expected a target such as sm_90a in .target\n");
}

TEST(PTXParserErrors, SeveralWithPlaces) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parseModule(".version 8.7\n.target sm_90\n"
                           ".entry a() { x %r1;\n  y %r2;\n ret; }\n"
                           ".entry b(.param .bad p) { ret; ret; }\n"
                           ".entry c() { z %r3; }",
                           "t.ptx", diagnostics));
  ASSERT_EQ(diagnostics.getCount(), 4u);
  EXPECT_EQ(diagnostics.all()[1].loc.line, 4u);
  EXPECT_EQ(diagnostics.all()[1].loc.column, 5u);
  EXPECT_NE(diagnostics.str().find("t.ptx:4:5: error: expected a declared "
                                   "register, got '%r2'\n    y %r2;\n      ^"),
            std::string::npos)
      << diagnostics.str();
}

TEST(PTXParserErrors, AreLimited) {
  std::string body;
  for (int i = 0; i != 1000; ++i)
    body += "x %bad;\n";
  Diagnostics diagnostics(5);
  EXPECT_FALSE(parseModule(kernel(body), "t.ptx", diagnostics));
  EXPECT_EQ(diagnostics.all().size(), 5u);
}

TEST(PTXParserErrors, DepthIsLimited) {
  auto repeat = [](const char *text, int n) {
    std::string result;
    while (n--)
      result += text;
    return result;
  };
  EXPECT_EQ(errorsOf(kernel(repeat("{", 200) + repeat("}", 200))), "");
  EXPECT_NE(errorsOf(kernel(repeat("{", 100000))).find("nested blocks"),
            std::string::npos);
  for (const char *op : {"-", "(", "!", "1?", "1?1:", "1+("})
    EXPECT_NE(errorsOf(kernel("x " + repeat(op, 100000) + "1;")), "") << op;
  EXPECT_NE(errorsOf(".version 8.7\n.target sm_90\n.global .b32 x[2] = " +
                     repeat("{", 100000)),
            "");
}

//===----------------------------------------------------------------------===//
// As ptxas does
//===----------------------------------------------------------------------===//

/// The first error in a module of `text`, or "".
static std::string moduleError(const std::string &text) {
  std::string errors =
      errorsOf(".version 9.0\n.target sm_90a\n.address_size 64\n" + text);
  return errors.substr(0, errors.find('\n'));
}

TEST(PTXParser, HiddenParameters) {
  auto module =
      parse(".version 9.0\n.target sm_90a\n"
            ".entry k(.param .u64 a, .hidden .param .u64 b) { ret; }");
  ASSERT_TRUE(module);
  EXPECT_FALSE(module->functions[0]->params[0]->isHidden);
  EXPECT_TRUE(module->functions[0]->params[1]->isHidden);
  EXPECT_NE(toString(*module).find(".hidden .param .u64 b"), std::string::npos);
}

TEST(PTXParser, RangesThatCoverRegisters) {
  EXPECT_EQ(errorsOf(kernel(".reg .b32 x5; .reg .b32 x<5>;")), "");
  EXPECT_EQ(errorsOf(kernel(".reg .b32 x5; { .reg .b32 x<9>; }")), "");
  EXPECT_EQ(errorsOf(kernel("{ .reg .b32 x5; } .reg .b32 x<9>;")), "");
  EXPECT_EQ(errorsOf(kernel(".reg .b32 x05; .reg .b32 x<9>;")),
            "redefinition of 'x05', which is declared on line 11, by the range "
            "'x<9>'\n");
}

TEST(PTXParser, InitialisersThatPtxasRefuses) {
  EXPECT_EQ(moduleError(".func f() { ret; } .global .u64 t = f;"), "");
  EXPECT_EQ(moduleError(".func f() { ret; } .global .u64 t = generic(f);"),
            "expected generic() of a variable, got function 'f', whose address "
            "is one");
  EXPECT_EQ(moduleError(".global .f16 h;"), "");
  EXPECT_EQ(moduleError(".global .f16 h = 0x3c00;"),
            "expected no initialiser for type .f16: ptxas takes it as bits of "
            ".b16 or .b32 only");
  EXPECT_EQ(moduleError(".extern .global .u32 h = 1;"),
            "expected no initialiser for the external variable 'h'");
}

TEST(PTXParser, DirectivesWhereTheyBelong) {
  EXPECT_EQ(moduleError(".func f() .noreturn { trap; }"), "");
  EXPECT_EQ(moduleError(".entry f() .noreturn { trap; }"),
            "expected .noreturn only for functions");
  EXPECT_EQ(moduleError(".func f() .maxntid 32 { ret; }"),
            "expected .maxntid only for kernels");
  EXPECT_EQ(moduleError(".entry k() .maxntid 0 { ret; }"),
            "expected numbers above 0 after .maxntid");
  EXPECT_EQ(moduleError(".entry k() .maxntid 32 .reqntid 32 { ret; }"),
            "expected one of .maxntid and .reqntid, got .maxntid and .reqntid");
  EXPECT_EQ(errorsOf(kernel("P: .callprototype _ () .noreturn;")), "");
}

TEST(PTXParser, DeclarationsThatDiffer) {
  EXPECT_EQ(moduleError(".extern .global .u32 x; .global .u64 x;"),
            "expected 'x' with the space and the type of its declaration on "
            "line 4");
  EXPECT_EQ(
      moduleError(".func (.reg .b32 o) f(.reg .b32 i); .func f() { ret; }"),
      "expected the 1 results and 1 parameters that 'f' has on line 4, "
      "got 0 and 0");
  EXPECT_EQ(moduleError(".entry k(.reg .b32 a) { ret; }"),
            "expected a parameter of a kernel in .param, got 'a' in .reg");
}

TEST(PTXParser, ListsBeforeTheirUse) {
  EXPECT_EQ(errorsOf(kernel("brx.idx %r1, t; t: .branchtargets A; A:")),
            "expected 't', which is on line 11, before its use\n");
  EXPECT_EQ(errorsOf(kernel("t: .branchtargets A; brx.idx %r1, t; A:")), "");
}

TEST(PTXParser, LabelsThatAreCalledLikeVariables) {
  auto module = parseBody("g: bra g;");
  ASSERT_TRUE(module);
  EXPECT_EQ(last(*module).operands[0].kind, Kind::Label);
}
