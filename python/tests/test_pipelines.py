# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Roles and pipelines: values in every mode, and what is refused."""

import numpy as np
import pytest

import tirx.lite as txl

TILE = 128
MODES = ["eager", "lazy", "random"]


def ring(stages, consumer_phase=0):
    """One producer warp fills a ring of tiles, four consumer warps add them up."""

    @txl.kernel(warps=5, arch="sm_90a")
    def k(a: txl.gptr(txl.f32), out: txl.gptr(txl.f32), tiles: txl.i32):
        pool = txl.smem_pool()
        buffer = pool.alloc((stages, TILE), "float32")
        pipe = txl.Pipeline(pool, stages, full="mbar", empty="mbar", init_full=32, init_empty=128)
        txl.ptx.fence.mbarrier_init.release.cluster()
        txl.cuda.cta_sync()
        roles = txl.specialize()
        producer = roles.role("producer", warps=4)
        consumer = roles.role("consumer", warps=range(4))
        with producer:
            state = txl.PipelineState(stages, phase=1)
            lane = txl.lane_id()
            for t in txl.serial(tiles):
                pipe.empty.wait(state.stage, state.phase)
                v = txl.alloc_local([4], "float32")
                txl.ptx.ld.global_.v4.f32(v, a.ptr_to([t * TILE + lane * 4]))
                txl.ptx.st.shared.v4.f32(buffer.ptr_to(state.stage, lane * 4), v)
                pipe.full.arrive(state.stage)
                state.advance()
        with consumer:
            state = txl.PipelineState(stages, phase=consumer_phase)
            i = txl.tid_in_role()
            total = txl.local_scalar(txl.f32, init=0.0)
            for _ in txl.serial(tiles):
                pipe.full.wait(state.stage, state.phase)
                x = txl.local_scalar(txl.f32)
                txl.ptx.ld.shared.f32(x, buffer.ptr_to(state.stage, i))
                txl.assign(total, total + x)
                pipe.empty.arrive(state.stage)
                state.advance()
            txl.ptx.st.global_.f32(out.ptr_to([i]), total)

    return k


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("stages, tiles", [(1, 5), (2, 1), (3, 10), (4, 0)])
def test_a_ring_of_stages(stages, tiles, mode):
    a = np.random.default_rng(stages).integers(0, 99, (max(tiles, 1), TILE)).astype(np.float32)
    out = np.zeros(TILE, np.float32)
    ring(stages).simulate(a.reshape(-1), out, tiles, mode=mode)
    assert (out == a[:tiles].sum(0)).all()


def test_a_consumer_at_the_wrong_phase_does_not_give_the_right_sums():
    """It begins with stages that nobody has filled, and ends too early."""
    from tirx.runtime.kernel import SimulationError

    a = np.ones((8, TILE), np.float32)
    out = np.zeros(TILE, np.float32)
    try:
        ring(2, consumer_phase=1).simulate(a.reshape(-1), out, 8)
    except SimulationError:
        return
    assert not (out == 8).all()


