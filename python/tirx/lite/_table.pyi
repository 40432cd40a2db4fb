# Part of the TIRx project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Written by scripts/generate-stubs from the instruction table: do not edit.

from typing import Any

from tirx.lite.expr import Expr
from tirx.lite.ptx import Path, _Sink

class _Instruction:
    def __call__(self, *operands: Any, pred: Any = None) -> None: ...

class _abs(_Instruction):
    bf16: _abs
    bf16x2: _abs
    f16: _abs
    f16x2: _abs
    f32: _abs
    f64: _abs
    ftz: _abs
    s16: _abs
    s32: _abs
    s64: _abs

class _activemask(_Instruction):
    b32: _activemask

class _add(_Instruction):
    bf16: _add
    bf16x2: _add
    cc: _add
    f16: _add
    f16x2: _add
    f32: _add
    f32x2: _add
    f64: _add
    ftz: _add
    rm: _add
    rn: _add
    rp: _add
    rz: _add
    s16: _add
    s16x2: _add
    s32: _add
    s64: _add
    sat: _add
    u16: _add
    u16x2: _add
    u32: _add
    u64: _add

class _addc(_Instruction):
    cc: _addc
    s32: _addc
    s64: _addc
    u32: _addc
    u64: _addc

class _alloca(_Instruction):
    u32: _alloca
    u64: _alloca

class _and(_Instruction):
    b16: _and
    b32: _and
    b64: _and
    pred: _and

class _applypriority(_Instruction):
    L2__evict_normal: _applypriority
    global_: _applypriority

class _atom(_Instruction):
    L2__cache_hint: _atom
    acq_rel: _atom
    acquire: _atom
    add: _atom
    and_: _atom
    b128: _atom
    b16: _atom
    b32: _atom
    b64: _atom
    bf16: _atom
    bf16x2: _atom
    cas: _atom
    cluster: _atom
    cta: _atom
    dec: _atom
    exch: _atom
    f16: _atom
    f16x2: _atom
    f32: _atom
    f64: _atom
    global_: _atom
    gpu: _atom
    inc: _atom
    max: _atom
    min: _atom
    noftz: _atom
    or_: _atom
    relaxed: _atom
    release: _atom
    s32: _atom
    s64: _atom
    shared: _atom
    shared__cluster: _atom
    shared__cta: _atom
    sys: _atom
    u32: _atom
    u64: _atom
    v2: _atom
    v4: _atom
    v8: _atom
    xor: _atom

class _bar(_Instruction):
    warp: _bar_warp
    and_: _bar
    arrive: _bar
    cta: _bar
    or_: _bar
    popc: _bar
    pred: _bar
    red: _bar
    sync: _bar
    u32: _bar

class _bar_warp:
    @property
    def sync(self) -> _bar_warp_sync:
        """a barrier of the lanes in a mask (PTX ISA 9.7.13.2)
            bar.warp.sync (mask)"""

class _bar_warp_sync(_Instruction):
    ...

class _barrier(_Instruction):
    cluster: _barrier_cluster
    aligned: _barrier
    and_: _barrier
    arrive: _barrier
    cta: _barrier
    or_: _barrier
    popc: _barrier
    pred: _barrier
    red: _barrier
    sync: _barrier
    u32: _barrier

class _barrier_cluster:
    @property
    def arrive(self) -> _barrier_cluster_arrive:
        """arrives at the barrier of the cluster (PTX ISA 9.7.13.3)
            barrier.cluster.arrive ()"""
    @property
    def wait(self) -> _barrier_cluster_wait:
        """waits at the barrier of the cluster (PTX ISA 9.7.13.3)
            barrier.cluster.wait ()"""

class _barrier_cluster_arrive(_Instruction):
    aligned: _barrier_cluster_arrive
    relaxed: _barrier_cluster_arrive
    release: _barrier_cluster_arrive

class _barrier_cluster_wait(_Instruction):
    acquire: _barrier_cluster_wait
    aligned: _barrier_cluster_wait

class _bfe(_Instruction):
    s32: _bfe
    s64: _bfe
    u32: _bfe
    u64: _bfe

class _bfi(_Instruction):
    b32: _bfi
    b64: _bfi

class _bfind(_Instruction):
    s32: _bfind
    s64: _bfind
    shiftamt: _bfind
    u32: _bfind
    u64: _bfind

class _bmsk(_Instruction):
    b32: _bmsk
    clamp: _bmsk
    wrap: _bmsk

class _bra(_Instruction):
    uni: _bra

class _brev(_Instruction):
    b32: _brev
    b64: _brev

class _brkpt(_Instruction):
    ...

class _brx:
    @property
    def idx(self) -> _brx_idx:
        """branches to the entry of a list that an index names (PTX ISA 9.7.12.4)
            brx.idx (index, targets)"""

class _brx_idx(_Instruction):
    uni: _brx_idx

class _call(_Instruction):
    uni: _call

class _clusterlaunchcontrol:
    @property
    def query_cancel(self) -> _clusterlaunchcontrol_query_cancel:
        """reads the answer to try_cancel (PTX ISA 9.7.13.18)
            clusterlaunchcontrol.query_cancel (p, answer)
            clusterlaunchcontrol.query_cancel (d, answer)"""
    @property
    def try_cancel(self) -> _clusterlaunchcontrol_try_cancel:
        """asks to run a cluster that has not started (PTX ISA 9.7.13.17)
            clusterlaunchcontrol.try_cancel (d, mbar)"""

class _clusterlaunchcontrol_query_cancel(_Instruction):
    b128: _clusterlaunchcontrol_query_cancel
    b32: _clusterlaunchcontrol_query_cancel
    get_first_ctaid: _clusterlaunchcontrol_query_cancel
    get_first_ctaid__x: _clusterlaunchcontrol_query_cancel
    get_first_ctaid__y: _clusterlaunchcontrol_query_cancel
    get_first_ctaid__z: _clusterlaunchcontrol_query_cancel
    is_canceled: _clusterlaunchcontrol_query_cancel
    pred: _clusterlaunchcontrol_query_cancel
    v4: _clusterlaunchcontrol_query_cancel

class _clusterlaunchcontrol_try_cancel(_Instruction):
    async_: _clusterlaunchcontrol_try_cancel
    b128: _clusterlaunchcontrol_try_cancel
    mbarrier__complete_tx__bytes: _clusterlaunchcontrol_try_cancel
    multicast__cluster__all: _clusterlaunchcontrol_try_cancel
    shared__cta: _clusterlaunchcontrol_try_cancel

class _clz(_Instruction):
    b32: _clz
    b64: _clz

class _cnot(_Instruction):
    b16: _cnot
    b32: _cnot
    b64: _cnot

class _copysign(_Instruction):
    f32: _copysign
    f64: _copysign

class _cos(_Instruction):
    approx: _cos
    f32: _cos
    ftz: _cos

class _cp:
    @property
    def async_(self) -> _cp_async:
        """copies 4, 8 or 16 bytes to shared memory (.cg: 16) (PTX ISA 9.7.9.25.3.1)
            cp.async (d, a, size, src_size?, ignore_src?, policy)"""
    reduce: _cp_reduce

class _cp_async(_Instruction):
    @property
    def bulk(self) -> _cp_async_bulk:
        """copies a run of bytes (PTX ISA 9.7.9.25.4.1)
            cp.async.bulk (d, a, size, mbar, cta_mask, policy)
            cp.async.bulk (d, a, size, mbar, policy)
            cp.async.bulk (d, a, size, mbar)
            cp.async.bulk (d, a, size, policy, byte_mask)"""
    @property
    def commit_group(self) -> _cp_async_commit_group:
        """closes a group of the thread's cp.async (PTX ISA 9.7.9.25.3.2)
            cp.async.commit_group ()"""
    mbarrier: _cp_async_mbarrier
    @property
    def wait_all(self) -> _cp_async_wait_all:
        """waits for all of the thread's cp.async (PTX ISA 9.7.9.25.3.3)
            cp.async.wait_all ()"""
    @property
    def wait_group(self) -> _cp_async_wait_group:
        """waits until at most n groups are pending (PTX ISA 9.7.9.25.3.3)
            cp.async.wait_group (n)"""
    L2__128B: _cp_async
    L2__256B: _cp_async
    L2__64B: _cp_async
    L2__cache_hint: _cp_async
    ca: _cp_async
    cg: _cp_async
    global_: _cp_async
    shared: _cp_async
    shared__cta: _cp_async

class _cp_async_bulk(_Instruction):
    @property
    def commit_group(self) -> _cp_async_bulk_commit_group:
        """closes a group of the thread's bulk stores (PTX ISA 9.7.9.25.4.4)
            cp.async.bulk.commit_group ()"""
    @property
    def prefetch(self) -> _cp_async_bulk_prefetch:
        """brings a run of bytes into the L2 cache (PTX ISA 9.7.9.25.4.3)
            cp.async.bulk.prefetch (a, size, policy)"""
    @property
    def tensor(self) -> _cp_async_bulk_tensor:
        """copies a box of a tensor between global and shared memory (PTX ISA 9.7.9.25.5.2)
            cp.async.bulk.tensor (d, tensor, mbar, cta_mask, policy)
            cp.async.bulk.tensor (d, tensor, mbar, offsets, cta_mask, policy)
            cp.async.bulk.tensor (d, tensor, mbar, policy)
            cp.async.bulk.tensor (d, tensor, mbar, offsets, policy)
            cp.async.bulk.tensor (tensor, a, policy)"""
    @property
    def wait_group(self) -> _cp_async_bulk_wait_group:
        """waits until at most n groups are pending (.read: have not been read) (PTX ISA 9.7.9.25.4.5)
            cp.async.bulk.wait_group (n)"""
    L2__cache_hint: _cp_async_bulk
    bulk_group: _cp_async_bulk
    cp_mask: _cp_async_bulk
    global_: _cp_async_bulk
    mbarrier__complete_tx__bytes: _cp_async_bulk
    multicast__cluster: _cp_async_bulk
    shared__cluster: _cp_async_bulk
    shared__cta: _cp_async_bulk

class _cp_async_bulk_commit_group(_Instruction):
    ...

class _cp_async_bulk_prefetch(_Instruction):
    @property
    def tensor(self) -> _cp_async_bulk_prefetch_tensor:
        """brings a box of a tensor into the L2 cache (PTX ISA 9.7.9.25.5.4)
            cp.async.bulk.prefetch.tensor (tensor, policy)
            cp.async.bulk.prefetch.tensor (tensor, offsets, policy)"""
    L2: _cp_async_bulk_prefetch
    L2__cache_hint: _cp_async_bulk_prefetch
    global_: _cp_async_bulk_prefetch

class _cp_async_bulk_prefetch_tensor(_Instruction):
    L2: _cp_async_bulk_prefetch_tensor
    L2__cache_hint: _cp_async_bulk_prefetch_tensor
    global_: _cp_async_bulk_prefetch_tensor
    im2col: _cp_async_bulk_prefetch_tensor
    im2col__w: _cp_async_bulk_prefetch_tensor
    im2col__w__128: _cp_async_bulk_prefetch_tensor
    tile: _cp_async_bulk_prefetch_tensor
    tile__gather4: _cp_async_bulk_prefetch_tensor

class _cp_async_bulk_tensor(_Instruction):
    L2__cache_hint: _cp_async_bulk_tensor
    bulk_group: _cp_async_bulk_tensor
    cta_group__1: _cp_async_bulk_tensor
    cta_group__2: _cp_async_bulk_tensor
    global_: _cp_async_bulk_tensor
    im2col: _cp_async_bulk_tensor
    im2col__w: _cp_async_bulk_tensor
    im2col__w__128: _cp_async_bulk_tensor
    im2col_no_offs: _cp_async_bulk_tensor
    mbarrier__complete_tx__bytes: _cp_async_bulk_tensor
    multicast__cluster: _cp_async_bulk_tensor
    shared__cluster: _cp_async_bulk_tensor
    shared__cta: _cp_async_bulk_tensor
    tile: _cp_async_bulk_tensor
    tile__gather4: _cp_async_bulk_tensor
    tile__scatter4: _cp_async_bulk_tensor

class _cp_async_bulk_wait_group(_Instruction):
    read: _cp_async_bulk_wait_group

class _cp_async_commit_group(_Instruction):
    ...

class _cp_async_mbarrier:
    @property
    def arrive(self) -> _cp_async_mbarrier_arrive:
        """arrives when the thread's earlier cp.async are complete (PTX ISA 9.7.13.15.15)
            cp.async.mbarrier.arrive (mbar)"""

class _cp_async_mbarrier_arrive(_Instruction):
    b64: _cp_async_mbarrier_arrive
    noinc: _cp_async_mbarrier_arrive
    shared: _cp_async_mbarrier_arrive
    shared__cta: _cp_async_mbarrier_arrive

class _cp_async_wait_all(_Instruction):
    ...

class _cp_async_wait_group(_Instruction):
    ...

class _cp_reduce:
    async_: _cp_reduce_async

