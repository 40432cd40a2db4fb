//===- Driver.cpp - the CUDA driver, loaded at run time -------------------===//
//
// Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TIRx/Runtime/Driver.h"
#include "DriverTable.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tirx::runtime;

static constexpr const char *kLibrary = "libcuda.so.1";

// Numbers of device attributes.
static constexpr int kCapabilityMajor = 75;
static constexpr int kCapabilityMinor = 76;

llvm::Error DriverTable::check(int status, const llvm::Twine &what) const {
  if (status == 0)
    return llvm::Error::success();
  const char *name = nullptr, *words = nullptr;
  getErrorName(status, &name);
  getErrorString(status, &words);
  return llvm::createStringError(
      llvm::formatv("{0}: {1} ({2})", what.str(), name ? name : "unknown error",
                    words ? words : std::to_string(status).c_str())
          .str());
}

llvm::Error DriverTable::missing(llvm::StringRef symbol) {
  return llvm::createStringError("the CUDA driver of this machine lacks " +
                                 symbol + "; a newer one is needed");
}

std::string DeviceInfo::architecture() const {
  return "sm_" + std::to_string(10 * major + minor);
}

llvm::Error Driver::load() {
  std::string message;
  auto library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(kLibrary, &message);
  if (!library.isValid())
    return llvm::createStringError(
        "no GPU can be used on this machine: the CUDA driver cannot be "
        "loaded (" +
        message + ")");
  functions = std::make_unique<DriverTable>();
  DriverTable &table = *functions;
#define TIRX_LOAD(NAME, SYMBOL, PARAMETERS)                                    \
  table.NAME =                                                                 \
      reinterpret_cast<int(*) PARAMETERS>(library.getAddressOfSymbol(SYMBOL));
#define TIRX_REQUIRE(NAME, SYMBOL, PARAMETERS)                                 \
  TIRX_LOAD(NAME, SYMBOL, PARAMETERS)                                          \
  if (!table.NAME)                                                             \
    return DriverTable::missing(SYMBOL);
  TIRX_DRIVER_FUNCTIONS(TIRX_REQUIRE, TIRX_LOAD)
#undef TIRX_REQUIRE
#undef TIRX_LOAD
  int count = 0;
  if (auto error = table.check(table.init(0), "cuInit"))
    return llvm::createStringError("no GPU can be used on this machine: " +
                                   llvm::toString(std::move(error)));
  if (auto error =
          table.check(table.driverGetVersion(&cudaVersion), "the version"))
    return error;
  if (auto error =
          table.check(table.deviceGetCount(&count), "the number of devices"))
    return error;
  if (count < 1)
    return llvm::createStringError(
        "no GPU can be used on this machine: the CUDA driver finds none");
  devices = count;
  return llvm::Error::success();
}

llvm::Expected<const Driver *> Driver::get() {
  static Driver driver;
  static const std::string failure = llvm::toString(driver.load());
  if (!failure.empty())
    return llvm::createStringError(failure);
  return &driver;
}

llvm::Expected<DeviceInfo> Driver::describe(unsigned device) const {
  if (device >= devices)
    return llvm::createStringError(
        llvm::formatv("expected a GPU below {0}, got {1}", devices, device)
            .str());
  DeviceInfo info;
  int handle = 0, major = 0, minor = 0;
  size_t memory = 0;
  char name[256] = {};
  const DriverTable &t = *functions;
  int status = t.deviceGet(&handle, device);
  status = status ? status : t.deviceGetName(name, sizeof(name) - 1, handle);
  status =
      status ? status : t.deviceGetAttribute(&major, kCapabilityMajor, handle);
  status =
      status ? status : t.deviceGetAttribute(&minor, kCapabilityMinor, handle);
  status = status ? status : t.deviceTotalMem(&memory, handle);
  if (auto error = t.check(status, "the description of the GPU"))
    return std::move(error);
  info.name = name;
  info.major = major;
  info.minor = minor;
  info.memory = memory;
  return info;
}
