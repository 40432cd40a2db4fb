//===- tirx-layout.cpp - show, evaluate and check layouts -----------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Convert.h"
#include "Difference.h"
#include "Elements.h"
#include "Html.h"
#include "Requests.h"
#include "Show.h"
#include "Svg.h"
#include "TIRx/Layout/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/WithColor.h"

using namespace tirx;
using namespace tirx::layouttool;
using llvm::Expected;
using llvm::SmallVector;
namespace cl = llvm::cl;

/// Exit statuses: 0, 1 for failed checks, 2 for bad input.
static constexpr int kBadInput = 2;

static cl::SubCommand showCommand("show",
                                  "Print formula, size, spans and a grid");
static cl::SubCommand evalCommand("eval", "Print where one element is");
static cl::SubCommand convertCommand("convert",
                                     "Print a layout in another notation");
static cl::SubCommand checkCommand("check", "Run the cases of a JSON file");

static cl::opt<std::string> layoutText(cl::Positional, cl::desc("LAYOUT"),
                                       cl::sub(showCommand),
                                       cl::sub(evalCommand),
                                       cl::sub(convertCommand));
static cl::opt<std::string> otherText(cl::Positional, cl::desc("[OTHER]"),
                                      cl::sub(showCommand));
static cl::opt<std::string>
    htmlFile("html", cl::value_desc("file"), cl::sub(showCommand),
             cl::desc("Write a page that shows the grids in a browser"));
static cl::opt<std::string> svgFile("svg", cl::value_desc("file"),
                                    cl::sub(showCommand),
                                    cl::desc("Write the grids as a picture"));
static cl::opt<std::string>
    accessText("access", cl::value_desc("layout"), cl::sub(showCommand),
               cl::desc("Bank conflicts of threads that hold the elements as "
                        "this layout says"));
static cl::opt<int64_t>
    accessThreads("threads", cl::sub(showCommand),
                  cl::desc("Bank conflicts of so many threads that take the "
                           "elements in row-major order"));
static cl::opt<int64_t> accessVector("vector", cl::init(1),
                                     cl::sub(showCommand),
                                     cl::desc("Elements that a lane accesses "
                                              "at once"));
static cl::opt<bool> accessStores("store", cl::sub(showCommand),
                                  cl::desc("The access stores"));
static cl::opt<std::string>
    shapeText("shape", cl::value_desc("MxN"), cl::sub(showCommand),
              cl::sub(evalCommand), cl::sub(convertCommand),
              cl::desc("Logical shape; by default the layout's own extents"));
static cl::opt<std::string> typeText(
    "dtype", cl::value_desc("type"), cl::sub(showCommand), cl::sub(evalCommand),
    cl::sub(convertCommand),
    cl::desc(
        "Element type, for bytes, banks and TMEM columns: f16, e4m3, ..."));
static cl::opt<std::string> indexText("at", cl::value_desc("i,j"),
                                      cl::sub(evalCommand),
                                      cl::desc("Index of the element"));
static cl::opt<std::string>
    requestsFile("json", cl::value_desc("file"), cl::sub(evalCommand),
                 cl::desc("Answer requests in JSON, one a line ('-' for the "
                          "standard input)"));
static cl::list<std::string>
    requests("request", cl::value_desc("json"), cl::sub(evalCommand),
             cl::desc("Answer this request; may be given several times"));
static cl::opt<int64_t>
    maxPoints("max-points", cl::sub(evalCommand),
              cl::init(std::numeric_limits<int64_t>::max()),
              cl::desc("Largest layout that a request may hold"));
static cl::opt<bool>
    explainSteps("explain", cl::sub(evalCommand),
                 cl::desc("Say how the element comes to its places"));
static const auto notations = cl::values(
    clEnumValN(Notation::TIRx, "tirx", "S[...], Compose(...), #tirx.tile<...>"),
    clEnumValN(Notation::CuTe, "cute", "(8,(2,4)):(1,(16,4)), Sw<3,4,3> o ..."),
    clEnumValN(Notation::Triton, "triton", "#ttg.linear<{...}>"),
    clEnumValN(Notation::Strided, "strided", "strided<[64, 1], offset: 5>"),
    clEnumValN(Notation::Affine, "affine", "(d0, d1) -> (d0 * 64 + d1)"));
static cl::opt<Notation> fromNotation("from", cl::desc("What LAYOUT is"),
                                      notations, cl::init(Notation::TIRx),
                                      cl::sub(convertCommand));
static cl::opt<Notation> toNotation("to", cl::desc("What is printed"),
                                    notations, cl::init(Notation::TIRx),
                                    cl::sub(convertCommand));