class _cp_reduce_async:
    @property
    def bulk(self) -> _cp_reduce_async_bulk:
        """combines a run of elements with those in memory (PTX ISA 9.7.9.25.4.2)
            cp.reduce.async.bulk (d, a, size, mbar)
            cp.reduce.async.bulk (d, a, size, policy)"""

class _cp_reduce_async_bulk(_Instruction):
    @property
    def tensor(self) -> _cp_reduce_async_bulk_tensor:
        """combines a box of shared memory with a tensor (PTX ISA 9.7.9.25.5.3)
            cp.reduce.async.bulk.tensor (tensor, a, policy)"""
    L2__cache_hint: _cp_reduce_async_bulk
    add: _cp_reduce_async_bulk
    and_: _cp_reduce_async_bulk
    b32: _cp_reduce_async_bulk
    b64: _cp_reduce_async_bulk
    bf16: _cp_reduce_async_bulk
    bulk_group: _cp_reduce_async_bulk
    dec: _cp_reduce_async_bulk
    f16: _cp_reduce_async_bulk
    f32: _cp_reduce_async_bulk
    f64: _cp_reduce_async_bulk
    global_: _cp_reduce_async_bulk
    inc: _cp_reduce_async_bulk
    max: _cp_reduce_async_bulk
    mbarrier__complete_tx__bytes: _cp_reduce_async_bulk
    min: _cp_reduce_async_bulk
    noftz: _cp_reduce_async_bulk
    or_: _cp_reduce_async_bulk
    s32: _cp_reduce_async_bulk
    s64: _cp_reduce_async_bulk
    shared__cluster: _cp_reduce_async_bulk
    shared__cta: _cp_reduce_async_bulk
    u32: _cp_reduce_async_bulk
    u64: _cp_reduce_async_bulk
    xor: _cp_reduce_async_bulk

class _cp_reduce_async_bulk_tensor(_Instruction):
    L2__cache_hint: _cp_reduce_async_bulk_tensor
    add: _cp_reduce_async_bulk_tensor
    and_: _cp_reduce_async_bulk_tensor
    bulk_group: _cp_reduce_async_bulk_tensor
    dec: _cp_reduce_async_bulk_tensor
    global_: _cp_reduce_async_bulk_tensor
    im2col_no_offs: _cp_reduce_async_bulk_tensor
    inc: _cp_reduce_async_bulk_tensor
    max: _cp_reduce_async_bulk_tensor
    min: _cp_reduce_async_bulk_tensor
    or_: _cp_reduce_async_bulk_tensor
    shared__cta: _cp_reduce_async_bulk_tensor
    tile: _cp_reduce_async_bulk_tensor
    xor: _cp_reduce_async_bulk_tensor

class _createpolicy(_Instruction):
    L2: _createpolicy
    L2__evict_first: _createpolicy
    L2__evict_last: _createpolicy
    L2__evict_normal: _createpolicy
    L2__evict_unchanged: _createpolicy
    b64: _createpolicy
    cvt: _createpolicy
    fractional: _createpolicy
    global_: _createpolicy
    range: _createpolicy

class _cvt(_Instruction):
    @property
    def pack(self) -> _cvt_pack:
        """saturates two integers and packs them (PTX ISA 9.7.9.22)
            cvt.pack (d, a, b)
            cvt.pack (d, a, b, c)"""
    bf16: _cvt
    bf16x2: _cvt
    e2m1x2: _cvt
    e2m1x4: _cvt
    e2m3x2: _cvt
    e2m3x4: _cvt
    e3m2x2: _cvt
    e3m2x4: _cvt
    e4m3x2: _cvt
    e4m3x4: _cvt
    e5m2x2: _cvt
    e5m2x4: _cvt
    f16: _cvt
    f16x2: _cvt
    f32: _cvt
    f64: _cvt
    ftz: _cvt
    relu: _cvt
    rm: _cvt
    rmi: _cvt
    rn: _cvt
    rna: _cvt
    rni: _cvt
    rp: _cvt
    rpi: _cvt
    rs: _cvt
    rz: _cvt
    rzi: _cvt
    s16: _cvt
    s32: _cvt
    s64: _cvt
    s8: _cvt
    sat: _cvt
    satfinite: _cvt
    tf32: _cvt
    u16: _cvt
    u32: _cvt
    u64: _cvt
    u8: _cvt
    ue8m0x2: _cvt

class _cvt_pack(_Instruction):
    b32: _cvt_pack
    s16: _cvt_pack
    s2: _cvt_pack
    s32: _cvt_pack
    s4: _cvt_pack
    s8: _cvt_pack
    sat: _cvt_pack
    u16: _cvt_pack
    u2: _cvt_pack
    u4: _cvt_pack
    u8: _cvt_pack

class _cvta(_Instruction):
    const: _cvta
    global_: _cvta
    local: _cvta
    param: _cvta
    shared: _cvta
    shared__cluster: _cvta
    shared__cta: _cvta
    to: _cvta
    u32: _cvta
    u64: _cvta

class _discard(_Instruction):
    L2: _discard
    global_: _discard

class _div(_Instruction):
    approx: _div
    f32: _div
    f64: _div
    ftz: _div
    full: _div
    rm: _div
    rn: _div
    rp: _div
    rz: _div
    s16: _div
    s32: _div
    s64: _div
    u16: _div
    u32: _div
    u64: _div

class _dp2a(_Instruction):
    hi: _dp2a
    lo: _dp2a
    s32: _dp2a
    u32: _dp2a

class _dp4a(_Instruction):
    s32: _dp4a
    u32: _dp4a

class _elect(_Instruction):
    sync: _elect

class _ex2(_Instruction):
    approx: _ex2
    bf16: _ex2
    bf16x2: _ex2
    f16: _ex2
    f16x2: _ex2
    f32: _ex2
    ftz: _ex2

class _exit(_Instruction):
    ...

class _fence(_Instruction):
    @property
    def mbarrier_init(self) -> _fence_mbarrier_init:
        """makes the initialisation of mbarriers visible to the cluster (PTX ISA 9.7.13.4)
            fence.mbarrier_init ()"""
    @property
    def proxy(self) -> _fence_proxy:
        """orders accesses of proxies (PTX ISA 9.7.13.4)
            fence.proxy ()
            fence.proxy (a, size)"""
    acq_rel: _fence
    acquire: _fence
    cluster: _fence
    cta: _fence
    gpu: _fence
    release: _fence
    sc: _fence
    sync_restrict__shared__cluster: _fence
    sync_restrict__shared__cta: _fence
    sys: _fence

class _fence_mbarrier_init(_Instruction):
    cluster: _fence_mbarrier_init
    release: _fence_mbarrier_init

class _fence_proxy(_Instruction):
    acquire: _fence_proxy
    alias: _fence_proxy
    async_: _fence_proxy
    async__generic: _fence_proxy
    cluster: _fence_proxy
    cta: _fence_proxy
    global_: _fence_proxy
    gpu: _fence_proxy
    release: _fence_proxy
    shared__cluster: _fence_proxy
    shared__cta: _fence_proxy
    sync_restrict__shared__cluster: _fence_proxy
    sync_restrict__shared__cta: _fence_proxy
    sys: _fence_proxy
    tensormap__generic: _fence_proxy

class _fma(_Instruction):
    bf16: _fma
    bf16x2: _fma
    f16: _fma
    f16x2: _fma
    f32: _fma
    f32x2: _fma
    f64: _fma
    ftz: _fma
    oob: _fma
    relu: _fma
    rm: _fma
    rn: _fma
    rp: _fma
    rz: _fma
    sat: _fma

class _fns(_Instruction):
    b32: _fns

class _getctarank(_Instruction):
    shared__cluster: _getctarank
    u32: _getctarank
    u64: _getctarank

class _griddepcontrol(_Instruction):
    launch_dependents: _griddepcontrol
    wait: _griddepcontrol

class _isspacep(_Instruction):
    const: _isspacep
    global_: _isspacep
    local: _isspacep
    param: _isspacep
    shared: _isspacep
    shared__cluster: _isspacep
    shared__cta: _isspacep

class _ld(_Instruction):
    L1__evict_first: _ld
    L1__evict_last: _ld
    L1__evict_normal: _ld
    L1__evict_unchanged: _ld
    L1__no_allocate: _ld
    L2__128B: _ld
    L2__256B: _ld
    L2__64B: _ld
    L2__cache_hint: _ld
    L2__evict_first: _ld
    L2__evict_last: _ld
    L2__evict_normal: _ld
    acquire: _ld
    b128: _ld
    b16: _ld
    b32: _ld
    b64: _ld
    b8: _ld
    ca: _ld
    cg: _ld
    cluster: _ld
    const: _ld
    cs: _ld
    cta: _ld
    cv: _ld
    f32: _ld
    f64: _ld
    global_: _ld
    gpu: _ld
    local: _ld
    lu: _ld
    mmio: _ld
    nc: _ld
    param: _ld
    param__func: _ld
    relaxed: _ld
    s16: _ld
    s32: _ld
    s64: _ld
    s8: _ld
    shared: _ld
    shared__cluster: _ld
    shared__cta: _ld
    sys: _ld
    u16: _ld
    u32: _ld
    u64: _ld
    u8: _ld
    v2: _ld
    v4: _ld
    v8: _ld
    volatile: _ld
    weak: _ld

class _ldmatrix(_Instruction):
    aligned: _ldmatrix
    b16: _ldmatrix
    b4x16_p64: _ldmatrix
    b6x16_p32: _ldmatrix
    b8: _ldmatrix
    b8x16: _ldmatrix
    m16n16: _ldmatrix
    m8n16: _ldmatrix
    m8n8: _ldmatrix
    shared: _ldmatrix
    shared__cta: _ldmatrix
    sync: _ldmatrix
    trans: _ldmatrix
    x1: _ldmatrix
    x2: _ldmatrix
    x4: _ldmatrix

class _ldu(_Instruction):
    b128: _ldu
    b16: _ldu
    b32: _ldu
    b64: _ldu
    b8: _ldu
    f32: _ldu
    f64: _ldu
    global_: _ldu
    s16: _ldu
    s32: _ldu
    s64: _ldu
    s8: _ldu
    u16: _ldu
    u32: _ldu
    u64: _ldu
    u8: _ldu
    v2: _ldu
    v4: _ldu

class _lg2(_Instruction):
    approx: _lg2
    f32: _lg2
    ftz: _lg2

class _lop3(_Instruction):
    and_: _lop3
    b32: _lop3
    or_: _lop3

class _mad(_Instruction):
    cc: _mad
    f32: _mad
    f64: _mad
    ftz: _mad
    hi: _mad
    lo: _mad
    rm: _mad
    rn: _mad
    rp: _mad
    rz: _mad
    s16: _mad
    s32: _mad
    s64: _mad
    sat: _mad
    u16: _mad
    u32: _mad
    u64: _mad
    wide: _mad

class _mad24(_Instruction):
    hi: _mad24
    lo: _mad24
    s32: _mad24
    u32: _mad24

class _madc(_Instruction):
    cc: _madc
    hi: _madc
    lo: _madc
    s32: _madc
    s64: _madc
    u32: _madc
    u64: _madc

class _mapa(_Instruction):
    shared__cluster: _mapa
    u32: _mapa
    u64: _mapa

class _match(_Instruction):
    all: _match
    any: _match
    b32: _match
    b64: _match
    sync: _match

class _max(_Instruction):
    NaN: _max
    abs: _max
    bf16: _max
    bf16x2: _max
    f16: _max
    f16x2: _max
    f32: _max
    f64: _max
    ftz: _max
    relu: _max
    s16: _max
    s16x2: _max
    s32: _max
    s64: _max
    u16: _max
    u16x2: _max
    u32: _max
    u64: _max
    xorsign: _max

class _mbarrier:
    @property
    def arrive(self) -> _mbarrier_arrive:
        """arrives at an mbarrier (PTX ISA 9.7.13.15.13)
            mbarrier.arrive (state, mbar, count?)
            mbarrier.arrive (state, mbar, count)"""
    @property
    def arrive_drop(self) -> _mbarrier_arrive_drop:
        """arrives and leaves the count of later phases (PTX ISA 9.7.13.15.14)
            mbarrier.arrive_drop (state, mbar, count?)
            mbarrier.arrive_drop (state, mbar, count)"""
    @property
    def complete_tx(self) -> _mbarrier_complete_tx:
        """counts bytes as arrived (PTX ISA 9.7.13.15.12)
            mbarrier.complete_tx (mbar, tx)"""
    @property
    def expect_tx(self) -> _mbarrier_expect_tx:
        """adds bytes that the phase waits for (PTX ISA 9.7.13.15.11)
            mbarrier.expect_tx (mbar, tx)"""
    @property
    def init(self) -> _mbarrier_init:
        """makes an mbarrier that expects a count of arrivals (PTX ISA 9.7.13.15.9)
            mbarrier.init (mbar, count)"""
    @property
    def inval(self) -> _mbarrier_inval:
        """ends an mbarrier (PTX ISA 9.7.13.15.10)
            mbarrier.inval (mbar)"""
    @property
    def pending_count(self) -> _mbarrier_pending_count:
        """the pending arrivals of a state (PTX ISA 9.7.13.15.17)
            mbarrier.pending_count (count, state)"""
    @property
    def test_wait(self) -> _mbarrier_test_wait:
        """tests whether a phase is complete (PTX ISA 9.7.13.15.16)
            mbarrier.test_wait (done, mbar, state)
            mbarrier.test_wait (done, mbar, parity)"""
    @property
    def try_wait(self) -> _mbarrier_try_wait:
        """waits a while for a phase to complete (PTX ISA 9.7.13.15.16)
            mbarrier.try_wait (done, mbar, state, hint?)
            mbarrier.try_wait (done, mbar, parity, hint?)"""

