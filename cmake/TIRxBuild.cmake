# Functions that every CMakeLists.txt of the project uses to declare its
# libraries, tools and unit tests, and the settings that they share.

# --- Compiler and linker -----------------------------------------------------

find_program(TIRX_CCACHE ccache)
if(TIRX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache needs to cache users of a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;${TIRX_CCACHE}")
endif()

find_program(TIRX_LLD NAMES ld.lld-22 ld.lld HINTS "${LLVM_TOOLS_BINARY_DIR}")
if(TIRX_LLD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_link_options("--ld-path=${TIRX_LLD}")
endif()

separate_arguments(TIRX_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${TIRX_LLVM_DEFINITIONS})
include_directories("${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

add_compile_options(-Wall -Wextra -Wno-unused-parameter
  -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wno-deprecated-declarations)
endif()
if(TIRX_ASSERTIONS)
  # Ours only: LLVM's own headers change layout with NDEBUG, so they keep the
  # setting of the packaged library; TIRX_ASSERT reads this macro instead.
  add_definitions(-DTIRX_ENABLE_ASSERTIONS)
endif()
if(TIRX_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-sanitize=vptr,function -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
  set(TIRX_STATIC_TOOLS OFF)
endif()
if(TIRX_SANITIZE_THREADS)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=thread)
  set(TIRX_STATIC_TOOLS OFF)
endif()

# Defaults that suit an LLVM without sanitizers, in every program.
function(tirx_sanitizer_options target)
  if(TIRX_SANITIZE)
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/SanitizerOptions.cpp")
  endif()
endfunction()

# --- LLVM and MLIR: shared library or archives -------------------------------

# Debian's exported archives name the shared library LLVM in their interface; a
# tool that links archives would otherwise load a second LLVM beside them.
foreach(target ${MLIR_EXPORTED_TARGETS})
  get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
  if(libs AND NOT target STREQUAL "MLIR")
    list(REMOVE_ITEM libs LLVM "$<LINK_ONLY:LLVM>" "\$<LINK_ONLY:LLVM>")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libs}")
  endif()
endforeach()
find_library(TIRX_ZLIB_ARCHIVE libz.a)
find_library(TIRX_ZSTD_ARCHIVE libzstd.a)
if(TIRX_ZLIB_ARCHIVE AND TIRX_ZSTD_ARCHIVE)
  # LLVMSupport's exported interface names shared zlib, zstd and z3.
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES
    "m;dl;pthread;${TIRX_ZLIB_ARCHIVE};${TIRX_ZSTD_ARCHIVE};LLVMDemangle")
endif()

# The MLIR headers that cost most, compiled once. Its flags must equal those of
# the libraries that reuse it.
file(WRITE "${PROJECT_BINARY_DIR}/TIRxPCH.cpp" "")
add_library(TIRxPCH OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/TIRxPCH.cpp")
target_precompile_headers(TIRxPCH PRIVATE
  "<mlir/Dialect/Arith/IR/Arith.h>"
  "<mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>"
  "<mlir/Dialect/GPU/IR/GPUDialect.h>"
  "<mlir/Dialect/LLVMIR/NVVMDialect.h>"
  "<mlir/Dialect/SCF/IR/SCF.h>"
  "<mlir/IR/DialectImplementation.h>"
  "<mlir/IR/OpImplementation.h>"
  "<mlir/Pass/Pass.h>"
  "<mlir/Transforms/DialectConversion.h>"
  "<mlir/Transforms/GreedyPatternRewriteDriver.h>")
function(tirx_compile_flags target)
  target_compile_options(${target} PRIVATE -fno-exceptions -funwind-tables)
endfunction()
tirx_compile_flags(TIRxPCH)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # So that a rebuilt header with the same contents is a ccache hit.
  target_compile_options(TIRxPCH PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endif()

# --- Declarations ------------------------------------------------------------

# tirx_add_library(NAME [MLIR] [NO_INSTALL] SOURCES... [DEPENDS ...]
#                  [LINK_LIBS ...])
#
# A static library. MLIR: it uses MLIR's headers (and the precompiled header).
# NO_INSTALL: it is a part of a tool.
# LINK_LIBS names libraries of this project only: whether LLVM and MLIR come as
# archives or as shared libraries is the choice of the tool at the end.
function(tirx_add_library name)
  cmake_parse_arguments(ARG "MLIR;NO_INSTALL" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  tirx_compile_flags(${name})
  if(ARG_MLIR)
    target_precompile_headers(${name} REUSE_FROM TIRxPCH)
    target_compile_options(${name} PRIVATE -fPIC)
  elseif(TIRX_FUZZERS AND TIRX_SANITIZE)
    # A fuzzer that does not see the branches of the library is blind. The
    # sanitizers' runtime answers the calls in programs that are no fuzzers.
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  target_include_directories(${name} INTERFACE
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  if(NOT ARG_NO_INSTALL)
    install(TARGETS ${name} EXPORT TIRxTargets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endfunction()

# tirx_embed_page(TEMPLATE OUTPUT PART=FILE,FILE...): files of a page become the
# string literals @PAGE_part@ of a header.
function(tirx_embed_page template output)
  foreach(part ${ARGN})
    string(REGEX MATCH "^([a-z]+)=(.*)$" _ "${part}")
    set(name "${CMAKE_MATCH_1}")
    string(REPLACE "," ";" files "${CMAKE_MATCH_2}")
    set(text "")
    foreach(file ${files})
      file(READ "${file}" content)
      string(APPEND text "${content}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    endforeach()
    set(PAGE_${name} "${text}")
  endforeach()
  configure_file("${template}" "${CMAKE_CURRENT_BINARY_DIR}/${output}" @ONLY)
endfunction()

# tirx_add_tool(NAME SHARED|STATIC SOURCES... [LINK_LIBS ...])
#
# SHARED links libMLIR and libLLVM; STATIC links the archives that LINK_LIBS
# names, and nothing at run time unless TIRX_STATIC_TOOLS is off. LOADS: it opens
# shared libraries when it runs, which takes the machine's own C library: a
# program with another inside breaks on the libraries that it opens.
function(tirx_add_tool name kind)
  cmake_parse_arguments(ARG "MLIR;NO_INSTALL;LOADS" "" "LINK_LIBS;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  tirx_compile_flags(${name})
  tirx_sanitizer_options(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(kind STREQUAL "SHARED")
    target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  elseif(TIRX_STATIC_TOOLS)
    target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
    set(static -static)
    if(ARG_LOADS)
      set(static -static-libstdc++ -static-libgcc)
    endif()
    target_link_options(${name} PRIVATE ${static} -Wl,--gc-sections -Wl,--icf=all -s)
  else()
    target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  endif()
  if(ARG_MLIR)
    target_compile_options(${name} PRIVATE -fPIC)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_precompile_headers(${name} REUSE_FROM TIRxPCH)
  endif()
  if(NOT ARG_NO_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()

# tirx_add_unittest(NAME SOURCES... LINK_LIBS ...): a GoogleTest program that
# ctest runs, linked with LLVM's archives.
find_package(GTest)
function(tirx_add_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "LINK_LIBS" ${ARGN})
  if(NOT GTest_FOUND)
    return()
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  tirx_compile_flags(${name})
  tirx_sanitizer_options(${name})
  if(ARG_MLIR)
    target_compile_options(${name} PRIVATE -fPIC)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_precompile_headers(${name} REUSE_FROM TIRxPCH)
    list(APPEND ARG_LINK_LIBS MLIR LLVM)
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/unittests")
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# tirx_add_fuzzer(NAME SOURCE LINK_LIBS ...): a libFuzzer program.
function(tirx_add_fuzzer name)
  cmake_parse_arguments(ARG "MLIR" "" "LINK_LIBS" ${ARGN})
  if(NOT TIRX_FUZZERS)
    return()
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  tirx_compile_flags(${name})
  tirx_sanitizer_options(${name})
  if(ARG_MLIR)
    list(APPEND ARG_LINK_LIBS MLIR LLVM)
  endif()
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzzers")
endfunction()

# `find_package(TIRx)` from an installation.
include(CMakePackageConfigHelpers)
function(tirx_install_package)
  set(dir "${CMAKE_INSTALL_LIBDIR}/cmake/TIRx")
  install(EXPORT TIRxTargets NAMESPACE TIRx:: DESTINATION ${dir})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" "${PROJECT_BINARY_DIR}/include/"
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN "*.def")
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/TIRxConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/TIRxConfig.cmake" INSTALL_DESTINATION ${dir})
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/TIRxConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/TIRxConfig.cmake"
    "${PROJECT_BINARY_DIR}/TIRxConfigVersion.cmake" DESTINATION ${dir})
endfunction()
