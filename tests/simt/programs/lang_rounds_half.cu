// Every element of 768 x 3072 is written, by a loop over the grid and by a block for each piece of a row.
// expect: pass
#include <cstdio>
#include <vector>

__global__ void stride(double *out, int n, double k) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = k + i;
}

__global__ void piece(double *out, int width, int height, double k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = k + (y * width + x);
}

static int undone(const double *out, int n, double k) {
  std::vector<double> host(n);
  if (cudaMemcpy(host.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost) != cudaSuccess) return n;
  int count = 0;
  for (int i = 0; i < n; ++i) count += host[i] != k + i;
  return count;
}

int main() {
  const int width = 3072, height = 768, n = width * height;
  double *out;
  int bad = 0;
  cudaMalloc(&out, n * sizeof *out);
  for (int round = 0; round < 3; ++round) {
    cudaMemset(out, 0xff, n * sizeof *out);
    stride<<<768, 256>>>(out, n, round);
    bad += undone(out, n, round);
    cudaMemset(out, 0xff, n * sizeof *out);
    piece<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(out, width, height, round + 0.5);
    bad += undone(out, n, round + 0.5);
  }
  cudaFree(out);
  printf("%d elements undone\n%s\n", bad, bad ? "FAILED" : "PASSED");
  return bad != 0;
}
