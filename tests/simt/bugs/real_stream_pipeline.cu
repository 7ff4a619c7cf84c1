// find: race global streams
// A pipeline of two streams with a buffer that both use: the copy for the next chunk may overwrite
// what the kernel of the other stream still reads.
#include <cstdio>
#include <cstdlib>
#include <cstring>

static void check(cudaError_t e, const char *what) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  exit(1);
}
#define CK(x) check(x, #x)

__global__ void transform(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i]; // BUG
  for (int k = 0; k < 4; k++) v = 0.5f * (v + 2.0f / (v + 1.0f));
  out[i] = v;
}

int main(int argc, char **argv) {
  const int chunks = argc > 1 ? atoi(argv[1]) : 6, n = 512;
  const size_t bytes = n * sizeof(float);
  float *h_in, *h_out, *d_in[2], *d_out[2];
  cudaStream_t stream[2];
  CK(cudaMallocHost(&h_in, chunks * bytes));
  CK(cudaMallocHost(&h_out, chunks * bytes));
  for (int s = 0; s < 2; s++) {
    CK(cudaStreamCreate(&stream[s]));
    CK(cudaMalloc(&d_in[s], bytes));
    CK(cudaMalloc(&d_out[s], bytes));
  }
  for (int i = 0; i < chunks * n; i++) h_in[i] = i % 100;
  for (int c = 0; c < chunks; c++) {
    int s = c % 2;
#ifdef FIXED
    float *in = d_in[s];
#else
    float *in = d_in[0];
#endif
    CK(cudaMemcpyAsync(in, h_in + c * n, bytes, cudaMemcpyHostToDevice, stream[s])); // BUG
    transform<<<n / 128, 128, 0, stream[s]>>>(in, d_out[s], n);
    CK(cudaGetLastError());
    CK(cudaMemcpyAsync(h_out + c * n, d_out[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
  }
  CK(cudaDeviceSynchronize());
  double sum = 0;
  for (int i = 0; i < chunks * n; i++) sum += h_out[i];
  printf("%d chunks, sum %.3f\n", chunks, sum);
  for (int s = 0; s < 2; s++) {
    CK(cudaFree(d_in[s]));
    CK(cudaFree(d_out[s]));
    CK(cudaStreamDestroy(stream[s]));
  }
  CK(cudaFreeHost(h_in));
  CK(cudaFreeHost(h_out));
  return 0;
}