class _mbarrier_arrive(_Instruction):
    @property
    def expect_tx(self) -> _mbarrier_arrive_expect_tx:
        """adds expected bytes, then arrives (PTX ISA 9.7.13.15.13)
            mbarrier.arrive.expect_tx (state, mbar, tx)"""
    b64: _mbarrier_arrive
    cluster: _mbarrier_arrive
    cta: _mbarrier_arrive
    noComplete: _mbarrier_arrive
    relaxed: _mbarrier_arrive
    release: _mbarrier_arrive
    shared: _mbarrier_arrive
    shared__cluster: _mbarrier_arrive
    shared__cta: _mbarrier_arrive

class _mbarrier_arrive_expect_tx(_Instruction):
    b64: _mbarrier_arrive_expect_tx
    cluster: _mbarrier_arrive_expect_tx
    cta: _mbarrier_arrive_expect_tx
    relaxed: _mbarrier_arrive_expect_tx
    release: _mbarrier_arrive_expect_tx
    shared: _mbarrier_arrive_expect_tx
    shared__cluster: _mbarrier_arrive_expect_tx
    shared__cta: _mbarrier_arrive_expect_tx

class _mbarrier_arrive_drop(_Instruction):
    @property
    def expect_tx(self) -> _mbarrier_arrive_drop_expect_tx:
        """adds expected bytes, arrives and leaves (PTX ISA 9.7.13.15.14)
            mbarrier.arrive_drop.expect_tx (state, mbar, tx)"""
    b64: _mbarrier_arrive_drop
    cluster: _mbarrier_arrive_drop
    cta: _mbarrier_arrive_drop
    noComplete: _mbarrier_arrive_drop
    relaxed: _mbarrier_arrive_drop
    release: _mbarrier_arrive_drop
    shared: _mbarrier_arrive_drop
    shared__cluster: _mbarrier_arrive_drop
    shared__cta: _mbarrier_arrive_drop

class _mbarrier_arrive_drop_expect_tx(_Instruction):
    b64: _mbarrier_arrive_drop_expect_tx
    cluster: _mbarrier_arrive_drop_expect_tx
    cta: _mbarrier_arrive_drop_expect_tx
    relaxed: _mbarrier_arrive_drop_expect_tx
    release: _mbarrier_arrive_drop_expect_tx
    shared: _mbarrier_arrive_drop_expect_tx
    shared__cluster: _mbarrier_arrive_drop_expect_tx
    shared__cta: _mbarrier_arrive_drop_expect_tx

class _mbarrier_complete_tx(_Instruction):
    b64: _mbarrier_complete_tx
    cluster: _mbarrier_complete_tx
    cta: _mbarrier_complete_tx
    relaxed: _mbarrier_complete_tx
    shared: _mbarrier_complete_tx
    shared__cluster: _mbarrier_complete_tx
    shared__cta: _mbarrier_complete_tx

class _mbarrier_expect_tx(_Instruction):
    b64: _mbarrier_expect_tx
    cluster: _mbarrier_expect_tx
    cta: _mbarrier_expect_tx
    relaxed: _mbarrier_expect_tx
    shared: _mbarrier_expect_tx
    shared__cluster: _mbarrier_expect_tx
    shared__cta: _mbarrier_expect_tx

class _mbarrier_init(_Instruction):
    b64: _mbarrier_init
    shared: _mbarrier_init
    shared__cta: _mbarrier_init

class _mbarrier_inval(_Instruction):
    b64: _mbarrier_inval
    shared: _mbarrier_inval
    shared__cta: _mbarrier_inval

class _mbarrier_pending_count(_Instruction):
    b64: _mbarrier_pending_count

class _mbarrier_test_wait(_Instruction):
    acquire: _mbarrier_test_wait
    b64: _mbarrier_test_wait
    cluster: _mbarrier_test_wait
    cta: _mbarrier_test_wait
    parity: _mbarrier_test_wait
    relaxed: _mbarrier_test_wait
    shared: _mbarrier_test_wait
    shared__cta: _mbarrier_test_wait

class _mbarrier_try_wait(_Instruction):
    acquire: _mbarrier_try_wait
    b64: _mbarrier_try_wait
    cluster: _mbarrier_try_wait
    cta: _mbarrier_try_wait
    parity: _mbarrier_try_wait
    relaxed: _mbarrier_try_wait
    shared: _mbarrier_try_wait
    shared__cta: _mbarrier_try_wait

class _membar(_Instruction):
    alias: _membar
    cta: _membar
    gl: _membar
    proxy: _membar
    sys: _membar

class _min(_Instruction):
    NaN: _min
    abs: _min
    bf16: _min
    bf16x2: _min
    f16: _min
    f16x2: _min
    f32: _min
    f64: _min
    ftz: _min
    relu: _min
    s16: _min
    s16x2: _min
    s32: _min
    s64: _min
    u16: _min
    u16x2: _min
    u32: _min
    u64: _min
    xorsign: _min

class _mma(_Instruction):
    @property
    def sp(self) -> _mma_sp:
        """mma with a sparse A, its metadata in any order (PTX ISA 9.7.14.6.3)
            mma.sp (d, a, b, c, e, f)"""
    @property
    def sp__ordered_metadata(self) -> _mma_sp__ordered_metadata:
        """mma with a sparse A, its metadata in increasing order (PTX ISA 9.7.14.6.3)
            mma.sp::ordered_metadata (d, a, b, c, e, f)
            mma.sp::ordered_metadata (d, a, b, c, e, f, scale_a, selector_a, scale_b, selector_b)"""
    aligned: _mma
    and_: _mma
    b1: _mma
    bf16: _mma
    block_scale: _mma
    col: _mma
    e2m1: _mma
    e2m3: _mma
    e3m2: _mma
    e4m3: _mma
    e5m2: _mma
    f16: _mma
    f32: _mma
    f64: _mma
    kind__f8f6f4: _mma
    kind__mxf4: _mma
    kind__mxf4nvf4: _mma
    kind__mxf8f6f4: _mma
    m16n8k128: _mma
    m16n8k16: _mma
    m16n8k256: _mma
    m16n8k32: _mma
    m16n8k4: _mma
    m16n8k64: _mma
    m16n8k8: _mma
    m8n8k128: _mma
    m8n8k16: _mma
    m8n8k32: _mma
    m8n8k4: _mma
    popc: _mma
    rm: _mma
    rn: _mma
    row: _mma
    rp: _mma
    rz: _mma
    s32: _mma
    s4: _mma
    s8: _mma
    satfinite: _mma
    scale_vec__1X: _mma
    scale_vec__2X: _mma
    scale_vec__4X: _mma
    sync: _mma
    tf32: _mma
    u4: _mma
    u8: _mma
    ue4m3: _mma
    ue8m0: _mma
    xor: _mma

class _mma_sp(_Instruction):
    aligned: _mma_sp
    bf16: _mma_sp
    col: _mma_sp
    e4m3: _mma_sp
    e5m2: _mma_sp
    f16: _mma_sp
    f32: _mma_sp
    m16n8k128: _mma_sp
    m16n8k16: _mma_sp
    m16n8k32: _mma_sp
    m16n8k64: _mma_sp
    m16n8k8: _mma_sp
    row: _mma_sp
    s32: _mma_sp
    s4: _mma_sp
    s8: _mma_sp
    satfinite: _mma_sp
    sync: _mma_sp
    tf32: _mma_sp
    u4: _mma_sp
    u8: _mma_sp

class _mma_sp__ordered_metadata(_Instruction):
    aligned: _mma_sp__ordered_metadata
    bf16: _mma_sp__ordered_metadata
    block_scale: _mma_sp__ordered_metadata
    col: _mma_sp__ordered_metadata
    e2m1: _mma_sp__ordered_metadata
    e2m3: _mma_sp__ordered_metadata
    e3m2: _mma_sp__ordered_metadata
    e4m3: _mma_sp__ordered_metadata
    e5m2: _mma_sp__ordered_metadata
    f16: _mma_sp__ordered_metadata
    f32: _mma_sp__ordered_metadata
    kind__f8f6f4: _mma_sp__ordered_metadata
    kind__mxf4: _mma_sp__ordered_metadata
    kind__mxf4nvf4: _mma_sp__ordered_metadata
    kind__mxf8f6f4: _mma_sp__ordered_metadata
    m16n8k128: _mma_sp__ordered_metadata
    m16n8k16: _mma_sp__ordered_metadata
    m16n8k32: _mma_sp__ordered_metadata
    m16n8k64: _mma_sp__ordered_metadata
    m16n8k8: _mma_sp__ordered_metadata
    row: _mma_sp__ordered_metadata
    s32: _mma_sp__ordered_metadata
    s4: _mma_sp__ordered_metadata
    s8: _mma_sp__ordered_metadata
    satfinite: _mma_sp__ordered_metadata
    scale_vec__1X: _mma_sp__ordered_metadata
    scale_vec__2X: _mma_sp__ordered_metadata
    scale_vec__4X: _mma_sp__ordered_metadata
    sync: _mma_sp__ordered_metadata
    tf32: _mma_sp__ordered_metadata
    u4: _mma_sp__ordered_metadata
    u8: _mma_sp__ordered_metadata
    ue4m3: _mma_sp__ordered_metadata
    ue8m0: _mma_sp__ordered_metadata

class _mov(_Instruction):
    b128: _mov
    b16: _mov
    b32: _mov
    b64: _mov
    f32: _mov
    f64: _mov
    pred: _mov
    s16: _mov
    s32: _mov
    s64: _mov
    u16: _mov
    u32: _mov
    u64: _mov

class _movmatrix(_Instruction):
    aligned: _movmatrix
    b16: _movmatrix
    m8n8: _movmatrix
    sync: _movmatrix
    trans: _movmatrix

class _mul(_Instruction):
    bf16: _mul
    bf16x2: _mul
    f16: _mul
    f16x2: _mul
    f32: _mul
    f32x2: _mul
    f64: _mul
    ftz: _mul
    hi: _mul
    lo: _mul
    rm: _mul
    rn: _mul
    rp: _mul
    rz: _mul
    s16: _mul
    s32: _mul
    s64: _mul
    sat: _mul
    u16: _mul
    u32: _mul
    u64: _mul
    wide: _mul

class _mul24(_Instruction):
    hi: _mul24
    lo: _mul24
    s32: _mul24
    u32: _mul24

class _multimem:
    @property
    def ld_reduce(self) -> _multimem_ld_reduce:
        """loads from every copy and reduces (PTX ISA 9.7.9.14)
            multimem.ld_reduce (d, a)"""
    @property
    def red(self) -> _multimem_red:
        """updates every copy (PTX ISA 9.7.9.14)
            multimem.red (a, b)"""
    @property
    def st(self) -> _multimem_st:
        """stores to every copy (PTX ISA 9.7.9.14)
            multimem.st (a, b)"""

class _multimem_ld_reduce(_Instruction):
    acc__f16: _multimem_ld_reduce
    acc__f32: _multimem_ld_reduce
    acquire: _multimem_ld_reduce
    add: _multimem_ld_reduce
    and_: _multimem_ld_reduce
    b32: _multimem_ld_reduce
    b64: _multimem_ld_reduce
    bf16: _multimem_ld_reduce
    bf16x2: _multimem_ld_reduce
    cluster: _multimem_ld_reduce
    cta: _multimem_ld_reduce
    e4m3: _multimem_ld_reduce
    e4m3x2: _multimem_ld_reduce
    e4m3x4: _multimem_ld_reduce
    e5m2: _multimem_ld_reduce
    e5m2x2: _multimem_ld_reduce
    e5m2x4: _multimem_ld_reduce
    f16: _multimem_ld_reduce
    f16x2: _multimem_ld_reduce
    f32: _multimem_ld_reduce
    f64: _multimem_ld_reduce
    global_: _multimem_ld_reduce
    gpu: _multimem_ld_reduce
    max: _multimem_ld_reduce
    min: _multimem_ld_reduce
    or_: _multimem_ld_reduce
    relaxed: _multimem_ld_reduce
    s32: _multimem_ld_reduce
    s64: _multimem_ld_reduce
    sys: _multimem_ld_reduce
    u32: _multimem_ld_reduce
    u64: _multimem_ld_reduce
    v2: _multimem_ld_reduce
    v4: _multimem_ld_reduce
    v8: _multimem_ld_reduce
    weak: _multimem_ld_reduce
    xor: _multimem_ld_reduce

