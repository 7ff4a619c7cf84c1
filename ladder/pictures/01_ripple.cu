/* Pictures 01: ripple, one thread a pixel
 *
 * Idea     a 2-D grid of 16 x 16 blocks covers DIM x DIM pixels; each thread finds its pixel
 *          (x, y) and its offset x + y * width from blockIdx, blockDim and threadIdx
 * Cost     1 step and DIM^2 pixels a frame; 44 frames, after which cos(d/10 - t/7) repeats, since
 *          44 / 7 is nearly 2 pi
 * Shows    grey = 128 + 127 cos(d/10 - t/7) / (d/10 + 1), d the distance from the centre, as
 *          RGBA (g, g, g, 255). With DIM 256 thread (3,5) of block (12,8) is pixel (195,133),
 *          offset 34,243; the centre is 255 at t = 0 and 1 at t = 22
 * Source   Sanders and Kandrot, CUDA by Example, ch. 5
 *
 * Options  --size is DIM
 *
 * //! title: ripple, 44 frames
 * //! expect: right
 */
#include "../common/ladder.h"

enum { FRAMES = 44 };

__global__ void ripple(unsigned char *rgba, int dim, int t) {
  const int x = (int)(threadIdx.x + blockIdx.x * blockDim.x);
  const int y = (int)(threadIdx.y + blockIdx.y * blockDim.y);
  LADDER_STEP();
  if (x >= dim || y >= dim) return;
  const int offset = x + y * dim;
  const float fx = (float)(x - dim / 2), fy = (float)(y - dim / 2);
  const float d = sqrtf(fx * fx + fy * fy);
  const float wave = cosf(d / 10.0f - (float)t / 7.0f);
  const unsigned char grey = (unsigned char)(128.0f + 127.0f * wave / (d / 10.0f + 1.0f));
  LADDER_WORK(1);
  LADDER_WROTE(1);
  rgba[offset * 4 + 0] = grey;
  rgba[offset * 4 + 1] = grey;
  rgba[offset * 4 + 2] = grey;
  rgba[offset * 4 + 3] = 255;
}

/* What one thread knows about its place: x, y, offset. */
__global__ void locate(int *place) {
  const unsigned int x = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (blockIdx.x == 12 && blockIdx.y == 8 && threadIdx.x == 3 && threadIdx.y == 5) {
    place[0] = (int)x;
    place[1] = (int)y;
    place[2] = (int)(x + y * blockDim.x * gridDim.x);
  }
}

static void show_place(void) {
  int place[3], *device_place;
  CHECK(cudaMalloc((void **)&device_place, sizeof place));
  CHECK(cudaMemset(device_place, 0, sizeof place));
  locate<<<dim3(16, 16), dim3(16, 16)>>>(device_place);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(place, device_place, sizeof place, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_place));
  printf("DIM 256: thread (3,5) of block (12,8) is pixel (%d,%d), offset %d\n", place[0], place[1],
         place[2]);
  ladder_true(place[0] == 195 && place[1] == 133 && place[2] == 34243,
              "thread (3,5) of block (12,8) is not at offset 34243");
}

/* In double; a value next to an integer may be cut to either side, so one step is allowed. */
static void verify(const unsigned char *rgba, int dim, int t) {
  for (int y = 0; y < dim; ++y) {
    for (int x = 0; x < dim; ++x) {
      const double fx = x - dim / 2, fy = y - dim / 2, d = sqrt(fx * fx + fy * fy);
      const int want = (int)(128 + 127 * cos(d / 10 - t / 7.0) / (d / 10 + 1));
      const unsigned char *p = rgba + 4 * ((size_t)y * (size_t)dim + (size_t)x);
      if (abs(p[0] - want) <= 1 && p[1] == p[0] && p[2] == p[0] && p[3] == 255) continue;
      ladder_wrong("frame %d, pixel (%d,%d) is (%d,%d,%d,%d), should be %d", t, x, y, p[0], p[1],
                   p[2], p[3], want);
      return;
    }
  }
}

static void animate(unsigned char *rgba, unsigned char *device_rgba, int dim) {
  const unsigned int blocks = (unsigned int)(dim + 15) / 16;
  const size_t bytes = 4 * (size_t)dim * (size_t)dim;
  const size_t centre = 4 * ((size_t)(dim / 2) * (size_t)dim + (size_t)(dim / 2));
  for (int t = 0; t < FRAMES; ++t) {
    CHECK(cudaMemset(device_rgba, 0, bytes));
    ladder_start();
    ripple<<<dim3(blocks, blocks), dim3(16, 16)>>>(device_rgba, dim, t);
    CHECK(ladder_stop());
    CHECK(cudaMemcpy(rgba, device_rgba, bytes, cudaMemcpyDeviceToHost));
    verify(rgba, dim, t);
    ladder_frame(rgba, dim, dim);
    if (t == 0 || t == 22) printf("centre at t = %d: %d\n", t, rgba[centre]);
    ladder_true(t != 0 || rgba[centre] == 255, "the centre is not 255 at t = 0");
    ladder_true(t != 22 || rgba[centre] == 1, "the centre is not 1 at t = 22");
  }
  ladder_moves((double)bytes);
}

int main(int argc, char **argv) {
  unsigned char *rgba, *device_rgba;
  ladder_begin(argc, argv, __FILE__, 256, 1024, 0);
  if (ladder.size > 16384) ladder_usage("--size", "pictures have at most 16384 pixels a side");
  const size_t bytes = 4 * ladder.size * ladder.size;
  rgba = (unsigned char *)ladder_host_memory(bytes);
  CHECK(cudaMalloc((void **)&device_rgba, bytes));
  show_place();
  animate(rgba, device_rgba, (int)ladder.size);
  printf("%d frames of %zu x %zu\n", FRAMES, ladder.size, ladder.size);
  ladder_key_count("frames", FRAMES);
  CHECK(cudaFree(device_rgba));
  free(rgba);
  return ladder_end();
}
