/* job.c - what kernels of sorts need to know of a call: the map to keys, digits, defines */
#include "sort.h"

enum { ORDER_INTEGERS, ORDER_FLOATS, ORDER_TIES };

void hd_cuda_sort_job_make(struct hd_cuda_sort_job *job, struct hd_cuda_call *call,
                           const struct hd_sort *sort, struct hd_cuda_sort_scratch *scratch) {
  const struct hd_sort_map map = sort->map;
  *job = (struct hd_cuda_sort_job){.call = call,
                                   .sort = sort,
                                   .scratch = scratch,
                                   .map = {map.flip, map.turn, map.infinity},
                                   .key_bytes = map.bits / 8,
                                   .bit_begin = sort->bit_begin,
                                   .bit_end = sort->bit_end,
                                   .positions = sort->what == HD_SORT_POSITIONS};
  job->digits = (job->bit_end - job->bit_begin + 7) / 8;
  job->order = !map.is_float                ? ORDER_INTEGERS
               : sort->what == HD_SORT_KEYS ? ORDER_FLOATS
                                            : ORDER_TIES;
}

void hd_cuda_sort_key(const struct hd_cuda_sort_job *job, const char *file, u32 value_bytes,
                      struct hd_cuda_kernel_key *key) {
  hd_cuda_kernel_file(key, file);
  hd_cuda_kernel_define(key, "HEDDLE_KEY_BYTES", job->key_bytes);
  hd_cuda_kernel_define(key, "HEDDLE_ORDER", job->order);
  hd_cuda_kernel_define(key, "HEDDLE_VALUE_BYTES", value_bytes);
  hd_cuda_kernel_define(key, "HEDDLE_POSITIONS", job->positions);
}

bool hd_cuda_sort_is_part(const struct hd_cuda_sort_job *job) {
  return job->bit_begin || job->bit_end < 8 * job->key_bytes;
}

bool hd_cuda_sort_is_numbered(const struct hd_cuda_sort_job *job) {
  return job->sort->value_bytes || job->order == 2 || hd_cuda_sort_is_part(job);
}

struct sort_block_args hd_cuda_sort_block_args(const struct hd_cuda_sort_job *job,
                                               const struct hd_cuda_sort_arrays *arrays,
                                               const struct hd_cuda_sort_rows *rows) {
  return (struct sort_block_args){.map = job->map,
                                  .keys = arrays->keys,
                                  .values = arrays->values,
                                  .keys_out = arrays->keys_out,
                                  .values_out = arrays->values_out,
                                  .rows = rows->rows,
                                  .length = rows->length,
                                  .elements = rows->elements,
                                  .bit_begin = job->bit_begin,
                                  .bit_end = job->bit_end};
}
