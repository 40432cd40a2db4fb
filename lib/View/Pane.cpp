//===- Pane.cpp - a level of a kernel as lines with origins ---------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pane.h"
#include "Svg.h"
#include "TIRx/Compiler/SourcePlaces.h"
#include "TIRx/Dialect/TIRx/IR/TIRxTypes.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tirx;
using namespace tirx::view;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

unsigned Files::get(StringRef name) {
  auto [it, isNew] = numbers.try_emplace(name, names.size());
  if (isNew)
    names.push_back(name.str());
  return it->second;
}

std::optional<unsigned> Files::find(StringRef path) const {
  if (auto it = numbers.find(path); it != numbers.end())
    return it->second;
  auto endsWith = [](StringRef path, StringRef end) {
    return path.size() > end.size() && path.ends_with(end) &&
           path[path.size() - end.size() - 1] == '/';
  };
  for (auto [number, name] : llvm::enumerate(names))
    if (endsWith(path, name) || endsWith(name, path))
      return unsigned(number);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

std::optional<unsigned> Pictures::get(Type type) {
  auto [it, isNew] = numbers.try_emplace(type, std::nullopt);
  if (!isNew)
    return it->second;
  auto buffer = cast<BufferType>(type);
  Type element = buffer.getElementType();
  if (!element.isIntOrFloat())
    return std::nullopt;
  auto picture = layouttool::Picture::get(buffer.getLayout(), buffer.getShape(),
                                          element.getIntOrFloatBitWidth());
  if (!picture) {
    llvm::consumeError(picture.takeError());
    return std::nullopt;
  }
  Drawing drawing;
  llvm::raw_string_ostream(drawing.title) << type;
  llvm::raw_string_ostream stream(drawing.svg);
  layouttool::writeSvg(stream, *picture, {}, "");
  it->second = drawings.size();
  drawings.push_back(std::move(drawing));
  return it->second;
}

static void splitLines(StringRef text, Pane &pane) {
  SmallVector<StringRef> lines;
  text.rtrim('\n').split(lines, '\n');
  for (StringRef line : lines)
    pane.lines.push_back(line.str());
  pane.origins.resize(pane.lines.size());
}

static void addOrigin(Pane &pane, unsigned line, Place place) {
  std::vector<Place> &origins = pane.origins[line];
  if (llvm::none_of(origins, [&](const Place &other) {
        return !(place < other) && !(other < place);
      }))
    origins.push_back(place);
}

/// Buffers whose layout the author wrote: of results, operands and arguments.
static void addPictures(Operation *op, unsigned line, Pane &pane,
                        Pictures &pictures) {
  auto add = [&](Type type) {
    auto buffer = dyn_cast<BufferType>(type);
    if (!buffer || !buffer.getLayoutAttr())
      return;
    std::optional<unsigned> number = pictures.get(type);
    if (number && !llvm::is_contained(pane.pictures[line], *number))
      pane.pictures[line].push_back(*number);
  };
  for (Type type : op->getOperandTypes())
    add(type);
  for (Type type : op->getResultTypes())
    add(type);
  if (isa<FunctionOpInterface>(op))
    for (Type type : cast<FunctionOpInterface>(op).getArgumentTypes())
      add(type);
}

Pane view::makeModulePane(StringRef name, ModuleOp module, Files &files,
                          Pictures &pictures) {
  Pane pane;
  pane.name = name.str();
  AsmState::LocationMap lines;
  AsmState state(module, OpPrintingFlags(), &lines);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, state);
  splitLines(text, pane);
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto it = lines.find(op);
    if (it == lines.end() || it->second.first == 0 ||
        it->second.first > pane.lines.size())
      return;
    unsigned line = it->second.first - 1;
    SmallVector<FileLineColLoc> places;
    collectPlaces(op->getLoc(), places);
    for (FileLineColLoc place : places)
      addOrigin(pane, line, {files.get(place.getFilename()), place.getLine()});
    addPictures(op, line, pane, pictures);
  });
  return pane;
}

