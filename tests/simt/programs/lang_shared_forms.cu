// Shared memory in many spellings: namespace scope, several externs, arrays to functions, references, in branches, in templates.
// expect: pass
// flags: -std=c++17
// clang-format off
#include <cstdio>

#define BS 32
extern __shared__ float dynamic_at_file_scope[];
__shared__ int fixed_at_file_scope[BS];
namespace inner { __shared__ int counter; }

struct Cell { int a; float b; };

__device__ int column_sum(int tile[][BS + 1], int c) { int s = 0; for (int r = 0; r < BS; ++r) s += tile[r][c]; return s; }
__device__ int row_sum(const int (&tile)[BS][BS + 1], int r) { int s = 0; for (int c = 0; c < BS; ++c) s += tile[r][c]; return s; }
template <class T, int R, int C> __device__ T at(T (&m)[R][C], int r, int c) { static_assert(C == BS + 1, ""); return m[r][c]; }
__device__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
__device__ float *scratch() { extern __shared__ float f[]; return f; }
__device__ int &total() { __shared__ int t; return t; }

__global__ void forms(int *out)
{
    __shared__ int tile[BS][BS + 1];
    __shared__ Cell cells[BS];
    __shared__ int one, two, *pointer;
    __shared__ bool any;
    __shared__ union { int i[BS]; float f[BS]; } both;
    __shared__ unsigned long long wide[BS];
    __shared__ alignas(16) unsigned char bytes[sizeof(double) * BS];
    const int t = threadIdx.x;
    for (int r = 0; r < BS; ++r) tile[r][t] = r * BS + t;
    cells[t] = Cell{t, t * 0.5f};
    both.i[t] = t; wide[t] = 1ull << t;
    reinterpret_cast<double *>(bytes)[t] = t * 0.25;
    if (t == 0) { one = 1; two = 2; pointer = &tile[3][0]; any = false; inner::counter = 0; total() = 100; }
    fill(fixed_at_file_scope);
    dynamic_at_file_scope[t] = 3.0f;
    __syncthreads();
    if (t == 7) any = true;
    atomicAdd(&inner::counter, 1);
    atomicAdd(&total(), 1);
    __syncthreads();
    int (&view)[BS][BS + 1] = tile;
    auto &[a, b] = cells[BS - 1 - t];
    int v = column_sum(tile, t) - row_sum(view, t) + at(tile, 2, t) + a + (int)(2 * b);
    v += one + two + pointer[t] + any + inner::counter + total() + fixed_at_file_scope[BS - 1 - t];
    v += (int)scratch()[t] + both.i[31 - t] + (int)__popcll(wide[t]) + (int)(4 * ((double *)bytes)[t]);
    v += sizeof(tile) == BS * (BS + 1) * 4 && sizeof cells == BS * 8;
    out[t] = v;
}

template <int Width, bool Extra> __global__ void branches(int *out)
{
    int v = 0;
    for (int round = 0; round < 3; ++round) {
        __shared__ int s[Width];
        s[threadIdx.x] = threadIdx.x + round;
        __syncthreads();
        v += s[Width - 1 - threadIdx.x];
        __syncthreads();
    }
    if (Extra) {
        __shared__ int e[Width * 2];
        e[threadIdx.x * 2] = 1; e[threadIdx.x * 2 + 1] = 2;
        __syncthreads();
        v += e[threadIdx.x] + e[threadIdx.x + Width];
    }
    out[threadIdx.x] = v;
}

template <class T> __global__ void typed(T *out)
{
    extern __shared__ __align__(sizeof(double)) unsigned char memory[];
    T *s = reinterpret_cast<T *>(memory);
    s[threadIdx.x] = T(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

extern volatile __shared__ int volatile_dynamic[];
__global__ void with_volatile(int *out)
{
    volatile_dynamic[threadIdx.x] = 5;
    __syncthreads();
    if (threadIdx.x == 0) { int s = 0; for (int i = 0; i < BS; ++i) s += volatile_dynamic[i]; *out = s; }
}

int main()
{
    int *p, bad = 0; double *d;
    cudaMallocManaged(&p, 64 * sizeof(int)); cudaMallocManaged(&d, 64 * sizeof(double));
    forms<<<1, BS, BS * sizeof(float)>>>(p);
    cudaDeviceSynchronize();
    for (int t = 0; t < BS; ++t) {
        int col = 0, row = 0;
        for (int r = 0; r < BS; ++r) col += r * BS + t, row += t * BS + r;
        int want = col - row + 2 * BS + t + 2 * (31 - t) + 3 + 3 * BS + t + 1 + BS + 132 + 31 - t + 3 + 31 - t + 1 + t + 1;
        if (p[t] != want) { if (!bad++) printf("thread %d: %d, not %d\n", t, p[t], want); }
    }
    branches<16, false><<<1, 16>>>(p); branches<16, true><<<1, 16>>>(p + 16);
    cudaDeviceSynchronize();
    for (int t = 0; t < 16; ++t) {
        bad += p[t] != 3 * (15 - t) + 3;
        bad += p[16 + t] != 3 * (15 - t) + 3 + 2 * (t % 2 ? 2 : 1);
    }
    typed<int><<<1, 64, 64 * sizeof(int)>>>(p); typed<double><<<1, 64, 64 * sizeof(double)>>>(d);
    cudaDeviceSynchronize();
    for (int t = 0; t < 64; ++t) bad += p[t] != 63 - t || d[t] != 63 - t;
    with_volatile<<<1, BS, BS * sizeof(int)>>>(p);
    cudaDeviceSynchronize();
    bad += p[0] != 160;
    printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(p); cudaFree(d);
    return bad;
}
