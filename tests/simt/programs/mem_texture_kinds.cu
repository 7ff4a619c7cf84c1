// Textures of several kinds: normalised bytes, float4, pitched linear memory, border and mirror, 1-D filter, 3-D, layers.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static int bad = 0;
static void near(float got, float want, int line) {
  if (std::fabs(got - want) > 4e-3f) printf("line %d: %f, not %f\n", line, got, want), ++bad;
}
#define NEAR(a, b) near(a, b, __LINE__)

static cudaTextureObject_t make(const cudaResourceDesc &r, cudaTextureAddressMode address,
                                cudaTextureFilterMode filter, cudaTextureReadMode read,
                                bool normalised) {
  cudaTextureDesc t;
  memset(&t, 0, sizeof t);
  t.addressMode[0] = t.addressMode[1] = t.addressMode[2] = address;
  t.filterMode = filter;
  t.readMode = read;
  t.normalizedCoords = normalised;
  cudaTextureObject_t object = 0;
  if (cudaCreateTextureObject(&object, &r, &t, nullptr) != cudaSuccess) ++bad;
  return object;
}
static cudaResourceDesc of(cudaArray_t a) {
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  return r;
}

__global__ void bytes(cudaTextureObject_t t, float *out) {
  out[0] = tex2D<float>(t, 1.5f, 0.5f);
  out[1] = tex2D<float>(t, 2.0f, 1.0f);
}
__global__ void vectors(cudaTextureObject_t t, float4 *out) { *out = tex2D<float4>(t, 1.5f, 1.5f); }
__global__ void pitched(cudaTextureObject_t t, float *out) {
  out[0] = tex2D<float>(t, 3.5f, 2.5f);
  out[1] = tex2D<float>(t, -4.0f, 2.5f);
}
__global__ void edges(cudaTextureObject_t border, cudaTextureObject_t mirror, float *out) {
  out[0] = tex2D<float>(border, -1.0f, 0.5f);
  out[1] = tex2D<float>(mirror, -0.125f, 0.125f);
  out[2] = tex2D<float>(mirror, 1.125f, 0.125f);
}
__global__ void line(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex1D<float>(t, threadIdx.x * 0.25f + 0.5f);
}
__global__ void volume(cudaTextureObject_t t, float *out) {
  out[0] = tex3D<float>(t, 1.5f, 2.5f, 0.5f);
  out[1] = tex3D<float>(t, 1.0f, 1.0f, 1.0f);
}
__global__ void layers(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f, threadIdx.x);
}

int main() {
  float *out;
  float4 *v;
  cudaMallocManaged(&out, 64 * sizeof(float)), cudaMallocManaged(&v, sizeof *v);
  cudaArray_t a;

  unsigned char img[2][4] = {{0, 51, 102, 255}, {0, 0, 204, 255}};
  cudaChannelFormatDesc d = cudaCreateChannelDesc<unsigned char>();
  cudaMallocArray(&a, &d, 4, 2);
  cudaMemcpy2DToArray(a, 0, 0, img, 4, 4, 2, cudaMemcpyHostToDevice);
  bytes<<<1, 1>>>(
      make(of(a), cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeNormalizedFloat, false),
      out);
  cudaDeviceSynchronize();
  NEAR(out[0], 0.2f);
  NEAR(out[1], (51 + 102 + 0 + 204) / 4 / 255.0f);
  cudaFreeArray(a);

  float4 quads[4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
  d = cudaCreateChannelDesc<float4>();
  cudaMallocArray(&a, &d, 2, 2);
  cudaMemcpy2DToArray(a, 0, 0, quads, 32, 32, 2, cudaMemcpyHostToDevice);
  vectors<<<1, 1>>>(
      make(of(a), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false), v);
  cudaDeviceSynchronize();
  NEAR(v->x, 13);
  NEAR(v->w, 16);
  cudaFreeArray(a);

  float host[3][6], *linear;
  size_t pitch;
  for (int i = 0; i < 18; i++) host[i / 6][i % 6] = i;
  cudaMallocPitch(&linear, &pitch, 6 * sizeof(float), 3);
  cudaMemcpy2D(linear, pitch, host, 24, 24, 3, cudaMemcpyHostToDevice);
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = linear;
  r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  r.res.pitch2D.width = 6, r.res.pitch2D.height = 3, r.res.pitch2D.pitchInBytes = pitch;
  pitched<<<1, 1>>>(
      make(r, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false), out);
  cudaDeviceSynchronize();
  NEAR(out[0], 15);
  NEAR(out[1], 12);

  float four[2][4] = {{1, 2, 3, 4}, {1, 2, 3, 4}};
  d = cudaCreateChannelDesc<float>();
  cudaMallocArray(&a, &d, 4, 2);
  cudaMemcpy2DToArray(a, 0, 0, four, 16, 16, 2, cudaMemcpyHostToDevice);
  edges<<<1, 1>>>(
      make(of(a), cudaAddressModeBorder, cudaFilterModePoint, cudaReadModeElementType, false),
      make(of(a), cudaAddressModeMirror, cudaFilterModePoint, cudaReadModeElementType, true), out);
  cudaDeviceSynchronize();
  NEAR(out[0], 0);
  NEAR(out[1], 1);
  NEAR(out[2], 4);
  cudaFreeArray(a);

  float ramp[4] = {0, 10, 20, 30};
  cudaMallocArray(&a, &d, 4);
  cudaMemcpy2DToArray(a, 0, 0, ramp, 16, 16, 1, cudaMemcpyHostToDevice);
  line<<<1, 16>>>(
      make(of(a), cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false), out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; i++) NEAR(out[i], std::fmin(30.0f, i * 2.5f));
  cudaFreeArray(a);

  float cube[2][3][4];
  for (int i = 0; i < 24; i++) cube[i / 12][i / 4 % 3][i % 4] = i;
  cudaMalloc3DArray(&a, &d, make_cudaExtent(4, 3, 2));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(cube, 16, 4, 3);
  p.dstArray = a;
  p.extent = make_cudaExtent(4, 3, 2);
  p.kind = cudaMemcpyHostToDevice;
  if (cudaMemcpy3D(&p) != cudaSuccess) ++bad;
  volume<<<1, 1>>>(
      make(of(a), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false), out);
  cudaDeviceSynchronize();
  NEAR(out[0], 9);
  volume<<<1, 1>>>(
      make(of(a), cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false), out);
  cudaDeviceSynchronize();
  NEAR(out[1], (0 + 1 + 4 + 5 + 12 + 13 + 16 + 17) / 8.0f);
  cudaFreeArray(a);

  cudaMalloc3DArray(&a, &d, make_cudaExtent(4, 3, 2), cudaArrayLayered);
  p.dstArray = a;
  if (cudaMemcpy3D(&p) != cudaSuccess) ++bad;
  layers<<<1, 2>>>(
      make(of(a), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false), out);
  cudaDeviceSynchronize();
  NEAR(out[0], 1);
  NEAR(out[1], 13);
  cudaFreeArray(a);
  printf("%d wrong, %s\n%s\n", bad, cudaGetErrorString(cudaGetLastError()),
         bad ? "FAILED" : "PASSED");
  cudaFree(out); cudaFree(v); cudaFree(linear);
  return bad;
}
