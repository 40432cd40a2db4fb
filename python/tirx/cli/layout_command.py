# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`layout`: shows layouts and answers requests about them."""

from __future__ import annotations

import argparse
import json
from typing import Any

from tirx.cli.common import BadInput, write_output


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "layout", help="look at layouts",
        description="Shows layouts, in any notation of docs/layout.md, and says where "
        "their elements are.")
    actions = parser.add_subparsers(dest="action", required=True, metavar="show | eval")
    show = actions.add_parser("show", help="formula, size and both grids")
    show.add_argument("layout")
    show.add_argument("other", nargs="?", help="a second layout, shown with the difference")
    show.add_argument("--svg", metavar="FILE", help="write a picture instead")
    _add_common(show)
    show.set_defaults(execute=_show)
    evaluate = actions.add_parser("eval", help="where an element is, or a request of "
                                  "docs/tirx-layout.md")
    evaluate.add_argument("layout", nargs="?")
    evaluate.add_argument("--at", type=_integers, metavar="I,J", help="the index of the element")
    evaluate.add_argument("--explain", action="store_true", help="step by step")
    evaluate.add_argument("--request", metavar="JSON", help="answer this instead")
    _add_common(evaluate)
    evaluate.set_defaults(execute=_evaluate)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--shape", type=_integers, metavar="MxN", help="the logical shape")
    parser.add_argument("--dtype", help="the element type: bytes, banks and columns follow")


def _integers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.replace("x", ",").split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected integers such as 128x64, got '{text}'") from None


def _ask(args: argparse.Namespace, **request: Any) -> str:
    from tirx import _native

    for name in ("layout", "other", "shape", "dtype", "at", "explain"):
        value = getattr(args, name, None)
        if value is not None:
            request[name] = value
    try:
        return _native.show_layout(**request)
    except ValueError as error:
        raise BadInput(str(error)) from None


def _show(args: argparse.Namespace) -> int:
    if args.svg:
        write_output(_ask(args, format="svg"), args.svg)
    else:
        write_output(_ask(args), "-")
    return 0


def _evaluate(args: argparse.Namespace) -> int:
    if args.request is not None:
        _answer(args.request)
        return 0
    if args.layout is None or args.at is None:
        raise BadInput("expected a layout and --at, or --request")
    write_output(_ask(args), "-")
    return 0


def _answer(text: str) -> None:
    from tirx import _native

    try:
        request = json.loads(text)
    except ValueError as error:
        raise BadInput(f"--request: expected JSON: {error}") from None
    if not isinstance(request, dict) or not isinstance(request.get("op"), str):
        raise BadInput('--request: expected an object with a key "op"')
    try:
        print(json.dumps(_native.layout_request(**request)))
    except ValueError as error:
        raise BadInput(f"--request: {error}") from None
