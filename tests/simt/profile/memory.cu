// Sectors a request, turns of the banks, words moved.
#include <cstdio>

constexpr int N = 32;

__global__ void transpose_naive(const float *in, float *out) {
  int x = threadIdx.x, y = threadIdx.y;
  out[x * N + y] = in[y * N + x]; // line: naive
}

__global__ void transpose_tile(const float *in, float *out) {
  __shared__ float tile[N][N];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * N + x];  // line: tile fill
  __syncthreads();             // line: tile barrier
  out[y * N + x] = tile[x][y]; // line: tile read
}

__global__ void transpose_padded(const float *in, float *out) {
  __shared__ float tile[N][N + 1];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * N + x]; // line: padded fill
  __syncthreads();
  out[y * N + x] = tile[x][y]; // line: padded read
}

__global__ void strides(const float *in, float *out) {
  int i = threadIdx.x;
  out[i] = in[i];          // line: stride 1
  out[i] = in[2 * i];      // line: stride 2
  out[i] = in[32 * i];     // line: stride 32
  out[i] = in[i + 1];      // line: shifted
  out[i] = in[0];          // line: broadcast
  out[i] = in[i / 2 * 32]; // line: pairs apart
  out[i] = in[31 - i];     // line: backwards
  out[i] = in[i * 7 % 32]; // line: shuffled
}

__global__ void widths(const double *d, const float4 *f, const unsigned char *c, float *out) {
  int i = threadIdx.x;
  double x = d[i]; // line: double
  float4 y = f[i]; // line: float4
  out[i] = float(x) + y.x + y.w;
  out[i + 32] = c[i]; // line: byte
}

__global__ void banks(float *out) {
  __shared__ float s[32 * 32];
  __shared__ double d[64];
  __shared__ float4 q[32];
  int i = threadIdx.x;
  s[i] = 1;                           // line: bank 1
  s[2 * i] = 2;                       // line: bank 2
  s[8 * i] = 3;                       // line: bank 8
  s[32 * i] = 4;                      // line: bank 32
  s[33 * i % 1024] = 5;               // line: bank odd
  float one = s[5];                   // line: bank broadcast
  float two = s[i / 2];               // line: bank pairs
  d[i] = 6;                           // line: bank double
  d[2 * i] = 7;                       // line: bank double 2
  q[i] = make_float4(one, two, 3, 4); // line: bank float4
  __syncthreads();
  out[i] = one + two + float(d[i]) + q[i].x;
}

// A 16x16 tile, each thread reads the opposite corner's: of a warp's two rows.
__global__ void bitmap(unsigned *out) {
  __shared__ unsigned tile[16][16];
  tile[threadIdx.x][threadIdx.y] = 1; // line: bitmap write
  __syncthreads();
  int x = threadIdx.x, y = threadIdx.y;
  out[y * 16 + x] = tile[15 - x][15 - y]; // line: bitmap read
}

// Words of global memory: 2,047 read and 1,024 written.
__global__ void tree_global(float *data, float *sum) {
  int i = threadIdx.x;
  for (int half = 512; half > 0; half /= 2) {
    if (i < half) data[i] += data[i + half];
    __syncthreads(); // line: tree barrier
  }
  if (i == 0) *sum = data[0];
}

// 1,024 read and 1 written.
__global__ void tree_shared(const float *data, float *sum) {
  __shared__ float s[1024];
  int i = threadIdx.x;
  s[i] = data[i];
  __syncthreads();
  for (int half = 512; half > 0; half /= 2) {
    if (i < half) s[i] += s[i + half];
    __syncthreads();
  }
  if (i == 0) *sum = s[0];
}

__global__ void dynamic(float *out) {
  extern __shared__ float own[];
  own[threadIdx.x * 4] = 1; // line: dynamic
  __syncthreads();
  out[threadIdx.x] = own[threadIdx.x * 4];
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 65536);
  cudaMalloc(&b, 65536);
  cudaMemset(a, 0, 65536);
  dim3 square(N, N);
  transpose_naive<<<1, square>>>(a, b);
  transpose_tile<<<1, square>>>(a, b);
  transpose_padded<<<1, square>>>(a, b);
  strides<<<1, 32>>>(a, b);
  widths<<<1, 32>>>((double *)a, (float4 *)a, (unsigned char *)a, b);
  banks<<<1, 32>>>(b);
  bitmap<<<1, dim3(16, 16)>>>((unsigned *)b);
  tree_global<<<1, 1024>>>(a, b);
  tree_shared<<<1, 1024>>>(a, b);
  dynamic<<<2, 64, 1024>>>(b);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  puts("PASSED");
}
