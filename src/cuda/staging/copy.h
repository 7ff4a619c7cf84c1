/* copy.h - copies between pageable and pinned memory by all threads, while the caller goes on */
#ifndef HEDDLE_CUDA_STAGING_COPY_H
#define HEDDLE_CUDA_STAGING_COPY_H

#include "host/bulk_copy.h"
#include "host/pool.h"

/* One of zeroes has ended. */
struct hd_cuda_bulk_copy {
  char *to;
  const char *from;
  size_t bytes, part;   /* in all, and what one thread copies at a time */
  hd_copy_lines *lines; /* NULL: plain copies */
  struct hd_job job;
};

/* past: large copies go past the caches. */
void hd_cuda_bulk_copy_begin(heddle_context *ctx, struct hd_cuda_bulk_copy *copy, void *to,
                             const void *from, size_t bytes, bool past);
void hd_cuda_bulk_copy_end(struct hd_cuda_bulk_copy *copy);

#endif
