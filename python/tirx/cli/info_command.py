# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`info`: what this installation has."""

from __future__ import annotations

import argparse
import json
import platform
from typing import Any

from tirx.cli.common import BadInput


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "info", help="versions, targets, instructions, GPU and ptxas",
        description="What this installation has; with a name, what an instruction takes.")
    parser.add_argument("instruction", nargs="?",
                        help="an instruction with its modifiers, such as ld.global.v4.u32, or a "
                        "mnemonic")
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    parser.set_defaults(execute=execute)


def execute(args: argparse.Namespace) -> int:
    if args.instruction is None:
        facts = installation()
        lines = [f"{name:<14}{_line(value)}" for name, value in facts.items()]
    else:
        facts = _instruction(args.instruction)
        lines = _describe(facts)
    print(json.dumps(facts, indent=2) if args.json else "\n".join(lines))
    return 0


def _line(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def installation() -> dict[str, Any]:
    from tirx import _native
    from tirx.runtime import cache

    instructions = _native.instructions()
    gpus = []
    for ordinal in range(_native.device_count()):
        device = _native.device(ordinal)
        gpus.append(f"{device.name} ({device.architecture})")
    return {
        "version": _native.version(),
        "library": _native.library_path(),
        "python": platform.python_version(),
        "targets": _native.resolve_instruction("add.f32")["targets"],
        "ops": len(_native.operations()),
        "instructions": len(instructions),
        "forms": sum(len(instruction["forms"]) for instruction in instructions),
        "gpu": gpus or "none",
        "ptxas": cache.find_ptxas({}) or "none",
        "cache": str(cache.folder() or "off"),
    }


def _instruction(text: str) -> dict[str, Any]:
    from tirx import _native

    for known in _native.instructions():
        if known["mnemonic"] == text:
            return {"kind": "mnemonic", **known}
    try:
        return {"kind": "instruction", **_native.resolve_instruction(text)}
    except ValueError as error:
        raise BadInput(str(error)) from None


def _describe(facts: dict[str, Any]) -> list[str]:
    if facts["kind"] == "instruction":
        lines = [facts["text"]]
        for operand in facts["operands"]:
            count = "" if operand["lanes"] == 1 else f" x{operand['lanes'] or 'N'}"
            lines.append(f"  {operand['name']}{count}: {operand['access']} {operand['kind']}"
                         f" .{operand['type']}" + (", optional" if operand["optional"] else ""))
        return [*lines, "targets " + " ".join(facts["targets"])]
    lines = [f"{facts['mnemonic']}: {facts['summary']}", f"PTX ISA {facts['section']}"]
    for form in facts["forms"]:
        parts = []
        for slot in form["slots"]:
            choices = " ".join(slot["choices"])
            parts.append(f"[{choices}]" if slot["optional"] else f"{{{choices}}}")
        names = ", ".join(operand["name"] + ("?" if operand["optional"] else "")
                          for operand in form["operands"])
        lines.append(f"  {facts['mnemonic']} {' '.join(parts)}  ({names})")
    return lines
