// find: out-of-bounds
// The last float4 of 1001 floats reaches behind the array.
#include <cstdio>

__global__ void sum4(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (4 * i + 3 < n) {
#else
  if (4 * i < n) {
#endif
    float4 v = reinterpret_cast<const float4 *>(in)[i]; // BUG
    out[i] = v.x + v.y + v.z + v.w;
#ifdef FIXED
  } else if (4 * i < n) {
    float sum = 0;
    for (int k = 4 * i; k < n; k++) sum += in[k];
    out[i] = sum;
#endif
  }
}

int main() {
  const int n = 1001, quads = (n + 3) / 4;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, quads * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  sum4<<<(quads + 63) / 64, 64>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
