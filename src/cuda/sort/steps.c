/* steps.c - rows of any length, digit by digit: kernels/sort/count.cu, then one_sweep.cu once a step
 *
 * Method   The device knows which digits there is something to sort by, and finds the steps; the host
 *          launches one for every digit, of which those that are not needed end at once. Nothing waits.
 * Memory   keys and values once more, twice the keys if nobody wants them; a KiB a tile, and for each
 *          row and digit; twice as much where a row has 2^30 elements or more */
#include "host/status.h"
#include "sort.h"

enum { SOFTWARE_BLOCKS = 4, PLAN_BYTES = 1024 };
_Static_assert(sizeof(struct sort_plan) <= PLAN_BYTES, "the plan's place");
#define WIDE_COUNT ((u64)1 << 30)

struct steps {
  const struct hd_cuda_sort_job *job;
  const struct hd_cuda_sort_rows *rows;
  struct hd_cuda_sort_sizes sizes;
  struct hd_cuda_kernel count, first, sweep; /* first: of the first step */
  struct sort_args args;
  u32 value_bytes; /* of values on their way; positions may be wider in the end */
  u64 longs, tiles;
  bool wide, may_finish;
  struct hd_cuda_sort_finish finish;
};

static u64 padded(u64 bytes) { return (bytes + 255) & ~(u64)255; }

static u32 value_bytes_of(const struct hd_cuda_sort_job *job, u64 longest) {
  if (!job->positions) return job->sort->value_bytes;
  return longest > (u64)1 << 32 ? 8 : 4;
}

