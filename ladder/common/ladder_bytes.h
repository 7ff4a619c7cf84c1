/* ladder_bytes.h - the main program that the byte histograms share
 *
 * Result   --size bytes of --data counted into 256 bins by the rung's `launch`, verified, timed
 *          with and without copies; on a GPU at smaller sizes too
 * Method   verified in two ways: the counts sum to the number of bytes, and taking every byte
 *          of the input out again leaves all bins zero; a bin that is not is named
 * Limits   2^32 - 1 bytes, since the bins are 32-bit
 */
#ifndef LADDER_BYTES_H
#define LADDER_BYTES_H

#include "ladder.h"

enum { BYTE_BINS = 256, MIB = 1 << 20 };

/* Launches kernels that add n bytes of device memory into 256 bins, which are zero. */
typedef void bytes_launch(const unsigned char *data, size_t n, unsigned int *bins);

/* bytes_verify - returns 1 if `bins` are what counting `data` gives; prints the sum */
static inline int bytes_verify(const unsigned char *data, size_t n, const unsigned int *bins) {
  unsigned long long sum = 0;
  unsigned int left[BYTE_BINS];
  memcpy(left, bins, sizeof left);
  for (int i = 0; i < BYTE_BINS; ++i) sum += bins[i];
  printf("Histogram Sum: %llu\n", sum);
  for (size_t i = 0; i < n; ++i) --left[data[i]];
  for (int i = 0; i < BYTE_BINS; ++i) {
    if (left[i] == 0) continue;
    ladder_wrong("bin %d holds %u, should hold %u", i, bins[i], bins[i] - left[i]);
    return 0;
  }
  ladder_true(sum == n, "the bins do not sum to the number of bytes");
  return 1;
}

/* bytes_worst - the fullest bin: as many adds meet at one address if each byte is one add */
static inline unsigned int bytes_worst(const unsigned int *bins) {
  unsigned int worst = 0;
  for (int i = 0; i < BYTE_BINS; ++i)
    if (bins[i] > worst) worst = bins[i];
  return worst;
}

struct bytes_memory {
  unsigned char *data; /* host */
  unsigned char *device_data;
  unsigned int *device_bins;
  unsigned int bins[BYTE_BINS];
};

static inline cudaError_t bytes_once(struct bytes_memory *m, size_t n, bytes_launch *launch) {
  cudaError_t error;
  ladder_start_whole();
  CHECK(cudaMemcpy(m->device_data, m->data, n, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(m->device_bins, 0, sizeof m->bins));
  ladder_start();
  launch(m->device_data, n, m->device_bins);
  error = ladder_stop();
  if (error != cudaSuccess) return error;
  CHECK(cudaMemcpy(m->bins, m->device_bins, sizeof m->bins, cudaMemcpyDeviceToHost));
  return ladder_stop_whole();
}

/* The times at 1/64, 1/16 and 1/4 of the size, on a GPU: where does it stop to rise? JSON has
 * those of the first call. */
static inline void bytes_sizes(struct bytes_memory *m, bytes_launch *launch) {
  static int first = 1;
  char list[512] = "[", item[128];
  if (ladder.on_simt) return;
  for (int shift = 6; shift >= 0; shift -= 2) {
    const size_t n = ladder.size >> shift;
    if (n == 0) continue;
    ladder.kernel.runs = ladder.whole.runs = 0;
    for (int run = 0; run < ladder.runs; ++run) CHECK(bytes_once(m, n, launch));
    const double ms = ladder_median(&ladder.kernel), whole = ladder_median(&ladder.whole);
    printf("%10zu bytes: %9.4f ms, %7.2f GB/s; with copies %9.4f ms, %7.2f GB/s\n", n, ms,
           (double)n / ms * 1e-6, whole, (double)n / whole * 1e-6);
    snprintf(item, sizeof item, "%s{\"bytes\":%zu,\"ms\":%.6g,\"ms_with_copies\":%.6g}",
             shift == 6 ? "" : ",", n, ms, whole);
    strncat(list, item, sizeof list - strlen(list) - 1);
  }
  strncat(list, "]", sizeof list - strlen(list) - 1);
  if (first) ladder_key_raw("sizes", list);
  first = 0;
}

/* A rung's main: bytes_begin, bytes_measure, whatever it checks besides, bytes_end. */
static inline void bytes_begin(int argc, char **argv, const char *source, struct bytes_memory *m) {
  ladder_begin(argc, argv, source, MIB, 100 * MIB, 1);
  if (ladder.size > 0xffffffffu) ladder_usage("--size", "more bytes than 32-bit bins can count");
  m->data = (unsigned char *)ladder_host_memory(ladder.size);
  ladder_fill_u8(m->data, ladder.size);
  CHECK(cudaMalloc((void **)&m->device_data, ladder.size));
  CHECK(cudaMalloc((void **)&m->device_bins, sizeof m->bins));
  ladder_moves((double)ladder.size);
}

static inline void bytes_measure(struct bytes_memory *m, bytes_launch *launch) {
  ladder.kernel.runs = ladder.whole.runs = 0;
  for (int run = 0; run < (ladder.on_simt ? ladder.runs : 1); ++run)
    CHECK(bytes_once(m, ladder.size, launch));
  bytes_verify(m->data, ladder.size, m->bins);
  bytes_sizes(m, launch);
}

/* bytes_adds - the method's adds to global memory, under `key` in JSON; counted, they must be as
 * many */
static inline void bytes_adds(const char *key, unsigned long long formula) {
  printf("Adds to global memory: %llu\n", formula);
  ladder_key_count(key, formula);
#ifdef LADDER_COUNT
  ladder_true(ladder.counts[LADDER_COUNT_ATOMICS] == formula,
              "the adds to global memory are not as many as the formula says");
#endif
}

static inline int bytes_end(struct bytes_memory *m) {
  CHECK(cudaFree(m->device_data));
  CHECK(cudaFree(m->device_bins));
  free(m->data);
  ladder_key_count("worst_bin", bytes_worst(m->bins));
  return ladder_end();
}

#endif
