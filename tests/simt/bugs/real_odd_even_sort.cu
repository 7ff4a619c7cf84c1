// find: race shared barrier|syncwarp
// Odd-even transposition sort of one block: the odd phase begins before the even one has ended.
#include <cstdio>
#include <cstdlib>
#include <ctime>

__device__ void compare_exchange(float *a, float *b) {
  float x = *a, y = *b; // BUG
  if (x > y) {
    *a = y; // BUG
    *b = x; // BUG
  }
}

__global__ void odd_even_sort(float *data, int n) {
  extern __shared__ float s[];
  const int t = threadIdx.x;
  float *chunk = data + blockIdx.x * n;
  s[2 * t] = chunk[2 * t];
  s[2 * t + 1] = chunk[2 * t + 1];
  __syncthreads();
  for (int phase = 0; phase < n / 2; phase++) {
    compare_exchange(&s[2 * t], &s[2 * t + 1]);
#ifdef FIXED
    __syncthreads();
#else
    // the pairs overlap: a barrier belongs here
#endif
    if (2 * t + 2 < n) compare_exchange(&s[2 * t + 1], &s[2 * t + 2]);
    __syncthreads();
  }
  chunk[2 * t] = s[2 * t];
  chunk[2 * t + 1] = s[2 * t + 1];
}

static bool sorted(const float *x, int n) {
  for (int i = 1; i < n; i++)
    if (x[i - 1] > x[i]) return false;
  return true;
}

int main(int argc, char *argv[]) {
  int n = 128, chunks = 2;
  if (argc == 2) n = atoi(argv[1]);
  size_t size = (size_t)n * chunks * sizeof(float);
  float *host = (float *)malloc(size);
  srand(3);
  for (int i = 0; i < n * chunks; i++) host[i] = (float)rand() / RAND_MAX;
  float *device = NULL;
  cudaError_t err = cudaMalloc((void **)&device, size);
  if (err != cudaSuccess) {
    fprintf(stderr, "Failed to allocate device memory (%s)\n", cudaGetErrorString(err));
    exit(EXIT_FAILURE);
  }
  clock_t start = clock();
  err = cudaMemcpy(device, host, size, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) {
    odd_even_sort<<<chunks, n / 2, n * sizeof(float)>>>(device, n);
    err = cudaGetLastError();
  }
  if (err == cudaSuccess) err = cudaMemcpy(host, device, size, cudaMemcpyDeviceToHost);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (err != cudaSuccess) {
    fprintf(stderr, "Failed (%s)\n", cudaGetErrorString(err));
    exit(EXIT_FAILURE);
  }
  bool good = true;
  for (int c = 0; c < chunks; c++) good = good && sorted(host + c * n, n);
  printf("%s after %.1f s\n", good ? "sorted" : "not sorted", seconds);
  err = cudaFree(device);
  free(host);
  return err != cudaSuccess;
}
