# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel object."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import sys
from typing import Any, Mapping, Sequence, Union

from tirx import _native
from tirx.runtime import cache, defaults

# The order in which a chip is chosen when the user names none.
_PREFERRED = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_103a", "sm_120a"]
_Result = Union[_native.Result, cache.CachedResult]
# Of `tirxSimulate`, besides the mode and its seed.
_SIMULATOR_OPTIONS = ("uninit", "max_steps")
_LEVELS = ("tile", "instruction", "nvvm", "llvm", "ptx", "cubin")


class CompileError(Exception):
    """The compiler refused a kernel; `diagnostics` has everything that it said."""

    def __init__(self, diagnostics: Sequence[Mapping[str, Any]]) -> None:
        self.diagnostics = list(diagnostics)
        super().__init__("\n" + "\n".join(_format(d) for d in self.diagnostics))


class SimulationError(Exception):
    """The simulator found a fault; `reports` are those of `tirx-run --json`."""

    def __init__(self, text: str, reports: Sequence[Mapping[str, Any]]) -> None:
        self.reports = list(reports)
        super().__init__("\n" + text.rstrip())


def _format(diagnostic: Mapping[str, Any], indent: str = "") -> str:
    place = ""
    if "file" in diagnostic:
        place = f"{diagnostic['file']}:{diagnostic['line']}:{diagnostic['column']}: "
    lines = [f"{indent}{place}{diagnostic['severity']}: {diagnostic['message']}"]
    lines += [_format(note, indent + "  ") for note in diagnostic.get("notes", ())]
    return "\n".join(lines)


def format_remarks(result: _Result) -> list[str]:
    return [_format(d) for d in result.json("diagnostics") if d["severity"] == "remark"]


def render_view(ir: str, name: str, title: str, target: str | None) -> str:
    """The page that shows IR at every level."""
    options = {} if target is None else {"target": target}
    result = _native.compile(ir, name=name, title=title, view=True, **options)
    page = result.text("view")
    if page is None:
        raise CompileError(result.json("diagnostics"))
    return page


@dataclasses.dataclass
class Parameter:
    """A parameter of a kernel."""

    name: str
    dtype: Any
    mlir: str
    is_pointer: bool
    shape: tuple[int, ...] | None
    rank: int
    declared: Any


@dataclasses.dataclass
class MapParameter:
    """A tensor map that the kernel gets behind its arguments."""

    name: str
    number: int  # of the parameter whose array it describes
    declared: Any


