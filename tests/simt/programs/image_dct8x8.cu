// Discrete cosine transform of 8x8 blocks, forward and back, coefficient table in constant memory.
// expect: pass
#include <cmath>
#include <cstdio>
#include <vector>

#define EDGE 8
#define CELLS (EDGE * EDGE)

__constant__ float basis[CELLS];
__shared__ float first_pass[CELLS];
__shared__ float second_pass[CELLS];

__global__ void forward_dct(float *to, const float *from, int width) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int at = (by * EDGE + ty) * width + bx * EDGE + tx;
  first_pass[ty * EDGE + tx] = from[at];
  __syncthreads();
  float acc = 0;
  for (int i = 0; i < EDGE; i++) acc += basis[ty * EDGE + i] * first_pass[i * EDGE + tx];
  second_pass[ty * EDGE + tx] = acc;
  __syncthreads();
  acc = 0;
  for (int i = 0; i < EDGE; i++) acc += second_pass[ty * EDGE + i] * basis[tx * EDGE + i];
  __syncthreads();
  to[at] = acc;
}

__global__ void inverse_dct(float *to, const float *from, int width) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int at = (blockIdx.y * EDGE + ty) * width + blockIdx.x * EDGE + tx;
  first_pass[(ty << 3) + tx] = from[at];
  __syncthreads();
  float acc = 0;
  for (int i = 0; i < EDGE; i++) acc += basis[i * EDGE + ty] * first_pass[i * EDGE + tx];
  second_pass[(ty << 3) + tx] = acc;
  __syncthreads();
  acc = 0;
  for (int i = 0; i < EDGE; i++) acc += second_pass[ty * EDGE + i] * basis[i * EDGE + tx];
  to[at] = acc;
}

int main() {
  const int w = 64, h = 40;
  float table[CELLS];
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 8; i++)
      table[k * 8 + i] =
          (k == 0 ? sqrtf(0.125f) : 0.5f) * cosf((2 * i + 1) * k * 3.14159265358979f / 16);
  cudaMemcpyToSymbol(basis, table, sizeof(table), 0, cudaMemcpyHostToDevice);
  std::vector<float> in(w * h), freq(w * h), out(w * h);
  for (int i = 0; i < w * h; i++) in[i] = float((i * 37) % 256) - 128;
  float *a, *b;
  cudaMalloc(&a, w * h * 4);
  cudaMalloc(&b, w * h * 4);
  cudaMemcpy(a, in.data(), w * h * 4, cudaMemcpyHostToDevice);
  dim3 threads(EDGE, EDGE), grid(w / EDGE, h / EDGE);
  forward_dct<<<grid, threads>>>(b, a, w);
  cudaMemcpy(freq.data(), b, w * h * 4, cudaMemcpyDeviceToHost);
  cudaMemset(a, 0, w * h * 4);
  inverse_dct<<<grid, threads>>>(a, b, w);
  cudaMemcpy(out.data(), a, w * h * 4, cudaMemcpyDeviceToHost);
  float dc = 0, worst = 0;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++) dc += in[y * w + x];
  worst = fabsf(freq[0] - dc / 8);
  for (int i = 0; i < w * h; i++) worst = fmaxf(worst, fabsf(in[i] - out[i]));
  printf("largest deviation %f\n%s\n", worst, worst < 1e-2f ? "PASSED" : "FAILED");
  cudaFree(a); cudaFree(b);
  return worst < 1e-2f ? 0 : 1;
}
