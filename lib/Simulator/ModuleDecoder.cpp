//===- ModuleDecoder.cpp - loads PTX modules ------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "FunctionDecoder.h"
#include "InstructionModels.h"
#include "TIRx/PTX/Parser.h"
#include "TIRx/PTX/Table.h"
#include "llvm/Support/MathExtras.h"

using namespace tirx::sim;

static constexpr uint64_t kVariableGuard = uint64_t(1) << 16;
static constexpr uint64_t kMaxVariableBytes = uint64_t(1) << 30;
/// Addresses that one module may use; kVariableBase leaves room for 128 with
/// their models.
static constexpr uint64_t kModuleSpan = uint64_t(1) << 35;
static constexpr unsigned kMaxModules = 128;
static constexpr unsigned kMaxErrors = 20;

void ModuleDecoder::fail(ptx::SourceLoc loc, const llvm::Twine &message) {
  if (++errorCount > kMaxErrors)
    return;
  errors += (errors.empty() ? "" : "\n") + module.fileName + ":" +
            std::to_string(loc.line) + ": " + message.str();
}

void ModuleDecoder::layOutGlobals() {
  uint64_t next = kVariableBase + module.number * kModuleSpan, total = 0;
  for (const ptx::Variable *variable : ast.globals) {
    bool constant = variable->space == ptx::StateSpace::Const;
    if (!constant && variable->space != ptx::StateSpace::Global)
      continue;
    GlobalVariable global;
    global.name = variable->name.str();
    global.size = variable->sizeInBytes();
    global.align = std::max(1u, variable->alignment());
    global.constant = constant;
    total += global.size;
    if (global.size > kMaxVariableBytes || total > kMaxVariableBytes) {
      fail(variable->loc, "expected at most 1 GiB of global variables");
      return;
    }
    global.address = llvm::alignTo(next, std::max<uint64_t>(256, global.align));
    if (global.address - kVariableBase >
        (module.number + 1) * kModuleSpan - 2 * kMaxVariableBytes) {
      fail(variable->loc, "expected fewer global variables: they do not fit "
                          "into 30 GiB of addresses, 64 KiB apart");
      return;
    }
    next = global.address + global.size + kVariableGuard;
    addresses[variable] = global.address;
    module.globals.push_back(std::move(global));
    initialised.push_back(variable);
  }
}

uint64_t ModuleDecoder::addressOf(const ptx::Variable &variable) const {
  auto it = addresses.find(&variable);
  if (it != addresses.end())
    return it->second;
  // A declaration refers to the definition of the same name.
  for (const GlobalVariable &global : module.globals)
    if (variable.name == global.name)
      return global.address;
  return 0;
}

const tirx::ptx::Function *
ModuleDecoder::findBody(const ptx::Function &function) const {
  llvm::StringRef name = function.name;
  // An alias may stand for another.
  for (size_t n = 0; n <= ast.items.size(); ++n) {
    const ptx::Function *found = ast.findFunction(name);
    if (found && found->isDefinition)
      return found;
    auto alias = llvm::find_if(ast.items, [&](const ptx::ModuleItem &item) {
      return item.kind == ptx::ModuleItem::Kind::Alias &&
             (*item.alias)[0] == name;
    });
    if (alias == ast.items.end())
      return found && findBuiltin(name) ? found : nullptr;
    name = (*alias->alias)[1];
  }
  return nullptr;
}

uint64_t ModuleDecoder::addressOf(const ptx::Function &body) const {
  return kFunctionBase + module.number * kFunctionSpan +
         (functionNumbers.lookup(&body) + 1) * 16;
}

/// The address that an initial value names; false: reported.
bool ModuleDecoder::addressOf(const ptx::Initializer &init, uint64_t &address) {
  if (const ptx::Function *function = ast.findFunction(init.symbol)) {
    // A function without a body matters only to a kernel that calls it.
    const ptx::Function *body = findBody(*function);
    address = body ? addressOf(*body) : 0;
    if (body && !body->isEntry && !llvm::is_contained(pointedTo, body))
      pointedTo.push_back(body);
    return true;
  }
  const ptx::Variable *target = ast.findGlobal(init.symbol);
  if (!target || !addresses.count(target)) {
    fail(init.loc,
         "expected a variable in global memory, got '" + init.symbol + "'");
    return false;
  }
  address = addresses[target];
  return true;
}

void ModuleDecoder::fillInitialisers() {
  for (size_t n = 0; n < initialised.size(); ++n) {
    const ptx::Variable &variable = *initialised[n];
    GlobalVariable &global = module.globals[n];
    if (variable.init.empty())
      continue;
    unsigned bytes = std::max(1u, ptx::byteSize(variable.type));
    global.data.assign(global.size, 0);
    for (const ptx::Initializer &init : variable.init) {
      uint64_t value = init.bits;
      if (!init.symbol.empty()) {
        uint64_t address;
        if (!addressOf(init, address))
          return;
        value += address;
        if (init.mask)
          value = value >> llvm::countr_zero(init.mask) & 0xff;
      }
      if (init.index >= global.data.size() / bytes) {
        fail(variable.loc, "expected at most " + llvm::Twine(global.size) +
                               " bytes of initial values");
        return;
      }
      std::memcpy(global.data.data() + init.index * bytes, &value,
                  std::min(bytes, 8u));
    }
  }
}