class _multimem_red(_Instruction):
    add: _multimem_red
    and_: _multimem_red
    b32: _multimem_red
    b64: _multimem_red
    bf16: _multimem_red
    bf16x2: _multimem_red
    cluster: _multimem_red
    cta: _multimem_red
    f16: _multimem_red
    f16x2: _multimem_red
    f32: _multimem_red
    f64: _multimem_red
    global_: _multimem_red
    gpu: _multimem_red
    max: _multimem_red
    min: _multimem_red
    or_: _multimem_red
    relaxed: _multimem_red
    release: _multimem_red
    s32: _multimem_red
    s64: _multimem_red
    sys: _multimem_red
    u32: _multimem_red
    u64: _multimem_red
    v2: _multimem_red
    v4: _multimem_red
    v8: _multimem_red
    xor: _multimem_red

class _multimem_st(_Instruction):
    b32: _multimem_st
    b64: _multimem_st
    bf16: _multimem_st
    bf16x2: _multimem_st
    cluster: _multimem_st
    cta: _multimem_st
    e4m3: _multimem_st
    e4m3x2: _multimem_st
    e4m3x4: _multimem_st
    e5m2: _multimem_st
    e5m2x2: _multimem_st
    e5m2x4: _multimem_st
    f16: _multimem_st
    f16x2: _multimem_st
    f32: _multimem_st
    f64: _multimem_st
    global_: _multimem_st
    gpu: _multimem_st
    relaxed: _multimem_st
    release: _multimem_st
    s32: _multimem_st
    s64: _multimem_st
    sys: _multimem_st
    u32: _multimem_st
    u64: _multimem_st
    v2: _multimem_st
    v4: _multimem_st
    v8: _multimem_st
    weak: _multimem_st

class _nanosleep(_Instruction):
    u32: _nanosleep

class _neg(_Instruction):
    bf16: _neg
    bf16x2: _neg
    f16: _neg
    f16x2: _neg
    f32: _neg
    f64: _neg
    ftz: _neg
    s16: _neg
    s32: _neg
    s64: _neg

class _not(_Instruction):
    b16: _not
    b32: _not
    b64: _not
    pred: _not

class _or(_Instruction):
    b16: _or
    b32: _or
    b64: _or
    pred: _or

class _pmevent(_Instruction):
    mask: _pmevent

class _popc(_Instruction):
    b32: _popc
    b64: _popc

class _prefetch(_Instruction):
    L1: _prefetch
    L2: _prefetch
    L2__evict_last: _prefetch
    L2__evict_normal: _prefetch
    const: _prefetch
    global_: _prefetch
    local: _prefetch
    param: _prefetch
    tensormap: _prefetch

class _prefetchu(_Instruction):
    L1: _prefetchu

class _prmt(_Instruction):
    b32: _prmt
    b4e: _prmt
    ecl: _prmt
    ecr: _prmt
    f4e: _prmt
    rc16: _prmt
    rc8: _prmt

class _rcp(_Instruction):
    approx: _rcp
    f32: _rcp
    f64: _rcp
    ftz: _rcp
    rm: _rcp
    rn: _rcp
    rp: _rcp
    rz: _rcp

class _red(_Instruction):
    @property
    def async_(self) -> _red_async:
        """updates another CTA's shared memory and counts the bytes (PTX ISA 9.7.13.7)
            red.async (a, b, mbar)
            red.async (a, b)"""
    L2__cache_hint: _red
    add: _red
    and_: _red
    b32: _red
    b64: _red
    bf16: _red
    bf16x2: _red
    cluster: _red
    cta: _red
    dec: _red
    f16: _red
    f16x2: _red
    f32: _red
    f64: _red
    global_: _red
    gpu: _red
    inc: _red
    max: _red
    min: _red
    noftz: _red
    or_: _red
    relaxed: _red
    release: _red
    s32: _red
    s64: _red
    shared: _red
    shared__cluster: _red
    shared__cta: _red
    sys: _red
    u32: _red
    u64: _red
    v2: _red
    v4: _red
    v8: _red
    xor: _red

class _red_async(_Instruction):
    add: _red_async
    and_: _red_async
    b32: _red_async
    cluster: _red_async
    dec: _red_async
    global_: _red_async
    gpu: _red_async
    inc: _red_async
    max: _red_async
    mbarrier__complete_tx__bytes: _red_async
    min: _red_async
    mmio: _red_async
    or_: _red_async
    relaxed: _red_async
    release: _red_async
    s32: _red_async
    s64: _red_async
    shared__cluster: _red_async
    sys: _red_async
    u32: _red_async
    u64: _red_async
    xor: _red_async

class _redux(_Instruction):
    NaN: _redux
    abs: _redux
    add: _redux
    and_: _redux
    b32: _redux
    f32: _redux
    max: _redux
    min: _redux
    or_: _redux
    s32: _redux
    sync: _redux
    u32: _redux
    xor: _redux

class _rem(_Instruction):
    s16: _rem
    s32: _rem
    s64: _rem
    u16: _rem
    u32: _rem
    u64: _rem

class _ret(_Instruction):
    uni: _ret

class _rsqrt(_Instruction):
    approx: _rsqrt
    f32: _rsqrt
    f64: _rsqrt
    ftz: _rsqrt

class _sad(_Instruction):
    s16: _sad
    s32: _sad
    s64: _sad
    u16: _sad
    u32: _sad
    u64: _sad

class _selp(_Instruction):
    b16: _selp
    b32: _selp
    b64: _selp
    f32: _selp
    f64: _selp
    s16: _selp
    s32: _selp
    s64: _selp
    u16: _selp
    u32: _selp
    u64: _selp

class _set(_Instruction):
    and_: _set
    b16: _set
    b32: _set
    b64: _set
    bf16: _set
    bf16x2: _set
    eq: _set
    equ: _set
    f16: _set
    f16x2: _set
    f32: _set
    f64: _set
    ftz: _set
    ge: _set
    geu: _set
    gt: _set
    gtu: _set
    hi: _set
    hs: _set
    le: _set
    leu: _set
    lo: _set
    ls: _set
    lt: _set
    ltu: _set
    nan: _set
    ne: _set
    neu: _set
    num: _set
    or_: _set
    s16: _set
    s32: _set
    s64: _set
    u16: _set
    u32: _set
    u64: _set
    xor: _set

class _setmaxnreg(_Instruction):
    aligned: _setmaxnreg
    dec: _setmaxnreg
    inc: _setmaxnreg
    sync: _setmaxnreg
    u32: _setmaxnreg

class _setp(_Instruction):
    and_: _setp
    b16: _setp
    b32: _setp
    b64: _setp
    bf16: _setp
    bf16x2: _setp
    eq: _setp
    equ: _setp
    f16: _setp
    f16x2: _setp
    f32: _setp
    f64: _setp
    ftz: _setp
    ge: _setp
    geu: _setp
    gt: _setp
    gtu: _setp
    hi: _setp
    hs: _setp
    le: _setp
    leu: _setp
    lo: _setp
    ls: _setp
    lt: _setp
    ltu: _setp
    nan: _setp
    ne: _setp
    neu: _setp
    num: _setp
    or_: _setp
    s16: _setp
    s32: _setp
    s64: _setp
    u16: _setp
    u32: _setp
    u64: _setp
    xor: _setp

class _shf(_Instruction):
    b32: _shf
    clamp: _shf
    l: _shf
    r: _shf
    wrap: _shf

class _shfl(_Instruction):
    b32: _shfl
    bfly: _shfl
    down: _shfl
    idx: _shfl
    sync: _shfl
    up: _shfl

class _shl(_Instruction):
    b16: _shl
    b32: _shl
    b64: _shl

class _shr(_Instruction):
    b16: _shr
    b32: _shr
    b64: _shr
    s16: _shr
    s32: _shr
    s64: _shr
    u16: _shr
    u32: _shr
    u64: _shr

class _sin(_Instruction):
    approx: _sin
    f32: _sin
    ftz: _sin

class _slct(_Instruction):
    b16: _slct
    b32: _slct
    b64: _slct
    f32: _slct
    f64: _slct
    ftz: _slct
    s16: _slct
    s32: _slct
    s64: _slct
    u16: _slct
    u32: _slct
    u64: _slct

class _sqrt(_Instruction):
    approx: _sqrt
    f32: _sqrt
    f64: _sqrt
    ftz: _sqrt
    rm: _sqrt
    rn: _sqrt
    rp: _sqrt
    rz: _sqrt

class _st(_Instruction):
    @property
    def async_(self) -> _st_async:
        """stores to another CTA's shared memory and counts the bytes (PTX ISA 9.7.9.12)
            st.async (a, b, mbar)
            st.async (a, b)"""
    @property
    def bulk(self) -> _st_bulk:
        """fills shared memory with zeros (PTX ISA 9.7.9.13)
            st.bulk (a, size, initval)"""
    L1__evict_first: _st
    L1__evict_last: _st
    L1__evict_normal: _st
    L1__evict_unchanged: _st
    L1__no_allocate: _st
    L2__cache_hint: _st
    L2__evict_first: _st
    L2__evict_last: _st
    L2__evict_normal: _st
    b128: _st
    b16: _st
    b32: _st
    b64: _st
    b8: _st
    cg: _st
    cluster: _st
    cs: _st
    cta: _st
    f32: _st
    f64: _st
    global_: _st
    gpu: _st
    local: _st
    mmio: _st
    param: _st
    param__func: _st
    relaxed: _st
    release: _st
    s16: _st
    s32: _st
    s64: _st
    s8: _st
    shared: _st
    shared__cluster: _st
    shared__cta: _st
    sys: _st
    u16: _st
    u32: _st
    u64: _st
    u8: _st
    v2: _st
    v4: _st
    v8: _st
    volatile: _st
    wb: _st
    weak: _st
    wt: _st

class _st_async(_Instruction):
    b16: _st_async
    b32: _st_async
    b64: _st_async
    b8: _st_async
    cluster: _st_async
    f32: _st_async
    f64: _st_async
    global_: _st_async
    gpu: _st_async
    mbarrier__complete_tx__bytes: _st_async
    mmio: _st_async
    release: _st_async
    s16: _st_async
    s32: _st_async
    s64: _st_async
    s8: _st_async
    shared__cluster: _st_async
    sys: _st_async
    u16: _st_async
    u32: _st_async
    u64: _st_async
    u8: _st_async
    v2: _st_async
    v4: _st_async
    weak: _st_async

class _st_bulk(_Instruction):
    shared__cta: _st_bulk
    weak: _st_bulk

class _stackrestore(_Instruction):
    u32: _stackrestore
    u64: _stackrestore

class _stacksave(_Instruction):
    u32: _stacksave
    u64: _stacksave

class _stmatrix(_Instruction):
    aligned: _stmatrix
    b16: _stmatrix
    b8: _stmatrix
    m16n8: _stmatrix
    m8n8: _stmatrix
    shared: _stmatrix
    shared__cta: _stmatrix
    sync: _stmatrix
    trans: _stmatrix
    x1: _stmatrix
    x2: _stmatrix
    x4: _stmatrix

class _sub(_Instruction):
    bf16: _sub
    bf16x2: _sub
    cc: _sub
    f16: _sub
    f16x2: _sub
    f32: _sub
    f32x2: _sub
    f64: _sub
    ftz: _sub
    rm: _sub
    rn: _sub
    rp: _sub
    rz: _sub
    s16: _sub
    s32: _sub
    s64: _sub
    sat: _sub
    u16: _sub
    u32: _sub
    u64: _sub

class _subc(_Instruction):
    cc: _subc
    s32: _subc
    s64: _subc
    u32: _subc
    u64: _subc

class _szext(_Instruction):
    clamp: _szext
    s32: _szext
    u32: _szext
    wrap: _szext

class _tanh(_Instruction):
    approx: _tanh
    bf16: _tanh
    bf16x2: _tanh
    f16: _tanh
    f16x2: _tanh
    f32: _tanh

