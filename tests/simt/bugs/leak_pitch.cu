// find: leak
//
// Rows from cudaMallocPitch.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(char *rows, size_t pitch, int width, int height) {
  const int y = blockIdx.x, x = threadIdx.x;
  if (y < height && x < width) reinterpret_cast<int *>(rows + y * pitch)[x] = x + y;
}

int main() {
  char *rows;
  size_t pitch;
  check(cudaMallocPitch(&rows, &pitch, 100 * sizeof(int), 20)); // BUG
  fill<<<20, 128>>>(rows, pitch, 100, 20);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
#ifdef FIXED
  check(cudaFree(rows));
#endif
}
