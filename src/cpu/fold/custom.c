/* custom.c - the fold kernel of a custom operator: order v1, rule 2, by the caller's block forms
 *
 * Lanes: the largest power of two that fits 512 bytes of elements, at least one; a chunk is 16
 * rows of them. A commutative operator folds columns, then halves; one that is not folds
 * neighbours only. Any status of the operator's own becomes HEDDLE_CALLBACK. */
#include <string.h>

#include "cpu/isa/kernels.h"

enum { MAX_ROW = HD_MAX_CUSTOM_BYTES, MAX_CHUNK = HD_CHUNK_ROWS * MAX_ROW };

static size_t lanes_of(size_t element_bytes) {
  size_t lanes = 1;
  while (2 * lanes * element_bytes <= HD_LANE_BYTES) lanes *= 2;
  return lanes;
}

static heddle_status of_operator(heddle_status status) {
  return status ? HEDDLE_CALLBACK : HEDDLE_OK;
}

static heddle_status combine(void *acc, const void *right, const heddle_custom *custom) {
  return of_operator(custom->combine(acc, right, 1, custom->user));
}

static void identity(void *out, const heddle_custom *custom) {
  memcpy(out, custom->identity, custom->element_bytes);
}

static heddle_status columns(const char *x, void *out, const heddle_custom *custom) {
  _Alignas(64) char row[MAX_ROW];
  size_t lanes = lanes_of(custom->element_bytes), bytes = lanes * custom->element_bytes;
  heddle_status status = HEDDLE_OK;
  memcpy(row, x, bytes);
  for (size_t r = 1; r < HD_CHUNK_ROWS && !status; r++)
    status = custom->combine(row, x + r * bytes, lanes, custom->user);
  for (size_t h = lanes / 2; h && !status; h /= 2)
    status = custom->combine(row, row + h * custom->element_bytes, h, custom->user);
  memcpy(out, row, custom->element_bytes);
  return of_operator(status);
}

static heddle_status neighbours(const char *x, void *out, const heddle_custom *custom) {
  _Alignas(64) char half[MAX_CHUNK / 2];
  size_t n = HD_CHUNK_ROWS * lanes_of(custom->element_bytes) / 2;
  heddle_status status = custom->pairs(half, x, n, custom->user);
  for (n /= 2; n && !status; n /= 2) status = custom->pairs(half, half, n, custom->user);
  memcpy(out, half, custom->element_bytes);
  return of_operator(status);
}

static heddle_status block(const void *x, const void *y, u64 first, unsigned level, void *out,
                           const heddle_custom *custom) {
  _Alignas(64) char left[(HD_BLOCK_LEVELS + 1) * HD_MAX_CUSTOM_BYTES];
  const size_t bytes = custom->element_bytes;
  const size_t stride = HD_CHUNK_ROWS * lanes_of(bytes) * bytes;
  unsigned depth = 0;
  (void)y, (void)first;
  for (size_t c = 0; c < (size_t)1 << level; c++) {
    char *top = left + depth * bytes;
    const char *chunk = (const char *)x + c * stride;
    heddle_status status =
        custom->commutative ? columns(chunk, top, custom) : neighbours(chunk, top, custom);
    for (size_t odd = c; odd & 1 && !status; odd >>= 1, depth--, top -= bytes)
      status = combine(top - bytes, top, custom);
    if (status) return status;
    depth++;
  }
  memcpy(out, left, bytes);
  return HEDDLE_OK;
}

static heddle_status tail(const void *x, const void *y, u64 first, size_t n, void *acc,
                          const heddle_custom *custom) {
  _Alignas(64) char pair[MAX_CHUNK / 2];
  _Alignas(64) char odd[16 * HD_MAX_CUSTOM_BYTES];
  const size_t bytes = custom->element_bytes;
  heddle_status status = HEDDLE_OK;
  unsigned levels = 0;
  (void)y, (void)first;
  for (size_t m = n; m && !status; m /= 2, levels++) {
    const char *from = levels ? pair : x;
    if (m & 1) memcpy(odd + levels * bytes, from + (m - 1) * bytes, bytes);
    if (m > 1) status = custom->pairs(pair, from, m / 2, custom->user);
  }
  while (levels-- > 0 && !status)
    if (n >> levels & 1) status = custom->combine(acc, odd + levels * bytes, 1, custom->user);
  return of_operator(status);
}

void hd_cpu_custom_kernel(const heddle_custom *custom, struct hd_cpu_fold_kernel *out) {
  size_t chunk = HD_CHUNK_ROWS * lanes_of(custom->element_bytes);
  *out = (struct hd_cpu_fold_kernel){(u32)custom->element_bytes,
                                     (u32)custom->element_bytes,
                                     (u32)chunk,
                                     HD_TOTAL_CUSTOM,
                                     block,
                                     tail,
                                     combine,
                                     identity};
}
