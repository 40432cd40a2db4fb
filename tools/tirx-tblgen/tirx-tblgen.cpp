//===- tirx-tblgen.cpp - generator of the PTX table -----------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/Record.h"

using namespace llvm;

enum class Action { Table, Docs, TileOps };

static cl::opt<Action>
    action(cl::desc("what to generate:"), cl::Required,
           cl::values(clEnumValN(Action::Table, "gen-ptx-table",
                                 "the enums and the data of TIRx/PTX/Table.h"),
                      clEnumValN(Action::Docs, "gen-ptx-docs",
                                 "the reference, Markdown"),
                      clEnumValN(Action::TileOps, "gen-tile-ops",
                                 "the tile ops of the dialect, JSON")));

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv,
                              "generator of tables of instructions and ops\n");
  auto generate = [](raw_ostream &os, const RecordKeeper &records) {
    if (action == Action::TileOps) {
      tirx::tblgen::emitTileOps(records, os);
      return false;
    }
    tirx::tblgen::Model model(records);
    if (action == Action::Table)
      tirx::tblgen::emitTable(model, os);
    else
      tirx::tblgen::emitDocs(model, os);
    return false;
  };
  return TableGenMain(argv[0], TableGenMainFn(generate));
}
