/* tiles.h - what the two bitmaps through shared memory have in common
 *
 * Result   --size DIM, a multiple of 16, 1,024 by default: the picture, how much of it is
 *          wrong, and the bank conflicts of its shared tile
 */
#ifndef LADDER_TILES_H
#define LADDER_TILES_H

#include "../common/ladder.h"

enum { TILE = 16 };

/* The wave at pixel (x, y), 0 to 255, and what stands there once each tile is turned by 180
 * degrees. */
static inline int tiles_wave(int x, int y) {
  const double pi = 3.14159265358979323846;
  return (int)(255 * (sin(x * 2 * pi / 128) + 1) * (sin(y * 2 * pi / 128) + 1) / 4);
}
static inline int tiles_want(int x, int y) {
  return tiles_wave(x / TILE * TILE + TILE - 1 - x % TILE, y / TILE * TILE + TILE - 1 - y % TILE);
}

struct tiles {
  unsigned char *rgba, *device_rgba;
  int dim;
  size_t wrong;             /* pixels */
  unsigned long long green; /* sum */
};

static inline void tiles_begin(int argc, char **argv, const char *source, struct tiles *t) {
  ladder_begin(argc, argv, source, 1024, 1024, 0);
  if (ladder.size > 16384) ladder_usage("--size", "pictures have at most 16384 pixels a side");
  t->dim = (int)((ladder.size + TILE - 1) / TILE) * TILE;
  const size_t bytes = 4 * (size_t)t->dim * (size_t)t->dim;
  t->rgba = (unsigned char *)ladder_host_memory(bytes);
  CHECK(cudaMalloc((void **)&t->device_rgba, bytes));
  CHECK(cudaMemset(t->device_rgba, 0, bytes));
  ladder_moves((double)bytes);
}

/* tiles_inspect - fetches the picture, counts greens; a value next to an integer may be cut to
 * either side, so one step is allowed */
static inline void tiles_inspect(struct tiles *t) {
  const size_t pixels = (size_t)t->dim * (size_t)t->dim;
  CHECK(cudaMemcpy(t->rgba, t->device_rgba, 4 * pixels, cudaMemcpyDeviceToHost));
  t->wrong = 0;
  t->green = 0;
  for (size_t i = 0; i < pixels; ++i) {
    const unsigned char *p = t->rgba + 4 * i;
    const int want = tiles_want((int)(i % (size_t)t->dim), (int)(i / (size_t)t->dim));
    t->green += p[1];
    if (abs(p[1] - want) > 1 || p[0] || p[2] || p[3] != 255) ++t->wrong;
  }
  ladder_frame(t->rgba, t->dim, t->dim);
  ladder_key_count("green_sum", t->green);
  ladder_key_count("wrong_pixels", t->wrong);
}

static inline int tiles_green(const struct tiles *t, int x, int y) {
  return t->rgba[4 * ((size_t)y * (size_t)t->dim + (size_t)x) + 1];
}

static inline int tiles_end(struct tiles *t) {
  cudaFree(t->device_rgba); /* a status of a failed kernel has been told before */
  free(t->rgba);
  return ladder_end();
}

#endif