class _tcgen05:
    @property
    def alloc(self) -> _tcgen05_alloc:
        """allocates columns of TMEM, writes the address to shared memory (PTX ISA 9.7.16.7.1)
            tcgen05.alloc (dst, columns)"""
    @property
    def commit(self) -> _tcgen05_commit:
        """makes an mbarrier track the thread's earlier tcgen05 operations (PTX ISA 9.7.16.12.1)
            tcgen05.commit (mbar, cta_mask)"""
    @property
    def cp(self) -> _tcgen05_cp:
        """copies shared memory to TMEM (PTX ISA 9.7.16.9.2)
            tcgen05.cp (taddr, desc)"""
    @property
    def dealloc(self) -> _tcgen05_dealloc:
        """frees columns of TMEM (PTX ISA 9.7.16.7.1)
            tcgen05.dealloc (taddr, columns)"""
    @property
    def fence__after_thread_sync(self) -> _tcgen05_fence__after_thread_sync:
        """orders later tcgen05 operations after earlier synchronisation (PTX ISA 9.7.16.11.1)
            tcgen05.fence::after_thread_sync ()"""
    @property
    def fence__before_thread_sync(self) -> _tcgen05_fence__before_thread_sync:
        """orders earlier tcgen05 operations before later synchronisation (PTX ISA 9.7.16.11.1)
            tcgen05.fence::before_thread_sync ()"""
    @property
    def ld(self) -> _tcgen05_ld:
        """loads registers from TMEM (PTX ISA 9.7.16.8.3)
            tcgen05.ld (r, taddr)
            tcgen05.ld (r, taddr, split)"""
    @property
    def mma(self) -> _tcgen05_mma:
        """D = A * B or D = A * B + D, with D in TMEM (PTX ISA 9.7.16.10.9.1)
            tcgen05.mma (d, a, b, idesc, disable_output_lane?, enable_input_d, scale_input_d?)
            tcgen05.mma (d, a, b, idesc, disable_output_lane?, enable_input_d)
            tcgen05.mma (d, a, b, idesc, scale_a, scale_b, enable_input_d)"""
    @property
    def relinquish_alloc_permit(self) -> _tcgen05_relinquish_alloc_permit:
        """promises that the CTA allocates no more (PTX ISA 9.7.16.7.1)
            tcgen05.relinquish_alloc_permit ()"""
    @property
    def shift(self) -> _tcgen05_shift:
        """shifts rows of TMEM down by one (PTX ISA 9.7.16.9.3)
            tcgen05.shift (taddr)"""
    @property
    def st(self) -> _tcgen05_st:
        """stores registers to TMEM (PTX ISA 9.7.16.8.4)
            tcgen05.st (taddr, r)
            tcgen05.st (taddr, split, r)"""
    @property
    def wait__ld(self) -> _tcgen05_wait__ld:
        """waits for the thread's earlier tcgen05.ld (PTX ISA 9.7.16.8.5)
            tcgen05.wait::ld ()"""
    @property
    def wait__st(self) -> _tcgen05_wait__st:
        """waits for the thread's earlier tcgen05.st (PTX ISA 9.7.16.8.5)
            tcgen05.wait::st ()"""

class _tcgen05_alloc(_Instruction):
    aligned: _tcgen05_alloc
    b32: _tcgen05_alloc
    cta_group__1: _tcgen05_alloc
    cta_group__2: _tcgen05_alloc
    shared__cta: _tcgen05_alloc
    sync: _tcgen05_alloc

class _tcgen05_commit(_Instruction):
    b64: _tcgen05_commit
    cta_group__1: _tcgen05_commit
    cta_group__2: _tcgen05_commit
    mbarrier__arrive__one: _tcgen05_commit
    multicast__cluster: _tcgen05_commit
    shared__cluster: _tcgen05_commit

class _tcgen05_cp(_Instruction):
    b4x16_p64: _tcgen05_cp
    b6x16_p32: _tcgen05_cp
    b8x16: _tcgen05_cp
    cta_group__1: _tcgen05_cp
    cta_group__2: _tcgen05_cp
    warpx2__01_23: _tcgen05_cp
    warpx2__02_13: _tcgen05_cp
    warpx4: _tcgen05_cp

class _tcgen05_dealloc(_Instruction):
    aligned: _tcgen05_dealloc
    b32: _tcgen05_dealloc
    cta_group__1: _tcgen05_dealloc
    cta_group__2: _tcgen05_dealloc
    sync: _tcgen05_dealloc

class _tcgen05_fence__after_thread_sync(_Instruction):
    ...

class _tcgen05_fence__before_thread_sync(_Instruction):
    ...

class _tcgen05_ld(_Instruction):
    @property
    def red(self) -> _tcgen05_ld_red:
        """loads registers from TMEM and reduces them (PTX ISA 9.7.16.8.3)
            tcgen05.ld.red (r, reduced, taddr)
            tcgen05.ld.red (r, reduced, taddr, split)"""
    aligned: _tcgen05_ld
    b32: _tcgen05_ld
    pack__16b: _tcgen05_ld
    sync: _tcgen05_ld
    x1: _tcgen05_ld
    x128: _tcgen05_ld
    x16: _tcgen05_ld
    x2: _tcgen05_ld
    x32: _tcgen05_ld
    x4: _tcgen05_ld
    x64: _tcgen05_ld
    x8: _tcgen05_ld

class _tcgen05_ld_red(_Instruction):
    NaN: _tcgen05_ld_red
    abs: _tcgen05_ld_red
    aligned: _tcgen05_ld_red
    f32: _tcgen05_ld_red
    max: _tcgen05_ld_red
    min: _tcgen05_ld_red
    s32: _tcgen05_ld_red
    sync: _tcgen05_ld_red
    u32: _tcgen05_ld_red
    x128: _tcgen05_ld_red
    x16: _tcgen05_ld_red
    x2: _tcgen05_ld_red
    x32: _tcgen05_ld_red
    x4: _tcgen05_ld_red
    x64: _tcgen05_ld_red
    x8: _tcgen05_ld_red

class _tcgen05_mma(_Instruction):
    @property
    def sp(self) -> _tcgen05_mma_sp:
        """tcgen05.mma with a sparse A (PTX ISA 9.7.16.10.9.2)
            tcgen05.mma.sp (d, a, b, meta, idesc, disable_output_lane?, enable_input_d, scale_input_d?)
            tcgen05.mma.sp (d, a, b, meta, idesc, disable_output_lane?, enable_input_d)
            tcgen05.mma.sp (d, a, b, meta, idesc, scale_a, scale_b, enable_input_d)"""
    @property
    def ws(self) -> _tcgen05_mma_ws:
        """tcgen05.mma that keeps B in the collector (PTX ISA 9.7.16.10.9.3)
            tcgen05.mma.ws (d, a, b, idesc, enable_input_d, zero_columns?)"""
    ashift: _tcgen05_mma
    block16: _tcgen05_mma
    block32: _tcgen05_mma
    block_scale: _tcgen05_mma
    collector__a__discard: _tcgen05_mma
    collector__a__fill: _tcgen05_mma
    collector__a__lastuse: _tcgen05_mma
    collector__a__use: _tcgen05_mma
    cta_group__1: _tcgen05_mma
    cta_group__2: _tcgen05_mma
    kind__f16: _tcgen05_mma
    kind__f8f6f4: _tcgen05_mma
    kind__i8: _tcgen05_mma
    kind__mxf4: _tcgen05_mma
    kind__mxf4nvf4: _tcgen05_mma
    kind__mxf8f6f4: _tcgen05_mma
    kind__tf32: _tcgen05_mma
    scale_vec__1X: _tcgen05_mma
    scale_vec__2X: _tcgen05_mma
    scale_vec__4X: _tcgen05_mma

class _tcgen05_mma_sp(_Instruction):
    ashift: _tcgen05_mma_sp
    block16: _tcgen05_mma_sp
    block32: _tcgen05_mma_sp
    block_scale: _tcgen05_mma_sp
    collector__a__discard: _tcgen05_mma_sp
    collector__a__fill: _tcgen05_mma_sp
    collector__a__lastuse: _tcgen05_mma_sp
    collector__a__use: _tcgen05_mma_sp
    cta_group__1: _tcgen05_mma_sp
    cta_group__2: _tcgen05_mma_sp
    kind__f16: _tcgen05_mma_sp
    kind__f8f6f4: _tcgen05_mma_sp
    kind__i8: _tcgen05_mma_sp
    kind__mxf4: _tcgen05_mma_sp
    kind__mxf4nvf4: _tcgen05_mma_sp
    kind__mxf8f6f4: _tcgen05_mma_sp
    kind__tf32: _tcgen05_mma_sp
    scale_vec__1X: _tcgen05_mma_sp
    scale_vec__2X: _tcgen05_mma_sp
    scale_vec__4X: _tcgen05_mma_sp

class _tcgen05_mma_ws(_Instruction):
    @property
    def sp(self) -> _tcgen05_mma_ws_sp:
        """tcgen05.mma.ws with a sparse A (PTX ISA 9.7.16.10.9.4)
            tcgen05.mma.ws.sp (d, a, b, meta, idesc, enable_input_d, zero_columns?)"""
    collector__b0__discard: _tcgen05_mma_ws
    collector__b0__fill: _tcgen05_mma_ws
    collector__b0__lastuse: _tcgen05_mma_ws
    collector__b0__use: _tcgen05_mma_ws
    collector__b1__discard: _tcgen05_mma_ws
    collector__b1__fill: _tcgen05_mma_ws
    collector__b1__lastuse: _tcgen05_mma_ws
    collector__b1__use: _tcgen05_mma_ws
    collector__b2__discard: _tcgen05_mma_ws
    collector__b2__fill: _tcgen05_mma_ws
    collector__b2__lastuse: _tcgen05_mma_ws
    collector__b2__use: _tcgen05_mma_ws
    collector__b3__discard: _tcgen05_mma_ws
    collector__b3__fill: _tcgen05_mma_ws
    collector__b3__lastuse: _tcgen05_mma_ws
    collector__b3__use: _tcgen05_mma_ws
    cta_group__1: _tcgen05_mma_ws
    kind__f16: _tcgen05_mma_ws
    kind__f8f6f4: _tcgen05_mma_ws
    kind__i8: _tcgen05_mma_ws
    kind__tf32: _tcgen05_mma_ws

class _tcgen05_mma_ws_sp(_Instruction):
    collector__b0__discard: _tcgen05_mma_ws_sp
    collector__b0__fill: _tcgen05_mma_ws_sp
    collector__b0__lastuse: _tcgen05_mma_ws_sp
    collector__b0__use: _tcgen05_mma_ws_sp
    collector__b1__discard: _tcgen05_mma_ws_sp
    collector__b1__fill: _tcgen05_mma_ws_sp
    collector__b1__lastuse: _tcgen05_mma_ws_sp
    collector__b1__use: _tcgen05_mma_ws_sp
    collector__b2__discard: _tcgen05_mma_ws_sp
    collector__b2__fill: _tcgen05_mma_ws_sp
    collector__b2__lastuse: _tcgen05_mma_ws_sp
    collector__b2__use: _tcgen05_mma_ws_sp
    collector__b3__discard: _tcgen05_mma_ws_sp
    collector__b3__fill: _tcgen05_mma_ws_sp
    collector__b3__lastuse: _tcgen05_mma_ws_sp
    collector__b3__use: _tcgen05_mma_ws_sp
    cta_group__1: _tcgen05_mma_ws_sp
    kind__f16: _tcgen05_mma_ws_sp
    kind__f8f6f4: _tcgen05_mma_ws_sp
    kind__i8: _tcgen05_mma_ws_sp
    kind__tf32: _tcgen05_mma_ws_sp

class _tcgen05_relinquish_alloc_permit(_Instruction):
    aligned: _tcgen05_relinquish_alloc_permit
    cta_group__1: _tcgen05_relinquish_alloc_permit
    cta_group__2: _tcgen05_relinquish_alloc_permit
    sync: _tcgen05_relinquish_alloc_permit

class _tcgen05_shift(_Instruction):
    cta_group__1: _tcgen05_shift
    cta_group__2: _tcgen05_shift
    down: _tcgen05_shift

class _tcgen05_st(_Instruction):
    aligned: _tcgen05_st
    b32: _tcgen05_st
    sync: _tcgen05_st
    unpack__16b: _tcgen05_st
    x1: _tcgen05_st
    x128: _tcgen05_st
    x16: _tcgen05_st
    x2: _tcgen05_st
    x32: _tcgen05_st
    x4: _tcgen05_st
    x64: _tcgen05_st
    x8: _tcgen05_st

class _tcgen05_wait__ld(_Instruction):
    aligned: _tcgen05_wait__ld
    sync: _tcgen05_wait__ld

class _tcgen05_wait__st(_Instruction):
    aligned: _tcgen05_wait__st
    sync: _tcgen05_wait__st

class _tensormap:
    @property
    def cp_fenceproxy(self) -> _tensormap_cp_fenceproxy:
        """copies a tensor map to global memory and orders it (PTX ISA 9.7.13.16)
            tensormap.cp_fenceproxy (d, a, size)"""
    @property
    def replace(self) -> _tensormap_replace:
        """changes a field of a tensor map (PTX ISA 9.7.9.26)
            tensormap.replace (a, value)
            tensormap.replace (a, index, value)"""

class _tensormap_cp_fenceproxy(_Instruction):
    aligned: _tensormap_cp_fenceproxy
    cluster: _tensormap_cp_fenceproxy
    cta: _tensormap_cp_fenceproxy
    global_: _tensormap_cp_fenceproxy
    gpu: _tensormap_cp_fenceproxy
    release: _tensormap_cp_fenceproxy
    shared__cta: _tensormap_cp_fenceproxy
    sync: _tensormap_cp_fenceproxy
    sys: _tensormap_cp_fenceproxy
    tensormap__generic: _tensormap_cp_fenceproxy

class _tensormap_replace(_Instruction):
    b1024: _tensormap_replace
    b32: _tensormap_replace
    b64: _tensormap_replace
    box_dim: _tensormap_replace
    element_stride: _tensormap_replace
    elemtype: _tensormap_replace
    fill_mode: _tensormap_replace
    global_: _tensormap_replace
    global_address: _tensormap_replace
    global_dim: _tensormap_replace
    global_stride: _tensormap_replace
    interleave_layout: _tensormap_replace
    rank: _tensormap_replace
    shared__cta: _tensormap_replace
    swizzle_atomicity: _tensormap_replace
    swizzle_mode: _tensormap_replace
    tile: _tensormap_replace

