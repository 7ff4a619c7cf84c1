/* unique.c - heddle_unique on a device: a sort, then kernels/search/unique.cu
 *
 * Method   Elements are sorted alone where nobody wants to know where they were, else their positions with them.
 *          Nothing waits, unless arrays of the host are in play: of those as much is copied back as was found.
 * Memory   elements, and positions if they are sorted, once more, and what the sort takes */
#include "cuda/core/inside.h"
#include "cuda/sort/sort.h"
#include "search.h"

enum { SPECIAL_BLOCKS = 8192 };

struct unique {
  struct hd_cuda_call *call;
  const struct hd_unique *job;
  struct unique_args args;
  u32 key_bytes, position_bytes; /* 0: elements alone are sorted */
  bool is_float;
  struct hd_cuda_array values, counts, first, inverse;
  void *found;
};

static heddle_status launch(const struct unique *u, const char *name, u64 blocks) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_file(&key, "search/unique.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_KEY_BYTES", u->key_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_ORDER", u->is_float ? 2 : 0);
  hd_cuda_kernel_define(&key, "HEDDLE_POSITION_BYTES", u->position_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_INDEX_BYTES", u->inverse.to ? u->job->index_bytes : 0);
  HD_TRY(hd_cuda_kernel(u->call, &key, name, UNIQUE_THREADS, 0, &kernel));
  return hd_cuda_launch(u->call, &kernel, blocks, &u->args, sizeof u->args);
}

static heddle_status place(struct unique *u, const void *in, struct hd_unique_out out) {
  struct hd_cuda_call *call = u->call;
  struct unique_args *a = &u->args;
  const u64 n = a->count, words = n * sizeof(u64);
  HD_TRY(hd_cuda_array_out(call, "values_out", out.values, n * u->key_bytes, u->key_bytes,
                           &u->values));
  HD_TRY(hd_cuda_array_out(call, "counts", out.counts, words, sizeof(u64), &u->counts));
  HD_TRY(hd_cuda_array_out(call, "first", out.first, words, sizeof(u64), &u->first));
  HD_TRY(hd_cuda_array_out(call, "inverse", out.inverse, n * u->job->index_bytes,
                           u->job->index_bytes, &u->inverse));
  HD_TRY(hd_cuda_array_in(call, "in", in, n * u->key_bytes, u->key_bytes, &a->in));
  HD_TRY(hd_cuda_output(call, "found", out.found, sizeof(u64), sizeof(u64), &a->found));
  a->values = u->values.device;
  a->counts = u->counts.device;
  a->first = u->first.device;
  a->inverse = u->inverse.device;
  return HEDDLE_OK;
}

static heddle_status sort(struct unique *u) {
  struct hd_cuda_sort_scratch scratch = {0};
  struct hd_cuda_sort_job job;
  struct hd_sort sort = u->job->sort;
  struct unique_args *a = &u->args;
  const struct hd_cuda_sort_rows rows = {.rows = 1, .length = a->count, .elements = a->count};
  sort.what = u->position_bytes ? HD_SORT_POSITIONS : HD_SORT_KEYS;
  sort.value_bytes = u->position_bytes;
  sort.scratch = NULL;
  HD_TRY(hd_cuda_scratch(u->call, (size_t)(a->count * u->key_bytes), &a->keys));
  if (u->position_bytes)
    HD_TRY(hd_cuda_scratch(u->call, (size_t)(a->count * u->position_bytes), &a->position));
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(u->call);
  hd_cuda_sort_job_make(&job, u->call, &sort, &scratch);
  const struct hd_cuda_sort_arrays arrays = {
      .keys = a->in, .keys_out = a->keys, .values_out = a->position};
  HD_TRY(hd_cuda_sort_dense(&job, &arrays, &rows));
  hd_cuda_scratch_reset(u->call, mark); /* what comes next is behind it on the stream */
  return HEDDLE_OK;
}

static heddle_status write(struct unique *u) {
  struct hd_cuda_call *call = u->call;
  struct unique_args *a = &u->args;
  const u64 tiles = (a->count + UNIQUE_TILE - 1) / UNIQUE_TILE;
  if (tiles > INT32_MAX)
    return hd_fail(HEDDLE_UNSUPPORTED, "%s: %llu elements are more than a GPU takes at once",
                   call->entry, (unsigned long long)a->count);
  HD_TRY(hd_cuda_scratch(call, (size_t)(tiles * (UNIQUE_TILE / 8)), &a->masks));
  HD_TRY(hd_cuda_scratch(call, (size_t)(tiles * sizeof(u32)), &a->heads));
  HD_TRY(hd_cuda_scratch(call, (size_t)((tiles + 1) * sizeof(u64)), &a->starts));
  if (u->is_float && !u->position_bytes) {
    const u64 enough = tiles < SPECIAL_BLOCKS ? tiles : SPECIAL_BLOCKS;
    HD_TRY(hd_cuda_scratch(call, UNIQUE_SPECIALS * sizeof(u64), &a->specials));
    HD_TRY(hd_cuda_zero(call, a->specials, UNIQUE_SPECIALS * sizeof(u64)));
    HD_TRY(launch(u, "heddle_unique_specials", enough));
  }
  HD_TRY(launch(u, "heddle_unique_heads", tiles));
  HD_TRY(launch(u, "heddle_unique_starts", 1));
  return launch(u, "heddle_unique_write", tiles);
}

static bool is_host(const struct hd_cuda_array *array) { return array->space != HD_SPACE_DEVICE; }

/* How many values there are, where something of the host waits for them. */
static heddle_status see_found(struct unique *u, u64 *found) {
  struct hd_cuda_call *call = u->call;
  *found = u->args.count;
  if (call->preparing || !(is_host(&u->values) || is_host(&u->counts) || is_host(&u->first)))
    return HEDDLE_OK;
  if (u->args.found != (cu_pointer)(uintptr_t)u->found) {
    HD_TRY(hd_cuda_wait(call, call->stream));
    *found = *(volatile u64 *)(uintptr_t)u->args.found; /* in pinned memory */
    return HEDDLE_OK;
  }
  HD_TRY(hd_cuda_check(call, call->cu->copy_out(found, u->args.found, sizeof *found, call->stream),
                       "copying a number"));
  return hd_cuda_wait(call, call->stream);
}

static heddle_status unique(struct unique *u, const void *in, struct hd_unique_out out) {
  struct hd_cuda_call *call = u->call;
  u64 found;
  HD_TRY(place(u, in, out));
  HD_TRY(sort(u));
  HD_TRY(write(u));
  HD_TRY(see_found(u, &found));
  HD_TRY(hd_cuda_array_send(call, &u->values, found * u->key_bytes));
  HD_TRY(hd_cuda_array_send(call, &u->counts, found * sizeof(u64)));
  HD_TRY(hd_cuda_array_send(call, &u->first, found * sizeof(u64)));
  return hd_cuda_array_send(call, &u->inverse, u->inverse.bytes);
}

heddle_status hd_cuda_unique(heddle_context *ctx, const struct hd_unique *job, const void *in,
                             size_t count, struct hd_unique_out out) {
  struct hd_cuda_call call;
  const struct hd_sort_map map = job->sort.map;
  struct unique u = {.call = &call,
                     .job = job,
                     .args = {.map = {map.flip, map.turn, map.infinity}, .count = count},
                     .key_bytes = map.bits / 8,
                     .is_float = map.is_float,
                     .found = out.found};
  if (out.first || out.inverse) u.position_bytes = count > (u64)1 << 32 ? 8 : 4;
  HD_TRY(hd_cuda_enter(ctx, job->sort.entry, &call));
  return hd_cuda_leave(&call, unique(&u, in, out));
}
