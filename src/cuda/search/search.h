/* search.h - what the files of search, gather and unique on a CUDA device ask of each other, and groups of them
 *
 * arrays.c  arrays of the host on their way
 * search.c  heddle_search_sorted
 * gather.c  heddle_gather, and the gather of an array in device memory
 * unique.c  heddle_unique */
#ifndef HEDDLE_CUDA_SEARCH_SEARCH_H
#define HEDDLE_CUDA_SEARCH_SEARCH_H

#include "cuda/core/choice.h"

#include "kernels/search/args.h" /* needs their types */

/* ---- arrays.c -------------------------------------------------------------------------------- */

/* The whole of an input in device memory: as it is, or a copy in scratch; NULL stays 0. */
heddle_status hd_cuda_array_in(struct hd_cuda_call *call, const char *what, const void *from,
                               u64 bytes, size_t element_bytes, cu_pointer *device);

/* An output: device memory as it is, or scratch, from which hd_cuda_array_send queues the way back. */
struct hd_cuda_array {
  const char *what;
  void *to;
  enum hd_cuda_memory_space space;
  u64 bytes;
  cu_pointer device; /* 0: not wanted */
};
heddle_status hd_cuda_array_out(struct hd_cuda_call *call, const char *what, void *to, u64 bytes,
                                size_t element_bytes, struct hd_cuda_array *array);
/* Its first `bytes`. */
heddle_status hd_cuda_array_send(struct hd_cuda_call *call, const struct hd_cuda_array *array,
                                 u64 bytes);

/* From elements to keys, ascending, NaN last. */
struct sort_map hd_cuda_search_map(heddle_type type);

/* Blocks of a kernel for so much work of one block: what runs at once, if that is less. */
u64 hd_cuda_search_blocks(struct hd_cuda_call *call, const struct hd_cuda_kernel *kernel, u64 work);

/* ---- gather.c -------------------------------------------------------------------------------- */

struct hd_cuda_gather {
  cu_pointer in, index, out; /* device memory */
  u64 in_count, count, first;
  size_t row_bytes;
  u32 index_bytes;
  bool is_signed;
};
heddle_status hd_cuda_gather_rows(struct hd_cuda_call *call, const struct hd_cuda_gather *gather);

#endif
