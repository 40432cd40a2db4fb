//===- tirx-run.cpp - runs launch files -----------------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuBackend.h"
#include "Observation.h"
#include "Options.h"
#include "TIRx/Simulator/LaunchRunner.h"
#include "Vectors.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tirx::sim;
namespace cl = llvm::cl;

cl::OptionCategory &tirx::getOptionCategory() {
  static cl::OptionCategory category("tirx-run options");
  return category;
}

namespace {

enum class Where { Sim, Gpu, Both };

cl::opt<std::string> inputFile(cl::Positional, cl::desc("LAUNCH.json"),
                               cl::cat(tirx::getOptionCategory()));
cl::opt<Where> onDevice(
    "on", cl::desc("where the kernel runs (default: sim)"),
    cl::init(Where::Sim),
    cl::values(clEnumValN(Where::Sim, "sim", "the CPU simulator"),
               clEnumValN(Where::Gpu, "gpu", "the GPU of this machine"),
               clEnumValN(Where::Both, "both", "both, and compare them")),
    cl::cat(tirx::getOptionCategory()));
cl::opt<AsyncMode> asyncMode(
    "async", cl::desc("when asynchronous work takes effect (default: eager)"),
    cl::init(AsyncMode::Eager),
    cl::values(clEnumValN(AsyncMode::Eager, "eager", "when it is issued"),
               clEnumValN(AsyncMode::Lazy, "lazy",
                          "as late as the waits of the program allow"),
               clEnumValN(AsyncMode::Random, "random",
                          "at random points in between (see --seed)")),
    cl::cat(tirx::getOptionCategory()));
cl::opt<uint64_t> seed("seed", cl::desc("seed of --async=random"), cl::init(0),
                       cl::cat(tirx::getOptionCategory()));
cl::opt<unsigned> gpuOptimisation(
    "gpu-opt",
    cl::desc("optimisation level of the driver's compiler, 0 to 4 (default)"),
    cl::init(4), cl::cat(tirx::getOptionCategory()));
enum class Uninit { Warn, Error };
cl::opt<Uninit>
    uninit("uninit",
           cl::desc("what reading bytes never written does (default: warn)"),
           cl::init(Uninit::Warn),
           cl::values(clEnumValN(Uninit::Warn, "warn", "a counted warning"),
                      clEnumValN(Uninit::Error, "error",
                                 "an error that ends the run")),
           cl::cat(tirx::getOptionCategory()));
cl::opt<uint64_t> maxSteps(
    "max-steps", cl::desc("warp instructions after which a run is a livelock"),
    cl::init(LaunchOptions().maxSteps), cl::cat(tirx::getOptionCategory()));
cl::opt<unsigned>
    threads("threads",
            cl::desc("threads of the host (default: one for each core)"),
            cl::init(0), cl::cat(tirx::getOptionCategory()));
cl::opt<uint64_t> stack(
    "stack", cl::desc("bytes of stack of each thread for calls of functions"),
    cl::init(LaunchOptions().stackBytes), cl::cat(tirx::getOptionCategory()));
cl::opt<std::string>
    kernelFile("kernel", cl::desc("a kernel to run instead of the file's"),
               cl::value_desc("path"), cl::cat(tirx::getOptionCategory()));
cl::opt<std::string>
    vectors("vectors", cl::desc("run the measured vectors of a folder instead"),
            cl::value_desc("folder"), cl::cat(tirx::getOptionCategory()));
cl::opt<bool> printJson("json", cl::desc("print the result as JSON"),
                        cl::cat(tirx::getOptionCategory()));

constexpr int kBadInput = 2;
/// 32 lanes of a warp with more would not fit into memory.
constexpr uint64_t kMaxStackBytes = uint64_t(64) << 20;

int refuse(const llvm::Twine &message) {
  if (printJson)
    llvm::outs() << llvm::json::Value(llvm::json::Object{
                        {"status", kBadInput},
                        {"error", llvm::json::fixUTF8(message.str())}})
                 << '\n';
  llvm::errs() << "tirx-run: error: " << message << '\n';
  return kBadInput;
}

std::string compilerBeside(const char *argv0) {
  static int anchor;
  std::string self = llvm::sys::fs::getMainExecutable(argv0, &anchor);
  llvm::SmallString<128> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, "tirx-compile");
  return path.str().str();
}

