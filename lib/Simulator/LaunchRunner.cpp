//===- LaunchRunner.cpp - executes launch files ---------------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Simulator/LaunchRunner.h"
#include "TIRx/Simulator/LaunchBackend.h"
#include "TIRx/Simulator/Npy.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <list>

using namespace tirx::sim;

static llvm::Error fail(const llvm::Twine &where, const llvm::Twine &message) {
  return llvm::createStringError(where + ": " + message);
}

static llvm::Error fail(const llvm::Twine &where, llvm::Error error) {
  return fail(where, llvm::toString(std::move(error)));
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path, const llvm::Twine &where) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(where,
                "cannot read '" + path + "': " + buffer.getError().message());
  return std::move(*buffer);
}

static llvm::Error writeFile(llvm::StringRef path, llvm::StringRef data,
                             const llvm::Twine &where) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (!code) {
    os << data;
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return fail(where, "cannot write '" + path + "': " + code.message());
  return llvm::Error::success();
}

namespace {

/// What the compiler wrote beside the PTX.
struct Metadata {
  std::string entry;
  std::optional<std::array<unsigned, 3>> block, cluster;
  std::optional<uint64_t> shared;
  /// Parameters behind those that the author wrote.
  std::vector<HiddenTensorMap> tensorMaps;
};

class Runner {
public:
  Runner(const LaunchFile &file, llvm::StringRef directory,
         const RunOptions &options, LaunchBackend &backend)
      : file(file), directory(directory), options(options), backend(backend) {}
  llvm::Error run(RunResult &result);

private:
  std::string resolve(llvm::StringRef path) const;
  llvm::Error loadKernel(const LaunchSpec &launch);
  llvm::Expected<std::string> compile(llvm::StringRef path,
                                      const LaunchSpec &launch);
  llvm::Error readMetadata(llvm::StringRef kernelPath);
  llvm::Error addTensorMaps(const LaunchSpec &launch,
                            const LaunchKernel &kernel,
                            std::vector<ArgSpec> &args);
  void readModelsBeside(llvm::StringRef kernelPath);
  llvm::Error fillBuffers();
  llvm::Error fillFromFile(const BufferSpec &buffer,
                           std::vector<uint8_t> &data);
  llvm::Error launchOne(const LaunchSpec &launch, Counters &counters);
  llvm::Error packArguments(const LaunchSpec &launch,
                            const LaunchKernel &kernel,
                            std::vector<uint8_t> &bytes);
  llvm::Error packArgument(const LaunchSpec &launch, const ArgSpec &arg,
                           std::vector<uint8_t> &bytes, uint64_t &align);
  llvm::Error writeOutput(const BufferSpec &buffer,
                          llvm::ArrayRef<uint8_t> bytes);
  llvm::Expected<BufferResult> check(const BufferSpec &buffer,
                                     llvm::ArrayRef<uint8_t> bytes);
  llvm::Error readResults(RunResult &result);

  const LaunchFile &file;
  llvm::StringRef directory;
  const RunOptions &options;
  std::string kernelPath;
  /// A kernel file, loaded once however many launches use it.
  struct Loaded {
    std::unique_ptr<LaunchModule> module;
    Metadata metadata;
  };
  std::list<Loaded> owned;
  llvm::StringMap<Loaded *> modules;
  Loaded *current = nullptr;
  /// Of the file that is being loaded: what the compiler wrote beside it.
  Metadata metadata;
  std::optional<ModuleText> models;
  LaunchBackend &backend;
  llvm::StringMap<uint64_t> addresses;
};

} // namespace