static cl::opt<std::string> casesFile(cl::Positional, cl::Required,
                                      cl::desc("CASES.json"),
                                      cl::sub(checkCommand));

static const char overview[] =
    "layouts on named axes\n\n"
    "  tirx-layout show 'S[(128, 512) : (1@TLane, 1@TCol)]'\n"
    "  tirx-layout show 'Compose(3, 3, 3, S[(8, 64) : (64, 1)])' --dtype f16\n"
    "  tirx-layout show 'S[(8, 64) : (64, 1)]' 'Compose(3, 3, 3, S[(8, 64) : "
    "(64, 1)])' --html both.html\n"
    "  tirx-layout eval 'S[(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1)]' "
    "--shape 8x16 --at 1,3\n"
    "  tirx-layout eval --request '{\"op\": \"canonicalize\", \"layout\": "
    "\"S[(8, 64) : (64, 1)]\"}'\n"
    "  tirx-layout convert 'S[(8, 64) : (64, 1)]' --to=cute\n"
    "  tirx-layout check CASES.json\n\n"
    "A layout may be written as S[...] + R[...] + offset, as an attribute\n"
    "(#tirx.tile<...>, #tirx.compose<...>), or as TileLayout(...),\n"
    "SwizzleLayout(...), ComposeLayout(...), Compose(p, b, s, tile).\n";

namespace {
/// The arguments of `show` and `eval`, checked.
struct Subject {
  Layout layout;
  SmallVector<int64_t> shape;
  unsigned elementBits = 0;
};
} // namespace

/// What an option says of the element's size; 0 where it is absent.
static Expected<unsigned> getElementBits() {
  return typeText.empty() ? 0u : parseElementType(typeText);
}

/// The shape of an option; empty where it is absent.
static Expected<SmallVector<int64_t>> getGivenShape() {
  if (shapeText.empty())
    return SmallVector<int64_t>();
  return parseIntegers("the shape", shapeText, 1);
}

/// The layout of a text under --shape, else under `fallback`, else under its
/// own extents.
static Expected<Subject> parseSubject(llvm::StringRef text,
                                      llvm::ArrayRef<int64_t> fallback = {}) {
  if (text.empty())
    return makeError("expected a layout");
  AxisTable axes;
  Expected<Layout> layout = parseLayout(text, axes);
  if (!layout)
    return layout.takeError();
  Expected<SmallVector<int64_t>> given = getGivenShape();
  if (!given)
    return given.takeError();
  Expected<SmallVector<int64_t>> shape =
      getShape(*layout, given->empty() ? fallback : *given);
  if (!shape)
    return shape.takeError();
  Expected<Layout> full = fitToShape(*layout, *shape);
  if (!full)
    return full.takeError();
  Expected<unsigned> bits = getElementBits();
  if (!bits)
    return bits.takeError();
  return Subject{*full, *shape, *bits};
}

/// The layouts to show: one, or two of one shape.
static Expected<std::vector<Picture>> parsePictures() {
  std::vector<Picture> pictures;
  SmallVector<int64_t> shape;
  for (const std::string &text :
       {layoutText.getValue(), otherText.getValue()}) {
    if (text.empty() && !pictures.empty())
      break;
    Expected<Subject> subject = parseSubject(text, shape);
    if (!subject)
      return subject.takeError();
    shape = subject->shape;
    Expected<Picture> picture =
        Picture::get(subject->layout, shape, subject->elementBits);
    if (!picture)
      return picture.takeError();
    pictures.push_back(std::move(*picture));
  }
  return pictures;
}

static llvm::Error
writeFile(llvm::StringRef path,
          llvm::function_ref<void(llvm::raw_ostream &)> write) {
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    write(os);
    return llvm::Error::success();
  });
}

/// The access that options describe.
static Expected<Access> parseAccess(int64_t size) {
  if (!accessText.empty() && accessThreads.getNumOccurrences())
    return makeError("expected one of --access and --threads");
  SharedAccess kind = accessStores ? SharedAccess::Store : SharedAccess::Load;
  Expected<Layout> threads =
      accessText.empty() ? getRowMajorThreads(size, accessThreads, accessVector)
                         : parseLayout(accessText, AxisTable());
  if (!threads)
    return threads.takeError();
  return Access{*threads, accessVector, kind};
}

