//===- View.cpp - a kernel at every level on one page ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/View/View.h"
#include "Pane.h"
#include "TIRx/Compiler/SourcePlaces.h"
#include "TIRx/Target/Disassembler.h"
#include "ViewPage.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tirx;
using namespace tirx::view;
namespace json = llvm::json;

/// Larger files are no source that somebody wrote.
static constexpr size_t kMaxSourceBytes = size_t(4) << 20;

namespace {
/// A remark of the lowering, at a line of the source.
struct Remark {
  Place place;
  std::string message;
  std::vector<std::string> notes;
};

/// One page in the making.
class View {
public:
  View(ModuleOp module, llvm::SourceMgr &sources, CompileOptions options,
       Stopwatch &watch)
      : module(module), sources(sources), options(std::move(options)),
        watch(watch) {}

  LogicalResult compile();
  std::string render(StringRef title);

private:
  LogicalResult keepRemark(Diagnostic &diagnostic);
  void addSourcePanes();
  std::optional<std::string> readSource(StringRef name) const;
  json::Value toJson(const Pane &pane) const;
  json::Value placesOf(const std::vector<Place> &places) const;

  ModuleOp module;
  llvm::SourceMgr &sources;
  CompileOptions options;
  Stopwatch &watch;
  Files files;
  Pictures pictures;
  std::vector<Pane> panes;
  std::vector<Remark> remarks;
};
} // namespace

LogicalResult View::keepRemark(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
    return failure(); // the handler outside prints it
  SmallVector<FileLineColLoc> places;
  collectPlaces(diagnostic.getLocation(), places);
  if (places.empty())
    return success();
  Remark remark{
      {files.get(places.front().getFilename()), places.front().getLine()},
      diagnostic.str(),
      {}};
  for (const Diagnostic &note : diagnostic.getNotes())
    remark.notes.push_back(note.str());
  remarks.push_back(std::move(remark));
  return success();
}

LogicalResult View::compile() {
  std::optional<std::string> disassembler = findDisassembler();
  bool hasSass = disassembler && findPtxas(options.ptxas);
  options.levels = {Level::Tile, Level::Instruction, Level::PTX};
  if (hasSass)
    options.levels.insert(Level::Cubin);
  options.remarks = true;
  options.onLevel = [&](Level level, ModuleOp module) {
    panes.push_back(
        makeModulePane(level == Level::Tile ? "tile IR" : "instruction IR",
                       module, files, pictures));
  };
  ScopedDiagnosticHandler handler(
      module.getContext(),
      [&](Diagnostic &diagnostic) { return keepRemark(diagnostic); });
  FailureOr<CompileResult> result =
      tirx::compile(module, sources, options, watch);
  if (failed(result))
    return failure();
  panes.push_back(makePTXPane(result->texts[Level::PTX], files));
  if (!hasSass)
    return success();
  auto sass = disassemble(*disassembler, result->texts[Level::Cubin]);
  if (!sass)
    return module.emitError(llvm::toString(sass.takeError()));
  panes.push_back(makeSassPane(*sass, files));
  return success();
}

std::optional<std::string> View::readSource(StringRef name) const {
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id)
    if (sources.getMemoryBuffer(id)->getBufferIdentifier() == name)
      return sources.getMemoryBuffer(id)->getBuffer().str();
  auto buffer = llvm::MemoryBuffer::getFile(name, /*IsText=*/true);
  if (!buffer || (*buffer)->getBufferSize() > kMaxSourceBytes)
    return std::nullopt;
  return (*buffer)->getBuffer().str();
}

/// The files that locations name, before the levels; what cannot be read is
/// left out.
void View::addSourcePanes() {
  std::vector<Pane> result;
  for (auto [number, name] : llvm::enumerate(files.getNames())) {
    std::optional<std::string> text = readSource(name);
    if (!text)
      continue;
    Pane pane;
    pane.name = name;
    SmallVector<StringRef> lines;
    StringRef(*text).rtrim('\n').split(lines, '\n');
    for (auto [line, content] : llvm::enumerate(lines)) {
      pane.lines.push_back(content.rtrim('\r').str());
      pane.origins.push_back({{unsigned(number), unsigned(line + 1)}});
    }
    pane.file = number;
    result.push_back(std::move(pane));
  }
  // IR that was made from a file of its author is the tile pane already.
  auto isInput = [&](const Pane &pane) {
    return sources.getMemoryBuffer(sources.getMainFileID())
               ->getBufferIdentifier() == pane.name;
  };
  if (result.size() > 1)
    llvm::erase_if(result, isInput);
  llvm::append_range(result, std::move(panes));
  panes = std::move(result);
}

/// Places as flat pairs: file, line, file, line, ...
json::Value View::placesOf(const std::vector<Place> &places) const {
  json::Array flat;
  for (const Place &place : places) {
    flat.push_back(place.file);
    flat.push_back(place.line);
  }
  return flat;
}

json::Value View::toJson(const Pane &pane) const {
  json::Array lines, origins;
  for (const std::string &line : pane.lines)
    lines.push_back(json::fixUTF8(line));
  for (const std::vector<Place> &places : pane.origins)
    origins.push_back(placesOf(places));
  json::Object drawn;
  for (const auto &[line, numbers] : pane.pictures)
    drawn[std::to_string(line)] = json::Array(numbers);
  json::Object object{{"name", json::fixUTF8(pane.name)},
                      {"lines", std::move(lines)},
                      {"origins", std::move(origins)},
                      {"pictures", std::move(drawn)}};
  if (pane.file)
    object["file"] = *pane.file;
  return object;
}

std::string View::render(StringRef title) {
  addSourcePanes();
  json::Array shown, notes, drawings;
  for (const Pane &pane : panes)
    shown.push_back(toJson(pane));
  for (const Remark &remark : remarks) {
    json::Array lines;
    for (const std::string &note : remark.notes)
      lines.push_back(json::fixUTF8(note));
    notes.push_back(json::Object{{"place", placesOf({remark.place})},
                                 {"message", json::fixUTF8(remark.message)},
                                 {"notes", std::move(lines)}});
  }
  for (const Pictures::Drawing &drawing : pictures.getDrawings())
    drawings.push_back(
        json::Object{{"title", drawing.title}, {"svg", drawing.svg}});
  json::Value data = json::Object{{"title", json::fixUTF8(title)},
                                  {"panes", std::move(shown)},
                                  {"remarks", std::move(notes)},
                                  {"pictures", std::move(drawings)}};
  std::string text = llvm::formatv("{0}", data);
  // Nothing inside may end the script element.
  std::string safe;
  for (char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  std::string page = page::html.str();
  auto put = [&](StringRef mark, StringRef value) {
    size_t at = page.find(mark);
    page.replace(at, mark.size(), value);
  };
  put("/*style*/", page::style);
  put("/*script*/", page::script);
  put("/*data*/", safe);
  return page;
}

FailureOr<std::string> tirx::renderView(ModuleOp module,
                                        llvm::SourceMgr &sources,
                                        CompileOptions options, StringRef title,
                                        Stopwatch &watch) {
  View view(module, sources, std::move(options), watch);
  if (failed(view.compile()))
    return failure();
  std::string page = view.render(title);
  watch.lap("view");
  return page;
}
