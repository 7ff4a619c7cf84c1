/* merged.c - a row of some ten thousand elements: tiles by networks, then kernels/sort/merge.cu
 *
 * Method   Steps by digits would wait for memory more often than there is work for. Tiles are as small as keep
 *          them to TILES_MOST, since each is searched for every element: on an H100, 2^14 keys of 4 bytes take
 *          18 us, by steps 39; 2^16 31 and 42; 2^17, by 32 tiles, 64 and 46.
 * Memory   keys and values once more */
#include "host/status.h"
#include "sort.h"

enum { THREADS = 128, TILE_LEAST = 1024, TILE_MOST = 4096, TILES_MOST = 16, SOFTWARE_TILE = 128 };

static u32 tile_of(const struct hd_cuda_sort_job *job, u64 count) {
  u32 tile = TILE_LEAST;
  while (tile < TILE_MOST && count > (u64)tile * TILES_MOST) tile *= 2;
  return hd_cuda_limits(job->call->cuda)->software ? SOFTWARE_TILE : tile;
}

bool hd_cuda_sort_is_merged(const struct hd_cuda_sort_job *job, u64 count) {
  const u32 tile = tile_of(job, count);
  return tile <= hd_cuda_sort_network_most(job, TILES_MOST) && count > tile &&
         count <= (u64)tile * TILES_MOST;
}

static struct hd_cuda_sort_rows tiles_of(const struct hd_cuda_sort_job *job, u64 count) {
  const u32 tile = tile_of(job, count);
  return (struct hd_cuda_sort_rows){
      .rows = (count + tile - 1) / tile, .length = tile, .elements = count, .are_tiles = true};
}

static u64 padded(u64 bytes) { return (bytes + 255) & ~(u64)255; }

u64 hd_cuda_sort_merged_bytes(const struct hd_cuda_sort_job *job, u64 count) {
  return padded(count * job->key_bytes) + padded(count * job->sort->value_bytes);
}

void hd_cuda_sort_merged_choose(const struct hd_cuda_sort_job *job, u64 count,
                                struct hd_cuda_choice *first, struct hd_cuda_choice *then) {
  const struct hd_cuda_sort_rows tiles = tiles_of(job, count);
  hd_cuda_sort_network_choose(job, &tiles, first);
  first->strategy = "merged";
  *then = (struct hd_cuda_choice){.file = "sort/merge.cu",
                                  .kernel = "heddle_sort_merge",
                                  .threads = THREADS,
                                  .blocks = (count + THREADS - 1) / THREADS};
}

heddle_status hd_cuda_sort_merged(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_arrays *arrays, u64 count) {
  const struct hd_cuda_sort_rows tiles = tiles_of(job, count);
  const u32 value_bytes = job->sort->value_bytes;
  struct hd_cuda_sort_arrays sorted = {.keys = arrays->keys, .values = arrays->values};
  struct hd_cuda_choice first, then;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  HD_TRY(hd_cuda_sort_take(job, count * job->key_bytes, &sorted.keys_out));
  if (value_bytes) HD_TRY(hd_cuda_sort_take(job, count * value_bytes, &sorted.values_out));
  HD_TRY(hd_cuda_sort_network(job, &sorted, &tiles));
  hd_cuda_sort_merged_choose(job, count, &first, &then);
  hd_cuda_sort_key(job, then.file, value_bytes, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", then.threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", 1);
  hd_cuda_kernel_define(&key, "HEDDLE_PART", hd_cuda_sort_is_part(job));
  HD_TRY(hd_cuda_kernel(job->call, &key, then.kernel, then.threads, 0, &kernel));
  const struct sort_merge_args a = {.map = job->map,
                                    .keys = sorted.keys_out,
                                    .values = sorted.values_out,
                                    .keys_out = arrays->keys_out,
                                    .values_out = arrays->values_out,
                                    .count = (u32)count,
                                    .tile = (u32)tiles.length,
                                    .bit_begin = job->bit_begin,
                                    .bit_end = job->bit_end};
  return hd_cuda_launch(job->call, &kernel, then.blocks, &a, sizeof a);
}
