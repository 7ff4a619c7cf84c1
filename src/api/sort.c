/* sort.c - sort, sort_pairs and argsort: one array, or along rows */
#include "api.h"
#include "host/status.h"
#include "overlap.h"

/* ---- jobs ---------------------------------------------------------------------------------- */

static heddle_status check_bits(const char *entry, heddle_type type, struct hd_sort *sort) {
  const u32 bits = 8 * (u32)heddle_type_size(type);
  if (!sort->bit_begin && !sort->bit_end) {
    sort->bit_end = bits;
    return HEDDLE_OK;
  }
  if (hd_is_float(type))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->bit_end` is %u, but bits are for integers and the type is %s; "
                   "leave both at 0",
                   entry, sort->bit_end, heddle_type_name(type));
  if (sort->bit_begin < sort->bit_end && sort->bit_end <= bits) return HEDDLE_OK;
  return hd_fail(
      HEDDLE_BAD_ARGUMENT,
      "%s: `options->bit_begin` and `bit_end` are %u and %u, but an element of type %s has "
      "bits 0 to %u; give a begin below the end, or 0 and 0 for all",
      entry, sort->bit_begin, sort->bit_end, heddle_type_name(type), bits - 1);
}

static heddle_status check_values(const char *entry, size_t value_bytes) {
  switch (value_bytes) {
  case 1:
  case 2:
  case 4:
  case 8:
  case 16: return HEDDLE_OK;
  default:
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: `value_bytes` is %zu; values have 1, 2, 4, 8 or 16 bytes: sort positions by "
        "heddle_argsort and take wider ones by them",
        entry, value_bytes);
  }
}

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

static struct hd_sort_map map_of(heddle_type type, bool descending, bool nan_first) {
  struct hd_sort_map map = {.bits = 8 * (u32)heddle_type_size(type),
                            .is_float = hd_is_float(type),
                            .infinity = infinity_of(type)};
  const u64 sign = (u64)1 << (map.bits - 1);
  map.flip = descending ? sign | (sign - 1) : 0;
  if (hd_is_signed(type)) map.flip ^= sign;
  if (!map.is_float) return map;
  /* As many NaN as there are of one sign, from one end to the other. */
  const u64 nans = (sign - 1) - map.infinity;
  map.turn = nan_first ? nans : 0 - nans;
  return map;
}

/* What a call was given, but for its arrays. */
static heddle_status make_job(const char *entry, enum hd_sort_what what, heddle_type type,
                              size_t value_bytes, const heddle_sort_options *options,
                              struct hd_sort *sort) {
  static const heddle_sort_options defaults = HEDDLE_SORT_OPTIONS_INIT;
  heddle_sort_options known = defaults;
  HD_TRY(hd_check_type(entry, type));
  if (options) {
    HD_TRY(hd_check_size(entry, "options", options, sizeof known));
    hd_copy_sized(&known, options, &defaults, sizeof known);
  }
  if (what == HD_SORT_PAIRS) HD_TRY(check_values(entry, value_bytes));
  *sort = (struct hd_sort){.entry = entry,
                           .what = what,
                           .type = type,
                           .value_bytes = what == HD_SORT_KEYS ? 0 : (u32)value_bytes,
                           .descending = known.descending != 0,
                           .nan_first = known.nan_first != 0,
                           .overwrite = known.overwrite != 0,
                           .bit_begin = known.bit_begin,
                           .bit_end = known.bit_end,
                           .map = map_of(type, known.descending != 0, known.nan_first != 0),
                           .scratch = known.scratch,
                           .scratch_bytes = known.scratch ? known.scratch_bytes : 0};
  return check_bits(entry, type, sort);
}

static heddle_status index_bytes(const char *entry, heddle_type index_type, size_t *bytes) {
  *bytes = heddle_type_size(index_type);
  if (index_type == HEDDLE_U32 || index_type == HEDDLE_U64) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `index_type` %d is neither HEDDLE_U32 nor HEDDLE_U64",
                 entry, (int)index_type);
}

/* Positions of rows of so many elements fit. */
static heddle_status check_index(const struct hd_sort *sort, u64 count) {
  if (sort->what != HD_SORT_POSITIONS || sort->value_bytes > 4 || count <= (u64)1 << 32)
    return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: positions of %llu elements do not fit HEDDLE_U32; give HEDDLE_U64",
                 sort->entry, (unsigned long long)count);
}

/* ---- arrays -------------------------------------------------------------------------------- */

struct names {
  const char *keys, *values, *keys_out, *values_out;
};
static const struct names names_of[] = {
    [HD_SORT_KEYS] = {"in", NULL, "out", NULL},
    [HD_SORT_PAIRS] = {"keys", "values", "keys_out", "values_out"},
    [HD_SORT_POSITIONS] = {"in", NULL, NULL, "index"}};

/* Arrays of `end` elements are there. */
static heddle_status check_there(const struct hd_sort *sort, const struct hd_sort_arrays *a,
                                 size_t end) {
  const struct names *name = &names_of[sort->what];
  const size_t size = heddle_type_size(sort->type);
  HD_TRY(hd_check_array(sort->entry, name->keys, a->keys, end, size));
  if (name->values)
    HD_TRY(hd_check_array(sort->entry, name->values, a->values, end, sort->value_bytes));
  if (sort->what == HD_SORT_KEYS)
    HD_TRY(hd_check_array(sort->entry, name->keys_out, a->keys_out, end, size));
  else
    HD_TRY(hd_check_array(sort->entry, name->values_out, a->values_out, end, sort->value_bytes));
  return HEDDLE_OK;
}

/* The output may be the input, element on element, if `alike` says that they lie in the same way. */
static heddle_status check_pair(const struct hd_sort *sort, const heddle_rows *strided,
                                const struct hd_span *in, const struct hd_span *out, size_t size,
                                bool alike) {
  if (!in->start || !out->start || (alike && in->start == out->start)) return HEDDLE_OK;
  if (strided ? !hd_rows_touch(strided, in->start, size, out) : !hd_spans_touch(in, out))
    return HEDDLE_OK;
  return hd_fail(
      HEDDLE_BAD_ARGUMENT,
      "%s: `%s` overlaps `%s`; give it memory of its own, or, of an output and its input "
      "whose elements lie alike, the same",
      sort->entry, out->name, in->name);
}

/* Elements first .. first + count of every array; strided: the rows by which inputs are read. */
static heddle_status check_overlap(const struct hd_sort *sort, const struct hd_sort_arrays *a,
                                   size_t first, size_t count, const heddle_rows *strided) {
  const struct names *name = &names_of[sort->what];
  const size_t size = heddle_type_size(sort->type), values = sort->value_bytes;
  const bool alike = !strided || hd_rows_dense(strided);
  const struct hd_span ins[] = {
      {name->keys, a->keys ? (const char *)a->keys + first * size : NULL, count * size},
      {name->values, a->values ? (const char *)a->values + first * values : NULL, count * values}};
  const struct hd_span outs[] = {
      {name->keys_out, a->keys_out ? (const char *)a->keys_out + first * size : NULL, count * size},
      {name->values_out, a->values_out ? (const char *)a->values_out + first * values : NULL,
       count * values},
      {"options->scratch", sort->scratch, sort->scratch_bytes}};
  const size_t sizes[] = {size, values};
  if (!count) return HEDDLE_OK;
  for (size_t i = 0; i < 2; i++)
    for (size_t o = 0; o < 3; o++)
      HD_TRY(check_pair(sort, strided, &ins[i], &outs[o], sizes[i], alike && i == o));
  return hd_check_apart(sort->entry, outs, 3, NULL, 0);
}

/* ---- calls --------------------------------------------------------------------------------- */

static heddle_status run(heddle_context *ctx, const struct hd_sort *sort,
                         const struct hd_sort_arrays *arrays, size_t count) {
  HD_TRY(check_index(sort, count));
  HD_TRY(check_there(sort, arrays, count));
  HD_TRY(check_overlap(sort, arrays, 0, count, NULL));
  if (!count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->sort(ctx, sort, arrays, count);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_sort(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                          void *out, const heddle_sort_options *options) {
  struct hd_sort sort;
  const struct hd_sort_arrays arrays = {in, NULL, out, NULL};
  HD_TRY(hd_check_context("heddle_sort", ctx));
  HD_TRY(make_job("heddle_sort", HD_SORT_KEYS, type, 0, options, &sort));
  return run(ctx, &sort, &arrays, count);
}

heddle_status heddle_sort_pairs(heddle_context *ctx, heddle_type type, const void *keys,
                                size_t value_bytes, const void *values, size_t count,
                                void *keys_out, void *values_out,
                                const heddle_sort_options *options) {
  struct hd_sort sort;
  const struct hd_sort_arrays arrays = {keys, values, keys_out, values_out};
  HD_TRY(hd_check_context("heddle_sort_pairs", ctx));
  HD_TRY(make_job("heddle_sort_pairs", HD_SORT_PAIRS, type, value_bytes, options, &sort));
  return run(ctx, &sort, &arrays, count);
}

heddle_status heddle_argsort(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                             heddle_type index_type, void *index,
                             const heddle_sort_options *options) {
  struct hd_sort sort;
  size_t bytes;
  const struct hd_sort_arrays arrays = {in, NULL, NULL, index};
  HD_TRY(hd_check_context("heddle_argsort", ctx));
  HD_TRY(index_bytes("heddle_argsort", index_type, &bytes));
  HD_TRY(make_job("heddle_argsort", HD_SORT_POSITIONS, type, bytes, options, &sort));
  return run(ctx, &sort, &arrays, count);
}

/* ---- rows ---------------------------------------------------------------------------------- */

u64 hd_longest_row(heddle_context *ctx, const heddle_rows *rows) {
  u64 longest = 0;
  if (!rows->offsets) return rows->shape[rows->axis];
  for (size_t r = 0; r < rows->segments && !hd_on_device(ctx, rows->offsets); r++)
    if (rows->offsets[r + 1] - rows->offsets[r] > longest)
      longest = rows->offsets[r + 1] - rows->offsets[r];
  return longest;
}

/* What is read while outputs are being written. */
static heddle_status check_rows_apart(const struct hd_sort *sort, const struct hd_sort_arrays *a,
                                      const heddle_rows *rows, size_t first, size_t count) {
  const struct names *name = &names_of[sort->what];
  const size_t size = heddle_type_size(sort->type), values = sort->value_bytes;
  const struct hd_span outs[] = {
      {name->keys_out, a->keys_out ? (const char *)a->keys_out + first * size : NULL, count * size},
      {name->values_out, a->values_out ? (const char *)a->values_out + first * values : NULL,
       count * values}};
  const struct hd_span ins[] = {
      {"rows->offsets", rows->offsets, (rows->segments + 1) * sizeof *rows->offsets},
      {"rows->shape", rows->offsets ? NULL : rows->shape, rows->dims * sizeof *rows->shape},
      {"rows->strides", rows->offsets ? NULL : rows->strides, rows->dims * sizeof *rows->strides}};
  return hd_check_apart(sort->entry, outs, 2, ins, sizeof ins / sizeof *ins);
}

static heddle_status run_rows(heddle_context *ctx, struct hd_sort *sort,
                              const struct hd_sort_arrays *arrays, const heddle_rows *rows) {
  const size_t size = heddle_type_size(sort->type);
  heddle_rows copy;
  size_t end, count;
  HD_TRY(hd_check_rows(sort->entry, ctx, rows, size > sort->value_bytes ? size : sort->value_bytes,
                       &copy));
  sort->scratch = NULL;
  sort->scratch_bytes = 0;
  HD_TRY(check_index(sort, hd_longest_row(ctx, &copy)));
  if (copy.offsets)
    hd_offsets_count(ctx, &copy, &end, &count);
  else if (hd_shape_count(&copy, &count))
    end = count;
  else
    return HEDDLE_BAD_ARGUMENT; /* hd_check_rows refused it */
  HD_TRY(check_there(sort, arrays, end));
  if (!count) return HEDDLE_OK;
  HD_TRY(check_overlap(sort, arrays, end - count, count, copy.offsets ? NULL : &copy));
  HD_TRY(check_rows_apart(sort, arrays, &copy, end - count, count));
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->sort_rows(ctx, sort, arrays, &copy);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_sort_rows(heddle_context *ctx, heddle_type type, const void *in,
                               const heddle_rows *rows, void *out,
                               const heddle_sort_options *options) {
  struct hd_sort sort;
  const struct hd_sort_arrays arrays = {in, NULL, out, NULL};
  HD_TRY(hd_check_context("heddle_sort_rows", ctx));
  HD_TRY(make_job("heddle_sort_rows", HD_SORT_KEYS, type, 0, options, &sort));
  return run_rows(ctx, &sort, &arrays, rows);
}

heddle_status heddle_sort_pairs_rows(heddle_context *ctx, heddle_type type, const void *keys,
                                     size_t value_bytes, const void *values,
                                     const heddle_rows *rows, void *keys_out, void *values_out,
                                     const heddle_sort_options *options) {
  const char *entry = "heddle_sort_pairs_rows";
  struct hd_sort sort;
  const struct hd_sort_arrays arrays = {keys, values, keys_out, values_out};
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(make_job(entry, HD_SORT_PAIRS, type, value_bytes, options, &sort));
  return run_rows(ctx, &sort, &arrays, rows);
}

heddle_status heddle_argsort_rows(heddle_context *ctx, heddle_type type, const void *in,
                                  const heddle_rows *rows, heddle_type index_type, void *index,
                                  const heddle_sort_options *options) {
  struct hd_sort sort;
  size_t bytes;
  const struct hd_sort_arrays arrays = {in, NULL, NULL, index};
  HD_TRY(hd_check_context("heddle_argsort_rows", ctx));
  HD_TRY(index_bytes("heddle_argsort_rows", index_type, &bytes));
  HD_TRY(make_job("heddle_argsort_rows", HD_SORT_POSITIONS, type, bytes, options, &sort));
  return run_rows(ctx, &sort, &arrays, rows);
}

/* ---- calls that are asked about -------------------------------------------------------------- */

heddle_status hd_sort_job(const char *entry, heddle_sort_verb verb, heddle_type type,
                          size_t value_bytes, u64 longest, const heddle_sort_options *options,
                          struct hd_sort *sort) {
  enum hd_sort_what what = HD_SORT_KEYS;
  switch (verb) {
  case HEDDLE_SORT_KEYS: break;
  case HEDDLE_SORT_PAIRS: what = HD_SORT_PAIRS; break;
  case HEDDLE_ARGSORT:
    what = HD_SORT_POSITIONS;
    if (value_bytes == 4 || value_bytes == 8) break;
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `value_bytes` is %zu; a position has 4 or 8", entry,
                   value_bytes);
  default: return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `verb` %d is not of a sort", entry, (int)verb);
  }
  HD_TRY(make_job(entry, what, type, value_bytes, options, sort));
  return check_index(sort, longest);
}

/* ---- scratch ------------------------------------------------------------------------------- */

heddle_status heddle_sort_scratch(heddle_context *ctx, heddle_sort_verb verb, heddle_type type,
                                  size_t value_bytes, size_t count,
                                  const heddle_sort_options *options, size_t *bytes) {
  const char *entry = "heddle_sort_scratch";
  struct hd_sort sort;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_sort_job(entry, verb, type, value_bytes, count, options, &sort));
  if (!bytes) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `bytes` is NULL", entry);
  *bytes = 0;
  if (!count) return HEDDLE_OK;
  return ctx->backend->sort_scratch(ctx, &sort, count, bytes);
}