/// Runs the file on the GPU, the simulator or both. With both, files of `out`
/// are the simulator's.
llvm::Expected<RunResult>
execute(const LaunchFile &file, llvm::StringRef directory, RunOptions options) {
  if (onDevice == Where::Sim)
    return runLaunchFile(file, directory, options);
  auto gpu = tirx::GpuBackend::create(std::min<unsigned>(gpuOptimisation, 4));
  if (!gpu)
    return llvm::createStringError("--on: " + llvm::toString(gpu.takeError()));
  if (onDevice == Where::Gpu)
    return runLaunchFile(file, directory, options, **gpu);
  options.keepImages = true;
  auto simulated = runLaunchFile(file, directory, options);
  if (!simulated)
    return simulated.takeError();
  if (simulated->hasErrors())
    return simulated; // what it does to a GPU is better not known
  options.writeOutputs = false;
  auto measured = runLaunchFile(file, directory, options, **gpu);
  if (!measured)
    return measured.takeError();
  simulated->differences = compareRuns(file, *simulated, *measured);
  simulated->place = measured->place + " and simulated it on the CPU";
  return simulated;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(tirx::getOptionCategory());
  // Usage errors have the same exit status as bad files.
  std::string usage;
  llvm::raw_string_ostream usageStream(usage);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "runs the kernel of a launch file and compares its buffers\n\n"
          "Exit status: 0; 1: a mismatch or a report; 2: a bad file, usage, or "
          "an instruction without a model.\n",
          &usageStream)) {
    llvm::errs() << usage;
    return kBadInput;
  }
  if (!vectors.empty()) {
    auto failed = tirx::runVectors(vectors, llvm::outs());
    if (!failed)
      return refuse("--vectors: " + llvm::toString(failed.takeError()));
    return *failed != 0;
  }
  if (inputFile.empty())
    return refuse("expected a launch file, got none");

  auto text = llvm::MemoryBuffer::getFile(inputFile);
  if (!text)
    return refuse("cannot read '" + inputFile +
                  "': " + text.getError().message());
  auto launch = parseLaunchFile((*text)->getBuffer());
  if (!launch)
    return refuse(inputFile + ": " + llvm::toString(launch.takeError()));

  RunOptions options;
  options.launch.async = asyncMode;
  options.launch.seed = seed;
  options.launch.uninitialisedIsError = uninit == Uninit::Error;
  options.launch.maxSteps = maxSteps;
  options.launch.threads = threads;
  options.launch.stackBytes = std::min<uint64_t>(stack, kMaxStackBytes);
  options.kernel = kernelFile;
  options.compiler = compilerBeside(argv[0]);
  options.countAccesses = printJson;
  tirx::Observation observation;
  if (auto error = observation.readOptions(printJson))
    return refuse(llvm::toString(std::move(error)));
  if (observation.isWanted() && onDevice != Where::Sim)
    return refuse("--on: expected 'sim' beside --counters, --trace, "
                  "--annotate and --debug");
  auto run = observation.run(
      [&](RunOptions wanted) {
        return execute(*launch, llvm::sys::path::parent_path(inputFile),
                       std::move(wanted));
      },
      options);
  if (!run)
    return 0; // the user ended it
  llvm::Expected<RunResult> &result = *run;
  if (!result)
    return refuse(inputFile + ": " + llvm::toString(result.takeError()));
  llvm::json::Object object;
  if (printJson)
    object = toJson(*result, tirx::wantsCounters());
  else
    printResult(*result, llvm::outs());
  if (auto error = observation.print(*result, printJson ? &object : nullptr))
    return refuse(llvm::toString(std::move(error)));
  if (printJson)
    llvm::outs() << llvm::formatv("{0:2}\n",
                                  llvm::json::Value(std::move(object)));
  return result->status();
}
