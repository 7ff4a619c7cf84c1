/* Pictures 03, BUG: the bitmap without its barrier
 *
 * Idea     rung 02, but a thread does not wait for the one at the opposite corner: it may read
 *          what stood in the tile before
 * Cost     2 steps; DIM^2 pixels, of which some are wrong
 * Shows    a race that can be seen. An H200 got 364,178 of 1,048,576 pixels wrong: the warp at
 *          the other end of the tile had not come yet. On the software device the schedule
 *          decides which half of the values is an earlier block's; nearly half are wrong
 * Source   Sanders and Kandrot, CUDA by Example, ch. 5
 *
 * Options  --size is DIM
 *
 * //! title: BUG: the bitmap without its barrier
 * //! expect: caught race
 */
#include "tiles.h"

__global__ void draw(unsigned char *rgba, int dim) {
  __shared__ float tile[TILE][TILE];
  const int x = (int)(threadIdx.x + blockIdx.x * blockDim.x);
  const int y = (int)(threadIdx.y + blockIdx.y * blockDim.y);
  const int offset = x + y * dim;
  const float period = 128.0f, pi = 3.14159265f;
  LADDER_STEP();
  const float wave = 255.0f * (sinf((float)x * 2.0f * pi / period) + 1.0f) *
                     (sinf((float)y * 2.0f * pi / period) + 1.0f) / 4.0f;
  const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
  tile[tx][ty] = wave; /* BUG: no barrier behind this line */
  LADDER_STEP();
  LADDER_WORK(1);
  LADDER_WROTE(1);
  rgba[offset * 4 + 0] = 0;
  rgba[offset * 4 + 1] = (unsigned char)tile[TILE - 1 - tx][TILE - 1 - ty]; /* BUG: too early */
  rgba[offset * 4 + 2] = 0;
  rgba[offset * 4 + 3] = 255;
}

int main(int argc, char **argv) {
  struct tiles t;
  tiles_begin(argc, argv, __FILE__, &t);
  const unsigned int blocks = (unsigned int)t.dim / TILE;
  ladder_start();
  draw<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(t.device_rgba, t.dim);
  CHECK(ladder_stop());
  tiles_inspect(&t);
  printf("%zu of %zu pixels are wrong\n", t.wrong, (size_t)t.dim * (size_t)t.dim);
  if (t.wrong) ladder_caught("race: %zu pixels are wrong without the barrier", t.wrong);
  ladder_needs_check("race: no pixel is wrong in this run");
  return tiles_end(&t);
}
