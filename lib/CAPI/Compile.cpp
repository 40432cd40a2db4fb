//===- Compile.cpp - compiling through the C API --------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common.h"
#include "TIRx/Compiler/Compiler.h"
#include "TIRx/Compiler/SourcePlaces.h"
#include "TIRx/Dialect/TIRx/IR/SourceText.h"
#include "TIRx/Target/TargetInfo.h"
#include "TIRx/View/View.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace tirx;
using namespace tirx::capi;

struct TirxContext {
  TirxContext() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.printOpOnDiagnostic(false);
  }
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerKernelDialects(registry);
    return registry;
  }
  mlir::MLIRContext context;
};

TirxContext *tirxContextCreate(void) { return new TirxContext; }
void tirxContextDestroy(TirxContext *context) { delete context; }

TirxResult *tirxListOperations(TirxContext *context) {
  context->context.loadAllAvailableDialects();
  json::Array names;
  for (mlir::RegisteredOperationName name :
       context->context.getRegisteredOperations())
    if (name.getDialectNamespace() == "tirx")
      names.push_back(name.getStringRef());
  auto *result = new TirxResult;
  result->setJson("operations", std::move(names));
  return result;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static StringRef nameOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return "note";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  }
  return "error";
}

static json::Object toJson(mlir::FileLineColLoc place) {
  return json::Object{{"file", json::fixUTF8(place.getFilename().getValue())},
                      {"line", place.getLine()},
                      {"column", place.getColumn()}};
}

static json::Object toJson(const mlir::Diagnostic &diagnostic) {
  json::Object object;
  SmallVector<mlir::FileLineColLoc> places;
  collectPlaces(diagnostic.getLocation(), places);
  if (!places.empty())
    object = toJson(places.front());
  object["severity"] = nameOf(diagnostic.getSeverity());
  object["message"] = json::fixUTF8(diagnostic.str());
  json::Array calls;
  for (mlir::FileLineColLoc place :
       ArrayRef(places).drop_front(!places.empty()))
    calls.push_back(toJson(place));
  if (!calls.empty())
    object["calls"] = std::move(calls);
  json::Array notes;
  for (const mlir::Diagnostic &note : diagnostic.getNotes())
    notes.push_back(toJson(note));
  if (!notes.empty())
    object["notes"] = std::move(notes);
  return object;
}

static TirxResult *failWith(StringRef message) {
  auto *result = new TirxResult;
  result->succeeded = false;
  result->setJson("diagnostics", json::Array{json::Object{
                                     {"severity", "error"},
                                     {"message", json::fixUTF8(message)}}});
  return result;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static Expected<std::set<Level>> parseLevels(const json::Value &value) {
  std::set<Level> levels;
  if (const json::Array *list = value.getAsArray())
    for (const json::Value &entry : *list) {
      auto *found = find_if(kLevels, [&](Level level) {
        return entry.getAsString() == nameOf(level);
      });
      if (found == std::end(kLevels))
        return createStringError(formatv(
            "levels: expected tile, instruction, nvvm, llvm, ptx or cubin, "
            "got {0}",
            entry));
      levels.insert(*found);
    }
  if (levels.empty())
    return createStringError("levels: expected a list of at least one level");
  return levels;
}

static Expected<CompileOptions> toOptions(const json::Object &object) {
  CompileOptions options;
  auto text = [&](StringRef key, std::string &value) {
    if (auto written = object.getString(key))
      value = written->str();
  };
  text("target", options.target);
  text("ptxas", options.ptxas);
  options.remarks = object.getBoolean("remarks").value_or(false);
  options.report = object.getBoolean("report").value_or(false);
  if (!options.target.empty())
    if (auto known = lookupTarget(options.target); !known)
      return known.takeError();
  if (const json::Value *levels = object.get("levels")) {
    auto parsed = parseLevels(*levels);
    if (!parsed)
      return parsed.takeError();
    options.levels = std::move(*parsed);
  }
  return options;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static json::Value resourcesOf(const PtxasResult &resources) {
  json::Object kernels;
  for (const KernelResources &kernel : resources.kernels)
    kernels[kernel.kernel] =
        json::Object{{"registers", kernel.registers},
                     {"barriers", kernel.barriers},
                     {"shared_bytes", kernel.sharedBytes},
                     {"stack_bytes", kernel.stackBytes},
                     {"spill_store_bytes", kernel.spillStoreBytes},
                     {"spill_load_bytes", kernel.spillLoadBytes}};
  return kernels;
}

static void fill(TirxResult &result, CompileResult &compiled, bool report) {
  for (auto &[level, text] : compiled.texts)
    result.set(nameOf(level), std::move(text));
  if (!compiled.models.empty())
    result.set("models", std::move(compiled.models));
  const PtxasResult *resources =
      compiled.resources ? &*compiled.resources : nullptr;
  if (resources)
    result.setJson("resources", resourcesOf(*resources));
  if (report) {
    std::string text;
    raw_string_ostream stream(text);
    printReport(stream, compiled.kernels, resources);
    result.set("report", std::move(text));
  }
  if (!compiled.kernels.empty())
    result.setJson("metadata", metadataOf(compiled.kernels));
}

TirxResult *tirxCompile(TirxContext *context, TirxString source,
                        TirxString optionsText) {
  auto object = parseOptions(optionsText);
  if (!object)
    return failWith(toString(object.takeError()));
  auto options = toOptions(*object);
  if (!options)
    return failWith(toString(options.takeError()));
  StringRef name = object->getString("name").value_or("<kernel>");
  if (Error error = checkSourceText(toRef(source), name))
    return failWith(toString(std::move(error)));

  Stopwatch watch;
  auto *result = new TirxResult;
  json::Array diagnostics;
  mlir::ScopedDiagnosticHandler handler(
      &context->context, [&](mlir::Diagnostic &diagnostic) {
        diagnostics.push_back(toJson(diagnostic));
        return mlir::success();
      });
  auto sources = std::make_shared<SourceMgr>();
  sources->AddNewSourceBuffer(
      MemoryBuffer::getMemBufferCopy(toRef(source), name), SMLoc());
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(
      sources, mlir::ParserConfig(&context->context));
  watch.lap("parse");
  if (module && object->getBoolean("view").value_or(false)) {
    auto page = renderView(*module, *sources, *options,
                           object->getString("title").value_or(name), watch);
    result->succeeded = succeeded(page);
    if (result->succeeded)
      result->set("view", std::move(*page));
  } else if (module) {
    auto compiled = compile(*module, *sources, *options, watch);
    result->succeeded = succeeded(compiled);
    if (result->succeeded)
      fill(*result, *compiled, options->report);
  } else {
    result->succeeded = false;
  }
  json::Object timing;
  for (const auto &[part, milliseconds] : watch.getParts())
    timing[part] = milliseconds;
  result->setJson("timing", std::move(timing));
  result->setJson("diagnostics", std::move(diagnostics));
  return result;
}
