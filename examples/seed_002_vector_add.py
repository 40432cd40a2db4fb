import tirx.lite as txl


@txl.kernel(warps=4, grid=lambda p: (p["n"] + 127) // 128)
def vector_add(
    a: txl.gptr(txl.f32), b: txl.gptr(txl.f32),
    out: txl.gptr(txl.f32), n: txl.i32,
):
    i = txl.cta_id() * 128 + txl.thread_id()
    with txl.If(i < n), txl.Then():
        x = txl.local_scalar(txl.f32)
        y = txl.local_scalar(txl.f32)
        txl.ptx.ld.global_.f32(x, a.ptr_to([i]))
        txl.ptx.ld.global_.f32(y, b.ptr_to([i]))
        txl.ptx.add.f32(x, x, y)
        txl.ptx.st.global_.f32(out.ptr_to([i]), x)


if __name__ == "__main__":
    import numpy as np

    n = 1024 + 37
    generator = np.random.default_rng(0)
    a, b = (generator.standard_normal(n, dtype=np.float32) for _ in range(2))
    out = np.zeros_like(a)
    vector_add(a, b, out, n)
    error = float(np.abs(out - (a + b)).max())
    print(f"max error {error:.3g}")
    print("PASS" if error == 0 else "FAIL")