//===----------------------------------------------------------------------===//
// PTX and SASS
//===----------------------------------------------------------------------===//

/// Takes a number off the front, spaces before it included.
static bool takeNumber(StringRef &text, unsigned &number) {
  text = text.ltrim();
  return !text.consumeInteger(10, number);
}

namespace {
/// The places that `.loc` directives of PTX name.
class LocReader {
public:
  explicit LocReader(Files &files) : files(files) {}

  /// Whether the line is a directive that says where what follows comes from.
  bool read(StringRef line) {
    line = line.trim();
    if (line.consume_front(".file"))
      return readFile(line), false;
    if (!line.consume_front(".loc"))
      return false;
    current.clear();
    addPlace(line);
    if (size_t at = line.find("inlined_at"); at != StringRef::npos)
      addPlace(line.drop_front(at + StringRef("inlined_at").size()));
    return true;
  }
  const std::vector<Place> &getPlaces() const { return current; }
  void clear() { current.clear(); }

private:
  /// `.file 1 "name"`.
  void readFile(StringRef line) {
    unsigned number;
    if (!takeNumber(line, number))
      return;
    if (auto file = files.find(line.split('"').second.split('"').first))
      numbers[number] = *file;
  }
  void addPlace(StringRef text) {
    unsigned file, line;
    if (!takeNumber(text, file) || !takeNumber(text, line) || line == 0)
      return;
    if (auto it = numbers.find(file); it != numbers.end())
      current.push_back({it->second, line});
  }

  Files &files;
  std::map<unsigned, unsigned> numbers;
  std::vector<Place> current;
};
} // namespace

/// Instructions and labels; directives and braces have no origin.
static bool isCode(StringRef line) {
  line = line.trim();
  return !line.empty() && !line.starts_with(".") && !line.starts_with("//") &&
         line != "{" && line != "}";
}

Pane view::makePTXPane(StringRef text, Files &files) {
  Pane pane;
  pane.name = "PTX";
  LocReader reader(files);
  // `.file` stands behind the code that uses it.
  SmallVector<StringRef> lines;
  text.rtrim('\n').split(lines, '\n');
  for (StringRef line : lines)
    if (line.trim().starts_with(".file"))
      reader.read(line);
  for (StringRef line : lines) {
    if (line.trim().starts_with(".section"))
      break; // debug information
    if (reader.read(line))
      continue;
    if (line.contains(".entry") || line.contains(".func"))
      reader.clear();
    pane.lines.push_back(line.str());
    pane.origins.emplace_back();
    if (isCode(line))
      pane.origins.back() = reader.getPlaces();
  }
  return pane;
}

/// An instruction behind its address, predicates in a column of their own.
static std::string alignInstruction(StringRef line) {
  auto [address, code] = line.split("*/");
  code = code.trim();
  if (address.trim() == "/*" || code.empty())
    return line.str();
  return (address.trim() + "*/ " + (code.starts_with("@") ? "" : "      ") +
          code)
      .str();
}

Pane view::makeSassPane(StringRef text, const Files &files) {
  Pane pane;
  pane.name = "SASS";
  std::vector<Place> current;
  bool continues = false; // a list of places, innermost first
  SmallVector<StringRef> lines;
  text.rtrim('\n').split(lines, '\n');
  for (StringRef line : lines) {
    StringRef rest = line.trim();
    if (rest.consume_front("//## File \"")) {
      if (!continues)
        current.clear();
      continues = true;
      auto [path, tail] = rest.split('"');
      unsigned number;
      tail = tail.drop_front(std::min(tail.size(), tail.find("line") + 4));
      auto file = files.find(path);
      if (file && takeNumber(tail, number))
        current.push_back({*file, number});
      continue;
    }
    continues = false;
    // Code stands behind its address.
    bool isInstruction = rest.starts_with("/*");
    if (!isInstruction && !rest.ends_with(":"))
      continue;
    pane.lines.push_back(isInstruction ? alignInstruction(rest) : rest.str());
    pane.origins.emplace_back();
    if (isInstruction)
      pane.origins.back() = current;
  }
  return pane;
}
