// Launches hidden in macros, in conditions, in loops, in comma expressions and after else; odd spacing.
// expect: pass
// clang-format off
#include <stdio.h>
#include <stdlib.h>

#define LAUNCH(k, n, ...) do { int _b = ((n) + 63) / 64; k<<<_b, 64>>>(__VA_ARGS__); cudaDeviceSynchronize(); } while (0)
#define KERNEL_1D(name, ...) __global__ void name(__VA_ARGS__)
#define GRID 2,32
#define CONFIG <<<dim3(1,1,1), dim3(8,4)>>>
#define FOR_TYPES(X) X(int, 1) X(float, 2) X(double, 3)
#define FOREACH(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define THREADS_PER_BLOCK 64
#define GET_BLOCKS(N) ((N) + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK

KERNEL_1D(fill, int *p, int n, int v) { FOREACH(i, n) p[i] = v; }

#define DEFINE(T, N) __global__ void incr_##T(int *p, int n) { FOREACH(i, n) p[i] += (int)((T)N); }
FOR_TYPES(DEFINE)

__global__ void one(int*p){atomicAdd(p,1);}
template<int A,int B>__global__ void two(int*p){atomicAdd(p,A*B);}
template<typename T> __global__ void tmpl(T*p,T v){if(threadIdx.x==0)*p+=v;}

int main(int argc, char **argv)
{
    int *d, h[100], bad = 0;
    cudaMalloc((void**)&d, 100*sizeof(int));
    LAUNCH(fill, 100, d, 100, 1);
#define CALL(T, N) incr_##T<<<GRID>>>(d, 100);
    FOR_TYPES(CALL)
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 100; i++) bad += h[i] != 7;

    cudaMemset(d, 0, sizeof(int));
    one CONFIG (d);                                     // 32
    if (argc > 0) one<<<1,1>>>(d); else one<<<1,2>>>(d); // 33
    for (int i = 0; i < 3; i++) one<<<1,4>>>(d);        // 45
    one<<<1,1>>>(d), one<<<1,1>>>(d);                   // 47
    (two<3, 5>)<<<1,1>>>(d);                            // 62
    two<(3>2), 8><<<1,1>>>(d);                          // 70
    two<sizeof(int), 1<<2><<<1, 1>>>(d);                // 86
    tmpl<int><<< GET_BLOCKS(40), THREADS_PER_BLOCK >>>(d, 4); // 90
    one
      <<<
         1,
         5
      >>>
      (d);                                              // 95
    switch (argc) { case 0: break; default: one<<<1, 1>>>(d); } // 96
    do one<<<1, (2>1)?3:4, 0, 0>>>(d); while (0);       // 99
    int n = 1; one<<<n<<1, n<<2>>>(d);                  // 107
    one<<<dim3{1}, dim3(1), sizeof(int)*2, cudaStream_t(0)>>>(d); // 108
    cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    bad += h[0] != 108;
    printf(bad ? "FAILED\n" : "PASSED\n");
  cudaFree(d);
    return bad;
}
