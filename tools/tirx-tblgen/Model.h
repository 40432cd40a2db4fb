//===- Model.h - the PTX table as read from TableGen -----------*- C++ -*--===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of include/TIRx/PTX/Base.td, checked and turned into plain
// structs that the emitters share. The meaning of the fields is that of
// TIRx/PTX/Table.h.
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_TBLGEN_MODEL_H
#define TIRX_TBLGEN_MODEL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Record.h"
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tirx::tblgen {

using Strings = std::vector<llvm::StringRef>;

struct Availability {
  int64_t ptx = 0; ///< 10 * version
  Strings targets;
};

struct Choice {
  llvm::StringRef token;
  llvm::StringRef alias;
  Availability since;
};

struct Slot {
  llvm::StringRef mod;
  bool optional;
  llvm::StringRef defaultChoice;
  std::vector<Choice> choices;
};

struct Operand {
  llvm::StringRef name, kind, access, type, lanes, when, parts, instead, values;
  bool optional, sink, onlySink;
  Availability since;
};

struct Effect {
  llvm::StringRef operand, access, space, proxy, bytes;
};

struct Restriction {
  Strings ifAny, needsAny;
  bool excludes;
  llvm::StringRef why;
};

struct Form {
  std::vector<Slot> slots;
  std::vector<Operand> operands;
  std::vector<Effect> effects;
  std::vector<Restriction> restrictions;
  Strings flags;
  Availability since;
};

struct Instruction {
  llvm::StringRef mnemonic, family, section, summary, lowering;
  std::vector<Form> forms;
};

struct SpecialRegister {
  llvm::StringRef name, type, summary;
  int64_t lanes;
  bool isVolatile;
  Availability since;
};

/// The C++ identifier of a text: `.` and `::` become `_`, a leading digit gets
/// `_` in front and a keyword `_` behind.
std::string identifier(llvm::StringRef text);

/// A type specification of an operand split up: "wide($type)" has rule WideSlot
/// and argument "type"; "u32" has rule Fixed and argument "u32".
struct TypeSpec {
  llvm::StringRef rule, argument;
};
TypeSpec parseType(llvm::StringRef spec);
/// The size of an access: "16" has rule Fixed, "of(d)" Data, "value(size)"
/// Value,
/// "" Unknown.
TypeSpec parseBytes(llvm::StringRef spec);

/// Legal values "4,8,16", "0..15" or "24..256/8" split up: least, most and step
/// of each range. None if `spec` is not one.
std::optional<std::vector<std::array<int64_t, 3>>>
parseValues(llvm::StringRef spec);

/// The whole table; instructions and registers sorted by name. Reports mistakes
/// in the records with PrintFatalError.
class Model {
public:
  explicit Model(const llvm::RecordKeeper &records);

  std::vector<Instruction> instructions;
  std::vector<SpecialRegister> registers;
  std::set<llvm::StringRef> tokens, mods;

private:
  Instruction readInstruction(const llvm::Record &record);
  Form readForm(const llvm::Record &record, const llvm::Record &instruction);
  Slot readSlot(const llvm::Record &record, const llvm::Record &instruction);
  Operand readOperand(const llvm::Record &record);
  void checkForm(const Form &form, const llvm::Record &instruction);
  void addTokens(const Form &form);
};

void emitTable(const Model &model, llvm::raw_ostream &os);
void emitDocs(const Model &model, llvm::raw_ostream &os);
/// The tile ops of the dialect as JSON, for the C API.
void emitTileOps(const llvm::RecordKeeper &records, llvm::raw_ostream &os);

} // namespace tirx::tblgen

#endif // TIRX_TBLGEN_MODEL_H