class Kernel:
    """A kernel: call it with arrays, or look at it at any level."""

    def __init__(self, *, name: str, ir: str, parameters: Sequence[Parameter], grid: Any,
                 block: tuple[int, int, int], cluster: tuple[int, int, int], arch: str | None,
                 chips: set[str] | None, place: tuple[str, int, int],
                 doc: str | None = None, maps: Sequence[MapParameter] = ()) -> None:
        self.__name__ = name
        self.__doc__ = doc
        self.parameters = list(parameters)
        self.maps = list(maps)
        self.block = block
        self.cluster = cluster
        self._ir = ir
        self._grid = grid
        self._arch = arch
        self._chips = chips
        self._place = place
        self._results: dict[tuple[str, str], _Result] = {}
        self._modules: dict[str, _native.Module] = {}
        self._launchers: dict[int, Any] = {}
        self._said_simulator = False

    # --- Text ------------------------------------------------------------------

    @property
    def func(self) -> str:
        """The IR that is compiled, with the Python line of each op."""
        return self._ir

    @property
    def target(self) -> str:
        """The chip that it is compiled for unless another is asked for."""
        if self._arch:
            return self._arch
        if self._chips is None:
            return _PREFERRED[0]
        for chip in _PREFERRED:
            if chip in self._chips:
                return chip
        if self._chips:
            return sorted(self._chips)[0]
        file, line, column = self._place
        raise CompileError([{
            "severity": "error", "file": file, "line": line, "column": column,
            "message": "expected a chip that has all instructions of the kernel, there is none"}])

    def target_for(self, architecture: str) -> str:
        """The chip to compile for so that it runs on a GPU of "sm_90", say."""
        if self._arch or self._chips is None:
            return self.target
        return next((chip for chip in (architecture + "a", architecture) if chip in self._chips),
                    self.target)

    def _compile(self, level: str, target: str | None = None, report: bool = False,
                 remarks: bool = False) -> _Result:
        chip = target or self.target
        key = (level + "+" * report + "?" * remarks, chip)
        result = self._results.get(key)
        if result is None:
            result = cache.compile(self._ir, name=self.__name__, target=chip, levels=[level],
                                     report=report, remarks=remarks)
            if not result.succeeded:
                raise CompileError([self._placed(d) for d in result.json("diagnostics")])
            self._results[key] = result
        return result

    def _placed(self, diagnostic: dict[str, Any]) -> dict[str, Any]:
        """What has no place of its own is said of the kernel."""
        file, line, column = self._place
        return {"file": file, "line": line, "column": column, **diagnostic}

    def source(self, level: str = "ptx", target: str | None = None) -> Any:
        """The kernel at a level: tile, instruction, nvvm, llvm, ptx (text) or cubin
        (bytes; needs ptxas)."""
        if level not in _LEVELS:
            raise ValueError(f"level: expected one of {', '.join(_LEVELS)}, got {level!r}")
        result = self._compile(level, target)
        return result.bytes(level) if level == "cubin" else result.text(level)

    def report(self, target: str | None = None) -> str:
        """Shared memory by buffer, tensor memory, registers and spills (with ptxas)."""
        return self._compile("ptx", target, report=True).text("report") or ""

    def remarks(self, target: str | None = None) -> list[str]:
        """Which dispatch variant serves each tile op, and why the others do not."""
        result = self._compile("ptx", target, remarks=True)
        return format_remarks(result)

    def view(self, path: str | pathlib.Path | None = None, target: str | None = None) -> str:
        """A page (HTML) with the Python source, tile IR, instruction IR, PTX and SASS (where
        ptxas and nvdisasm are) side by side: a click on a line marks what it became and where
        it came from. Written to `path`, if given, and returned."""
        page = render_view(self._ir, self.__name__, self.__name__, target or self.target)
        if path is not None:
            pathlib.Path(path).write_text(page, encoding="utf-8")
        return page

    def compile(self, target: str | None = None) -> "Kernel":
        """Compiles now; a call does it when it is needed."""
        self._compile("ptx", target)
        return self

    def compile_for(self, arch: str | None) -> "Kernel":
        """Compiles for a chip, which calls then use; None leaves the choice as it is."""
        if arch is not None and arch != self._arch:
            self._arch = arch
            self._modules.clear()
            self._launchers.clear()
        return self.compile()

    def _metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = self._compile("ptx").json("metadata")
        return metadata

    # --- Running -----------------------------------------------------------------

    def __call__(self, *args: Any, stream: Any = None) -> None:
        """Runs the kernel on arrays, which it reads and writes in place: on the GPU where
        they are, else on the simulator. `stream` is a stream of the driver (a number, or
        an object of torch or CuPy); by default torch's current one."""
        launcher = self._launchers.get(-1)
        if launcher is None:
            from tirx.runtime import gpu

            ordinal = gpu.device_of(args)
            if ordinal is None:
                self._run_on_simulator(args)
                return
            launcher = self._launchers.setdefault(-1, gpu.Dispatcher(self))
        launcher(args, stream)

    def _run_on_simulator(self, args: Sequence[Any]) -> None:
        if not self._said_simulator:
            self._said_simulator = True
            why = "no GPU" if not _native.device_count() else "arrays on the CPU"
            print(f"tirx: {why}, {self.__name__} runs on the simulator", file=sys.stderr)
        self.simulate(*args)

    def run(self, *args: Any, on: str = "auto", **options: Any) -> None:
        """Runs on the simulator (`on="sim"`), the GPU (`"gpu"`), or where arrays are."""
        if on == "sim":
            self.simulate(*args, **options)
        elif on == "gpu":
            from tirx.runtime import gpu

            gpu.run_copied(self, args, **options)
        elif on == "auto":
            self(*args, **options)
        else:
            raise ValueError(f"on: expected 'sim', 'gpu' or 'auto', got {on!r}")

    def simulate(self, *args: Any, mode: str | None = None, seed: int | None = None,
                 **options: Any) -> dict[str, Any]:
        """Runs on the simulator and returns its result: counters, warnings, printed.
        `mode` says when asynchronous work takes effect: eager, lazy or random."""
        from tirx.runtime import arrays

        for name in options:
            if name not in _SIMULATOR_OPTIONS:
                raise TypeError(f"{self.__name__}: expected options of "
                                f"{', '.join(('mode', 'seed', *_SIMULATOR_OPTIONS))}, got {name!r}")
        launch = arrays.bind(self, args)
        target = self.target
        module = self._modules.get(target)
        if module is None:
            result = self._compile("ptx")
            module = self._modules[target] = _native.Module(
                result.text("ptx") or "", f"{self.__name__}.ptx", result.text("models") or "")
        outcome = module.simulate(
            launch.buffers, launch.arguments, entry=self.__name__, grid=launch.grid,
            block=self.block, cluster=self.cluster, shared=self._metadata()["shared"],
            tensor_maps=self._metadata()["tensor_maps"] + launch.maps,
            **{"async": defaults.mode if mode is None else mode,
               "seed": defaults.seed if seed is None else seed, **options})
        launch.finish()
        error = outcome.text("error")
        if error is not None:
            raise ValueError(f"{self.__name__}: {error}")
        summary: dict[str, Any] = outcome.json("result")
        if summary["printed"]:
            sys.stdout.write(summary["printed"])
        if summary["reports"]:
            raise SimulationError(outcome.text("reports") or "", summary["reports"])
        return summary

    def describe_maps(self, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The tensor maps for the arguments of a call, by name, as launch files have
        them; `of` is the number of the parameter."""
        return [entry.declared.describe(entry.number, self.parameters[entry.number].dtype, values,
                                        f"{self.__name__}: tensor map '{entry.name}'")
                for entry in self.maps]

    def grid_of(self, values: Mapping[str, Any]) -> tuple[int, int, int]:
        """The grid for scalar parameters and shapes of arrays."""
        grid = self._grid
        if callable(grid):
            grid = grid(dict(values))
        if isinstance(grid, str):
            grid = values[grid]
        extents = [int(e) for e in (grid if isinstance(grid, (list, tuple)) else [grid])]
        if not 1 <= len(extents) <= 3 or any(e < 1 for e in extents):
            raise ValueError(f"{self.__name__}: grid: expected one to three positive numbers, got "
                             f"{grid!r}")
        return tuple(extents + [1] * (3 - len(extents)))  # type: ignore[return-value]

    def save(self, directory: str | pathlib.Path, *args: Any) -> pathlib.Path:
        """Writes PTX, metadata and, given arguments, a launch file with their contents:
        what `tirx-run DIRECTORY/NAME.json` needs. Returns the launch file, or the PTX."""
        folder = pathlib.Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        result = self._compile("ptx")
        ptx = folder / f"{self.__name__}.ptx"
        ptx.write_text(result.text("ptx") or "")
        (folder / f"{self.__name__}.meta.json").write_text(json.dumps(self._metadata(), indent=2))
        if models := result.text("models"):
            (folder / f"{self.__name__}.models.ptx").write_text(models)
        if not args:
            return ptx
        from tirx.runtime import arrays

        return arrays.write_launch(self, args, folder)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{p.name}: {p.declared!r}" for p in self.parameters)
        return f"<kernel {self.__name__}({parameters})>"
