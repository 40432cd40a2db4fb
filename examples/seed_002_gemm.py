import tirx.lite as txl

M, N, K = 128, 128, 64
MMA = "tcgen05.mma.cta_group::1.kind::f16"
IDESC = 0x08200010          # f16 x f16 -> f32, M=128, N=128, A and B K-major
TMEM_LD = "tcgen05.ld.sync.aligned.32x32b.x32.b32"


@txl.kernel(warps=4, grid=1)
def gemm(A: txl.gptr[txl.f16, (M, K)], B: txl.gptr[txl.f16, (N, K)],
         D: txl.gptr[txl.f16, (M, N)]):
    warp, lane, tid = txl.warp_id(), txl.lane_id(), txl.thread_id()

    # Shared memory: TMEM address slot, one mbarrier, swizzled A and B tiles.
    smem = txl.smem_pool()
    tmem_slot = smem.alloc((1,), "uint32")
    bar = smem.alloc((1,), "uint64", align=8)
    As = smem.alloc((M, K), "float16", swizzle=txl.SW128B)
    Bs = smem.alloc((N, K), "float16", swizzle=txl.SW128B)

    with txl.If(warp == 0), txl.Then():
        txl.ptx.tcgen05.alloc.cta_group__1.sync.aligned.shared__cta.b32(
            tmem_slot.ptr_to([0]), txl.uint32(N))
    with txl.If(tid == 0), txl.Then():
        txl.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), txl.uint32(1))

    # Load: thread t copies row t of A and of B into shared memory, 16 bytes at a time.
    r = txl.alloc_local([4], "uint32")
    for j in range(K // 8):
        txl.ptx.ld.global_.v4.u32(r[0], r[1], r[2], r[3], A.ptr_to([tid, j * 8]))
        txl.ptx.st.shared.v4.u32(As.ptr_to(tid, j * 8), r[0], r[1], r[2], r[3])
        txl.ptx.ld.global_.v4.u32(r[0], r[1], r[2], r[3], B.ptr_to([tid, j * 8]))
        txl.ptx.st.shared.v4.u32(Bs.ptr_to(tid, j * 8), r[0], r[1], r[2], r[3])
    txl.ptx.fence.proxy.async_.shared__cta()
    txl.ptx.fence.mbarrier_init.release.cluster()
    txl.ptx.tcgen05.fence__before_thread_sync()
    txl.cuda.cta_sync()
    txl.ptx.tcgen05.fence__after_thread_sync()
    tmem = txl.local_scalar(txl.u32)
    txl.ptx.ld.shared.u32(tmem, tmem_slot.ptr_to([0]))

    # Compute: one thread issues the MMAs into Tensor Memory and signals the barrier.
    with txl.If(tid == 0), txl.Then():
        txl.idioms.mma_chain(MMA, tmem, a=As, b=Bs, idesc=IDESC,
                             pred=None, accumulate=False, guard="pred")
        txl.ptx["tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"](
            bar.ptr_to([0]))
    txl.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
    txl.ptx.tcgen05.fence__after_thread_sync()

    # Write back: warp w reads rows 32w..32w+31 from Tensor Memory, converts, stores.
    acc = txl.alloc_local([32], "float32")
    out = txl.alloc_local([16], "uint32")
    row = warp * 32 + lane
    for c in range(N // 32):
        txl.ptx[TMEM_LD](*[acc[i] for i in range(32)],
                         tmem + (txl.cast(warp * 32, "uint32") << 16) + c * 32)
        txl.ptx.tcgen05.wait__ld.sync.aligned()
        for i in range(16):
            txl.ptx["cvt.rn.f16x2.f32"](out[i], acc[2 * i + 1], acc[2 * i])
            txl.ptx.st.global_.u32(D.ptr_to([row, c * 32 + 2 * i]), out[i])

    txl.ptx.tcgen05.fence__before_thread_sync()
    txl.cuda.cta_sync()
    with txl.If(warp == 0), txl.Then():
        txl.ptx.tcgen05.relinquish_alloc_permit.cta_group__1.sync.aligned()
        txl.ptx.tcgen05.dealloc.cta_group__1.sync.aligned.b32(tmem, txl.uint32(N))


if __name__ == "__main__":
    import numpy as np

    generator = np.random.default_rng(0)
    a = generator.standard_normal((M, K)).astype(np.float16)
    b = generator.standard_normal((N, K)).astype(np.float16)
    d = np.zeros((M, N), np.float16)
    gemm(a, b, d)
    error = float(np.abs(d - a.astype(np.float64) @ b.astype(np.float64).T).max())
    print(f"max error {error:.3g}")
    print("PASS" if error < 0.02 else "FAIL")
