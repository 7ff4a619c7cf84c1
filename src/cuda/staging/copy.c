/* copy.c - copies between pageable and pinned memory by all threads
 *
 * Method   parts, as many as keep the threads busy to the end, on the library's pool; large copies
 *          that nobody reads soon are written past the caches in whole lines */
#include "copy.h"

#include <string.h>

enum { LARGE_BYTES = 1 << 20, LEAST_PART_BYTES = 64 << 10, MOST_PART_BYTES = 1 << 20 };

static void copy_part(void *arg, size_t part) {
  const struct hd_cuda_bulk_copy *copy = arg;
  size_t at = part * copy->part, left = copy->bytes - at, n = left < copy->part ? left : copy->part;
  char *to = copy->to + at;
  const char *from = copy->from + at;
  size_t head = (64 - (uintptr_t)to % 64) % 64;
  if (!copy->lines || n < 256 + head) {
    memcpy(to, from, n);
    return;
  }
  size_t lines = (n - head) & ~(size_t)63;
  memcpy(to, from, head);
  copy->lines(to + head, from + head, lines);
  memcpy(to + head + lines, from + head + lines, n - head - lines);
}

void hd_cuda_bulk_copy_begin(heddle_context *ctx, struct hd_cuda_bulk_copy *copy, void *to,
                             const void *from, size_t bytes, bool past) {
  size_t part = (bytes / ctx->threads + 63) & ~(size_t)63;
  if (part < LEAST_PART_BYTES) part = LEAST_PART_BYTES;
  if (part > MOST_PART_BYTES) part = MOST_PART_BYTES;
  copy->to = to;
  copy->from = from;
  copy->bytes = bytes;
  copy->part = part;
  copy->lines = past && bytes >= LARGE_BYTES ? hd_nontemporal_copy() : NULL;
  hd_parallel_begin(ctx, &copy->job, (bytes + part - 1) / part, copy_part, copy);
}

void hd_cuda_bulk_copy_end(struct hd_cuda_bulk_copy *copy) { hd_parallel_end(&copy->job); }