class _testp(_Instruction):
    f32: _testp
    f64: _testp
    finite: _testp
    infinite: _testp
    normal: _testp
    notanumber: _testp
    number: _testp
    subnormal: _testp

class _trap(_Instruction):
    ...

class _vabsdiff2(_Instruction):
    add: _vabsdiff2
    s32: _vabsdiff2
    sat: _vabsdiff2
    u32: _vabsdiff2

class _vabsdiff4(_Instruction):
    add: _vabsdiff4
    s32: _vabsdiff4
    sat: _vabsdiff4
    u32: _vabsdiff4

class _vadd2(_Instruction):
    add: _vadd2
    s32: _vadd2
    sat: _vadd2
    u32: _vadd2

class _vadd4(_Instruction):
    add: _vadd4
    s32: _vadd4
    sat: _vadd4
    u32: _vadd4

class _vavrg2(_Instruction):
    add: _vavrg2
    s32: _vavrg2
    sat: _vavrg2
    u32: _vavrg2

class _vavrg4(_Instruction):
    add: _vavrg4
    s32: _vavrg4
    sat: _vavrg4
    u32: _vavrg4

class _vmax2(_Instruction):
    add: _vmax2
    s32: _vmax2
    sat: _vmax2
    u32: _vmax2

class _vmax4(_Instruction):
    add: _vmax4
    s32: _vmax4
    sat: _vmax4
    u32: _vmax4

class _vmin2(_Instruction):
    add: _vmin2
    s32: _vmin2
    sat: _vmin2
    u32: _vmin2

class _vmin4(_Instruction):
    add: _vmin4
    s32: _vmin4
    sat: _vmin4
    u32: _vmin4

class _vote(_Instruction):
    all: _vote
    any: _vote
    b32: _vote
    ballot: _vote
    pred: _vote
    sync: _vote
    uni: _vote

class _vset2(_Instruction):
    add: _vset2
    eq: _vset2
    ge: _vset2
    gt: _vset2
    le: _vset2
    lt: _vset2
    ne: _vset2
    s32: _vset2
    u32: _vset2

class _vset4(_Instruction):
    add: _vset4
    eq: _vset4
    ge: _vset4
    gt: _vset4
    le: _vset4
    lt: _vset4
    ne: _vset4
    s32: _vset4
    u32: _vset4

class _vsub2(_Instruction):
    add: _vsub2
    s32: _vsub2
    sat: _vsub2
    u32: _vsub2

class _vsub4(_Instruction):
    add: _vsub4
    s32: _vsub4
    sat: _vsub4
    u32: _vsub4

class _wgmma:
    @property
    def commit_group(self) -> _wgmma_commit_group:
        """closes a group of the warpgroup's wgmma (PTX ISA 9.7.15.7.2)
            wgmma.commit_group ()"""
    @property
    def fence(self) -> _wgmma_fence:
        """orders register accesses with the next wgmma (PTX ISA 9.7.15.7.1)
            wgmma.fence ()"""
    @property
    def mma_async(self) -> _wgmma_mma_async:
        """D = A * B + D over a warpgroup, D in registers (PTX ISA 9.7.15.5.2)
            wgmma.mma_async (d, a, b, scale_d, scale_a, scale_b, trans_a?, trans_b?)
            wgmma.mma_async (d, a, b, scale_d, scale_a, scale_b)
            wgmma.mma_async (d, a, b, scale_d)"""
    @property
    def wait_group(self) -> _wgmma_wait_group:
        """waits until at most n groups are pending (PTX ISA 9.7.15.7.3)
            wgmma.wait_group (n)"""

class _wgmma_commit_group(_Instruction):
    aligned: _wgmma_commit_group
    sync: _wgmma_commit_group

class _wgmma_fence(_Instruction):
    aligned: _wgmma_fence
    sync: _wgmma_fence

class _wgmma_mma_async(_Instruction):
    @property
    def sp(self) -> _wgmma_mma_async_sp:
        """wgmma.mma_async with a sparse A (PTX ISA 9.7.15.6.3)
            wgmma.mma_async.sp (d, a, b, meta, selector, scale_d, scale_a, scale_b, trans_a?, trans_b?)
            wgmma.mma_async.sp (d, a, b, meta, selector, scale_d, scale_a, scale_b)
            wgmma.mma_async.sp (d, a, b, meta, selector, scale_d)"""
    aligned: _wgmma_mma_async
    and_: _wgmma_mma_async
    b1: _wgmma_mma_async
    bf16: _wgmma_mma_async
    e4m3: _wgmma_mma_async
    e5m2: _wgmma_mma_async
    f16: _wgmma_mma_async
    f32: _wgmma_mma_async
    m64n104k16: _wgmma_mma_async
    m64n104k32: _wgmma_mma_async
    m64n104k8: _wgmma_mma_async
    m64n112k16: _wgmma_mma_async
    m64n112k256: _wgmma_mma_async
    m64n112k32: _wgmma_mma_async
    m64n112k8: _wgmma_mma_async
    m64n120k16: _wgmma_mma_async
    m64n120k32: _wgmma_mma_async
    m64n120k8: _wgmma_mma_async
    m64n128k16: _wgmma_mma_async
    m64n128k256: _wgmma_mma_async
    m64n128k32: _wgmma_mma_async
    m64n128k8: _wgmma_mma_async
    m64n136k16: _wgmma_mma_async
    m64n136k32: _wgmma_mma_async
    m64n136k8: _wgmma_mma_async
    m64n144k16: _wgmma_mma_async
    m64n144k256: _wgmma_mma_async
    m64n144k32: _wgmma_mma_async
    m64n144k8: _wgmma_mma_async
    m64n152k16: _wgmma_mma_async
    m64n152k32: _wgmma_mma_async
    m64n152k8: _wgmma_mma_async
    m64n160k16: _wgmma_mma_async
    m64n160k256: _wgmma_mma_async
    m64n160k32: _wgmma_mma_async
    m64n160k8: _wgmma_mma_async
    m64n168k16: _wgmma_mma_async
    m64n168k32: _wgmma_mma_async
    m64n168k8: _wgmma_mma_async
    m64n16k16: _wgmma_mma_async
    m64n16k256: _wgmma_mma_async
    m64n16k32: _wgmma_mma_async
    m64n16k8: _wgmma_mma_async
    m64n176k16: _wgmma_mma_async
    m64n176k256: _wgmma_mma_async
    m64n176k32: _wgmma_mma_async
    m64n176k8: _wgmma_mma_async
    m64n184k16: _wgmma_mma_async
    m64n184k32: _wgmma_mma_async
    m64n184k8: _wgmma_mma_async
    m64n192k16: _wgmma_mma_async
    m64n192k256: _wgmma_mma_async
    m64n192k32: _wgmma_mma_async
    m64n192k8: _wgmma_mma_async
    m64n200k16: _wgmma_mma_async
    m64n200k32: _wgmma_mma_async
    m64n200k8: _wgmma_mma_async
    m64n208k16: _wgmma_mma_async
    m64n208k256: _wgmma_mma_async
    m64n208k32: _wgmma_mma_async
    m64n208k8: _wgmma_mma_async
    m64n216k16: _wgmma_mma_async
    m64n216k32: _wgmma_mma_async
    m64n216k8: _wgmma_mma_async
    m64n224k16: _wgmma_mma_async
    m64n224k256: _wgmma_mma_async
    m64n224k32: _wgmma_mma_async
    m64n224k8: _wgmma_mma_async
    m64n232k16: _wgmma_mma_async
    m64n232k32: _wgmma_mma_async
    m64n232k8: _wgmma_mma_async
    m64n240k16: _wgmma_mma_async
    m64n240k256: _wgmma_mma_async
    m64n240k32: _wgmma_mma_async
    m64n240k8: _wgmma_mma_async
    m64n248k16: _wgmma_mma_async
    m64n248k32: _wgmma_mma_async
    m64n248k8: _wgmma_mma_async
    m64n24k16: _wgmma_mma_async
    m64n24k256: _wgmma_mma_async
    m64n24k32: _wgmma_mma_async
    m64n24k8: _wgmma_mma_async
    m64n256k16: _wgmma_mma_async
    m64n256k256: _wgmma_mma_async
    m64n256k32: _wgmma_mma_async
    m64n256k8: _wgmma_mma_async
    m64n32k16: _wgmma_mma_async
    m64n32k256: _wgmma_mma_async
    m64n32k32: _wgmma_mma_async
    m64n32k8: _wgmma_mma_async
    m64n40k16: _wgmma_mma_async
    m64n40k32: _wgmma_mma_async
    m64n40k8: _wgmma_mma_async
    m64n48k16: _wgmma_mma_async
    m64n48k256: _wgmma_mma_async
    m64n48k32: _wgmma_mma_async
    m64n48k8: _wgmma_mma_async
    m64n56k16: _wgmma_mma_async
    m64n56k32: _wgmma_mma_async
    m64n56k8: _wgmma_mma_async
    m64n64k16: _wgmma_mma_async
    m64n64k256: _wgmma_mma_async
    m64n64k32: _wgmma_mma_async
    m64n64k8: _wgmma_mma_async
    m64n72k16: _wgmma_mma_async
    m64n72k32: _wgmma_mma_async
    m64n72k8: _wgmma_mma_async
    m64n80k16: _wgmma_mma_async
    m64n80k256: _wgmma_mma_async
    m64n80k32: _wgmma_mma_async
    m64n80k8: _wgmma_mma_async
    m64n88k16: _wgmma_mma_async
    m64n88k32: _wgmma_mma_async
    m64n88k8: _wgmma_mma_async
    m64n8k16: _wgmma_mma_async
    m64n8k256: _wgmma_mma_async
    m64n8k32: _wgmma_mma_async
    m64n8k8: _wgmma_mma_async
    m64n96k16: _wgmma_mma_async
    m64n96k256: _wgmma_mma_async
    m64n96k32: _wgmma_mma_async
    m64n96k8: _wgmma_mma_async
    popc: _wgmma_mma_async
    s32: _wgmma_mma_async
    s8: _wgmma_mma_async
    satfinite: _wgmma_mma_async
    sync: _wgmma_mma_async
    tf32: _wgmma_mma_async
    u8: _wgmma_mma_async

class _wgmma_mma_async_sp(_Instruction):
    aligned: _wgmma_mma_async_sp
    bf16: _wgmma_mma_async_sp
    e4m3: _wgmma_mma_async_sp
    e5m2: _wgmma_mma_async_sp
    f16: _wgmma_mma_async_sp
    f32: _wgmma_mma_async_sp
    m64n104k16: _wgmma_mma_async_sp
    m64n104k32: _wgmma_mma_async_sp
    m64n104k64: _wgmma_mma_async_sp
    m64n112k16: _wgmma_mma_async_sp
    m64n112k32: _wgmma_mma_async_sp
    m64n112k64: _wgmma_mma_async_sp
    m64n120k16: _wgmma_mma_async_sp
    m64n120k32: _wgmma_mma_async_sp
    m64n120k64: _wgmma_mma_async_sp
    m64n128k16: _wgmma_mma_async_sp
    m64n128k32: _wgmma_mma_async_sp
    m64n128k64: _wgmma_mma_async_sp
    m64n136k16: _wgmma_mma_async_sp
    m64n136k32: _wgmma_mma_async_sp
    m64n136k64: _wgmma_mma_async_sp
    m64n144k16: _wgmma_mma_async_sp
    m64n144k32: _wgmma_mma_async_sp
    m64n144k64: _wgmma_mma_async_sp
    m64n152k16: _wgmma_mma_async_sp
    m64n152k32: _wgmma_mma_async_sp
    m64n152k64: _wgmma_mma_async_sp
    m64n160k16: _wgmma_mma_async_sp
    m64n160k32: _wgmma_mma_async_sp
    m64n160k64: _wgmma_mma_async_sp
    m64n168k16: _wgmma_mma_async_sp
    m64n168k32: _wgmma_mma_async_sp
    m64n168k64: _wgmma_mma_async_sp
    m64n16k16: _wgmma_mma_async_sp
    m64n16k32: _wgmma_mma_async_sp
    m64n16k64: _wgmma_mma_async_sp
    m64n176k16: _wgmma_mma_async_sp
    m64n176k32: _wgmma_mma_async_sp
    m64n176k64: _wgmma_mma_async_sp
    m64n184k16: _wgmma_mma_async_sp
    m64n184k32: _wgmma_mma_async_sp
    m64n184k64: _wgmma_mma_async_sp
    m64n192k16: _wgmma_mma_async_sp
    m64n192k32: _wgmma_mma_async_sp
    m64n192k64: _wgmma_mma_async_sp
    m64n200k16: _wgmma_mma_async_sp
    m64n200k32: _wgmma_mma_async_sp
    m64n200k64: _wgmma_mma_async_sp
    m64n208k16: _wgmma_mma_async_sp
    m64n208k32: _wgmma_mma_async_sp
    m64n208k64: _wgmma_mma_async_sp
    m64n216k16: _wgmma_mma_async_sp
    m64n216k32: _wgmma_mma_async_sp
    m64n216k64: _wgmma_mma_async_sp
    m64n224k16: _wgmma_mma_async_sp
    m64n224k32: _wgmma_mma_async_sp
    m64n224k64: _wgmma_mma_async_sp
    m64n232k16: _wgmma_mma_async_sp
    m64n232k32: _wgmma_mma_async_sp
    m64n232k64: _wgmma_mma_async_sp
    m64n240k16: _wgmma_mma_async_sp
    m64n240k32: _wgmma_mma_async_sp
    m64n240k64: _wgmma_mma_async_sp
    m64n248k16: _wgmma_mma_async_sp
    m64n248k32: _wgmma_mma_async_sp
    m64n248k64: _wgmma_mma_async_sp
    m64n24k16: _wgmma_mma_async_sp
    m64n24k32: _wgmma_mma_async_sp
    m64n24k64: _wgmma_mma_async_sp
    m64n256k16: _wgmma_mma_async_sp
    m64n256k32: _wgmma_mma_async_sp
    m64n256k64: _wgmma_mma_async_sp
    m64n32k16: _wgmma_mma_async_sp
    m64n32k32: _wgmma_mma_async_sp
    m64n32k64: _wgmma_mma_async_sp
    m64n40k16: _wgmma_mma_async_sp
    m64n40k32: _wgmma_mma_async_sp
    m64n40k64: _wgmma_mma_async_sp
    m64n48k16: _wgmma_mma_async_sp
    m64n48k32: _wgmma_mma_async_sp
    m64n48k64: _wgmma_mma_async_sp
    m64n56k16: _wgmma_mma_async_sp
    m64n56k32: _wgmma_mma_async_sp
    m64n56k64: _wgmma_mma_async_sp
    m64n64k16: _wgmma_mma_async_sp
    m64n64k32: _wgmma_mma_async_sp
    m64n64k64: _wgmma_mma_async_sp
    m64n72k16: _wgmma_mma_async_sp
    m64n72k32: _wgmma_mma_async_sp
    m64n72k64: _wgmma_mma_async_sp
    m64n80k16: _wgmma_mma_async_sp
    m64n80k32: _wgmma_mma_async_sp
    m64n80k64: _wgmma_mma_async_sp
    m64n88k16: _wgmma_mma_async_sp
    m64n88k32: _wgmma_mma_async_sp
    m64n88k64: _wgmma_mma_async_sp
    m64n8k16: _wgmma_mma_async_sp
    m64n8k32: _wgmma_mma_async_sp
    m64n8k64: _wgmma_mma_async_sp
    m64n96k16: _wgmma_mma_async_sp
    m64n96k32: _wgmma_mma_async_sp
    m64n96k64: _wgmma_mma_async_sp
    s32: _wgmma_mma_async_sp
    s8: _wgmma_mma_async_sp
    satfinite: _wgmma_mma_async_sp
    sync: _wgmma_mma_async_sp
    tf32: _wgmma_mma_async_sp
    u8: _wgmma_mma_async_sp