std::string Runner::resolve(llvm::StringRef path) const {
  if (llvm::sys::path::is_absolute(path) || directory.empty())
    return path.str();
  llvm::SmallString<128> result(directory);
  llvm::sys::path::append(result, path);
  return result.str().str();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

llvm::Expected<std::string> Runner::compile(llvm::StringRef path,
                                            const LaunchSpec &launch) {
  if (options.compiler.empty() || !llvm::sys::fs::can_execute(options.compiler))
    return fail(launch.where + "kernel",
                "expected tirx-compile beside this program to compile '" +
                    path + "', got none");
  llvm::SmallString<128> dir;
  if (auto code = llvm::sys::fs::createUniqueDirectory("tirx-run", dir))
    return fail(launch.where + "kernel",
                "cannot make a temporary directory: " + code.message());
  auto cleanUp = llvm::make_scope_exit([&] {
    // Nothing is lost when it stays: the system empties its own folder.
    std::error_code ignored = llvm::sys::fs::remove_directories(dir);
    (void)ignored;
  });
  llvm::SmallString<128> output(dir), errors(dir);
  llvm::sys::path::append(output, "kernel.ptx");
  llvm::sys::path::append(errors, "errors.txt");
  std::vector<llvm::StringRef> args = {options.compiler, path, "--emit=ptx",
                                       "-o", output};
  std::string target = "--target=" + launch.target;
  if (!launch.target.empty())
    args.push_back(target);
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, std::nullopt,
                                                errors.str()};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(options.compiler, args, std::nullopt,
                                         redirects, 0, 0, &message);
  auto text = llvm::MemoryBuffer::getFile(errors);
  llvm::StringRef said = text ? (*text)->getBuffer().trim() : "";
  if (status != 0)
    return fail(launch.where + "kernel",
                "tirx-compile failed on '" + path + "'" +
                    (message.empty() ? "" : ": " + message) +
                    (said.empty() ? "" : "\n" + said));
  auto ptx = readFile(output, launch.where + "kernel");
  if (!ptx)
    return ptx.takeError();
  if (auto error = readMetadata(output))
    return std::move(error);
  readModelsBeside(output);
  return (*ptx)->getBuffer().str();
}

/// `K.models.ptx` beside K.ptx explains registered instructions; most kernels
/// have none.
void Runner::readModelsBeside(llvm::StringRef path) {
  models.reset();
  llvm::SmallString<128> modelsPath(path);
  llvm::sys::path::replace_extension(modelsPath, "models.ptx");
  if (auto buffer = llvm::MemoryBuffer::getFile(modelsPath))
    models = {(*buffer)->getBuffer().str(), modelsPath.str().str()};
}

/// `K.meta.json` beside K.ptx gives defaults; a file without it is fine.
llvm::Error Runner::readMetadata(llvm::StringRef path) {
  metadata = Metadata();
  llvm::SmallString<128> metaPath(path);
  llvm::sys::path::replace_extension(metaPath, "meta.json");
  auto buffer = llvm::MemoryBuffer::getFile(metaPath);
  if (!buffer)
    return llvm::Error::success();
  auto value = llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return fail(metaPath, value.takeError());
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return fail(metaPath, "expected a JSON object");
  if (auto entry = object->getString("entry"))
    metadata.entry = entry->str();
  for (auto [key, target] : {std::pair("block", &metadata.block),
                             std::pair("cluster", &metadata.cluster)})
    if (const llvm::json::Array *array = object->getArray(key)) {
      std::array<unsigned, 3> extents = {1, 1, 1};
      for (size_t i = 0; i < array->size() && i < 3; ++i) {
        auto extent = (*array)[i].getAsInteger();
        if (!extent || *extent < 1 || *extent > 1024)
          return fail(metaPath,
                      llvm::Twine(key) + ": expected extents from 1 to 1024");
        extents[i] = *extent;
      }
      *target = extents;
    }
  if (auto shared = object->getInteger("shared"); shared && *shared >= 0)
    metadata.shared = *shared;
  if (const llvm::json::Array *maps = object->getArray("tensor_maps")) {
    auto parsed = parseHiddenTensorMaps(*maps, metaPath + ": ");
    if (!parsed)
      return parsed.takeError();
    metadata.tensorMaps = std::move(*parsed);
  }
  return llvm::Error::success();
}

