// Qualifiers in every order: __restrict__, const, volatile, static, inline, __global__ void / void __global__, attributes.
// expect: pass
// clang-format off
#include <stdio.h>

static __global__ void a(const float* __restrict__ x, float* __restrict__ y, const int n)
{ int i = threadIdx.x + blockIdx.x*blockDim.x; if (i < n) y[i] = __ldg(x + i) + 1.f; }

__global__ static void b(float const * const __restrict__ x, float * const y, int const n)
{ for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] += __ldg(&x[i]); }

void __global__ c(volatile float *y, unsigned n)
{ unsigned i = threadIdx.x; if (i < n) y[i] = y[i] * 2; }

extern "C" __global__ void d(float y[], int n)
{ for (int i = threadIdx.x; i < n; ++i) if (i % blockDim.x == threadIdx.x) y[i] -= 1; }

inline __device__ float f1(float v) { return v; }
__device__ inline float f2(float v) { return v; }
__inline__ __device__ float f3(float v) { return v; }
static __device__ __forceinline__ float f4(float v) { return v; }
__device__ static __inline__ float f5(float v) { return v; }
__host__ inline __device__ float f6(float v) { return v; }
__device__ float __noinline__ f7(float v) { return v; }
template<class T> inline __device__ __host__ T f8(T v) { return v; }
float __device__ f9(float v);
__device__ float f9(float v) { return v; }
__device__ __attribute__((noinline)) float f10(float v) { return v; }
[[maybe_unused]] static __device__ float unused(float v) { return v; }

__global__
__launch_bounds__(256)
void e(float *y, int n)
{
    int i = threadIdx.x;
    if (i < n) y[i] += f1(1) + f2(1) + f3(1) + f4(1) + f5(1) + f6(1) + f7(1) + f8(1.0f) + f9(1) + f10(1);
}

__global__ void shared_kinds(float *y)
{
    __shared__ float s1[64], s2[64];
    static __shared__ int s3;
    volatile __shared__ float s4[64];
    __shared__ volatile int s5;
    __shared__ struct { int a; float b[64]; } s6;
    __shared__ float4 s7[16];
    __align__(16) __shared__ char s8[64];
    const int t = threadIdx.x;
    if (t == 0) { s3 = 3; s5 = 5; s6.a = 6; }
    s1[t] = t; s2[t] = 2*t; s4[t] = 4*t; s6.b[t] = 6*t; s8[t] = (char)t;
    reinterpret_cast<float*>(s7)[t] = 7*t;
    __syncthreads();
    int u = 63 - t;
    y[t] = s1[u] + s2[u] + s3 + s4[u] + s5 + s6.a + s6.b[u] + ((float*)s7)[u] + s8[u];
}

int main()
{
    const int n = 100; float h[n], *x, *y; int bad = 0;
    for (int i = 0; i < n; i++) h[i] = (float)i;
    cudaMalloc((void**)&x, sizeof h); cudaMalloc((void**)&y, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    a<<<2, 64>>>(x, y, n); b<<<1, 32>>>(x, y, n); c<<<1, 128>>>(y, n); d<<<1, 16>>>(y, n); e<<<1, 128>>>(y, n);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) bad += h[i] != (2.f*i + 1)*2 - 1 + 10;
    shared_kinds<<<1, 64>>>(y);
    cudaMemcpy(h, y, 64*sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) bad += h[i] != (63-i)*(1+2+4+6+7+1) + 3 + 5 + 6;
    printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(x); cudaFree(y);
    return bad;
}