class _wgmma_wait_group(_Instruction):
    aligned: _wgmma_wait_group
    sync: _wgmma_wait_group

class _wmma:
    load: _wmma_load
    @property
    def mma(self) -> _wmma_mma:
        """D = A * B + C over a warp (PTX ISA 9.7.14.4.5)
            wmma.mma (d, a, b, c)"""
    store: _wmma_store

class _wmma_load:
    @property
    def a(self) -> _wmma_load_a:
        """loads the fragment of A (PTX ISA 9.7.14.4.3)
            wmma.load.a (r, p, stride?)"""
    @property
    def b(self) -> _wmma_load_b:
        """loads the fragment of B (PTX ISA 9.7.14.4.3)
            wmma.load.b (r, p, stride?)"""
    @property
    def c(self) -> _wmma_load_c:
        """loads the fragment of C (PTX ISA 9.7.14.4.3)
            wmma.load.c (r, p, stride?)"""

class _wmma_load_a(_Instruction):
    aligned: _wmma_load_a
    b1: _wmma_load_a
    bf16: _wmma_load_a
    col: _wmma_load_a
    f16: _wmma_load_a
    f64: _wmma_load_a
    global_: _wmma_load_a
    m16n16k16: _wmma_load_a
    m16n16k8: _wmma_load_a
    m32n8k16: _wmma_load_a
    m8n32k16: _wmma_load_a
    m8n8k128: _wmma_load_a
    m8n8k32: _wmma_load_a
    m8n8k4: _wmma_load_a
    row: _wmma_load_a
    s4: _wmma_load_a
    s8: _wmma_load_a
    shared: _wmma_load_a
    shared__cta: _wmma_load_a
    sync: _wmma_load_a
    tf32: _wmma_load_a
    u4: _wmma_load_a
    u8: _wmma_load_a

class _wmma_load_b(_Instruction):
    aligned: _wmma_load_b
    b1: _wmma_load_b
    bf16: _wmma_load_b
    col: _wmma_load_b
    f16: _wmma_load_b
    f64: _wmma_load_b
    global_: _wmma_load_b
    m16n16k16: _wmma_load_b
    m16n16k8: _wmma_load_b
    m32n8k16: _wmma_load_b
    m8n32k16: _wmma_load_b
    m8n8k128: _wmma_load_b
    m8n8k32: _wmma_load_b
    m8n8k4: _wmma_load_b
    row: _wmma_load_b
    s4: _wmma_load_b
    s8: _wmma_load_b
    shared: _wmma_load_b
    shared__cta: _wmma_load_b
    sync: _wmma_load_b
    tf32: _wmma_load_b
    u4: _wmma_load_b
    u8: _wmma_load_b

class _wmma_load_c(_Instruction):
    aligned: _wmma_load_c
    col: _wmma_load_c
    f16: _wmma_load_c
    f32: _wmma_load_c
    f64: _wmma_load_c
    global_: _wmma_load_c
    m16n16k16: _wmma_load_c
    m16n16k8: _wmma_load_c
    m32n8k16: _wmma_load_c
    m8n32k16: _wmma_load_c
    m8n8k128: _wmma_load_c
    m8n8k32: _wmma_load_c
    m8n8k4: _wmma_load_c
    row: _wmma_load_c
    s32: _wmma_load_c
    shared: _wmma_load_c
    shared__cta: _wmma_load_c
    sync: _wmma_load_c

class _wmma_mma(_Instruction):
    aligned: _wmma_mma
    and_: _wmma_mma
    b1: _wmma_mma
    bf16: _wmma_mma
    col: _wmma_mma
    f16: _wmma_mma
    f32: _wmma_mma
    f64: _wmma_mma
    m16n16k16: _wmma_mma
    m16n16k8: _wmma_mma
    m32n8k16: _wmma_mma
    m8n32k16: _wmma_mma
    m8n8k128: _wmma_mma
    m8n8k32: _wmma_mma
    m8n8k4: _wmma_mma
    popc: _wmma_mma
    rm: _wmma_mma
    rn: _wmma_mma
    row: _wmma_mma
    rp: _wmma_mma
    rz: _wmma_mma
    s32: _wmma_mma
    s4: _wmma_mma
    s8: _wmma_mma
    satfinite: _wmma_mma
    sync: _wmma_mma
    tf32: _wmma_mma
    u4: _wmma_mma
    u8: _wmma_mma
    xor: _wmma_mma

class _wmma_store:
    @property
    def d(self) -> _wmma_store_d:
        """stores the fragment of D (PTX ISA 9.7.14.4.4)
            wmma.store.d (p, r, stride?)"""

class _wmma_store_d(_Instruction):
    aligned: _wmma_store_d
    col: _wmma_store_d
    f16: _wmma_store_d
    f32: _wmma_store_d
    f64: _wmma_store_d
    global_: _wmma_store_d
    m16n16k16: _wmma_store_d
    m16n16k8: _wmma_store_d
    m32n8k16: _wmma_store_d
    m8n32k16: _wmma_store_d
    m8n8k128: _wmma_store_d
    m8n8k32: _wmma_store_d
    m8n8k4: _wmma_store_d
    row: _wmma_store_d
    s32: _wmma_store_d
    shared: _wmma_store_d
    shared__cta: _wmma_store_d
    sync: _wmma_store_d

class _xor(_Instruction):
    b16: _xor
    b32: _xor
    b64: _xor
    pred: _xor