llvm::Error ModuleDecoder::prepare() {
  module.target = ast.target.str();
  for (const ptx::FileEntry *file : ast.files) {
    if (file->number == 0 || file->number > 65536)
      continue;
    if (module.files.size() < file->number)
      module.files.resize(file->number);
    module.files[file->number - 1] = file->path.str();
  }
  for (auto [number, function] : llvm::enumerate(ast.functions))
    functionNumbers[function] = number;
  layOutGlobals();
  fillInitialisers();
  if (std::string text = takeErrors(); !text.empty())
    return llvm::createStringError(text);
  return llvm::Error::success();
}

void ModuleDecoder::decodeKernels() {
  for (const ptx::Function *function : ast.functions) {
    if (!function->isEntry || !function->isDefinition)
      continue;
    auto kernel = std::make_unique<Kernel>();
    KernelDecoder(*this, *function, *kernel).run();
    module.kernels.push_back(std::move(kernel));
  }
}

std::string ModuleDecoder::takeErrors() {
  if (errorCount > kMaxErrors)
    errors += "\nand " + std::to_string(errorCount - kMaxErrors) + " more";
  errorCount = 0;
  return std::exchange(errors, "");
}

Module::Module(ModuleText source, unsigned number)
    : fileName(std::move(source.fileName)), number(number),
      text(std::move(source.text)) {
  lineStarts.push_back(0);
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      lineStarts.push_back(i + 1);
}

/// Instructions that the table does not know, and a library does.
static bool isRegistered(const tirx::ptx::Instruction &instruction,
                         const ModelLibrary &library) {
  if (!library.find(instruction.opcode))
    return false;
  auto known = tirx::ptx::resolve(instruction.opcode);
  if (known)
    return false;
  llvm::consumeError(known.takeError());
  return true;
}

llvm::Expected<std::unique_ptr<tirx::ptx::Module>>
Module::parse(const ModelLibrary *library) const {
  ptx::Diagnostics diagnostics;
  diagnostics.setFile(fileName);
  std::unique_ptr<ptx::Module> ast =
      ptx::parseModule(text, fileName, diagnostics);
  // The table has nothing to say about registered ones: they stay in the bodies
  // of their functions only.
  if (ast && library)
    llvm::erase_if(ast->instructions, [&](const ptx::Instruction *instruction) {
      return isRegistered(*instruction, *library);
    });
  if (!ast || !ptx::verifyModule(*ast, diagnostics))
    return llvm::createStringError(diagnostics.str());
  if (ast->addressSize != 64)
    return llvm::createStringError(fileName +
                                   ": expected .address_size 64, got " +
                                   llvm::Twine(ast->addressSize));
  return std::move(ast);
}

llvm::Expected<std::unique_ptr<Module>>
Module::load(llvm::StringRef text, llvm::StringRef fileName, unsigned number,
             const ModuleText *models, bool keepNames) {
  if (number >= kMaxModules)
    return llvm::createStringError("expected at most 128 modules");
  auto module =
      std::make_unique<Module>(ModuleText{text.str(), fileName.str()}, number);
  module->keepsNames = keepNames;
  std::unique_ptr<ModelLibrary> library;
  if (models) {
    module->models = std::make_unique<Module>(*models, number + kMaxModules);
    module->models->keepsNames = keepNames;
    auto loaded = ModelLibrary::load(*module->models);
    if (!loaded)
      return loaded.takeError();
    library = std::move(*loaded);
  }
  auto ast = module->parse(library.get());
  if (!ast)
    return ast.takeError();
  ModuleDecoder decoder(*module, **ast, library.get());
  if (auto error = decoder.prepare())
    return std::move(error);
  decoder.decodeKernels();
  return std::move(module);
}

/// The kernel, unless it has an instruction without a model.
static llvm::Expected<const Kernel *> checkModels(const Kernel &kernel) {
  if (!kernel.errors.empty())
    return llvm::createStringError(kernel.errors);
  return &kernel;
}

llvm::Expected<const Kernel *> Module::findKernel(llvm::StringRef name) const {
  if (name.empty() && kernels.size() == 1)
    return checkModels(*kernels.front());
  std::string names;
  for (const auto &kernel : kernels) {
    if (kernel->name == name)
      return checkModels(*kernel);
    names += (names.empty() ? "'" : ", '") + kernel->name + "'";
  }
  if (kernels.empty())
    return llvm::createStringError(fileName + ": expected an .entry, got none");
  if (name.empty())
    return llvm::createStringError("expected the name of an entry, one of " +
                                   names);
  return llvm::createStringError("expected one of the entries " + names +
                                 ", got '" + name + "'");
}

llvm::StringRef Module::lineText(unsigned line) const {
  if (line == 0 || line > lineStarts.size())
    return "";
  llvm::StringRef rest = llvm::StringRef(text).substr(lineStarts[line - 1]);
  return rest.take_until([](char c) { return c == '\n'; }).trim();
}