def test_register_budgets_are_emitted():
    @txl.kernel(warps=8, min_blocks_per_sm=1, arch="sm_90a")
    def k(out: txl.gptr(txl.i32)):
        roles = txl.specialize()
        light = roles.role("light", warps=range(4), regs=40)
        heavy = roles.role("heavy", warps=range(4, 8), regs=256)
        with light:
            txl.ptx.st.global_.s32(out.ptr_to([txl.thread_id()]), txl.warp_id_in_role())
        with heavy:
            txl.ptx.st.global_.s32(out.ptr_to([txl.thread_id()]), txl.tid_in_role())

    ptx = k.source()
    assert "setmaxnreg.dec.sync.aligned.u32 40" in ptx
    assert "setmaxnreg.inc.sync.aligned.u32 256" in ptx
    out = np.zeros(256, np.int32)
    k.simulate(out)
    assert out.tolist() == [t // 32 for t in range(128)] + list(range(128))


def overlap(roles):
    roles.role("a", warps=range(4))
    roles.role("b", warps=[3])


def gap(roles):
    with roles.role("a", warps=range(7)):
        pass


def never_entered(roles):
    roles.role("a", warps=range(8))


def split(roles):
    roles.role("a", warps=[0, 2])


def outside(roles):
    roles.role("a", warps=[8])


def step(roles):
    roles.role("a", warps=range(4), regs=50)


def ranges(roles):
    roles.role("a", warps=range(4), regs=264)


def uneven(roles):
    with roles.role("a", warps=range(2), regs=40):
        pass
    with roles.role("b", warps=range(2, 4), regs=48):
        pass
    with roles.role("c", warps=range(4, 8)):
        pass


def part_of_a_warpgroup(roles):
    with roles.role("a", warps=[0], regs=40):
        pass
    with roles.role("b", warps=range(1, 8)):
        pass


def over_budget(roles):
    for name, first in (("a", 0), ("b", 4)):
        with roles.role(name, warps=range(first, first + 4), regs=256):
            pass


def nested(roles):
    a, b = roles.role("a", warps=range(4)), roles.role("b", warps=range(4, 8))
    with a, b:
        pass


CASES = {
    overlap: "warps [3] are those of role 'a', too",
    gap: "warps [7] have none",
    never_entered: "role 'a': expected `with` of it",
    split: "expected warps one after the other, got [0, 2]",
    outside: "expected warps 0 to 7, got [8]",
    step: "expected a multiple of 8 registers from 24 to 256, got 50",
    ranges: "expected a multiple of 8 registers from 24 to 256, got 264",
    uneven: "expected one register count in warps 0 to 3, got 40 in role 'a' and 48 in role 'b'",
    part_of_a_warpgroup: "expected all warps 0 to 3 of a warpgroup to change their registers",
    over_budget: "expected at most 32768 registers in the CTA, the roles have 65536",
    nested: "expected to be inside no other role, got inside role 'a'",
}


@pytest.mark.parametrize("body", CASES, ids=lambda f: f.__name__)
def test_roles_that_are_refused(body):
    blocks = 2 if body is over_budget else 1
    with pytest.raises(txl.TraceError) as caught:

        @txl.kernel(warps=8, min_blocks_per_sm=blocks)
        def k():
            body(txl.specialize())

    assert CASES[body] in str(caught.value)
    assert caught.value.place[0] == __file__


def test_budgets_need_a_fixed_entry():
    with pytest.raises(txl.TraceError, match="min_blocks_per_sm"):

        @txl.kernel(warps=4)
        def k():
            txl.specialize().role("a", warps=range(4), regs=40)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sink", [False, True])
def test_arrivals_at_the_barrier_of_another_cta(sink, mode):
    """Each CTA of a cluster waits for the other; the place of the state may be written."""
    @txl.kernel(warps=1, cluster=2, grid=2, arch="sm_90a")
    def k(out: txl.gptr(txl.i32)):
        pool = txl.smem_pool()
        bar = txl.MBarrier(pool)
        bar.init(2)
        rank = txl.cta_id_in_cluster()
        txl.ptx.fence.mbarrier_init.release.cluster()
        txl.cuda.cluster_sync()
        with txl.If(txl.thread_id() == 0), txl.Then():
            address = txl.local_scalar(txl.u32)
            txl.ptx["mapa.shared::cluster.u32"](address, bar.ptr_to(0).as_expr(),
                                                txl.cast(1 - rank, txl.u32))
            first = [txl.ptx.SINK] if sink else []
            txl.ptx["mbarrier.arrive.release.cluster.shared::cluster.b64"](*first, address)
            bar.remote_view(1 - rank).arrive(0)
        txl.cuda.mbarrier_wait_acquire_cluster(bar.ptr_to(0), 0)
        txl.ptx.st.global_.s32(out.ptr_to([rank * 32 + txl.thread_id()]), rank + 1)
        txl.cuda.cluster_sync()

    out = np.zeros(64, np.int32)
    k.simulate(out, mode=mode)
    assert out.tolist() == [1] * 32 + [2] * 32