class Ptx:
    """Every PTX instruction, one call each, destinations first."""

    SINK: _Sink
    def __getitem__(self, text: str) -> Path: ...
    # Instructions of the user's own.
    def __getattr__(self, name: str) -> Any: ...
    @staticmethod
    def addr(base: Any, offset: Any = 0) -> Any: ...
    @staticmethod
    def pred(value: Any) -> Expr: ...
    @property
    def abs(self) -> _abs:
        """the absolute value (PTX ISA 9.7.1.10)
            abs (d, a)"""
    @property
    def activemask(self) -> _activemask:
        """the lanes running together (PTX ISA 9.7.13.11)
            activemask (d)"""
    @property
    def add(self) -> _add:
        """adds two values (PTX ISA 9.7.1.1)
            add (d, a, b)
            add (d, a, c)"""
    @property
    def addc(self) -> _addc:
        """adds two values and the carry (PTX ISA 9.7.2.2)
            addc (d, a, b)"""
    @property
    def alloca(self) -> _alloca:
        """allocates local memory until the function ends (PTX ISA 9.7.17.3)
            alloca (ptr, size, align?)"""
    @property
    def and_(self) -> _and:
        """bitwise and (PTX ISA 9.7.8.1)
            and (d, a, b)"""
    @property
    def applypriority(self) -> _applypriority:
        """sets the eviction priority of a range (PTX ISA 9.7.9.16)
            applypriority (a, size)"""
    @property
    def atom(self) -> _atom:
        """updates memory atomically and gives the old value (PTX ISA 9.7.13.5)
            atom (d, a, b, policy)
            atom (d, a, b, c)"""
    @property
    def bar(self) -> _bar:
        """a barrier of the CTA, all warps converged (PTX ISA 9.7.13.1)
            bar (barrier, threads?)
            bar (barrier, threads)
            bar (d, barrier, threads?, c)
            bar (p, barrier, threads?, c)"""
    @property
    def barrier(self) -> _barrier:
        """a barrier of the CTA (PTX ISA 9.7.13.1)
            barrier (barrier, threads?)
            barrier (barrier, threads)
            barrier (d, barrier, threads?, c)
            barrier (p, barrier, threads?, c)"""
    @property
    def bfe(self) -> _bfe:
        """extracts c bits of a from bit b (PTX ISA 9.7.1.19)
            bfe (d, a, b, c)"""
    @property
    def bfi(self) -> _bfi:
        """inserts d bits of a into b from bit c (PTX ISA 9.7.1.20)
            bfi (f, a, b, c, d)"""
    @property
    def bfind(self) -> _bfind:
        """position of the most significant bit that is not sign (PTX ISA 9.7.1.16)
            bfind (d, a)"""
    @property
    def bmsk(self) -> _bmsk:
        """b ones from bit a (PTX ISA 9.7.1.22)
            bmsk (d, a, b)"""
    @property
    def bra(self) -> _bra:
        """branches (PTX ISA 9.7.12.3)
            bra (target)"""
    @property
    def brev(self) -> _brev:
        """reverses the bits (PTX ISA 9.7.1.18)
            brev (d, a)"""
    @property
    def brkpt(self) -> _brkpt:
        """stops for the debugger (PTX ISA 9.7.19.1)
            brkpt ()"""
    brx: _brx
    @property
    def call(self) -> _call:
        """calls a function (PTX ISA 9.7.12.5)
            call (results?, function, params?, prototype?)"""
    clusterlaunchcontrol: _clusterlaunchcontrol
    @property
    def clz(self) -> _clz:
        """number of leading zeros (PTX ISA 9.7.1.15)
            clz (d, a)"""
    @property
    def cnot(self) -> _cnot:
        """1 if a is 0, else 0 (PTX ISA 9.7.8.5)
            cnot (d, a)"""
    @property
    def copysign(self) -> _copysign:
        """b with the sign of a (PTX ISA 9.7.3.2)
            copysign (d, a, b)"""
    @property
    def cos(self) -> _cos:
        """the cosine, a in radians (PTX ISA 9.7.3.19)
            cos (d, a)"""
    cp: _cp
    @property
    def createpolicy(self) -> _createpolicy:
        """makes a cache eviction policy (PTX ISA 9.7.9.18)
            createpolicy (policy, a, primary_size, total_size)
            createpolicy (policy, fraction?)
            createpolicy (policy, property)"""
    @property
    def cvt(self) -> _cvt:
        """converts between types, rounding or saturating (PTX ISA 9.7.9.21)
            cvt (d, a)
            cvt (d, a, b)
            cvt (d, a, b, rbits)
            cvt (d, abef, rbits)"""
    @property
    def cvta(self) -> _cvta:
        """converts an address to or from a state space (PTX ISA 9.7.9.20)
            cvta (d, a)"""
    @property
    def discard(self) -> _discard:
        """drops a range from the cache without writing it back (PTX ISA 9.7.9.17)
            discard (a, size)"""
    @property
    def div(self) -> _div:
        """divides a by b (PTX ISA 9.7.1.8)
            div (d, a, b)"""
    @property
    def dp2a(self) -> _dp2a:
        """dot product of two halves and two bytes, added to c (PTX ISA 9.7.1.24)
            dp2a (d, a, b, c)"""
    @property
    def dp4a(self) -> _dp4a:
        """dot product of four bytes, added to c (PTX ISA 9.7.1.23)
            dp4a (d, a, b, c)"""
    @property
    def elect(self) -> _elect:
        """elects one lane of a mask (PTX ISA 9.7.13.14)
            elect (d, mask)"""
    @property
    def ex2(self) -> _ex2:
        """two to the power of a (PTX ISA 9.7.3.21)
            ex2 (d, a)"""
    @property
    def exit(self) -> _exit:
        """ends the thread (PTX ISA 9.7.12.7)
            exit ()"""
    @property
    def fence(self) -> _fence:
        """orders memory (PTX ISA 9.7.13.4)
            fence ()"""
    @property
    def fma(self) -> _fma:
        """multiplies a by b and adds c with one rounding (PTX ISA 9.7.3.7)
            fma (d, a, b, c)"""
    @property
    def fns(self) -> _fns:
        """position of the n-th set bit (PTX ISA 9.7.1.17)
            fns (d, mask, base, offset)"""
    @property
    def getctarank(self) -> _getctarank:
        """the rank of the CTA that owns a shared address (PTX ISA 9.7.9.24)
            getctarank (d, a)"""
    @property
    def griddepcontrol(self) -> _griddepcontrol:
        """lets dependent grids start, or waits for the one before (PTX ISA 9.7.13.13)
            griddepcontrol ()"""
    @property
    def isspacep(self) -> _isspacep:
        """whether a generic address lies in a state space (PTX ISA 9.7.9.19)
            isspacep (p, a)"""
    @property
    def ld(self) -> _ld:
        """loads from memory (PTX ISA 9.7.9.8)
            ld (d, a, policy)"""
    @property
    def ldmatrix(self) -> _ldmatrix:
        """loads 8x8 matrices of 16-bit elements over a warp (PTX ISA 9.7.14.5.15)
            ldmatrix (r, a)"""
    @property
    def ldu(self) -> _ldu:
        """loads read-only data from an address that the warp shares (PTX ISA 9.7.9.10)
            ldu (d, a, policy)"""
    @property
    def lg2(self) -> _lg2:
        """the logarithm to base 2 (PTX ISA 9.7.3.20)
            lg2 (d, a)"""
    @property
    def lop3(self) -> _lop3:
        """any function of three bits, given by its truth table (PTX ISA 9.7.8.6)
            lop3 (d, a, b, c, lut)
            lop3 (d, a, b, c, lut, q)"""
    @property
    def mad(self) -> _mad:
        """multiplies a by b, adds c (PTX ISA 9.7.1.4)
            mad (d, a, b, c)"""
    @property
    def mad24(self) -> _mad24:
        """multiplies 24-bit integers, adds c (PTX ISA 9.7.1.6)
            mad24 (d, a, b, c)"""
    @property
    def madc(self) -> _madc:
        """multiplies a by b, adds c and the carry (PTX ISA 9.7.2.6)
            madc (d, a, b, c)"""
    @property
    def mapa(self) -> _mapa:
        """the address of a variable in another CTA of the cluster (PTX ISA 9.7.9.23)
            mapa (d, a, b)"""
    @property
    def match(self) -> _match:
        """finds lanes with the same value (PTX ISA 9.7.13.10)
            match (d, a, mask)"""
    @property
    def max(self) -> _max:
        """the larger value (PTX ISA 9.7.1.13)
            max (d, a, b)
            max (d, a, b, c?)
            max (d, a, b, c)"""
    mbarrier: _mbarrier
    @property
    def membar(self) -> _membar:
        """orders memory (older spelling) (PTX ISA 9.7.13.4)
            membar ()"""
    @property
    def min(self) -> _min:
        """the smaller value (PTX ISA 9.7.1.12)
            min (d, a, b)
            min (d, a, b, c?)
            min (d, a, b, c)"""
    @property
    def mma(self) -> _mma:
        """D = A * B + C over a warp (PTX ISA 9.7.14.5.14)
            mma (d, a, b, c)
            mma (d, a, b, c, scale_a, selector_a, scale_b, selector_b)"""
    @property
    def mov(self) -> _mov:
        """copies a value, an address, or packs (PTX ISA 9.7.9.3)
            mov (d, a)"""
    @property
    def movmatrix(self) -> _movmatrix:
        """transposes a matrix (PTX ISA 9.7.14.5.17)
            movmatrix (d, a)"""
    @property
    def mul(self) -> _mul:
        """multiplies two values (PTX ISA 9.7.1.3)
            mul (d, a, b)"""
    @property
    def mul24(self) -> _mul24:
        """multiplies 24-bit integers (PTX ISA 9.7.1.5)
            mul24 (d, a, b)"""
    multimem: _multimem
    @property
    def nanosleep(self) -> _nanosleep:
        """waits for some nanoseconds (PTX ISA 9.7.19.2)
            nanosleep (t)"""
    @property
    def neg(self) -> _neg:
        """the negated value (PTX ISA 9.7.1.11)
            neg (d, a)"""
    @property
    def not_(self) -> _not:
        """bitwise complement (PTX ISA 9.7.8.4)
            not (d, a)"""
    @property
    def or_(self) -> _or:
        """bitwise or (PTX ISA 9.7.8.2)
            or (d, a, b)"""
    @property
    def pmevent(self) -> _pmevent:
        """triggers a performance event (PTX ISA 9.7.19.3)
            pmevent (a)"""
    @property
    def popc(self) -> _popc:
        """number of ones (PTX ISA 9.7.1.14)
            popc (d, a)"""
    @property
    def prefetch(self) -> _prefetch:
        """brings a line into a cache (PTX ISA 9.7.9.15)
            prefetch (a)"""
    @property
    def prefetchu(self) -> _prefetchu:
        """brings a line into the uniform cache (PTX ISA 9.7.9.15)
            prefetchu (a)"""
    @property
    def prmt(self) -> _prmt:
        """selects four bytes of eight (PTX ISA 9.7.9.7)
            prmt (d, a, b, c)"""
    @property
    def rcp(self) -> _rcp:
        """one over a (PTX ISA 9.7.3.13)
            rcp (d, a)"""
    @property
    def red(self) -> _red:
        """updates memory atomically (PTX ISA 9.7.13.6)
            red (a, b, policy)"""
    @property
    def redux(self) -> _redux:
        """reduces a value over a warp (PTX ISA 9.7.13.12)
            redux (d, a, mask)"""
    @property
    def rem(self) -> _rem:
        """the remainder of a divided by b (PTX ISA 9.7.1.9)
            rem (d, a, b)"""
    @property
    def ret(self) -> _ret:
        """returns from a function (PTX ISA 9.7.12.6)
            ret ()"""
    @property
    def rsqrt(self) -> _rsqrt:
        """one over the square root (PTX ISA 9.7.3.16)
            rsqrt (d, a)"""
    @property
    def sad(self) -> _sad:
        """c plus the distance of a and b (PTX ISA 9.7.1.7)
            sad (d, a, b, c)"""
    @property
    def selp(self) -> _selp:
        """a if c, else b (PTX ISA 9.7.6.3)
            selp (d, a, b, c)"""
    @property
    def set(self) -> _set:
        """compares into a number (PTX ISA 9.7.6.1)
            set (d, a, b)
            set (d, a, b, c)"""
    @property
    def setmaxnreg(self) -> _setmaxnreg:
        """changes the number of registers of the warpgroup's threads (PTX ISA 9.7.19.5)
            setmaxnreg (count)"""
    @property
    def setp(self) -> _setp:
        """compares into a predicate (PTX ISA 9.7.6.2)
            setp (p, a, b)
            setp (p, a, b, c)"""
    @property
    def shf(self) -> _shf:
        """shifts a pair of registers (PTX ISA 9.7.8.7)
            shf (d, a, b, c)"""
    @property
    def shfl(self) -> _shfl:
        """reads a register of another lane (PTX ISA 9.7.9.6)
            shfl (d, a, b, c, mask)"""
    @property
    def shl(self) -> _shl:
        """shift left (PTX ISA 9.7.8.8)
            shl (d, a, b)"""
    @property
    def shr(self) -> _shr:
        """shift right; signed types extend the sign (PTX ISA 9.7.8.9)
            shr (d, a, b)"""
    @property
    def sin(self) -> _sin:
        """the sine, a in radians (PTX ISA 9.7.3.18)
            sin (d, a)"""
    @property
    def slct(self) -> _slct:
        """a if c is not negative, else b (PTX ISA 9.7.6.4)
            slct (d, a, b, c)"""
    @property
    def sqrt(self) -> _sqrt:
        """the square root (PTX ISA 9.7.3.15)
            sqrt (d, a)"""
    @property
    def st(self) -> _st:
        """stores to memory (PTX ISA 9.7.9.11)
            st (a, b, policy)"""
    @property
    def stackrestore(self) -> _stackrestore:
        """sets the stack pointer (PTX ISA 9.7.17.2)
            stackrestore (a)"""
    @property
    def stacksave(self) -> _stacksave:
        """the stack pointer (PTX ISA 9.7.17.1)
            stacksave (d)"""
    @property
    def stmatrix(self) -> _stmatrix:
        """stores 8x8 matrices of 16-bit elements over a warp (PTX ISA 9.7.14.5.16)
            stmatrix (a, r)"""
    @property
    def sub(self) -> _sub:
        """subtracts b from a (PTX ISA 9.7.1.2)
            sub (d, a, b)
            sub (d, a, c)"""
    @property
    def subc(self) -> _subc:
        """subtracts b and the borrow from a (PTX ISA 9.7.2.4)
            subc (d, a, b)"""
    @property
    def szext(self) -> _szext:
        """sign or zero extends b bits (PTX ISA 9.7.1.21)
            szext (d, a, b)"""
    @property
    def tanh(self) -> _tanh:
        """the hyperbolic tangent (PTX ISA 9.7.3.22)
            tanh (d, a)"""
    tcgen05: _tcgen05
    tensormap: _tensormap
    @property
    def testp(self) -> _testp:
        """tests a property of a float (PTX ISA 9.7.3.1)
            testp (p, a)"""
    @property
    def trap(self) -> _trap:
        """aborts the kernel (PTX ISA 9.7.19.4)
            trap ()"""
    @property
    def vabsdiff2(self) -> _vabsdiff2:
        """the distances of halves (PTX ISA 9.7.18.2.1)
            vabsdiff2 (d, a, b, c)"""
    @property
    def vabsdiff4(self) -> _vabsdiff4:
        """the distances of bytes (PTX ISA 9.7.18.3.1)
            vabsdiff4 (d, a, b, c)"""
    @property
    def vadd2(self) -> _vadd2:
        """adds halves (PTX ISA 9.7.18.2.1)
            vadd2 (d, a, b, c)"""
    @property
    def vadd4(self) -> _vadd4:
        """adds bytes (PTX ISA 9.7.18.3.1)
            vadd4 (d, a, b, c)"""
    @property
    def vavrg2(self) -> _vavrg2:
        """averages halves (PTX ISA 9.7.18.2.1)
            vavrg2 (d, a, b, c)"""
    @property
    def vavrg4(self) -> _vavrg4:
        """averages bytes (PTX ISA 9.7.18.3.1)
            vavrg4 (d, a, b, c)"""
    @property
    def vmax2(self) -> _vmax2:
        """the larger halves (PTX ISA 9.7.18.2.1)
            vmax2 (d, a, b, c)"""
    @property
    def vmax4(self) -> _vmax4:
        """the larger bytes (PTX ISA 9.7.18.3.1)
            vmax4 (d, a, b, c)"""
    @property
    def vmin2(self) -> _vmin2:
        """the smaller halves (PTX ISA 9.7.18.2.1)
            vmin2 (d, a, b, c)"""
    @property
    def vmin4(self) -> _vmin4:
        """the smaller bytes (PTX ISA 9.7.18.3.1)
            vmin4 (d, a, b, c)"""
    @property
    def vote(self) -> _vote:
        """votes over the lanes of a warp (PTX ISA 9.7.13.9)
            vote (d, a, mask)"""
    @property
    def vset2(self) -> _vset2:
        """compares halves (PTX ISA 9.7.18.2.2)
            vset2 (d, a, b, c)"""
    @property
    def vset4(self) -> _vset4:
        """compares bytes (PTX ISA 9.7.18.3.2)
            vset4 (d, a, b, c)"""
    @property
    def vsub2(self) -> _vsub2:
        """subtracts halves (PTX ISA 9.7.18.2.1)
            vsub2 (d, a, b, c)"""
    @property
    def vsub4(self) -> _vsub4:
        """subtracts bytes (PTX ISA 9.7.18.3.1)
            vsub4 (d, a, b, c)"""
    wgmma: _wgmma
    wmma: _wmma
    @property
    def xor(self) -> _xor:
        """bitwise exclusive or (PTX ISA 9.7.8.3)
            xor (d, a, b)"""
