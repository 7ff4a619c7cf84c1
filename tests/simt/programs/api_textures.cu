// Texture objects: linear memory, rows, arrays; addressing, filtering, formats, layers, surfaces.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstring>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)

enum { W = 8, H = 6 };
static float image[H][W];
static float *out; // managed

__global__ void line(cudaTextureObject_t t, float *to, float first, float step) {
  to[threadIdx.x] = tex1D<float>(t, first + step * threadIdx.x);
}
__global__ void plane(cudaTextureObject_t t, float *to, float step) {
  to[threadIdx.y * blockDim.x + threadIdx.x] =
      tex2D<float>(t, threadIdx.x * step + 0.25f, threadIdx.y * step + 0.25f);
}
__global__ void elements(cudaTextureObject_t t, float *to) {
  to[threadIdx.x] = tex1Dfetch<float>(t, (int)threadIdx.x - 2);
}
template <class T> __global__ void texels(cudaTextureObject_t t, T *to) {
  to[threadIdx.x] = tex2D<T>(t, threadIdx.x + 0.5f, 1.5f);
}
__global__ void layers(cudaTextureObject_t t, float *to) {
  to[threadIdx.x] = tex2DLayered<float>(t, 2.5f, 1.5f, threadIdx.x);
}
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = threadIdx.y;
  float v;
  surf2Dread(&v, from, x * (int)sizeof v, y);
  surf2Dwrite(v + surf2Dread<float>(from, (x - 1) * (int)sizeof v, y, cudaBoundaryModeZero), to,
              (W - 1 - x) * (int)sizeof v, H - 1 - y);
}

static cudaTextureDesc reading(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                               bool normalized = false) {
  cudaTextureDesc d = {};
  d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
  d.filterMode = filter;
  d.normalizedCoords = normalized;
  return d;
}

static cudaTextureObject_t over(cudaArray_t array, const cudaTextureDesc &d) {
  cudaResourceDesc r = {};
  cudaTextureObject_t t = 0;
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  return t;
}

static cudaArray_t array_of_image() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t a;
  OK(cudaMallocArray(&a, &format, W, H));
  OK(cudaMemcpy2DToArray(a, 0, 0, image, sizeof image[0], sizeof image[0], H,
                         cudaMemcpyHostToDevice));
  return a;
}

static float clamped(int x, int y) {
  x = x < 0 ? 0 : x >= W ? W - 1 : x;
  y = y < 0 ? 0 : y >= H ? H - 1 : y;
  return image[y][x];
}

static float bilinear(float x, float y) {
  const float xb = x - 0.5f, yb = y - 0.5f;
  const int i = (int)floorf(xb), j = (int)floorf(yb);
  const float a = roundf((xb - i) * 256) / 256, b = roundf((yb - j) * 256) / 256;
  return (1 - a) * (1 - b) * clamped(i, j) + a * (1 - b) * clamped(i + 1, j) +
         (1 - a) * b * clamped(i, j + 1) + a * b * clamped(i + 1, j + 1);
}

static void filtering() {
  cudaArray_t a = array_of_image();
  cudaTextureObject_t t = over(a, reading(cudaAddressModeClamp, cudaFilterModeLinear));
  plane<<<1, dim3(20, 16)>>>(t, out, 0.5f);
  OK(cudaDeviceSynchronize());
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 20; ++x)
      EXPECT(fabsf(out[y * 20 + x] - bilinear(x * 0.5f + 0.25f, y * 0.5f + 0.25f)) < 0.05f);
  OK(cudaDestroyTextureObject(t));
  t = over(a, reading(cudaAddressModeClamp, cudaFilterModePoint));
  plane<<<1, dim3(20, 16)>>>(t, out, 0.5f);
  OK(cudaDeviceSynchronize());
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 20; ++x) EXPECT(out[y * 20 + x] == clamped(x / 2, y / 2));
  OK(cudaDestroyTextureObject(t));
  OK(cudaFreeArray(a));
}

static void addressing() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  float row[W];
  cudaArray_t a;
  for (int i = 0; i < W; ++i) row[i] = (float)(i * i);
  OK(cudaMallocArray(&a, &format, W));
  OK(cudaMemcpy2DToArray(a, 0, 0, row, sizeof row, sizeof row, 1, cudaMemcpyHostToDevice));
  cudaTextureDesc d = reading(cudaAddressModeWrap, cudaFilterModePoint, true);
  for (int mode = 0; mode < 4; ++mode) {
    d.addressMode[0] = (cudaTextureAddressMode)mode;
    d.borderColor[0] = -3;
    const cudaTextureObject_t t = over(a, d);
    line<<<1, 3 * W>>>(t, out, -1 + 0.5f / W, 1.0f / W);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 3 * W; ++i) {
      const int x = i - W;
      const bool in = x >= 0 && x < W;
      const int wrapped = (x + W) % W, mirrored = x < 0 ? -1 - x : x >= W ? 2 * W - 1 - x : x;
      const float expected[] = {row[wrapped],
                                row[x < 0    ? 0
                                    : x >= W ? W - 1
                                             : x],
                                row[mirrored], in ? row[x] : -3};
      EXPECT(out[i] == expected[mode]);
    }
    OK(cudaDestroyTextureObject(t));
  }
  OK(cudaFreeArray(a));
}

