/* Pictures 02: a bitmap through shared memory
 *
 * Idea     each thread writes one value of a wave into its block's 16 x 16 tile, and takes for
 *          its own pixel what the thread at the opposite corner has written
 * Cost     2 steps and a barrier between them; DIM^2 pixels
 * Shows    why the barrier: the value comes from another thread. Each tile is turned by 180
 *          degrees; green (0,0) = 178, (15,15) = 63, (47,47) = 255, and all greens of 1024 x
 *          1024 sum to 66,360,512. tile[x][y], as the book has it, makes 8-way bank conflicts:
 *          a warp's 32 words lie in 4 banks
 * Source   Sanders and Kandrot, CUDA by Example, ch. 5
 *
 * Options  --size is DIM
 *
 * //! title: bitmap through shared memory
 * //! expect: right
 */
#include "tiles.h"

__global__ void draw(unsigned char *rgba, int dim) {
  __shared__ float tile[TILE][TILE];
  const int x = (int)(threadIdx.x + blockIdx.x * blockDim.x);
  const int y = (int)(threadIdx.y + blockIdx.y * blockDim.y);
  const int offset = x + y * dim;
  const float period = 128.0f, pi = 3.14159265f;
  LADDER_STEP();
  tile[threadIdx.x][threadIdx.y] = 255.0f * (sinf((float)x * 2.0f * pi / period) + 1.0f) *
                                   (sinf((float)y * 2.0f * pi / period) + 1.0f) / 4.0f;
  __syncthreads(); /* the whole tile is written */
  LADDER_STEP();
  LADDER_WORK(1);
  LADDER_WROTE(1);
  rgba[offset * 4 + 0] = 0;
  rgba[offset * 4 + 1] = (unsigned char)tile[TILE - 1 - threadIdx.x][TILE - 1 - threadIdx.y];
  rgba[offset * 4 + 2] = 0;
  rgba[offset * 4 + 3] = 255;
}

/* Of the first warp, two rows of the block: how many lanes' words lie in the fullest of the 32
 * banks. */
static int bank_conflicts(void) {
  int lanes[32] = {0}, worst = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const int x = lane % TILE, y = lane / TILE, word = x * TILE + y;
    if (++lanes[word % 32] > worst) worst = lanes[word % 32];
  }
  return worst;
}

int main(int argc, char **argv) {
  struct tiles t;
  tiles_begin(argc, argv, __FILE__, &t);
  const unsigned int blocks = (unsigned int)t.dim / TILE;
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    draw<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(t.device_rgba, t.dim);
    CHECK(ladder_stop());
  }
  tiles_inspect(&t);
  printf("green (0,0) = %d, (15,15) = %d", tiles_green(&t, 0, 0), tiles_green(&t, 15, 15));
  if (t.dim > 47) printf(", (47,47) = %d", tiles_green(&t, 47, 47));
  printf(", sum %llu\n%d-way bank conflicts\n", t.green, bank_conflicts());
  ladder_key_count("bank_conflicts", (unsigned long long)bank_conflicts());
  ladder_true(t.wrong == 0, "pixels differ from the wave with its tiles turned");
  ladder_true(tiles_green(&t, 0, 0) == 178, "green (0,0) is not 178");
  ladder_true(t.dim != 1024 || t.green == 66360512, "the greens do not sum to 66360512");
  ladder_true(bank_conflicts() == 8, "the bank conflicts are not 8-way");
  return tiles_end(&t);
}
