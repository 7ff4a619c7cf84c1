// find: leak
//
// The cudaArray behind a texture.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void copy(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x % 8 + 0.5f, threadIdx.x / 8 + 0.5f);
}

int main() {
  float in[64], *out;
  for (int i = 0; i < 64; ++i) in[i] = i * 0.5f;
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  check(cudaMallocArray(&array, &format, 8, 8)); // BUG
  check(cudaMemcpy2DToArray(array, 0, 0, in, 32, 32, 8, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t t;
  check(cudaCreateTextureObject(&t, &resource, &description, nullptr));
  check(cudaMalloc(&out, sizeof in));
  copy<<<1, 64>>>(t, out);
  check(cudaGetLastError());
  check(cudaMemcpy(in, out, sizeof in, cudaMemcpyDeviceToHost));
  printf("%g\n", in[63]);
  check(cudaDestroyTextureObject(t));
  check(cudaFree(out));
#ifdef FIXED
  check(cudaFreeArray(array));
#endif
}
