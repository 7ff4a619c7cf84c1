/* groups.h - what rungs 12 to 14 share: keys that lie anywhere, the groups they make, the verdict
 *
 * Result   groups_verify compares the groups of a launch, in whatever order it left them, with
 *          those of a serial reference; groups_same counts float sums that differ between two runs
 * Method   up to 101 different keys, spread over all 32 bits by an odd factor; values are numbers
 *          of 32 bits, whose sums wrap and are exact in any order, and floats of 24, whose sums are
 *          not. The reference sorts positions by key and adds floats in double
 */
#ifndef GROUPS_H
#define GROUPS_H

#include "bykey.h"

struct groups {
  size_t n, wanted;
  unsigned int *keys, *values; /* on the device, as are the next four */
  float *floats;
  unsigned int *out_keys, *out_sums, *count;
  float *out_floats;
  unsigned int *host_keys, *host_values, *want_keys, *want_sums;
  float *host_floats;
  double *want_floats;
  float *got_floats; /* in the order of keys, since groups_verify */
};

static inline float *groups_floats(size_t n) {
  float *device;
  CHECK(cudaMalloc((void **)&device, n * sizeof *device));
  return device;
}

/* Groups by position: an order of equal keys, in which the reference adds. */
static inline void groups_reference(struct groups *g) {
  unsigned int *const position = sort_host_memory(g->n);
  sort_serial_positions(g->host_keys, g->n, position);
  g->wanted = 0;
  for (size_t i = 0; i < g->n; ++i) {
    const unsigned int p = position[i], key = g->host_keys[p];
    if (i == 0 || key != g->want_keys[g->wanted - 1]) {
      g->want_keys[g->wanted] = key;
      g->want_sums[g->wanted] = 0;
      g->want_floats[g->wanted++] = 0;
    }
    g->want_sums[g->wanted - 1] += g->host_values[p];
    g->want_floats[g->wanted - 1] += (double)g->host_floats[p];
  }
  free(position);
}

static inline void groups_open(struct groups *g, size_t n) {
  unsigned int **const device[] = {&g->keys, &g->values, &g->out_keys, &g->out_sums};
  unsigned int **const host[] = {&g->host_keys, &g->host_values, &g->want_keys, &g->want_sums};
  g->n = n;
  for (int i = 0; i < 4; ++i) *device[i] = sort_memory(n);
  for (int i = 0; i < 4; ++i) *host[i] = sort_host_memory(n);
  g->count = sort_memory(1);
  g->floats = groups_floats(n);
  g->out_floats = groups_floats(n);
  g->host_floats = (float *)ladder_host_memory(n * sizeof(float));
  g->got_floats = (float *)ladder_host_memory(n * sizeof(float));
  g->want_floats = (double *)ladder_host_memory(n * sizeof(double));
  for (size_t i = 0; i < n; ++i) g->host_keys[i] = ladder_value(i, n, 100) * 2654435761u;
  g->host_keys[n / 2] = 0xffffffffu; /* no key is forbidden */
  bykey_fill_values(g->host_values, n);
  for (size_t i = 0; i < n; ++i)
    g->host_floats[i] = (float)(ladder_random(5, i) >> 40) / 16777216.0f;
  sort_to_device(g->keys, g->host_keys, n);
  sort_to_device(g->values, g->host_values, n);
  CHECK(cudaMemcpy(g->floats, g->host_floats, n * sizeof(float), cudaMemcpyHostToDevice));
  groups_reference(g);
}

static inline void groups_close(struct groups *g) {
  unsigned int *const device[] = {g->keys, g->values, g->out_keys, g->out_sums, g->count};
  unsigned int *const host[] = {g->host_keys, g->host_values, g->want_keys, g->want_sums};
  for (int i = 0; i < 5; ++i) CHECK(cudaFree(device[i]));
  for (int i = 0; i < 4; ++i) free(host[i]);
  CHECK(cudaFree(g->floats));
  CHECK(cudaFree(g->out_floats));
  free(g->host_floats);
  free(g->got_floats);
  free(g->want_floats);
}

/* Compares keys, and what the launch has left of sums and of floats; brings all in the order of
 * keys. `sums` or `floats` 0: the launch had none. */
static inline int groups_verify(struct groups *g, int sums, int floats) {
  const unsigned int wanted = (unsigned int)g->wanted;
  unsigned int count;
  sort_to_host(&count, g->count, 1);
  if (!ladder_same_u32("count", &count, &wanted, 1)) return 0;
  unsigned int *const from = sort_host_memory(wanted), *const got = sort_host_memory(wanted);
  unsigned int *const order = sort_host_memory(wanted);
  float *const from_floats = (float *)ladder_host_memory(wanted * sizeof(float));
  sort_to_host(from, g->out_keys, wanted);
  sort_serial_positions(from, wanted, order);
  for (unsigned int i = 0; i < wanted; ++i) got[i] = from[order[i]];
  int same = ladder_same_u32("keys", got, g->want_keys, wanted);
  sort_to_host(from, g->out_sums, sums ? wanted : 0);
  for (unsigned int i = 0; i < wanted && sums; ++i) got[i] = from[order[i]];
  same = same && (!sums || ladder_same_u32("sums", got, g->want_sums, wanted));
  if (floats)
    CHECK(cudaMemcpy(from_floats, g->out_floats, wanted * sizeof(float), cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < wanted && floats; ++i) {
    g->got_floats[i] = from_floats[order[i]];
    /* sums of n floats of one sign: n - 1 roundings of 2^-24 at most */
    const double most = (double)g->n * g->want_floats[i] / 16777216.0;
    if (!same || fabs((double)g->got_floats[i] - g->want_floats[i]) <= most) continue;
    ladder_wrong("float sum[%u] is %.9g, should be about %.9g", i, (double)g->got_floats[i],
                 g->want_floats[i]);
    same = 0;
  }
  free(from);
  free(got);
  free(order);
  free(from_floats);
  return same;
}

/* The float sums whose bits are others than in `before`; prints all bits' fingerprint. */
static inline size_t groups_differ(const struct groups *g, const float *before) {
  unsigned long long print = 14695981039346656037ull; /* FNV-1a */
  size_t differ = 0;
  for (size_t i = 0; i < g->wanted; ++i) {
    unsigned int bits, bits_before;
    memcpy(&bits, &g->got_floats[i], sizeof bits);
    memcpy(&bits_before, &before[i], sizeof bits);
    differ += bits != bits_before;
    print = (print ^ bits_before) * 1099511628211ull;
  }
  printf("Float sums that differ between the two runs: %zu of %zu\n", differ, g->wanted);
  printf("Bits of the first run's float sums: %016llx\n", print);
  ladder_key_count("float_sums_differ", differ);
  return differ;
}

static inline void groups_print(const struct groups *g) {
  unsigned int all = 0;
  for (size_t i = 0; i < g->wanted; ++i) all ^= g->want_sums[i];
  printf("%zu groups in %zu: all sums combined by xor %u\n", g->wanted, g->n, all);
}

#endif
