// find: misaligned
// A double is read from a byte stream behind a header of 4 bytes.
#include <cstdio>

__global__ void decode(const unsigned char *message, double *out, int header) {
  const double *values = (const double *)(message + header);
  out[threadIdx.x] = values[threadIdx.x] + 1; // BUG
}

int main() {
  const int n = 16;
  unsigned char *message;
  double *out;
  cudaMalloc(&message, 8 + n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemset(message, 0, 8 + n * sizeof(double));
#ifdef FIXED
  decode<<<1, n>>>(message, out, 8);
#else
  decode<<<1, n>>>(message, out, 4);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(message);
  cudaFree(out);
}
