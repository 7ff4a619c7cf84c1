/* staging_copy.h - copies between pageable and pinned memory by all threads, while the caller goes on */
#ifndef HEDDLE_CUDA_STAGING_COPY_H
#define HEDDLE_CUDA_STAGING_COPY_H

#include "../cpu/kernels.h"
#include "../cpu/pool.h"

/* One of zeroes has ended. */
struct hd_copy {
  char *to;
  const char *from;
  size_t bytes, part;                  /* in all, and what one thread copies at a time */
  const struct hd_scan_kernels *lines; /* NULL: plain copies */
  struct hd_job job;
};

/* past: large copies go past the caches. */
void hd_copy_begin(heddle_context *ctx, struct hd_copy *copy, void *to, const void *from,
                   size_t bytes, bool past);
void hd_copy_end(struct hd_copy *copy);

#endif
