/* custom.c - the fold kernel of a custom operator: order v1, rules 2 and 5, by the caller's block
 * forms
 *
 * A commutative operator folds columns, then halves; one that is not folds
 * neighbours only. Any status of the operator's own becomes HEDDLE_CALLBACK. */
#include <string.h>

#include "cpu/isa/kernels.h"

enum { MAX_ROW = HD_MAX_CUSTOM_BYTES, MAX_CHUNK = HD_CHUNK_ROWS * MAX_ROW };

static heddle_status of_operator(heddle_status status) {
  return status ? HEDDLE_CALLBACK : HEDDLE_OK;
}

static heddle_status combine(void *acc, const void *right, const heddle_custom *custom) {
  return of_operator(custom->combine(acc, right, 1, custom->user));
}

static heddle_status pairs(void *totals, size_t n, const heddle_custom *custom) {
  return of_operator(custom->pairs(totals, totals, n, custom->user));
}

static void identity(void *out, const heddle_custom *custom) {
  memcpy(out, custom->identity, custom->element_bytes);
}

static heddle_status columns(const char *x, void *out, const heddle_custom *custom) {
  _Alignas(64) char row[MAX_ROW];
  size_t lanes = hd_lanes_of(custom->element_bytes), bytes = lanes * custom->element_bytes;
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
  size_t n = hd_chunk_of(custom->element_bytes) / 2;
  heddle_status status = custom->pairs(half, x, n, custom->user);
  for (n /= 2; n && !status; n /= 2) status = custom->pairs(half, half, n, custom->user);
  memcpy(out, half, custom->element_bytes);
  return of_operator(status);
}

static heddle_status chunks(const void *x, const void *y, u64 first, size_t n, void *totals,
                            const heddle_custom *custom) {
  const size_t bytes = custom->element_bytes, stride = hd_chunk_of(bytes) * bytes;
  heddle_status status = HEDDLE_OK;
  (void)y, (void)first;
  for (size_t c = 0; c < n && !status; c++) {
    const char *chunk = (const char *)x + c * stride;
    char *total = (char *)totals + c * bytes;
    status = custom->commutative ? columns(chunk, total, custom) : neighbours(chunk, total, custom);
  }
  return status;
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
  const u32 bytes = (u32)custom->element_bytes;
  *out = (struct hd_cpu_fold_kernel){bytes,
                                     hd_chunk_of(bytes),
                                     HD_TOTAL_CUSTOM,
                                     {bytes, false, pairs, combine, identity},
                                     chunks,
                                     tail,
                                     "custom",
                                     "cpu/fold/custom.c",
                                     NULL,
                                     NULL,
                                     NULL,
                                     NULL,
                                     NULL};
}
