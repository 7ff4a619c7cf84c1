// Every way of copying: symbols and arrays asynchronously, sub-rectangles, device to device, default direction, peer, fills.
// expect: pass
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#define OK(x)                                                                                \
  do {                                                                                       \
    cudaError_t e_ = (x);                                                                    \
    if (e_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)), ++bad; \
  } while (0)
#define SAME(a, b)                                                \
  do {                                                            \
    if ((a) != (b)) printf("line %d differs\n", __LINE__), ++bad; \
  } while (0)

static int bad = 0;
__device__ int symbol[16];
__constant__ float constants[8];
__global__ void read_constants(float *out) { out[threadIdx.x] = constants[threadIdx.x]; }

int main() {
  const int w = 20, h = 10;
  std::vector<int> a(w * h), b(w * h, 0);
  std::iota(a.begin(), a.end(), 0);
  int *d, *e;
  cudaStream_t s;
  OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  OK(cudaMalloc(&d, a.size() * sizeof(int)));
  OK(cudaMalloc(&e, a.size() * sizeof(int)));
  OK(cudaMemcpyAsync(d, a.data(), a.size() * sizeof(int), cudaMemcpyDefault, s));
  OK(cudaMemcpyAsync(e, d, a.size() * sizeof(int), cudaMemcpyDeviceToDevice, s));
  OK(cudaMemcpyAsync(b.data(), e, a.size() * sizeof(int), cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  SAME(a == b, true);
  OK(cudaMemcpy(b.data(), a.data(), 40, cudaMemcpyHostToHost));
  // overlapping halves of one block by way of the other
  OK(cudaMemcpy(e, d + 10, 100 * sizeof(int), cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(b.data(), e, 100 * sizeof(int), cudaMemcpyDeviceToHost));
  SAME(b[99], 109);
  // a 5 x 4 window at (3, 2)
  int window[4][5];
  OK(cudaMemcpy2DAsync(window, sizeof window[0], d + 2 * w + 3, w * sizeof(int), 5 * sizeof(int), 4,
                       cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 5; x++) SAME(window[y][x], (y + 2) * w + x + 3);
  // symbols
  OK(cudaMemcpyToSymbolAsync(symbol, a.data() + 5, 16 * sizeof(int), 0, cudaMemcpyHostToDevice, s));
  OK(cudaMemcpyToSymbol(symbol, d + 100, 4 * sizeof(int), 4 * sizeof(int),
                        cudaMemcpyDeviceToDevice));
  int sym[16];
  OK(cudaMemcpyFromSymbolAsync(sym, symbol, sizeof sym, 0, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  for (int i = 0; i < 16; i++) SAME(sym[i], i >= 4 && i < 8 ? 96 + i : i + 5);
  float f[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *df, g[8];
  OK(cudaMalloc(&df, sizeof f));
  OK(cudaMemcpyToSymbol(constants, f, sizeof f));
  read_constants<<<1, 8>>>(df);
  OK(cudaMemcpy(g, df, sizeof g, cudaMemcpyDeviceToHost));
  SAME(memcmp(f, g, sizeof f), 0);
  // arrays
  cudaArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
  OK(cudaMallocArray(&array, &desc, w, h));
  OK(cudaMemcpy2DToArrayAsync(array, 0, 0, a.data(), w * sizeof(int), w * sizeof(int), h,
                              cudaMemcpyHostToDevice, s));
  int one[3] = {-1, -2, -3};
  OK(cudaStreamSynchronize(s));
  OK(cudaMemcpy2DToArray(array, 4 * sizeof(int), 3, one, sizeof one, sizeof one, 1,
                         cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DFromArray(b.data(), w * sizeof(int), array, 0, 0, w * sizeof(int), h,
                           cudaMemcpyDeviceToHost));
  SAME(b[3 * w + 4], -1);
  SAME(b[3 * w + 6], -3);
  SAME(b[3 * w + 7], 3 * w + 7);
  cudaExtent extent;
  unsigned flags;
  OK(cudaArrayGetInfo(&desc, &extent, &flags, array));
  SAME(extent.width, (size_t)w);
  SAME(extent.height, (size_t)h);
  OK(cudaFreeArray(array));
  // fills
  OK(cudaMemsetAsync(d, 0x01, 3 * sizeof(int), s));
  OK(cudaMemset2DAsync(d + w, w * sizeof(int), 0xff, 2 * sizeof(int), 3, s));
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(b.data(), d, b.size() * sizeof(int), cudaMemcpyDeviceToHost));
  SAME(b[2], 0x01010101);
  SAME(b[3], 3);
  SAME(b[2 * w + 1], -1);
  SAME(b[2 * w + 2], 2 * w + 2);
  // devices
  int count = 0, can = -1;
  OK(cudaGetDeviceCount(&count));
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      if (i != j) OK(cudaDeviceCanAccessPeer(&can, i, j));
  OK(cudaMemcpyPeer(e, 0, d, 0, 12));
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, d));
  SAME(attributes.type, cudaMemoryTypeDevice);
  OK(cudaPointerGetAttributes(&attributes, a.data()));
  SAME(attributes.type, cudaMemoryTypeUnregistered);
  int least, greatest;
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t urgent;
  OK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
  OK(cudaStreamDestroy(urgent));
  OK(cudaStreamDestroy(s));
  OK(cudaFree(d));
  OK(cudaFree(e));
  printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(df);
  return bad;
}
