// Cube maps: every face, all directions, layers, linear filtering inside a face, surfaces, shapes that are refused.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

const int N = 4, LAYERS = 3;
static int bad = 0;
#define WANT(condition) ((condition) ? (void)0 : (void)(printf("line %d: %s\n", __LINE__, #condition), ++bad))

static float value_of(int layerFace, int y, int x) { return float(layerFace * 100 + y * 10 + x); }

static cudaArray_t filled(unsigned flags, int faces) {
  std::vector<float> all;
  for (int f = 0; f < faces; f++)
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) all.push_back(value_of(f, y, x));
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  WANT(cudaMalloc3DArray(&array, &format, make_cudaExtent(N, N, faces), flags) == cudaSuccess);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(all.data(), N * sizeof(float), N, N);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(N, N, faces);
  copy.kind = cudaMemcpyHostToDevice;
  WANT(cudaMemcpy3D(&copy) == cudaSuccess);
  return array;
}

static cudaTextureObject_t texture(cudaArray_t array, cudaTextureFilterMode filter) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc t = {};
  t.addressMode[0] = t.addressMode[1] = t.addressMode[2] = cudaAddressModeWrap;
  t.filterMode = filter;
  t.normalizedCoords = 1;
  cudaTextureObject_t object = 0;
  WANT(cudaCreateTextureObject(&object, &r, &t, nullptr) == cudaSuccess);
  return object;
}

// Through the middle of element (x, y) of each face, at any length.
__device__ float3 direction(int face, float s, float t) {
  const float u = 2 * s - 1, v = 2 * t - 1;
  switch (face) {
  case 0: return make_float3(1, -v, -u);
  case 1: return make_float3(-1, -v, u);
  case 2: return make_float3(u, 1, v);
  case 3: return make_float3(u, -1, -v);
  case 4: return make_float3(u, -v, 1);
  default: return make_float3(-u, -v, -1);
  }
}

__global__ void whole(cudaTextureObject_t cube, cudaTextureObject_t layered, float *out, float *of_layers) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  const float3 d = direction(face, (x + 0.5f) / N, (y + 0.5f) / N);
  const float scale = 0.25f + x + y;
  out[(face * N + y) * N + x] = texCubemap<float>(cube, d.x * scale, d.y * scale, d.z * scale);
  for (int layer = 0; layer < LAYERS; layer++) {
    float got;
    texCubemapLayered(&got, layered, d.x, d.y, d.z, layer);
    of_layers[((layer * 6 + face) * N + y) * N + x] = got;
  }
}

// Between four elements of a face, half way.
__global__ void between(cudaTextureObject_t cube, float *out) {
  const float3 d = direction(blockIdx.x, 0.5f, 0.5f);
  out[blockIdx.x] = texCubemapLod<float>(cube, d.x, d.y, d.z, 0);
}

__global__ void surfaces(cudaSurfaceObject_t cube) {
  const int x = threadIdx.x * sizeof(float), y = threadIdx.y, face = blockIdx.x;
  const float before = surfCubemapread<float>(cube, x, y, face);
  surfCubemapwrite(-before, cube, x, y, face);
}

static void refused(size_t w, size_t h, size_t d, unsigned flags) {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  WANT(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, d), flags) == cudaErrorInvalidValue);
  cudaGetLastError();
}

int main() {
  float *out, *of_layers;
  cudaMallocManaged(&out, 6 * N * N * sizeof *out);
  cudaMallocManaged(&of_layers, LAYERS * 6 * N * N * sizeof *out);
  cudaArray_t a = filled(cudaArrayCubemap | cudaArraySurfaceLoadStore, 6);
  cudaArray_t b = filled(cudaArrayCubemap | cudaArrayLayered, 6 * LAYERS);
  cudaTextureObject_t cube = texture(a, cudaFilterModePoint), layered = texture(b, cudaFilterModePoint);
  whole<<<6, dim3(N, N)>>>(cube, layered, out, of_layers);
  WANT(cudaDeviceSynchronize() == cudaSuccess);
  for (int f = 0; f < 6 * LAYERS; f++)
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) {
        if (f < 6) WANT(out[(f * N + y) * N + x] == value_of(f, y, x));
        WANT(of_layers[(f * N + y) * N + x] == value_of(f, y, x));
      }
  cudaTextureObject_t smooth = texture(a, cudaFilterModeLinear);
  between<<<6, 1>>>(smooth, out);
  WANT(cudaDeviceSynchronize() == cudaSuccess);
  for (int f = 0; f < 6; f++) WANT(std::fabs(out[f] - (f * 100 + 16.5f)) < 0.01f);

  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaSurfaceObject_t surface;
  WANT(cudaCreateSurfaceObject(&surface, &r) == cudaSuccess);
  surfaces<<<6, dim3(N, N)>>>(surface);
  whole<<<6, dim3(N, N)>>>(cube, layered, out, of_layers);
  WANT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 6 * N * N; i++) WANT(out[i] == -value_of(i / (N * N), i / N % N, i % N));

  refused(4, 5, 6, cudaArrayCubemap);
  refused(4, 4, 5, cudaArrayCubemap);
  refused(4, 4, 12, cudaArrayCubemap);
  refused(4, 4, 7, cudaArrayCubemap | cudaArrayLayered);
  refused(4, 4, 0, cudaArrayCubemap | cudaArrayLayered);
  cudaDestroySurfaceObject(surface);
  cudaDestroyTextureObject(cube);
  cudaDestroyTextureObject(layered);
  cudaDestroyTextureObject(smooth);
  cudaFreeArray(a);
  cudaFreeArray(b);
  cudaFree(out);
  cudaFree(of_layers);
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
