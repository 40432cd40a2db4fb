"""lit configuration of the project's tests; values come from lit.site.cfg.py."""

import os
import shutil

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "TIRx"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ptx", ".json", ".test"]
config.excludes = ["Inputs", "browser", "corpus", "data", "fuzz", "kernels", "mutations", "lit.cfg.py", "lit.site.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tirx_build_dir, "test")

llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "TMPDIR", "CUDA_HOME", "CUDA_PATH"])
llvm_config.with_environment("PATH", [config.tirx_bin_dir, config.llvm_tools_dir], append_path=True)

config.substitutions += [
    ("%examples", os.path.join(config.tirx_source_dir, "examples")),
    ("%source_dir", config.tirx_source_dir),
    ("%build_dir", config.tirx_build_dir),
    ("%data", os.path.join(config.test_source_root, "data")),
    ("%plugin", os.path.join(config.tirx_build_dir, "lib", "TIRxPlugin.so")),
    ("%cmake", config.cmake),
    ("%python", config.python),
    ("%llvm_prefix", os.path.dirname(config.llvm_tools_dir)),
]

tools = [
    "tirx-opt",
    "tirx-compile",
    "tirx-run",
    "tirx-layout",
    "tirx-translate",
    "tirx-lsp-server",
]
llvm_config.add_tool_substitutions(
    [
        ToolSubst("%" + tool, command=os.path.join(config.tirx_bin_dir, tool), unresolved="ignore")
        for tool in tools
    ]
)
llvm_config.add_tool_substitutions(["FileCheck", "not", "count", "mlir-opt"], [config.llvm_tools_dir])

# What this machine has.
node = shutil.which("node")
if node:
    config.available_features.add("node")
    config.substitutions.append(("%node", node))
if config.ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", config.ptxas))
if os.path.exists(os.path.join(config.tirx_build_dir, "lib", "TIRxPlugin.so")):
    config.available_features.add("plugin")
if not os.path.exists("/dev/nvidiactl"):
    config.available_features.add("no-gpu")
if os.environ.get("TIRX_TEST_INSTALL"):
    config.available_features.add("install-test")
for tool in tools:
    if os.path.exists(os.path.join(config.tirx_bin_dir, tool)):
        config.available_features.add(tool)
