# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`txl.specialize`: which warps do what.

    roles = txl.specialize()
    load = roles.role("load", warps=[4], regs=40)
    compute = roles.role("compute", warps=range(4), regs=232)
    with load: ...
    with compute: ...
"""

from __future__ import annotations

from typing import Any

from tirx.lite.control import If, Then
from tirx.lite.expr import Expr, logical_and
from tirx.lite.ids import thread_id, warp_id
from tirx.lite.ptx import call
from tirx.lite.trace import Trace, TraceError, current, user_place

# setmaxnreg (PTX ISA 9.7.19.5): a multiple of 8 in this range.
_MIN_REGISTERS, _MAX_REGISTERS, _STEP = 24, 256, 8
# 32-bit registers of an SM, and those that the compiler may give a thread.
_REGISTER_FILE, _THREAD_REGISTERS = 65536, 255


def _warps(what: str, warps: Any, total: int) -> list[int]:
    chosen = [warps] if isinstance(warps, int) else sorted(set(warps))
    if not chosen:
        raise TraceError(f"{what}: expected at least one warp")
    if chosen[0] < 0 or chosen[-1] >= total:
        raise TraceError(f"{what}: expected warps 0 to {total - 1}, got {chosen}")
    if chosen != list(range(chosen[0], chosen[-1] + 1)):
        raise TraceError(f"{what}: expected warps one after the other, got {chosen}")
    return chosen


def _registers(what: str, count: Any, trace: Trace) -> None:
    if not isinstance(count, int) or count % _STEP or not _MIN_REGISTERS <= count <= _MAX_REGISTERS:
        raise TraceError(f"{what}: expected a multiple of {_STEP} registers from "
                         f"{_MIN_REGISTERS} to {_MAX_REGISTERS}, got {count!r}")
    if trace.min_blocks is None:
        raise TraceError(f"{what}: expected txl.kernel(min_blocks_per_sm=...) with a register "
                         "budget: without it ptxas ignores setmaxnreg")


def entry_registers(trace: Trace) -> int:
    """Registers of a thread at the entry: the file shared evenly, in steps of 8."""
    threads = trace.threads * (trace.min_blocks or 1)
    return min(_REGISTER_FILE // threads // _STEP * _STEP, _THREAD_REGISTERS // _STEP * _STEP)


class _Budget:
    """Warps that change their register count together."""

    def __init__(self, what: str, warps: list[int], registers: int) -> None:
        self.what = what
        self.warps = warps
        self.registers = registers

    def emit(self) -> None:
        """All four warps of each warpgroup execute it at the current place."""
        direction = "inc" if self.registers > entry_registers(current()) else "dec"
        call(f"setmaxnreg.{direction}.sync.aligned.u32", [self.registers])


class Scope:
    """Warps behind one branch: a role, or a warpgroup that several roles share."""

    def __init__(self, owner: "Specialization", what: str, name: str, warps: list[int],
                 when: Any = None, budget: _Budget | None = None,
                 group: "Scope | None" = None) -> None:
        self.owner = owner
        self.what = what
        self.name = name
        self.warps = warps
        self.when = when
        self.budget = budget
        self.group = group
        self.entered = False
        self.place = user_place()

    def __repr__(self) -> str:
        return f"<txl.{self.what} {self.name} warps={self.warps}>"

    def _condition(self) -> Expr:
        warp = warp_id()
        first, last = self.warps[0], self.warps[-1]
        if first == last:
            condition = warp == first
        elif first == 0:
            condition = warp <= last
        else:
            condition = logical_and(warp >= first, warp <= last)
        return condition if self.when is None else logical_and(condition, self.when)

    def __enter__(self) -> "Scope":
        around = self.owner.open
        if around is not (self.group or None):
            inside = f"inside {around.what} '{around.name}'" if around else "outside any warpgroup"
            wanted = f"warpgroup '{self.group.name}'" if self.group else "no other role"
            raise TraceError(f"role '{self.name}': expected to be inside {wanted}, got {inside}")
        self.entered = True
        self.branch = (If(self._condition()), Then())
        for part in self.branch:
            part.__enter__()
        self.before, self.owner.open = self.owner.open, self
        if self.budget is not None:
            self.budget.emit()
        return self

    def __exit__(self, *exception: Any) -> None:
        self.owner.open = self.before
        for part in reversed(self.branch):
            part.__exit__(*exception)


class Specialization:
    """The roles of a kernel. They partition its warps."""

    def __init__(self) -> None:
        self.trace = current()
        self.place = user_place()
        self.total = self.trace.threads // 32
        self.roles: list[Scope] = []
        self.groups: list[Scope] = []
        self.budgets: list[_Budget] = []
        self.open: Scope | None = None

    def role(self, name: str, warps: Any, regs: int | None = None, when: Any = None,
             group: Scope | None = None, register_scope: _Budget | None = None) -> Scope:
        """Warps that do one thing. `regs`: their registers, from the entry of the role
        on. `when`: a condition that is the same in the CTA. `group`: the warpgroup that
        it is a part of. `register_scope`: whose budget its warps have."""
        what = f"role '{name}'"
        chosen = _warps(what, warps, self.total)
        for other in self.roles:
            both = sorted(set(chosen) & set(other.warps))
            if both:
                raise TraceError(f"{what}: warps {both} are those of role '{other.name}', too")
        for owner, kind in ((group, "warpgroup"), (register_scope, "register scope")):
            if owner is not None and not set(chosen) <= set(owner.warps):
                raise TraceError(f"{what}: expected warps of its {kind} {owner.warps}, got {chosen}")
        budget = None
        if regs is not None:
            if register_scope is not None:
                raise TraceError(f"{what}: expected regs or register_scope, got both")
            budget = self._budget(what, chosen, regs)
        scope = Scope(self, "role", name, chosen, when, budget, group)
        self.roles.append(scope)
        return scope

    def warpgroup(self, name: str, warps: Any, regs: int | None = None) -> Scope:
        """Four warps from a multiple of four on that several roles share."""
        what = f"warpgroup '{name}'"
        chosen = _warps(what, warps, self.total)
        if len(chosen) != 4 or chosen[0] % 4:
            raise TraceError(f"{what}: expected four warps from a multiple of four on, got {chosen}")
        budget = None if regs is None else self._budget(what, chosen, regs)
        scope = Scope(self, "warpgroup", name, chosen, None, budget)
        self.groups.append(scope)
        return scope

    def register_scope(self, name: str, warps: Any, regs: int) -> _Budget:
        """Whole warpgroups that change their registers where `emit` is called."""
        what = f"register scope '{name}'"
        chosen = _warps(what, warps, self.total)
        if chosen[0] % 4 or len(chosen) % 4:
            raise TraceError(f"{what}: expected whole warpgroups, got warps {chosen}")
        return self._budget(what, chosen, regs)

    def _budget(self, what: str, warps: list[int], regs: int) -> _Budget:
        _registers(what, regs, self.trace)
        budget = _Budget(what, warps, regs)
        self.budgets.append(budget)
        return budget

    def check(self) -> None:
        """What only the whole set of roles shows; when the kernel is complete."""
        for scope in self.roles:
            if not scope.entered:
                raise TraceError(f"role '{scope.name}': expected `with` of it in the kernel",
                                 scope.place)
        missing = sorted(set(range(self.total)) - {w for r in self.roles for w in r.warps})
        if self.roles and missing:
            raise TraceError(f"expected a role for every warp of the CTA, warps {missing} have none",
                             self.place)
        self._check_budgets()

    def _check_budgets(self) -> None:
        per_group: dict[int, dict[int, str]] = {}
        owners: dict[int, set[int]] = {}
        for budget in self.budgets:
            for warp in budget.warps:
                per_group.setdefault(warp // 4, {})[budget.registers] = budget.what
                owners.setdefault(warp // 4, set()).add(warp)
        total = 0
        entry = entry_registers(self.trace)
        for group in range((self.total + 3) // 4):
            counts = per_group.get(group, {})
            if len(counts) > 1:
                parts = " and ".join(f"{n} in {w}" for n, w in counts.items())
                raise TraceError(f"expected one register count in warps {4 * group} to "
                                 f"{4 * group + 3}, got {parts}", self.place)
            members = min(4, self.total - 4 * group)
            if counts and len(owners[group]) != members:
                raise TraceError(f"expected all warps {4 * group} to {4 * group + members - 1} of a "
                                 "warpgroup to change their registers, got "
                                 f"{sorted(owners[group])} alone", self.place)
            total += next(iter(counts), entry) * 32 * members
        limit = _REGISTER_FILE // (self.trace.min_blocks or 1)
        if self.budgets and total > limit:
            raise TraceError(f"expected at most {limit} registers in the CTA, the roles have {total}",
                             self.place)

    def warp_in_role(self) -> Expr:
        if self.open is None:
            raise TraceError("expected to be inside a role")
        first = self.open.warps[0]
        warp = warp_id()
        relative = warp - first if first else warp
        relative.nonnegative = True
        return relative


def specialize(chain_dispatch: bool = True) -> Specialization:
    """Begins the roles of this kernel. `chain_dispatch` is accepted for kernels that
    give it: whether branches are chained is left to the compiler here."""
    del chain_dispatch
    trace = current()
    if trace.roles is not None:
        raise TraceError("expected one txl.specialize in a kernel, got a second")
    trace.roles = Specialization()
    return trace.roles


def _roles() -> Specialization:
    roles = current().roles
    if roles is None:
        raise TraceError("expected txl.specialize before it")
    return roles


def warp_id_in_role() -> Expr:
    """The warp among those of the role, from 0."""
    return _roles().warp_in_role()


def tid_in_role() -> Expr:
    """The thread among those of the role, from 0."""
    roles = _roles()
    if roles.open is None:
        raise TraceError("expected to be inside a role")
    first = roles.open.warps[0] * 32
    thread = thread_id() - first if first else thread_id()
    thread.nonnegative = True
    return thread