llvm::Error Runner::loadKernel(const LaunchSpec &launch) {
  std::string path =
      options.kernel.empty() ? resolve(launch.kernel) : options.kernel;
  kernelPath = path;
  // Another file of models or another device makes another module.
  std::string key =
      path + '\n' + launch.models + '\n' + std::to_string(launch.device);
  if ((current = modules.lookup(key)))
    return llvm::Error::success();
  auto buffer = readFile(path, launch.where + "kernel");
  if (!buffer)
    return buffer.takeError();
  std::string ptx;
  if (llvm::StringRef(path).ends_with(".mlir")) {
    auto compiled = compile(path, launch);
    if (!compiled)
      return compiled.takeError();
    ptx = std::move(*compiled);
  } else {
    ptx = (*buffer)->getBuffer().str();
    if (auto error = readMetadata(path))
      return error;
    readModelsBeside(path);
  }
  if (!launch.models.empty()) {
    std::string modelsPath = resolve(launch.models);
    auto text = readFile(modelsPath, launch.where + "models");
    if (!text)
      return text.takeError();
    models = {(*text)->getBuffer().str(), modelsPath};
  }
  auto loaded = backend.load(ptx, path, launch, models ? &*models : nullptr);
  if (!loaded)
    return loaded.takeError();
  owned.push_back({std::move(*loaded), std::move(metadata)});
  current = modules[key] = &owned.back();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The packed elements of an .npy file whose elements are of `type`, or a
/// reason why it does not fit.
static llvm::Error unpackNpy(const NpyArray &array, const DType &type,
                             const BufferSpec &buffer,
                             std::vector<uint8_t> &data) {
  std::string expected = npyCode(type);
  uint64_t count = buffer.count(), size = array.itemSize();
  bool bits = array.code[0] == 'u' || array.code[0] == 'V' ||
              (array.code[0] == 'b' && size == 1);
  bool integers = type.isInteger() && (array.code[0] == 'i' || bits);
  if (array.code != expected &&
      !((bits || integers) && size == std::max(1u, type.bits / 8)))
    return llvm::createStringError("expected elements of type '" + expected +
                                   "' for " + type.name + ", got '" +
                                   array.code + "'");
  if (type.bits < 8 && array.data.size() == type.byteSize(count)) {
    data = array.data; // packed already
    return llvm::Error::success();
  }
  if (array.count() != count)
    return llvm::createStringError(
        llvm::formatv("expected {0} elements, got {1}", count, array.count())
            .str());
  data.assign(type.byteSize(count), 0);
  if (type.bits >= 8)
    data = array.data;
  else
    for (uint64_t i = 0; i < count; ++i)
      writeElement(data, type, i, array.data[i]);
  return llvm::Error::success();
}

llvm::Error Runner::fillFromFile(const BufferSpec &buffer,
                                 std::vector<uint8_t> &data) {
  std::string where = "buffers." + buffer.name + ".file";
  std::string path = resolve(std::get<FileFill>(buffer.data).path);
  auto bytes = readFile(path, where);
  if (!bytes)
    return bytes.takeError();
  llvm::StringRef text = (*bytes)->getBuffer();
  uint64_t size = buffer.type->byteSize(buffer.count());
  if (isNpy(text)) {
    auto array = parseNpy(text);
    if (!array)
      return fail(where, array.takeError());
    if (array->shape != buffer.shape && array->count() != buffer.count() &&
        array->data.size() != size)
      return fail(where, llvm::formatv("expected {0} elements as in 'shape', "
                                       "got {1}",
                                       buffer.count(), array->count())
                             .str());
    if (auto error = unpackNpy(*array, *buffer.type, buffer, data))
      return fail(where, std::move(error));
  } else {
    if (text.size() != size)
      return fail(where,
                  llvm::formatv("expected {0} bytes ('shape' of {1}), got "
                                "{2}",
                                size, buffer.type->name, text.size())
                      .str());
    data.assign(text.bytes_begin(), text.bytes_end());
  }
  return llvm::Error::success();
}

llvm::Error Runner::fillBuffers() {
  for (const BufferSpec &buffer : file.buffers) {
    std::string where = "buffers." + buffer.name;
    std::vector<uint8_t> data;
    bool written = !std::holds_alternative<std::monostate>(buffer.data);
    if (std::holds_alternative<FileFill>(buffer.data)) {
      if (auto error = fillFromFile(buffer, data))
        return error;
    } else if (written) {
      data = fillBuffer(buffer);
    }
    auto address = backend.allocate(buffer, written ? &data : nullptr);
    if (!address)
      return fail(where, address.takeError());
    addresses[buffer.name] = *address;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static void append(std::vector<uint8_t> &bytes, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    bytes.push_back(value >> (8 * i));
}

llvm::Error Runner::packArgument(const LaunchSpec &launch, const ArgSpec &arg,
                                 std::vector<uint8_t> &bytes, uint64_t &align) {
  align = 8;
  switch (arg.kind) {
  case ArgSpec::Buffer:
    append(bytes, addresses[arg.buffer] + arg.offset, 8);
    return llvm::Error::success();
  case ArgSpec::TensorMap: {
    TensorMapDescription map = arg.map;
    map.address = addresses[arg.buffer] + arg.offset;
    auto image = backend.encode(map, launch);
    if (!image)
      return fail(arg.where + ".tensormap", image.takeError());
    align = 64;
    bytes.insert(bytes.end(), image->begin(), image->end());
    return llvm::Error::success();
  }
  case ArgSpec::Null:
    append(bytes, 0, 8);
    return llvm::Error::success();
  case ArgSpec::Scalar:
    align = std::max(1u, arg.type->bits / 8);
    append(bytes, arg.bits, align);
    return llvm::Error::success();
  case ArgSpec::Bytes: {
    auto data = readFile(resolve(arg.path), arg.where + ".bytes");
    if (!data)
      return data.takeError();
    llvm::StringRef text = (*data)->getBuffer();
    bytes.insert(bytes.end(), text.bytes_begin(), text.bytes_end());
    align = arg.align ? arg.align : 1;
    return llvm::Error::success();
  }
  case ArgSpec::Struct: {
    align = 1;
    size_t start = bytes.size();
    for (const ArgSpec &field : arg.fields) {
      std::vector<uint8_t> part;
      uint64_t fieldAlign;
      if (auto error = packArgument(launch, field, part, fieldAlign))
        return error;
      bytes.resize(start + llvm::alignTo(bytes.size() - start, fieldAlign), 0);
      bytes.insert(bytes.end(), part.begin(), part.end());
      align = std::max(align, fieldAlign);
    }
    if (arg.align)
      align = arg.align;
    bytes.resize(start + llvm::alignTo(bytes.size() - start, align), 0);
    return llvm::Error::success();
  }
  }
  return llvm::Error::success();
}

/// Appends the tensor maps that the compiler added to the parameters; a launch
/// file that spells out all arguments needs none.
llvm::Error Runner::addTensorMaps(const LaunchSpec &launch,
                                  const LaunchKernel &kernel,
                                  std::vector<ArgSpec> &args) {
  const auto &maps = current->metadata.tensorMaps;
  size_t hidden = launch.args.size() == kernel.parameters.size()
                      ? 0
                      : std::min(maps.size(), kernel.parameters.size());
  size_t written = kernel.parameters.size() - hidden;
  if (args.size() != written)
    return fail(launch.where + "args",
                llvm::formatv("expected {0} arguments for '{1}', got {2}",
                              written, kernel.name, args.size())
                    .str());
  for (size_t i = 0; i < hidden; ++i) {
    const HiddenTensorMap &hiddenMap = maps[i];
    unsigned number = hiddenMap.parameter;
    if (number >= written || launch.args[number].kind != ArgSpec::Buffer)
      return fail(hiddenMap.where, "expected argument " + llvm::Twine(number) +
                                       " to be a buffer, whose tensor map this "
                                       "is");
    ArgSpec arg;
    arg.kind = ArgSpec::TensorMap;
    arg.where = hiddenMap.where;
    arg.buffer = launch.args[number].buffer;
    arg.offset = launch.args[number].offset + int64_t(hiddenMap.offset);
    arg.map = hiddenMap.map;
    args.push_back(std::move(arg));
  }
  return llvm::Error::success();
}

llvm::Error Runner::packArguments(const LaunchSpec &launch,
                                  const LaunchKernel &kernel,
                                  std::vector<uint8_t> &bytes) {
  std::vector<ArgSpec> args = launch.args;
  if (auto error = addTensorMaps(launch, kernel, args))
    return error;
  bytes.assign(kernel.parameterBytes, 0);
  for (size_t i = 0; i < args.size(); ++i) {
    const KernelParameter &parameter = kernel.parameters[i];
    std::vector<uint8_t> value;
    uint64_t align;
    if (auto error = packArgument(launch, args[i], value, align))
      return error;
    if (value.size() != parameter.size)
      return fail(
          args[i].where,
          llvm::formatv("expected {0} bytes for parameter '{1}', got {2}",
                        parameter.size, parameter.name, value.size())
              .str());
    std::copy(value.begin(), value.end(), bytes.begin() + parameter.offset);
  }
  return llvm::Error::success();
}

llvm::Error Runner::launchOne(const LaunchSpec &launch, Counters &counters) {
  LaunchModule *module = current->module.get();
  const Metadata &metadata = current->metadata;
  if (!launch.target.empty() && launch.target != module->target)
    return fail(launch.where + "target",
                "expected '" + module->target +
                    "' (the .target of the PTX), got '" + launch.target + "'");
  LaunchParameters parameters;
  parameters.entry = launch.entry.empty() ? metadata.entry : launch.entry;
  auto kernel = module->find(parameters.entry);
  if (!kernel)
    return fail(launch.where + (parameters.entry.empty() ? "kernel" : "entry"),
                kernel.takeError());
  auto choose = [](const std::optional<std::array<unsigned, 3>> &written,
                   const std::optional<std::array<unsigned, 3>> &meta,
                   const std::optional<std::array<unsigned, 3>> &required) {
    return written    ? *written
           : meta     ? *meta
           : required ? *required
                      : std::array<unsigned, 3>{1, 1, 1};
  };
  parameters.grid = choose(launch.grid, std::nullopt, std::nullopt);
  parameters.block =
      choose(launch.block, metadata.block, kernel->requiredBlock);
  parameters.cluster =
      choose(launch.cluster, metadata.cluster, kernel->requiredCluster);
  parameters.dynamicShared =
      launch.shared ? *launch.shared : metadata.shared.value_or(0);
  parameters.cooperative = launch.cooperative;
  parameters.isDependent = launch.pdl;
  // Launches of one device run in order.
  const LaunchSpec *next = &launch + 1;
  if (next != file.launches.data() + file.launches.size())
    parameters.hasDependent = next->pdl && next->device == launch.device;
  if (auto error = packArguments(launch, *kernel, parameters.arguments))
    return error;
  parameters.entry = kernel->name;
  if (auto error = backend.launch(*module, launch, parameters, counters.launch))
    return fail(launch.where + "launch", std::move(error));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

llvm::Error Runner::writeOutput(const BufferSpec &buffer,
                                llvm::ArrayRef<uint8_t> bytes) {
  std::string text;
  if (llvm::StringRef(buffer.out).ends_with(".npy")) {
    NpyArray array;
    array.code = npyCode(*buffer.type);
    array.shape = buffer.shape;
    if (buffer.type->bits >= 8) {
      array.data = bytes.vec();
    } else {
      for (uint64_t i = 0; i < buffer.count(); ++i)
        array.data.push_back(readElement(bytes, *buffer.type, i));
    }
    text = printNpy(array);
  } else {
    text.assign(bytes.begin(), bytes.end());
  }
  return writeFile(resolve(buffer.out), text,
                   "buffers." + buffer.name + ".out");
}

llvm::Expected<BufferResult> Runner::check(const BufferSpec &buffer,
                                           llvm::ArrayRef<uint8_t> got) {
  std::string where = "buffers." + buffer.name + ".expect";
  auto bytes = readFile(resolve(buffer.expect), where);
  if (!bytes)
    return bytes.takeError();
  llvm::StringRef text = (*bytes)->getBuffer();
  const DType *type = buffer.type;
  std::vector<uint8_t> want;
  if (isNpy(text)) {
    auto array = parseNpy(text);
    if (!array)
      return fail(where, array.takeError());
    // A reference may be more precise than the buffer, within tolerances.
    bool tolerant = buffer.relativeTolerance || buffer.absoluteTolerance;
    if (tolerant && array->code != npyCode(*type)) {
      const DType *other = array->code == "f8"   ? lookupDType("f64")
                           : array->code == "f4" ? lookupDType("f32")
                           : array->code == "f2" ? lookupDType("f16")
                                                 : nullptr;
      if (other)
        type = other;
    }
    if (auto error = unpackNpy(*array, *type, buffer, want))
      return fail(where, std::move(error));
  } else {
    want.assign(text.bytes_begin(), text.bytes_end());
    if (want.size() != type->byteSize(buffer.count()))
      return fail(where,
                  llvm::formatv("expected {0} bytes, got {1}",
                                type->byteSize(buffer.count()), want.size())
                      .str());
  }
  return compareElements(got, want, *type, buffer);
}

BufferResult tirx::sim::compareElements(llvm::ArrayRef<uint8_t> got,
                                        llvm::ArrayRef<uint8_t> want,
                                        const DType &wantType,
                                        const BufferSpec &buffer,
                                        Comparison comparison) {
  BufferResult result;
  result.name = buffer.name;
  result.compared = true;
  result.count = buffer.count();
  bool exact = comparison == Comparison::Bits;
  bool tolerant =
      !exact && (buffer.relativeTolerance || buffer.absoluteTolerance);
  double rtol = buffer.relativeTolerance.value_or(0);
  double atol = buffer.absoluteTolerance.value_or(0);
  for (uint64_t i = 0; i < result.count; ++i) {
    uint64_t xBits = readElement(got, *buffer.type, i);
    uint64_t yBits = readElement(want, wantType, i);
    double x = bitsToValue(xBits, *buffer.type);
    double y = bitsToValue(yBits, wantType);
    bool bothNaN = !exact && std::isnan(x) && std::isnan(y);
    double difference = std::fabs(x - y);
    if (std::isfinite(difference))
      result.maxAbs = std::max(result.maxAbs, difference);
    bool equal = bothNaN || (&wantType == buffer.type && xBits == yBits);
    // Infinities are equal to themselves only.
    if (!equal && tolerant)
      equal = std::isfinite(x) && std::isfinite(y)
                  ? difference <= atol + rtol * std::fabs(y)
                  : x == y;
    if (equal)
      continue;
    if (result.mismatches++ == 0) {
      result.gotBits = xBits;
      result.wantBits = yBits;
      result.got = x;
      result.want = y;
      uint64_t rest = i;
      result.first.assign(buffer.shape.size(), 0);
      for (size_t d = buffer.shape.size(); d-- > 0;) {
        result.first[d] = rest % buffer.shape[d];
        rest /= buffer.shape[d];
      }
    }
  }
  return result;
}

llvm::Error Runner::readResults(RunResult &result) {
  for (const BufferSpec &buffer : file.buffers) {
    bool isOut = options.writeOutputs && !buffer.out.empty();
    if (!isOut && buffer.expect.empty() && !options.keepImages)
      continue;
    auto bytes = backend.read(buffer);
    if (!bytes)
      return fail("buffers." + buffer.name, bytes.takeError());
    if (isOut)
      if (auto error = writeOutput(buffer, *bytes))
        return error;
    if (!buffer.expect.empty()) {
      auto checked = check(buffer, *bytes);
      if (!checked)
        return checked.takeError();
      result.buffers.push_back(std::move(*checked));
    }
    if (options.keepImages)
      result.images.push_back(std::move(*bytes));
  }
  return llvm::Error::success();
}

llvm::Error Runner::run(RunResult &result) {
  if (auto error = backend.begin(file))
    return error;
  if (auto error = fillBuffers())
    return error;
  for (const LaunchSpec &launch : file.launches) {
    if (auto error = loadKernel(launch))
      return error;
    if (auto error = launchOne(launch, result.counters))
      return error;
    if (backend.hasFailed())
      break;
  }
  if (auto error = backend.finish())
    return error;
  result.kernelFile = kernelPath;
  result.target = current->module->target;
  result.place = backend.describe(result.target);
  return readResults(result);
}

llvm::Expected<RunResult> tirx::sim::runLaunchFile(const LaunchFile &file,
                                                   llvm::StringRef directory,
                                                   const RunOptions &options) {
  RunResult result;
  SimulatorBackend backend(options.launch, options.keepNames);
  Simulator &simulator = backend.getSimulator();
  CounterObserver counter(result.counters);
  llvm::raw_string_ostream printed(result.printed);
  simulator.setOutput(&printed);
  if (options.countAccesses)
    simulator.addObserver(counter);
  for (Observer *observer : options.observers)
    simulator.addObserver(*observer);
  if (auto error = Runner(file, directory, options, backend).run(result))
    return std::move(error);
  result.reports = simulator.getLog().getReports();
  return result;
}

llvm::Expected<RunResult> tirx::sim::runLaunchFile(const LaunchFile &file,
                                                   llvm::StringRef directory,
                                                   const RunOptions &options,
                                                   LaunchBackend &backend) {
  RunResult result;
  if (auto error = Runner(file, directory, options, backend).run(result))
    return std::move(error);
  return result;
}

std::vector<BufferResult> tirx::sim::compareRuns(const LaunchFile &file,
                                                 const RunResult &got,
                                                 const RunResult &want) {
  std::vector<BufferResult> results;
  for (size_t i = 0; i < file.buffers.size(); ++i)
    results.push_back(compareElements(got.images[i], want.images[i],
                                      *file.buffers[i].type, file.buffers[i],
                                      Comparison::Bits));
  return results;
}
