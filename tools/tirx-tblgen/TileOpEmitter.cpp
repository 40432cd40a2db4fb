//===- TileOpEmitter.cpp - the tile ops as data for front ends ------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Writes the definitions of the tile ops as JSON in a C++ literal, so that a
// front end offers each op as soon as it is defined.

#include "Model.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Record.h"

using namespace llvm;

namespace {

/// The names under which an enum's values are written.
json::Array casesOf(const Record &attribute) {
  json::Array cases;
  for (const Record *value :
       attribute.getValueAsDef("enum")->getValueAsListOfDefs("enumerants"))
    cases.push_back(value->getValueAsString("str"));
  return cases;
}

json::Object describeAttribute(StringRef name, const Record &attribute) {
  const Record *base = &attribute;
  bool hasDefault = attribute.getValue("defaultValue") &&
                    isa<StringInit>(attribute.getValueInit("defaultValue"));
  if (const RecordVal *inner = attribute.getValue("baseAttr"))
    if (const auto *def = dyn_cast<DefInit>(inner->getValue()))
      base = def->getDef();
  json::Object result{{"name", name},
                      {"kind", "attribute"},
                      {"optional", attribute.getValueAsBit("isOptional")}};
  if (hasDefault && !attribute.getValueAsString("defaultValue").empty())
    result["default"] = attribute.getValueAsString("defaultValue");
  if (base->isSubClassOf("EnumAttr")) {
    result["type"] = "enum";
    result["mnemonic"] = base->getValueAsString("mnemonic");
    result["cases"] = casesOf(*base);
  } else {
    result["type"] = base->isAnonymous() ? StringRef("any") : base->getName();
  }
  return result;
}

json::Object describeOperand(StringRef name, const Record &constraint) {
  const Record *base = &constraint;
  bool optional = constraint.isSubClassOf("Optional");
  bool variadic = constraint.isSubClassOf("Variadic");
  if (optional || variadic)
    base = constraint.getValueAsDef("baseType");
  return json::Object{
      {"name", name},
      {"kind", "operand"},
      {"optional", optional},
      {"variadic", variadic},
      {"type", base->isAnonymous() ? StringRef("any") : base->getName()}};
}

bool hasTrait(const Record &op, StringRef name) {
  for (const Record *trait : op.getValueAsListOfDefs("traits"))
    if (trait->getName() == name)
      return true;
  return false;
}

/// Tile ops are those that have the interface of dispatch.
bool isTileOp(const Record &op) {
  for (const Record *trait : op.getValueAsListOfDefs("traits"))
    if (trait->getValue("cppInterfaceName") &&
        trait->getValueAsString("cppInterfaceName") == "TileOpInterface")
      return true;
  return false;
}

json::Object describeOp(const Record &op) {
  json::Array arguments;
  const DagInit *dag = op.getValueAsDag("arguments");
  for (unsigned i = 0, end = dag->getNumArgs(); i != end; ++i) {
    const Record &argument = *cast<DefInit>(dag->getArg(i))->getDef();
    StringRef name = dag->getArgNameStr(i);
    arguments.push_back(argument.isSubClassOf("Attr")
                            ? describeAttribute(name, argument)
                            : describeOperand(name, argument));
  }
  return json::Object{{"name", op.getValueAsString("opName")},
                      {"summary", op.getValueAsString("summary")},
                      {"segments", hasTrait(op, "AttrSizedOperandSegments")},
                      {"results", op.getValueAsDag("results")->getNumArgs()},
                      {"arguments", std::move(arguments)}};
}

} // namespace

void tirx::tblgen::emitTileOps(const RecordKeeper &records, raw_ostream &os) {
  json::Array ops;
  for (const Record *op : records.getAllDerivedDefinitions("TIRx_Op"))
    if (isTileOp(*op))
      ops.push_back(describeOp(*op));
  os << "R\"json(" << json::Value(std::move(ops)) << ")json\"\n";
}
