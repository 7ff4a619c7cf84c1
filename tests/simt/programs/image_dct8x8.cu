// Discrete cosine transform of 8x8 blocks, forward and back, coefficient table in constant memory.
// expect: pass
#include <cmath>
#include <cstdio>
#include <vector>

#define BLOCK_SIZE 8
#define BLOCK_SIZE2 (BLOCK_SIZE * BLOCK_SIZE)

__constant__ float DCTv8matrix[BLOCK_SIZE2];
__shared__ float CurBlockLocal1[BLOCK_SIZE2];
__shared__ float CurBlockLocal2[BLOCK_SIZE2];

__global__ void CUDAkernel1DCT(float *Dst, const float *Src, int width) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int at = (by * BLOCK_SIZE + ty) * width + bx * BLOCK_SIZE + tx;
  CurBlockLocal1[ty * BLOCK_SIZE + tx] = Src[at];
  __syncthreads();
  float acc = 0;
  for (int i = 0; i < BLOCK_SIZE; i++)
    acc += DCTv8matrix[ty * BLOCK_SIZE + i] * CurBlockLocal1[i * BLOCK_SIZE + tx];
  CurBlockLocal2[ty * BLOCK_SIZE + tx] = acc;
  __syncthreads();
  acc = 0;
  for (int i = 0; i < BLOCK_SIZE; i++)
    acc += CurBlockLocal2[ty * BLOCK_SIZE + i] * DCTv8matrix[tx * BLOCK_SIZE + i];
  __syncthreads();
  Dst[at] = acc;
}

__global__ void CUDAkernel1IDCT(float *Dst, const float *Src, int width) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int at = (blockIdx.y * BLOCK_SIZE + ty) * width + blockIdx.x * BLOCK_SIZE + tx;
  CurBlockLocal1[(ty << 3) + tx] = Src[at];
  __syncthreads();
  float acc = 0;
  for (int i = 0; i < BLOCK_SIZE; i++)
    acc += DCTv8matrix[i * BLOCK_SIZE + ty] * CurBlockLocal1[i * BLOCK_SIZE + tx];
  CurBlockLocal2[(ty << 3) + tx] = acc;
  __syncthreads();
  acc = 0;
  for (int i = 0; i < BLOCK_SIZE; i++)
    acc += CurBlockLocal2[ty * BLOCK_SIZE + i] * DCTv8matrix[i * BLOCK_SIZE + tx];
  Dst[at] = acc;
}

int main() {
  const int w = 64, h = 40;
  float table[BLOCK_SIZE2];
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 8; i++)
      table[k * 8 + i] = (k == 0 ? sqrtf(0.125f) : 0.5f) * cosf((2 * i + 1) * k * 3.14159265358979f / 16);
  cudaMemcpyToSymbol(DCTv8matrix, table, sizeof(table), 0, cudaMemcpyHostToDevice);
  std::vector<float> in(w * h), freq(w * h), out(w * h);
  for (int i = 0; i < w * h; i++) in[i] = float((i * 37) % 256) - 128;
  float *a, *b;
  cudaMalloc(&a, w * h * 4);
  cudaMalloc(&b, w * h * 4);
  cudaMemcpy(a, in.data(), w * h * 4, cudaMemcpyHostToDevice);
  dim3 threads(BLOCK_SIZE, BLOCK_SIZE), grid(w / BLOCK_SIZE, h / BLOCK_SIZE);
  CUDAkernel1DCT<<<grid, threads>>>(b, a, w);
  cudaMemcpy(freq.data(), b, w * h * 4, cudaMemcpyDeviceToHost);
  cudaMemset(a, 0, w * h * 4);
  CUDAkernel1IDCT<<<grid, threads>>>(a, b, w);
  cudaMemcpy(out.data(), a, w * h * 4, cudaMemcpyDeviceToHost);
  float dc = 0, worst = 0;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++) dc += in[y * w + x];
  worst = fabsf(freq[0] - dc / 8);
  for (int i = 0; i < w * h; i++) worst = fmaxf(worst, fabsf(in[i] - out[i]));
  printf("largest deviation %f\n%s\n", worst, worst < 1e-2f ? "PASSED" : "FAILED");
  return worst < 1e-2f ? 0 : 1;
}