/// What the access costs in each picture; nothing without an access.
static Expected<std::vector<AccessView>>
viewAccesses(llvm::ArrayRef<Picture> pictures) {
  std::vector<AccessView> views;
  if (accessText.empty() && !accessThreads.getNumOccurrences())
    return views;
  Expected<Access> access = parseAccess(pictures[0].logical.getSize());
  if (!access)
    return access.takeError();
  for (const Picture &picture : pictures) {
    Expected<AccessView> view = viewAccess(picture, *access);
    if (!view)
      return view.takeError();
    views.push_back(std::move(*view));
  }
  return views;
}

/// What is said of the pictures as a whole: how two differ, what accesses cost.
static std::string describeVerdict(llvm::ArrayRef<Picture> pictures,
                                   llvm::ArrayRef<AccessView> accesses) {
  std::vector<std::string> lines;
  if (pictures.size() == 2)
    lines.push_back(describeDifference(pictures[0], pictures[1]));
  for (auto [i, view] : llvm::enumerate(accesses))
    lines.push_back((pictures.size() == 1 ? ""
                     : i == 0             ? "A: "
                                          : "B: ") +
                    view.text);
  return llvm::join(lines, "\n");
}

static llvm::Error runShow() {
  Expected<std::vector<Picture>> pictures = parsePictures();
  if (!pictures)
    return pictures.takeError();
  Expected<std::vector<AccessView>> accesses = viewAccesses(*pictures);
  if (!accesses)
    return accesses.takeError();
  std::string verdict = describeVerdict(*pictures, *accesses);
  if (!htmlFile.empty())
    if (llvm::Error error = writeFile(htmlFile, [&](llvm::raw_ostream &os) {
          writeHtml(os, *pictures, *accesses, verdict);
        }))
      return error;
  if (!svgFile.empty())
    if (llvm::Error error = writeFile(svgFile, [&](llvm::raw_ostream &os) {
          writeSvg(os, *pictures, *accesses, verdict);
        }))
      return error;
  if (!htmlFile.empty() || !svgFile.empty())
    return llvm::Error::success();
  for (const Picture &picture : *pictures)
    show(llvm::outs(), picture);
  if (!verdict.empty())
    llvm::outs() << verdict << '\n';
  return llvm::Error::success();
}

static llvm::Error runEval() {
  for (const std::string &request : requests)
    llvm::outs() << answerRequest(request, {maxPoints}) << '\n';
  if (!requests.empty())
    return llvm::Error::success();
  if (!requestsFile.empty())
    return answerFile(llvm::outs(), requestsFile, {maxPoints});
  if (indexText.getNumOccurrences() == 0)
    return makeError("expected --at, --request or --json");
  Expected<Subject> subject = parseSubject(layoutText);
  if (!subject)
    return subject.takeError();
  Expected<SmallVector<int64_t>> index =
      parseIntegers("the index", indexText, 0);
  if (!index)
    return index.takeError();
  if (llvm::Error error = checkIndex(*index, subject->shape))
    return error;
  if (llvm::Error error = checkCopies(subject->layout))
    return error;
  auto print = explainSteps ? showExplanation : showElement;
  print(llvm::outs(), subject->layout, subject->shape, *index,
        subject->elementBits);
  return llvm::Error::success();
}

static llvm::Error runConvert() {
  Expected<SmallVector<int64_t>> shape = getGivenShape();
  if (!shape)
    return shape.takeError();
  Expected<unsigned> bits = getElementBits();
  if (!bits)
    return bits.takeError();
  Expected<std::string> text =
      convert(layoutText, fromNotation, toNotation, *shape, *bits);
  if (!text)
    return text.takeError();
  llvm::outs() << *text << '\n';
  return llvm::Error::success();
}

static int fail(llvm::Error error) {
  llvm::outs().flush();
  llvm::WithColor::error(llvm::errs(), "tirx-layout")
      << llvm::toString(std::move(error)) << '\n';
  return kBadInput;
}

int main(int argc, char **argv) {
  // The option parser exits with 1 by itself, which here means failed checks.
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &stream)) {
    llvm::errs() << problem;
    return kBadInput;
  }
  const std::pair<cl::SubCommand *, llvm::Error (*)()> commands[] = {
      {&showCommand, runShow},
      {&evalCommand, runEval},
      {&convertCommand, runConvert}};
  for (auto [command, run] : commands)
    if (*command) {
      llvm::Error error = run();
      return error ? fail(std::move(error)) : 0;
    }
  if (checkCommand) {
    Expected<CheckSummary> summary = checkFile(llvm::outs(), casesFile);
    if (!summary)
      return fail(summary.takeError());
    return summary->failed == 0 ? 0 : 1;
  }
  return fail(makeError(
      "expected a command: show, eval, convert or check (see --help)"));
}
