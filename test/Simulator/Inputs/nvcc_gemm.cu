#include <cuda_fp16.h>
#include <cstdint>
// D[M][N] f32 = A[M][K] * B[N][K]^T, tiles 128x128x64, 2 stages, swizzle 128B. grid (N/128, M/128), block 128(+)
__device__ __forceinline__ uint32_t s2u(const void*p){return (uint32_t)__cvta_generic_to_shared(p);}
__device__ __forceinline__ void wait(uint32_t bar,uint32_t ph){
  asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra W;\nD:\n}"::"r"(bar),"r"(ph):"memory");}
extern "C" __global__ void __launch_bounds__(128) gemm(const __half*A,const __half*B,float*D,int M,int N,int K){
  extern __shared__ __align__(1024) unsigned char sm[];
  __shared__ __align__(8) unsigned long long bars[2];
  __shared__ uint32_t slot;
  int t=threadIdx.x,w=t/32;
  if(w==0){ asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 128;"::"r"(s2u(&slot)));
            asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");}
  if(t==32){for(int i=0;i<2;i++)asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;"::"r"(s2u(&bars[i]))); asm volatile("fence.mbarrier_init.release.cluster;");}
  asm volatile("tcgen05.fence::before_thread_sync;"); __syncthreads(); asm volatile("tcgen05.fence::after_thread_sync;");
  uint32_t tm=slot;
  int m0=blockIdx.y*128,n0=blockIdx.x*128;
  uint32_t base=(s2u(sm)+1023)&~1023u; unsigned char*sb=sm+(base-s2u(sm));
  int nk=K/64;
  for(int k=0;k<nk;k++){
    int st=k&1; unsigned char*a=sb+st*32768,*b=a+16384;
    if(k>=2) wait(s2u(&bars[st]),((k>>1)-1)&1);
    const uint4*ga=(const uint4*)(A+(size_t)(m0+t)*K+k*64),*gb=(const uint4*)(B+(size_t)(n0+t)*K+k*64);
    for(int j=0;j<8;j++){ *(uint4*)(a+t*128+((j^(t&7))*16))=ga[j]; *(uint4*)(b+t*128+((j^(t&7))*16))=gb[j]; }
    asm volatile("fence.proxy.async.shared::cta;":::"memory"); __syncthreads();
    if(w==0){ uint32_t pred; asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0,1,0,p;}":"=r"(pred));
      if(pred){
        uint64_t da=0x4000404000010000ull|((base+st*32768)>>4),db=da+(16384>>4);
        for(int kk=0;kk<4;kk++){
          asm volatile("{.reg .pred p; setp.ne.u32 p,%4,0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;}"::"r"(tm),"l"(da+kk*2),"l"(db+kk*2),"r"(0x08200010),"r"((uint32_t)(k|kk)):"memory");
        }
        asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];"::"r"(s2u(&bars[st])):"memory");
      }
    }
  }
  int last=nk-1; wait(s2u(&bars[last&1]),(last>>1)&1);
  asm volatile("tcgen05.fence::after_thread_sync;":::"memory");
  for(int c=0;c<128;c+=8){ float v[8];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];":"=f"(v[0]),"=f"(v[1]),"=f"(v[2]),"=f"(v[3]),"=f"(v[4]),"=f"(v[5]),"=f"(v[6]),"=f"(v[7]):"r"(tm+(w<<21)+c));
    asm volatile("tcgen05.wait::ld.sync.aligned;":::"memory");
    for(int i=0;i<8;i++) D[(size_t)(m0+t)*N+n0+c+i]=v[i]; }
  asm volatile("tcgen05.fence::before_thread_sync;"); __syncthreads();
  if(w==0) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 128;"::"r"(tm));
}
