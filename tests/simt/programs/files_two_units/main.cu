// Two translation units: kernels and their launchers in one, main in the other, a shared header.
// expect: pass
#include "vector_ops.cuh"
#include <cstdio>
#include <vector>

int main() {
  const int n = 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 2 * i;
  float *da = upload(a.data(), n), *db = upload(b.data(), n), *dc = upload(c.data(), n);
  add(da, db, dc, n);
  axpy<<<blocks_for(n), kThreads>>>(n, 3.0f, da, dc);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), dc, n * sizeof(float), cudaMemcpyDeviceToHost));
  int bad = launches != 1;
  for (int i = 0; i < n; ++i) bad += c[i] != 6.0f * i;
  CUDA_CHECK(cudaFree(da));
  CUDA_CHECK(cudaFree(db));
  CUDA_CHECK(cudaFree(dc));
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad;
}
