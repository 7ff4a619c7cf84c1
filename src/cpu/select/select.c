/* select.c - select, partition and positions: the calls
 *
 * Method   Every comparison is a range of keys in the order of the type, or all that is outside of one. NaN lie
 *          outside of every range of numbers, both zeros side by side. */
#include "select.h"

#include "host/status.h"
#include "partition.h"

/* ---- ranges ---------------------------------------------------------------------------------- */

/* Keys as masks_tmpl.h has them, made unsigned ones that rise with the elements. */
struct keys {
  u64 all;        /* bits of an element */
  u64 turn;       /* from key to rank: the sign, but of unsigned integers */
  u64 low, high;  /* ranks of the least and the greatest number */
  u64 begin, end; /* of the elements that equal the value */
  bool is_nan;
};

/* Bits of infinity; INF of the table is shifted up by one. */
static u64 infinity_of(heddle_type type) {
  switch (type) {
#define CASE(T, n, family, bits, s, a, l, k, v, least, most, raw, inf) \
  case HEDDLE_##T: return (u64)(inf) >> 1;
    HD_FLOAT_TYPES(CASE)
#undef CASE
  default: return 0;
  }
}

static struct keys keys_of(heddle_type type, u64 value) {
  const u64 sign = (u64)1 << (8 * heddle_type_size(type) - 1), most = sign - 1;
  struct keys keys = {.all = sign | most, .low = 0, .high = sign | most};
  if (hd_is_float(type) || hd_is_signed(type)) keys.turn = sign;
  if (hd_is_float(type)) {
    const u64 infinity = infinity_of(type);
    keys.high = sign + infinity;
    keys.low = most - infinity;
    keys.is_nan = (value & most) > infinity;
    if (value & sign) value ^= most;
  }
  keys.begin = keys.end = value ^ keys.turn;
  if (hd_is_float(type) && (keys.begin == sign || keys.begin == most))
    keys.begin = most, keys.end = sign; /* -0.0 is below +0.0 */
  return keys;
}

/* Ranks first to last; none if last is below first. */
static struct hd_cpu_key_range range_of(const struct keys *keys, bool none, u64 first, u64 last) {
  if (none || first > last) return (struct hd_cpu_key_range){0, keys->all, true};
  return (struct hd_cpu_key_range){first ^ keys->turn, last - first, false};
}

static struct hd_cpu_key_range range_of_job(const struct hd_select *job) {
  const struct keys keys = keys_of(job->type, job->value);
  struct hd_cpu_key_range range;
  switch (job->comparison) {
  case HEDDLE_LESS:
    return range_of(&keys, keys.is_nan || keys.begin == keys.low, keys.low, keys.begin - 1);
  case HEDDLE_LESS_EQUAL: return range_of(&keys, keys.is_nan, keys.low, keys.end);
  case HEDDLE_GREATER:
    return range_of(&keys, keys.is_nan || keys.end == keys.high, keys.end + 1, keys.high);
  case HEDDLE_GREATER_EQUAL: return range_of(&keys, keys.is_nan, keys.begin, keys.high);
  default: break;
  }
  range = range_of(&keys, keys.is_nan, keys.begin, keys.end);
  if (job->comparison != HEDDLE_EQUAL) range.invert = !range.invert;
  return range;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static heddle_status run(heddle_context *ctx, const struct hd_select *job,
                         const struct hd_cpu_marks *marks, const void *in, void *out,
                         u64 *selected) {
  struct hd_cpu_packed packed = {.entry = job->entry, .marks = *marks};
  switch (job->what) {
  case HD_SELECT_PARTITION:
    packed.in = in, packed.out = out, packed.element_bytes = job->element_bytes;
    return hd_cpu_partition(ctx, &packed, selected);
  case HD_SELECT_POSITIONS: packed.index = out, packed.index_bytes = job->element_bytes; break;
  default: packed.in = in, packed.out = out, packed.element_bytes = job->element_bytes;
  }
  return hd_cpu_pack(ctx, &packed, selected);
}

/* A test gives bytes, of which those other than zero are marked. */
static heddle_status run_predicate(heddle_context *ctx, const struct hd_select *job,
                                   struct hd_cpu_marks *marks, const void *in, void *out,
                                   u64 *selected) {
  const struct hd_select bytes = {.comparison = HEDDLE_NONZERO, .type = HEDDLE_U8};
  atomic_bool failed;
  atomic_init(&failed, false);
  marks->masks = marks->kernels->masks[HEDDLE_U8];
  marks->range = range_of_job(&bytes);
  marks->predicate = &job->predicate;
  marks->failed = &failed;
  HD_TRY(run(ctx, job, marks, in, out, selected));
  if (!atomic_load(&failed)) return HEDDLE_OK;
  return hd_fail(
      HEDDLE_CALLBACK,
      "%s: `where->predicate->test` returned a status other than HEDDLE_OK, or two answers "
      "for one element; the outputs are undefined",
      job->entry);
}

heddle_status hd_cpu_select(heddle_context *ctx, const struct hd_select *job, const void *of,
                            const void *in, size_t count, void *out, u64 *selected) {
  const struct hd_cpu_select_kernels *kernels = hd_cpu_select_kernels(ctx);
  struct hd_cpu_marks marks = {
      .kernels = kernels, .x = of, .bytes = heddle_type_size(job->type), .count = count};
  if (job->comparison == HEDDLE_PREDICATE)
    return run_predicate(ctx, job, &marks, in, out, selected);
  marks.masks = kernels->masks[job->type];
  marks.range = range_of_job(job);
  return run(ctx, job, &marks, in, out, selected);
}

void hd_cpu_select_choose(const heddle_context *ctx, const struct hd_select *job, size_t count,
                          struct hd_cpu_choice *choice) {
  const struct hd_cpu_marks marks = {.count = count};
  const bool partition = job->what == HD_SELECT_PARTITION;
  *choice =
      (struct hd_cpu_choice){.strategy = partition ? "partition" : "packed",
                             .kernel = job->comparison == HEDDLE_PREDICATE ? "predicate" : "masks",
                             .file = partition ? "cpu/select/partition.c" : "cpu/select/packed.c",
                             .threads = hd_cpu_marks_threads(ctx, &marks)};
}
