// Boxes: pitched memory of three dimensions, arrays, copies between all of them.
// expect: pass
#include <cstdio>
#include <cstring>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)
#define BAD(call) EXPECT((call) == cudaErrorInvalidValue)

enum { W = 10, H = 7, D = 5 };
static int source[D][H][W], result[D][H][W];

__global__ void add(cudaPitchedPtr p, cudaExtent e) {
  const size_t x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  char *layer = (char *)p.ptr + z * p.pitch * e.height;
  ((int *)(layer + y * p.pitch))[x] += 1000;
}

static void pitched() {
  const cudaExtent extent = make_cudaExtent(W * sizeof(int), H, D);
  cudaPitchedPtr p;
  OK(cudaMalloc3D(&p, extent));
  EXPECT(p.xsize == W * sizeof(int) && p.ysize == H && p.pitch >= p.xsize);
  OK(cudaMemset3D(p, 0xff, extent));
  cudaMemcpy3DParms c = {};
  c.srcPtr = make_cudaPitchedPtr(source, W * sizeof(int), W, H);
  c.dstPtr = p;
  c.extent = extent;
  c.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&c));
  add<<<1, dim3(W, H, D)>>>(p, extent);
  // A part of it: from (2, 1, 1) on, 3 x 2 x 2 elements, to (1, 2, 3) on.
  memset(result, 0, sizeof result);
  cudaMemcpy3DParms back = {};
  back.srcPtr = p;
  back.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
  back.dstPtr = make_cudaPitchedPtr(result, W * sizeof(int), W, H);
  back.dstPos = make_cudaPos(1 * sizeof(int), 2, 3);
  back.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
  back.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&back));
  for (int z = 0; z < D; ++z)
    for (int y = 0; y < H; ++y)
      for (int x = 0; x < W; ++x) {
        const bool in = x >= 1 && x < 4 && y >= 2 && y < 4 && z >= 3;
        EXPECT(result[z][y][x] == (in ? source[z - 2][y - 1][x + 1] + 1000 : 0));
      }
  back.kind = cudaMemcpyHostToDevice;
  BAD(cudaMemcpy3D(&back));
  OK(cudaFree(p.ptr));
}

static void arrays() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>(), got;
  cudaArray_t a, b;
  cudaExtent extent;
  unsigned int flags = 99;
  OK(cudaMalloc3DArray(&a, &format, make_cudaExtent(W, H, D)));
  OK(cudaArrayGetInfo(&got, &extent, &flags, a));
  EXPECT(got.x == 32 && got.f == cudaChannelFormatKindSigned && extent.width == W);
  EXPECT(extent.height == H && extent.depth == D && flags == 0);
  cudaMemcpy3DParms c = {};
  c.srcPtr = make_cudaPitchedPtr(source, W * sizeof(int), W, H);
  c.dstArray = a;
  c.extent = make_cudaExtent(W, H, D);
  c.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&c));
  OK(cudaMallocArray(&b, &format, W, H));
  cudaMemcpy3DParms layer = {};
  layer.srcArray = a;
  layer.srcPos = make_cudaPos(0, 0, 3);
  layer.dstArray = b;
  layer.extent = make_cudaExtent(W, H, 1);
  layer.kind = cudaMemcpyDeviceToDevice;
  OK(cudaMemcpy3D(&layer));
  memset(result, 0, sizeof result);
  OK(cudaMemcpy2DFromArray(result, W * sizeof(int), b, 0, 0, W * sizeof(int), H,
                           cudaMemcpyDeviceToHost));
  EXPECT(memcmp(result[0], source[3], sizeof source[3]) == 0);
  OK(cudaMemcpy2DToArray(b, 2 * sizeof(int), 3, source[0][0], W * sizeof(int), 4 * sizeof(int), 2,
                         cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DFromArray(result, W * sizeof(int), b, 0, 0, W * sizeof(int), H,
                           cudaMemcpyDeviceToHost));
  EXPECT(result[0][3][2] == source[0][0][0] && result[0][4][5] == source[0][1][3]);
  EXPECT(result[0][4][6] == source[3][4][6]);
  BAD(cudaMemcpy2DToArray(b, 0, 1, source, W * sizeof(int), W * sizeof(int), H,
                          cudaMemcpyHostToDevice));
  EXPECT(cudaMemcpy2DToArray(b, 0, 0, source, 8, W * sizeof(int), H, cudaMemcpyHostToDevice) ==
         cudaErrorInvalidPitchValue);
  OK(cudaFreeArray(b));
  BAD(cudaMallocArray(&b, &format, 0));
  const cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  EXPECT(cudaMallocArray(&b, &three, 8) == cudaErrorInvalidChannelDescriptor);
  OK(cudaFreeArray(a));
  OK(cudaFreeArray(nullptr));
}

int main() {
  for (int i = 0; i < W * H * D; ++i) (&source[0][0][0])[i] = i * 7 + 1;
  pitched();
  arrays();
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