static u64 word_bytes(bool wide) { return wide ? sizeof(u64) : sizeof(u32); }
static u64 told_bytes(bool wide, u64 tiles) { return tiles * SORT_BINS * word_bytes(wide); }
static u64 counts_bytes(bool wide, u64 rows, u32 digits) {
  return rows * digits * SORT_BINS * word_bytes(wide);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static u64 tile_of(const struct steps *s) { return (u64)s->sizes.threads * s->sizes.items; }

static void count_tiles(struct steps *s, u64 most) {
  const struct hd_cuda_sort_rows *rows = s->rows;
  const u64 tile = tile_of(s);
  if (!rows->offsets) {
    s->longs = rows->rows;
    s->args.row_tiles = (u32)((rows->length + tile - 1) / tile);
    s->tiles = rows->rows * s->args.row_tiles;
    return;
  }
  for (u64 r = 0; r < rows->rows; r++) {
    const u64 length = rows->offsets[r + 1] - rows->offsets[r];
    if (length <= most) continue;
    s->longs++;
    s->tiles += (length + tile - 1) / tile;
  }
}

/* Lists of long rows and of their tiles, on the host and then on the device. */
static heddle_status list_rows(struct steps *s, u64 most) {
  struct hd_cuda_call *call = s->job->call;
  const u64 rows_bytes = s->longs * sizeof(struct sort_long), tile = tile_of(s);
  const size_t bytes = (size_t)(rows_bytes + s->tiles * sizeof(u32));
  struct sort_long *longs = hd_allocate(call->ctx, bytes);
  if (!longs) return HEDDLE_OUT_OF_MEMORY;
  u32 *owners = (u32 *)(void *)(longs + s->longs);
  u64 r = 0, t = 0;
  for (u64 i = 0; i < s->rows->rows; i++) {
    const u64 start = s->rows->offsets[i], length = s->rows->offsets[i + 1] - start;
    if (length <= most) continue;
    longs[r] = (struct sort_long){start, length, t};
    for (const u64 end = t + (length + tile - 1) / tile; t < end; t++) owners[t] = (u32)r;
    r++;
  }
  heddle_status status = hd_cuda_scratch(call, bytes, &s->args.longs);
  s->args.owners = s->args.longs + rows_bytes;
  if (!status) status = hd_cuda_upload(call, s->args.longs, longs, bytes);
  hd_release(call->ctx, longs, bytes);
  return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static heddle_status place_arrays(struct steps *s, const struct hd_cuda_sort_arrays *arrays) {
  struct sort_args *a = &s->args;
  const u64 n = s->rows->elements, keys = n * s->job->key_bytes, values = n * s->value_bytes;
  const bool in_place =
      arrays->keys == arrays->keys_out || (arrays->values && arrays->values == arrays->values_out);
  const bool room_in = arrays->overwrite && !in_place;
  const u64 first = s->rows->offsets ? s->rows->offsets[0] : 0;
  a->limits = in_place ? SORT_IN_PLACE : room_in ? SORT_ROOM_IN : SORT_APART;
  a->drop_keys = !arrays->keys_out;
  a->keys[SORT_IN] = arrays->keys, a->values[SORT_IN] = arrays->values;
  a->keys[SORT_OUT] = arrays->keys_out, a->values[SORT_OUT] = arrays->values_out;
  a->keys[SORT_ROOM] = arrays->keys, a->values[SORT_ROOM] = arrays->values;
  if (!room_in) {
    HD_TRY(hd_cuda_sort_take(s->job, keys, &a->keys[SORT_ROOM]));
    a->keys[SORT_ROOM] -= first * s->job->key_bytes;
  }
  if (!arrays->keys_out) {
    HD_TRY(hd_cuda_sort_take(s->job, keys, &a->keys[SORT_OUT]));
    a->keys[SORT_OUT] -= first * s->job->key_bytes;
  }
  a->result = arrays->values_out;
  if (s->rows->offsets && s->value_bytes != s->job->sort->value_bytes) {
    /* On their way they would lie where results of other rows are. */
    HD_TRY(hd_cuda_sort_take(s->job, values, &a->values[SORT_OUT]));
    a->values[SORT_OUT] -= first * s->value_bytes;
  }
  if (!s->value_bytes || (room_in && arrays->values)) return HEDDLE_OK;
  HD_TRY(hd_cuda_sort_take(s->job, values, &a->values[SORT_ROOM]));
  a->values[SORT_ROOM] -= first * s->value_bytes;
  return HEDDLE_OK;
}

/* What has to be zero before, at once. */
static heddle_status place_tables(struct steps *s) {
  struct hd_cuda_call *call = s->job->call;
  const u64 counts = padded(counts_bytes(s->wide, s->longs, s->job->digits));
  const u64 bytes = PLAN_BYTES + counts + told_bytes(s->wide, s->tiles);
  HD_TRY(hd_cuda_sort_take(s->job, bytes, &s->args.plan));
  s->args.counts = s->args.plan + PLAN_BYTES;
  s->args.tiles_told = s->args.counts + counts;
  return hd_cuda_zero(call, s->args.plan, bytes);
}

u64 hd_cuda_sort_step_bytes(const struct hd_cuda_sort_job *job, u64 count) {
  const u32 value_bytes = value_bytes_of(job, count);
  const struct hd_cuda_sort_sizes sizes =
      hd_cuda_sort_step_sizes(hd_cuda_limits(job->call->cuda), job->key_bytes, value_bytes, count);
  const u64 tile = (u64)sizes.threads * sizes.items, tiles = (count + tile - 1) / tile;
  const bool wide = count >= WIDE_COUNT;
  const u64 keys = padded(count * job->key_bytes), values = padded(count * value_bytes);
  const struct hd_cuda_sort_rows one = {.rows = 1, .length = count, .elements = count};
  const u64 list = hd_cuda_sort_may_finish(job, &one) ? hd_cuda_sort_finish_bytes(job, count) : 0;
  const u64 dropped = job->sort->what == HD_SORT_KEYS ? 0 : keys;
  /* Whether an output is its input, where `overwrite` means nothing, is not known yet. */
  return keys + dropped + values + list + PLAN_BYTES + padded(counts_bytes(wide, 1, job->digits)) +
         padded(told_bytes(wide, tiles));
}

/* ---- launches -------------------------------------------------------------------------------- */

static void define(const struct steps *s, const char *file, u32 value_bytes,
                   struct hd_cuda_kernel_key *key) {
  hd_cuda_sort_key(s->job, file, value_bytes, key);
  hd_cuda_kernel_define(key, "HEDDLE_SEGMENTS", s->rows->offsets != NULL);
  hd_cuda_kernel_define(key, "HEDDLE_WIDE", s->wide);
  hd_cuda_kernel_define(key, "HEDDLE_THREADS", s->sizes.threads);
  hd_cuda_kernel_define(key, "HEDDLE_ITEMS", s->sizes.items);
}

/* Whether the first step may leave elements of one digit in any order: those that are equal in the end
 * are the same bits. */
static bool is_first_free(const struct hd_cuda_sort_job *job) {
  return job->sort->what == HD_SORT_KEYS && !job->bit_begin && job->bit_end == 8 * job->key_bytes;
}

static heddle_status find_sweep(const struct steps *s, bool stable, struct hd_cuda_kernel *kernel) {
  const struct hd_cuda_sort_job *job = s->job;
  const u32 largest = s->value_bytes > job->key_bytes ? s->value_bytes : job->key_bytes;
  struct hd_cuda_kernel_key key;
  define(s, "sort/one_sweep.cu", s->value_bytes, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_BLOCKS", s->sizes.blocks);
  hd_cuda_kernel_define(&key, "HEDDLE_RESULT_BYTES", job->sort->value_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_STABLE", stable);
  return hd_cuda_kernel(job->call, &key, "heddle_sort_one_sweep", s->sizes.threads,
                        s->sizes.threads * s->sizes.items * largest, kernel);
}

void hd_cuda_sort_steps_choose(const struct hd_cuda_sort_job *job,
                               const struct hd_cuda_sort_rows *rows, struct hd_cuda_choice *first,
                               struct hd_cuda_choice *then) {
  const struct hd_cuda_sort_sizes sizes =
      hd_cuda_sort_step_sizes(hd_cuda_limits(job->call->cuda), job->key_bytes,
                              value_bytes_of(job, rows->length), rows->elements);
  *first = (struct hd_cuda_choice){.strategy = "one_sweep",
                                   .file = "sort/count.cu",
                                   .kernel = "heddle_sort_count",
                                   .threads = sizes.threads,
                                   .shared_bytes = job->digits * SORT_BINS * (u32)sizeof(u32)};
  *then = (struct hd_cuda_choice){.file = "sort/one_sweep.cu", .kernel = "heddle_sort_one_sweep"};
  if (!hd_cuda_sort_may_finish(job, rows)) return;
  first->strategy = "highest_digits";
  *then = (struct hd_cuda_choice){.file = "sort/sample.cu", .kernel = "heddle_sort_sample"};
}

static heddle_status find_kernels(struct steps *s) {
  const struct hd_cuda_sort_job *job = s->job;
  struct hd_cuda_choice count, sweep;
  struct hd_cuda_kernel_key key;
  hd_cuda_sort_steps_choose(job, s->rows, &count, &sweep);
  define(s, count.file, 0, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_DIGITS", job->digits);
  HD_TRY(
      hd_cuda_kernel(job->call, &key, count.kernel, count.threads, count.shared_bytes, &s->count));
  HD_TRY(find_sweep(s, !is_first_free(job), &s->first));
  if (s->may_finish) HD_TRY(hd_cuda_sort_finish_find(job, s->rows->length, &s->finish));
  return find_sweep(s, true, &s->sweep);
}

static u64 blocks_of(const struct steps *s, const struct hd_cuda_kernel *kernel) {
  const bool software = hd_cuda_limits(s->job->call->cuda)->software;
  const u64 most = software ? SOFTWARE_BLOCKS : hd_cuda_blocks_at_once(s->job->call, kernel);
  return s->tiles < most ? s->tiles : most;
}

static heddle_status launch(struct steps *s) {
  struct hd_cuda_call *call = s->job->call;
  const u32 copy = s->args.limits != SORT_APART;
  const u32 launches = s->job->digits + (s->may_finish ? SORT_TOPS + 1 : copy);
  HD_TRY(hd_cuda_launch(call, &s->count, blocks_of(s, &s->count), &s->args, sizeof s->args));
  if (s->may_finish) HD_TRY(hd_cuda_sort_sample(s->job, &s->finish, &s->args));
  for (s->args.slot = 0; s->args.slot < launches; s->args.slot++) {
    if (s->may_finish && s->args.slot == SORT_TOPS)
      HD_TRY(hd_cuda_sort_finish(s->job, &s->finish, &s->args));
    const struct hd_cuda_kernel *sweep = s->args.slot ? &s->sweep : &s->first;
    HD_TRY(hd_cuda_launch(call, sweep, blocks_of(s, sweep), &s->args, sizeof s->args));
  }
  return HEDDLE_OK;
}

heddle_status hd_cuda_sort_steps(const struct hd_cuda_sort_job *job,
                                 const struct hd_cuda_sort_arrays *arrays,
                                 const struct hd_cuda_sort_rows *rows, u64 most) {
  struct steps s = {.job = job, .rows = rows, .wide = rows->length >= WIDE_COUNT};
  s.value_bytes = value_bytes_of(job, rows->length);
  s.sizes = hd_cuda_sort_step_sizes(hd_cuda_limits(job->call->cuda), job->key_bytes, s.value_bytes,
                                    rows->elements);
  s.may_finish = hd_cuda_sort_may_finish(job, rows);
  s.args.map = job->map;
  s.args.unsorted = arrays->unsorted;
  s.args.length = rows->length;
  s.args.digits = job->digits;
  s.args.bit_begin = job->bit_begin;
  s.args.bit_end = job->bit_end;
  count_tiles(&s, most);
  if (!s.tiles) return HEDDLE_OK;
  if (s.tiles > INT32_MAX)
    return hd_fail(HEDDLE_UNSUPPORTED, "%s: %llu elements are more than a GPU sorts at once",
                   job->call->entry, (unsigned long long)rows->elements);
  s.args.tiles = (u32)s.tiles;
  HD_TRY(find_kernels(&s));
  if (rows->offsets) HD_TRY(list_rows(&s, most));
  HD_TRY(place_arrays(&s, arrays));
  HD_TRY(place_tables(&s));
  return launch(&s);
}
