//===- Parser.cpp - modules and functions of PTX text ---------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/PTX/Parser.h"
#include "ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tirx::ptx;
using llvm::StringRef;
using llvm::Twine;

std::unique_ptr<Module> tirx::ptx::parseModule(StringRef text,
                                               StringRef fileName,
                                               Diagnostics &diagnostics) {
  diagnostics.setFile(fileName);
  auto module = std::make_unique<Module>();
  module->fileName = fileName.str();
  if (text.size() > UINT32_MAX) {
    diagnostics.error("", {}, "expected at most 4 GiB of text");
    return nullptr;
  }
  module->text = text.str();
  unsigned before = diagnostics.getCount();
  Parser(*module, diagnostics).run();
  if (diagnostics.getCount() != before)
    return nullptr;
  return module;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool Parser::error(SourceLoc loc, const Twine &message) {
  diagnostics.error(module.text, loc, message);
  return true;
}

std::string tirx::ptx::describeNewerVersion(const Module &module) {
  if (module.version <= kNewestVersion)
    return "";
  auto spell = [](unsigned version) {
    return (Twine(version / 10) + "." + Twine(version % 10)).str();
  };
  return "; .version " + spell(module.version) + " is newer than " +
         spell(kNewestVersion) + ", the newest that is known";
}

bool Parser::expected(const Twine &what) {
  if (token.is(Lexeme::End))
    return error(token.loc, "expected " + what + ", got the end of the file");
  if (token.is(Lexeme::Error)) {
    if (token.text == "/*")
      return error(token.loc, "expected */ at the end of the comment");
    if (token.text.starts_with("\""))
      return error(token.loc, "expected \" at the end of the string");
    return error(token.loc, "unexpected character");
  }
  std::string newer =
      token.is(Lexeme::Directive) ? describeNewerVersion(module) : "";
  return error(token.loc, "expected " + what + ", got '" +
                              token.text.take_front(60) + "'" + newer);
}

bool Parser::consumeIf(char op) {
  if (!token.isOperator(op))
    return false;
  advance();
  return true;
}

bool Parser::consumeIfDirective(StringRef name) {
  if (!token.isDirective(name))
    return false;
  advance();
  return true;
}

bool Parser::expect(char op) {
  if (consumeIf(op))
    return false;
  return expected("'" + Twine(op) + "'");
}

bool Parser::expectIdentifier(StringRef what, StringRef &name) {
  if (!token.is(Lexeme::Identifier))
    return expected(what);
  name = token.text;
  advance();
  return false;
}

bool Parser::expectString(StringRef &text) {
  if (!token.is(Lexeme::String))
    return expected("a string");
  text = token.text.drop_front().drop_back();
  advance();
  return false;
}

void Parser::recover() {
  unsigned depth = openBraces;
  openBraces = constantDepth = 0;
  uint32_t line = token.loc.line;
  for (; !token.is(Lexeme::End); advance()) {
    if (token.isOperator('{')) {
      ++depth;
    } else if (token.isOperator('}')) {
      if (depth == 0)
        return;
      --depth;
    } else if (token.isOperator(';')) {
      advance();
      return;
    } else if (depth == 0 && token.loc.line != line &&
               (token.is(Lexeme::Directive) || token.isOperator('@'))) {
      // The `;` was forgotten: this begins another statement.
      return;
    }
  }
}

static bool beginsModuleItem(StringRef directive) {
  return llvm::StringSwitch<bool>(directive)
      .Cases({".entry", ".func", ".visible", ".extern", ".weak"}, true)
      .Cases({".global", ".const", ".file", ".section"}, true)
      .Default(false);
}

void Parser::recoverModule() {
  unsigned depth = openBraces;
  openBraces = constantDepth = 0;
  uint32_t line = token.loc.line;
  for (; !token.is(Lexeme::End); advance()) {
    if (token.isOperator('{')) {
      ++depth;
    } else if (token.isOperator('}') && depth > 1) {
      --depth;
    } else if (token.isOperator('}') || (depth == 0 && token.isOperator(';'))) {
      advance();
      return;
    } else if (depth == 0 && token.loc.line != line &&
               token.is(Lexeme::Directive) && beginsModuleItem(token.text)) {
      return;
    }
  }
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

bool Parser::parseVersion() {
  if (!token.isDirective(".version"))
    return expected("'.version' at the start of the module");
  advance();
  auto [major, minor] = token.text.split('.');
  unsigned majorNumber, minorNumber;
  if (!token.is(Lexeme::Number) || major.getAsInteger(10, majorNumber) ||
      minor.getAsInteger(10, minorNumber) || majorNumber > 99 ||
      minorNumber > 9)
    return expected("a version such as 8.7");
  module.version = majorNumber * 10 + minorNumber;
  advance();
  return false;
}

bool Parser::parseTarget() {
  if (!token.isDirective(".target"))
    return expected("'.target' after the version");
  do {
    advance();
    StringRef name;
    if (expectIdentifier("a target such as sm_90a", name))
      return true;
    if (name.starts_with("sm_") || name.starts_with("compute_"))
      module.target = name;
    else
      module.targetOptions.push_back(name);
  } while (token.isOperator(','));
  return false;
}

bool Parser::parseAddressSize() {
  uint64_t size;
  SourceLoc loc = token.loc;
  if (parseInteger("an address size", size))
    return true;
  if (size != 32 && size != 64)
    return error(loc,
                 "expected an address size of 32 or 64, got " + Twine(size));
  module.addressSize = size;
  return false;
}

bool Parser::parseHeader() {
  advance();
  if (parseVersion() || parseTarget())
    return true;
  if (module.target.empty())
    return error(token.loc, "expected a target such as sm_90a in .target");
  return false;
}

void Parser::run() {
  if (parseHeader())
    return;
  while (!token.is(Lexeme::End) && !diagnostics.isFull()) {
    if (!parseModuleItem())
      continue;
    recoverModule();
  }
}

Linkage Parser::parseLinkage() {
  Linkage linkage = token.is(Lexeme::Directive)
                        ? llvm::StringSwitch<Linkage>(token.text)
                              .Case(".extern", Linkage::Extern)
                              .Case(".visible", Linkage::Visible)
                              .Case(".weak", Linkage::Weak)
                              .Case(".common", Linkage::Common)
                              .Default(Linkage::Internal)
                        : Linkage::Internal;
  if (linkage != Linkage::Internal)
    advance();
  return linkage;
}

bool Parser::parseModuleItem() {
  if (consumeIf(';'))
    return false;
  if (consumeIfDirective(".address_size"))
    return parseAddressSize();
  if (token.isDirective(".file"))
    return parseFile();
  if (token.isDirective(".section"))
    return parseSection();
  if (consumeIfDirective(".alias"))
    return parseAlias();
  if (token.isDirective(".pragma")) {
    const Pragma *pragma;
    if (parsePragma(pragma))
      return true;
    ModuleItem item{ModuleItem::Kind::Pragma, {}};
    item.pragma = pragma;
    addItem(item);
    return false;
  }
  if (token.isDirective(".loc")) { // between functions: of no use to anyone
    const Statement *ignored;
    return parseLocation(ignored);
  }

  Linkage linkage = parseLinkage();
  if (token.isDirective(".entry") || token.isDirective(".func"))
    return parseFunction(linkage);
  if (spaceOf(token) == StateSpace::None && !token.isDirective(".attribute"))
    return expected("a function, a variable or another module directive");
  if (token.isDirective(".reg") || token.isDirective(".local") ||
      token.isDirective(".param"))
    return expected("a variable in .global, .shared or .const at module level");
  Declaration *declaration;
  if (parseDeclaration(linkage, declaration))
    return true;
  for (const Variable *variable : declaration->variables)
    module.globals.push_back(variable);
  ModuleItem item{ModuleItem::Kind::Variables, {}};
  item.declaration = declaration;
  addItem(item);
  return false;
}

bool Parser::parseFile() {
  auto *file = make<FileEntry>();
  uint32_t line = token.loc.line;
  advance();
  uint64_t number;
  SourceLoc loc = token.loc;
  if (parseInteger("a file number", number))
    return true;
  if (number > UINT32_MAX)
    return error(loc, "expected a file number of at most 32 bits");
  file->number = number;
  if (!token.is(Lexeme::String))
    return expected("a file name in quotes");
  file->path = token.text.drop_front().drop_back();
  file->rest = token.loc.line == line ? lexer.takeRestOfLine() : "";
  advance();
  if (!file->rest.empty() && !file->rest.starts_with(","))
    return error(loc, "expected ', timestamp, size' or nothing after the name "
                      "of the file, got '" +
                          file->rest + "'");
  module.files.push_back(file);
  ModuleItem item{ModuleItem::Kind::File, {}};
  item.file = file;
  addItem(item);
  return false;
}

bool Parser::parseSection() {
  auto *section = make<Section>();
  SourceLoc loc = token.loc;
  advance();
  if (!token.is(Lexeme::Directive) && !token.is(Lexeme::Identifier))
    return expected("the name of the section");
  section->name = token.text;
  advance();
  if (!token.isOperator('{'))
    return expected("'{'");
  if (!lexer.takeBraces(section->body)) {
    advance();
    return error(loc, "expected '}' at the end of the section");
  }
  advance();
  ModuleItem item{ModuleItem::Kind::Section, {}};
  item.section = section;
  addItem(item);
  return false;
}

bool Parser::parseAlias() {
  auto *alias = make<std::array<StringRef, 2>>();
  SourceLoc nameLoc = token.loc, loc;
  if (expectIdentifier("the name of the alias", (*alias)[0]) || expect(','))
    return true;
  loc = token.loc;
  if (expectIdentifier("the function that the alias names", (*alias)[1]) ||
      expect(';'))
    return true;
  if (!functionsByName.count((*alias)[1]))
    return error(loc, "expected a function, got '" + (*alias)[1] +
                          "', which is not declared");
  if (!functionsByName.count((*alias)[0]))
    return error(nameLoc, "expected a declared function, got '" + (*alias)[0] +
                              "', which is not declared");
  ModuleItem item{ModuleItem::Kind::Alias, {}};
  item.alias = alias;
  addItem(item);
  return false;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool isFunctionDirective(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm"}, true)
      .Cases({".maxnreg", ".local_maxnreg", ".noreturn", ".pragma"}, true)
      .Cases({".reqnctapercluster", ".maxclusterrank"}, true)
      .Cases({".explicitcluster", ".blocksareclusters"}, true)
      .Cases({".abi_preserve", ".abi_preserve_control"}, true)
      .Default(false);
}

/// How many numbers may follow it.
static std::pair<unsigned, unsigned> valueCounts(StringRef name) {
  return llvm::StringSwitch<std::pair<unsigned, unsigned>>(name)
      .Cases({".maxntid", ".reqntid", ".reqnctapercluster"}, {1, 3})
      .Cases({".noreturn", ".explicitcluster", ".blocksareclusters"}, {0, 0})
      .Default({1, 1});
}

/// Whether it stands where it may: some are of kernels, some of functions only,
/// and the sizes of blocks exclude each other.
bool Parser::checkDirective(const FunctionDirective &directive,
                            llvm::ArrayRef<FunctionDirective> others) {
  StringRef name = directive.name;
  bool isOfFunctions = name == "noreturn" || name.starts_with("abi_preserve");
  bool isOfKernels = !isOfFunctions && name != "local_maxnreg";
  bool isEntry = function && function->isEntry;
  if (isEntry ? isOfFunctions : isOfKernels)
    return error(directive.loc, "expected ." + name + " only for " +
                                    (isEntry ? "functions" : "kernels"));
  bool isExtent = name == "maxntid" || name == "reqntid";
  for (uint64_t value : directive.values)
    if (isExtent && value == 0)
      return error(directive.loc, "expected numbers above 0 after ." + name);
  for (const FunctionDirective &other : others)
    if (isExtent && (other.name == "maxntid" || other.name == "reqntid"))
      return error(directive.loc, "expected one of .maxntid and .reqntid, got "
                                  "." +
                                      other.name + " and ." + name);
  return false;
}

bool Parser::parseFunctionDirectives(
    llvm::ArrayRef<FunctionDirective> &result) {
  llvm::SmallVector<FunctionDirective, 4> directives;
  while (token.is(Lexeme::Directive)) {
    if (!isFunctionDirective(token.text))
      return expected("a function directive (.maxntid, .reqntid, "
                      ".minnctapersm, .maxnreg, .reqnctapercluster, ...), the "
                      "body or ';'");
    FunctionDirective directive;
    directive.name = token.text.drop_front();
    directive.loc = token.loc;
    StringRef name = token.text;
    if (name == ".pragma") {
      const Pragma *pragma;
      if (parsePragma(pragma))
        return true;
      for (StringRef text : pragma->texts) {
        directive.text = text;
        directives.push_back(directive);
      }
      continue;
    }
    advance();
    auto [least, most] = valueCounts(name);
    llvm::SmallVector<uint64_t, 3> values;
    while (values.size() < most &&
           (values.empty() ? least != 0 : consumeIf(','))) {
      values.emplace_back();
      if (parseInteger("a number after " + name.str(), values.back()))
        return true;
    }
    directive.values = keep<uint64_t>(values);
    if (checkDirective(directive, directives))
      return true;
    directives.push_back(directive);
  }
  result = keep<FunctionDirective>(directives);
  return false;
}

/// Keeps the function that calls are bound to: the definition if there is one.
bool Parser::declareFunction(Function &added) {
  Function *&known = functionsByName[added.name];
  if (known && known->isDefinition && added.isDefinition)
    return error(added.loc, "redefinition of '" + added.name +
                                "', which is defined on line " +
                                Twine(known->loc.line));
  if (scopes.find(added.name).variable)
    return error(added.loc, "expected a new name, got '" + added.name +
                                "', which is a variable");
  if (known && (known->returns.size() != added.returns.size() ||
                known->params.size() != added.params.size()))
    return error(added.loc, "expected the " + Twine(known->returns.size()) +
                                " results and " + Twine(known->params.size()) +
                                " parameters that '" + added.name +
                                "' has on line " + Twine(known->loc.line) +
                                ", got " + Twine(added.returns.size()) +
                                " and " + Twine(added.params.size()));
  if (!known || added.isDefinition)
    known = &added;
  return false;
}

bool Parser::parseFunctionBody(Function &defined) {
  function = &defined;
  location = nullptr;
  bool failed = parseBlock(defined.body, /*hasScope=*/false);
  for (Operand *operand : deferred)
    error(operand->loc,
          "expected a declared name, got '" + operand->name + "'");
  deferred.clear();
  labels.clear();
  return failed;
}

bool Parser::parseFunction(Linkage linkage) {
  auto *parsed = make<Function>();
  parsed->linkage = linkage;
  parsed->isEntry = token.isDirective(".entry");
  advance();
  scopes.open();
  function = parsed;

  auto parseRest = [&] {
    if (token.isDirective(".attribute") && parseAttribute(parsed->attributes))
      return true;
    if (!parsed->isEntry && token.isOperator('(') &&
        parseParameters(parsed->returns))
      return true;
    parsed->loc = token.loc;
    if (expectIdentifier("the name of the function", parsed->name) ||
        (token.isOperator('(') && parseParameters(parsed->params)) ||
        parseFunctionDirectives(parsed->directives))
      return true;
    parsed->isDefinition = token.isOperator('{');
    if (!parsed->isDefinition && !token.isOperator(';'))
      return expected("the body of the function or ';'");
    if (parsed->isDefinition && linkage == Linkage::Extern)
      return error(token.loc, "expected ';' after an external function, got a "
                              "body");
    if (declareFunction(*parsed))
      return true;
    module.functions.push_back(parsed);
    ModuleItem item{ModuleItem::Kind::Function, {}};
    item.function = parsed;
    addItem(item);
    return parsed->isDefinition ? parseFunctionBody(*parsed) : expect(';');
  };
  bool failed = parseRest();
  scopes.close();
  function = nullptr;
  return failed;
}