static void linear_memory() {
  cudaResourceDesc r = {};
  cudaTextureDesc d = {};
  cudaTextureObject_t t;
  float *p;
  size_t pitch;
  OK(cudaMalloc(&p, sizeof image[0]));
  OK(cudaMemcpy(p, image[2], sizeof image[0], cudaMemcpyHostToDevice));
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = p;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = sizeof image[0];
  OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  elements<<<1, W + 4>>>(t, out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < W + 4; ++i) EXPECT(out[i] == (i < 2 || i >= W + 2 ? 0 : image[2][i - 2]));
  OK(cudaDestroyTextureObject(t));
  OK(cudaFree(p));

  OK(cudaMallocPitch(&p, &pitch, sizeof image[0], H));
  OK(cudaMemcpy2D(p, pitch, image, sizeof image[0], sizeof image[0], H, cudaMemcpyHostToDevice));
  r = cudaResourceDesc();
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = p;
  r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  r.res.pitch2D.width = W;
  r.res.pitch2D.height = H;
  r.res.pitch2D.pitchInBytes = pitch;
  d = reading(cudaAddressModeClamp, cudaFilterModePoint);
  OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  plane<<<1, dim3(W, H)>>>(t, out, 1);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < W * H; ++i) EXPECT(out[i] == image[i / W][i % W]);
  OK(cudaDestroyTextureObject(t));
  OK(cudaFree(p));
}

static void formats() {
  unsigned char bytes[3][16];
  for (int i = 0; i < 48; ++i) (&bytes[0][0])[i] = (unsigned char)(i * 5 + 3);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t a;
  OK(cudaMallocArray(&a, &format, 4, 3));
  OK(cudaMemcpy2DToArray(a, 0, 0, bytes, 16, 16, 3, cudaMemcpyHostToDevice));
  cudaTextureDesc d = reading(cudaAddressModeClamp, cudaFilterModePoint);
  cudaTextureObject_t t = over(a, d);
  texels<<<1, 4>>>(t, (uchar4 *)out);
  OK(cudaDeviceSynchronize());
  EXPECT(memcmp(out, bytes[1], 16) == 0);
  d.readMode = cudaReadModeNormalizedFloat;
  t = over(a, d);
  texels<<<1, 4>>>(t, (float4 *)out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) EXPECT(fabsf(out[i] - bytes[1][i] / 255.0f) < 1e-7f);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  d = reading(cudaAddressModeClamp, cudaFilterModeLinear);
  EXPECT(cudaCreateTextureObject(&t, &r, &d, nullptr) == cudaErrorInvalidFilterSetting);
  OK(cudaFreeArray(a));
}

static void layered() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t a;
  OK(cudaMalloc3DArray(&a, &format, make_cudaExtent(4, 4, 3), cudaArrayLayered));
  cudaMemcpy3DParms c = {};
  c.srcPtr = make_cudaPitchedPtr(image, 4 * sizeof(float), 4, 4);
  c.dstArray = a;
  c.extent = make_cudaExtent(4, 4, 3);
  c.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&c));
  layers<<<1, 3>>>(over(a, reading(cudaAddressModeClamp, cudaFilterModePoint)), out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) EXPECT(out[i] == (&image[0][0])[i * 16 + 4 + 2]);
  OK(cudaFreeArray(a));
}

static void surfaces() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t arrays[2];
  cudaSurfaceObject_t s[2];
  float result[H][W];
  for (int i = 0; i < 2; ++i) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    OK(cudaMallocArray(&arrays[i], &format, W, H, cudaArraySurfaceLoadStore));
    r.res.array.array = arrays[i];
    OK(cudaCreateSurfaceObject(&s[i], &r));
  }
  OK(cudaMemcpy2DToArray(arrays[0], 0, 0, image, sizeof image[0], sizeof image[0], H,
                         cudaMemcpyHostToDevice));
  turn<<<1, dim3(W, H)>>>(s[0], s[1]);
  OK(cudaMemcpy2DFromArray(result, sizeof result[0], arrays[1], 0, 0, sizeof result[0], H,
                           cudaMemcpyDeviceToHost));
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x)
      EXPECT(result[H - 1 - y][W - 1 - x] == image[y][x] + (x ? image[y][x - 1] : 0));
  for (int i = 0; i < 2; ++i) {
    OK(cudaDestroySurfaceObject(s[i]));
    OK(cudaFreeArray(arrays[i]));
  }
}

int main() {
  for (int i = 0; i < W * H; ++i) image[i / W][i % W] = (float)((i * 37) % 101) / 4;
  OK(cudaMallocManaged(&out, 4096 * sizeof(float)));
  filtering();
  addressing();
  linear_memory();
  formats();
  layered();
  surfaces();
  puts(wrong ? "FAILED" : "PASSED");
  cudaFree(out);
  return wrong != 0;
}
