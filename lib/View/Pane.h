//===- Pane.h - a level of a kernel as lines with origins -------*- C++ -*-===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TIRX_LIB_VIEW_PANE_H
#define TIRX_LIB_VIEW_PANE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tirx::view {

/// A line of a source file; both numbers count in the page's tables.
struct Place {
  unsigned file, line;
  bool operator<(const Place &other) const {
    return std::pair(file, line) < std::pair(other.file, other.line);
  }
};

/// The source files that locations name, in the order in which they occur.
class Files {
public:
  /// The number of a file; new ones are added.
  unsigned get(llvm::StringRef name);
  /// That of a file which another tool names by a longer or shorter path, if
  /// there is one.
  std::optional<unsigned> find(llvm::StringRef path) const;
  llvm::ArrayRef<std::string> getNames() const { return names; }

private:
  std::vector<std::string> names;
  llvm::StringMap<unsigned> numbers;
};

/// A level's text by lines; `origins` has the places of each line, `pictures`
/// the numbers of the layouts that occur in it.
struct Pane {
  std::string name;
  std::vector<std::string> lines;
  std::vector<std::vector<Place>> origins;
  std::map<unsigned, std::vector<unsigned>> pictures;
  /// Of a source pane, the number of its file.
  std::optional<unsigned> file;
};

/// Layouts that occur in a kernel, each once, drawn.
class Pictures {
public:
  /// The number of the picture of a buffer's layout; none when it cannot be
  /// drawn.
  std::optional<unsigned> get(mlir::Type buffer);
  struct Drawing {
    std::string title, svg;
  };
  llvm::ArrayRef<Drawing> getDrawings() const { return drawings; }

private:
  std::vector<Drawing> drawings;
  llvm::MapVector<mlir::Type, std::optional<unsigned>> numbers;
};

/// The module as it is printed.
Pane makeModulePane(llvm::StringRef name, mlir::ModuleOp module, Files &files,
                    Pictures &pictures);
/// PTX with its `.loc` directives taken out.
Pane makePTXPane(llvm::StringRef text, Files &files);
/// What `nvdisasm -g -c` prints, its line comments taken out.
Pane makeSassPane(llvm::StringRef text, const Files &files);

} // namespace tirx::view

#endif // TIRX_LIB_VIEW_PANE_H
