// The warp matrix functions by their bare names, through a using directive: nothing in the
// kernel says that its lanes work together.
#include <cstdio>
#include <mma.h>

using namespace nvcuda::wmma;

__global__ void square(const half *a, float *c) {
  fragment<matrix_a, 16, 16, 16, half, row_major> left;
  fragment<matrix_b, 16, 16, 16, half, row_major> right;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(left, a, 16);
  load_matrix_sync(right, a, 16);
  mma_sync(sum, left, right, sum);
  store_matrix_sync(c, sum, 16, mem_row_major);
}

int main() {
  half *a;
  float *c;
  cudaMallocManaged(&a, 256 * sizeof(half));
  cudaMallocManaged(&c, 256 * sizeof(float));
  for (int i = 0; i < 256; ++i) a[i] = __float2half(float(i % 7 - 3));
  square<<<1, 32>>>(a, c);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      int sum = 0;
      for (int k = 0; k < 16; ++k) sum += ((i * 16 + k) % 7 - 3) * ((k * 16 + j) % 7 - 3);
      if (c[i * 16 + j] != sum) {
        std::printf("wrong: [%d][%d] is %g, not %d\n", i, j, c[i * 16 + j], sum);
        return 1;
      }
    }
  std::printf("PASSED\n");
  cudaFree(a); cudaFree(c);
  return 0;
}
