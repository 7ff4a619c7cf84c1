/* api.c - argument checks that the public entries share */
#include "api.h"

#include <string.h>

#include "host/status.h"

heddle_status hd_check_context(const char *entry, const heddle_context *ctx) {
  if (ctx) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `ctx` is NULL; open one by heddle_open", entry);
}

heddle_status hd_check_size(const char *entry, const char *what, const void *given, size_t known) {
  if (!given) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` is NULL", entry, what);
  size_t size;
  memcpy(&size, given, sizeof size);
  if (size < sizeof size || size > 4096)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `%s->size` is %zu; set it to the struct's size by its _INIT macro", entry,
                   what, size);
  for (size_t i = known; i < size; i++)
    if (((const unsigned char *)given)[i])
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: `%s` uses members that version %s of the library does not know", entry,
                     what, heddle_version_string());
  return HEDDLE_OK;
}

heddle_status hd_check_hooks(const char *entry, bool allocate, bool release) {
  if (allocate == release) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: only `%s` is NULL; give both, or neither", entry,
                 allocate ? "release" : "allocate");
}

void hd_copy_sized(void *known, const void *given, const void *defaults, size_t known_bytes) {
  size_t size;
  memcpy(&size, given, sizeof size);
  memcpy(known, defaults, known_bytes);
  memcpy(known, given, size < known_bytes ? size : known_bytes);
}

void hd_return_sized(void *given, const void *known, size_t known_bytes) {
  size_t size, head = sizeof size;
  memcpy(&size, given, sizeof size);
  if (size > known_bytes) size = known_bytes;
  memcpy((char *)given + head, (const char *)known + head, size - head);
}

heddle_status hd_check_type(const char *entry, heddle_type type) {
  if (hd_is_type(type)) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `type` %d is not an element type; use HEDDLE_U8 to HEDDLE_F64", entry,
                 (int)type);
}

heddle_status hd_check_array(const char *entry, const char *what, const void *array, size_t count,
                             size_t element_bytes) {
  size_t bytes;
  if (!hd_product(count, element_bytes, &bytes) || bytes > PTRDIFF_MAX)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` has %zu elements, more than memory can hold",
                   entry, what, count);
  if (!array && count)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` is NULL, but there are %zu elements", entry, what,
                   count);
  return HEDDLE_OK;
}

heddle_status hd_state_new(heddle_context *ctx, enum hd_state_kind kind, heddle_state **out) {
  heddle_state *state = hd_allocate(ctx, sizeof *state);
  *out = state;
  if (!state) return HEDDLE_OUT_OF_MEMORY;
  *state = (heddle_state){.kind = kind, .ctx = ctx, .preparing = ctx->preparing};
  return HEDDLE_OK;
}

void heddle_state_free(heddle_state *state) {
  if (!state) return;
  const struct hd_backend *backend = state->ctx->backend;
  if (state->inner && state->kind == HD_STATE_SCAN) backend->scan_free(state->inner);
  if (state->inner && state->kind == HD_STATE_HISTOGRAM) backend->histogram_free(state->inner);
  hd_fold_state_end(state->ctx, &state->fold);
  hd_rounds_free(state->ctx, state->rounds);
  hd_firsts_free(state->ctx, state->firsts);
  hd_weighed_free(state->ctx, state->weighed);
  if (state->edges)
    hd_release(state->ctx, state->edges, (state->histogram.bins.count + 1) * sizeof *state->edges);
  hd_release(state->ctx, state, sizeof *state);
}

heddle_status hd_check_state(const char *entry, const heddle_state *state,
                             enum hd_state_kind kind) {
  if (!state) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `state` is NULL", entry);
  if (state->kind != kind)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `state` was begun by another verb", entry);
  if (state->failed)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: an earlier update of `state` failed; only heddle_state_free is left",
                   entry);
  if (state->preparing != state->ctx->preparing)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: `state` was begun %s heddle_prepare_begin and is used %s heddle_prepare_end; "
        "begin one of its own for preparing",
        entry, state->preparing ? "after" : "before", state->preparing ? "after" : "before");
  return HEDDLE_OK;
}

heddle_status hd_check_state_bytes(const char *entry, const char *what, const heddle_state *state) {
  if (!state) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` is NULL", entry, what);
  if (state->failed)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: an earlier update of `%s` failed; only heddle_state_free is left", entry,
                   what);
  if (!state->preparing && !state->ctx->preparing) return HEDDLE_OK;
  return hd_fail(
      HEDDLE_BAD_ARGUMENT,
      "%s: `%s` is for preparing, or its context is being prepared; use states that were "
      "begun, and are used, outside of heddle_prepare_begin and _end",
      entry, what);
}

/* ---- rows ---------------------------------------------------------------------------------- */

bool hd_shape_count(const heddle_rows *rows, size_t *count) {
  size_t product = 1;
  bool none = false;
  for (size_t d = 0; d < rows->dims; d++) {
    none |= rows->shape[d] == 0;
    if (rows->shape[d] && !hd_product(product, rows->shape[d], &product)) return false;
  }
  *count = none ? 0 : product;
  return product <= PTRDIFF_MAX / 8;
}

size_t hd_rows_count(const heddle_rows *rows) {
  if (rows->offsets) return rows->segments;
  size_t count = 1;
  for (size_t d = 0; d < rows->dims; d++)
    if (d != rows->axis) count *= rows->shape[d];
  return count;
}

static heddle_status check_segments(const char *entry, const heddle_rows *rows) {
  size_t offsets, bytes;
  if (!__builtin_add_overflow(rows->segments, 1, &offsets) &&
      hd_product(offsets, sizeof *rows->offsets, &bytes) && bytes <= PTRDIFF_MAX)
    return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `rows->segments` is %zu; so many offsets are more than memory can hold",
                 entry, rows->segments);
}

static heddle_status check_offsets(const char *entry, const heddle_rows *rows) {
  for (size_t r = 0; r < rows->segments; r++)
    if (rows->offsets[r + 1] < rows->offsets[r])
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: `rows->offsets[%zu]` is %llu, below offsets[%zu] = %llu; offsets must "
                     "not fall",
                     entry, r + 1, (unsigned long long)rows->offsets[r + 1], r,
                     (unsigned long long)rows->offsets[r]);
  if (rows->offsets[rows->segments] > PTRDIFF_MAX / 8)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `rows->offsets[%zu]` is more than memory can hold",
                   entry, rows->segments);
  return HEDDLE_OK;
}

/* The farthest element is within reach of a pointer, whatever the strides. Rows of no elements are
 * walked, too. */
static bool strides_fit(const heddle_rows *rows, size_t element_bytes) {
  const i64 most = PTRDIFF_MAX / (i64)(element_bytes > 8 ? 2 * element_bytes : 16);
  i64 reach = 0;
  for (size_t d = 0; rows->strides && d < rows->dims; d++) {
    i64 stride = rows->strides[d], steps = rows->shape[d] ? (i64)(rows->shape[d] - 1) : 0, span;
    if (stride < -most) return false;
    if (__builtin_mul_overflow(stride < 0 ? -stride : stride, steps, &span) ||
        __builtin_add_overflow(reach, span, &reach) || reach > most)
      return false;
  }
  return true;
}

void hd_offsets_count(heddle_context *ctx, const heddle_rows *rows, size_t *end, size_t *count) {
  *end = *count = rows->segments > 0;
  if (hd_on_device(ctx, rows->offsets)) return;
  *end = (size_t)rows->offsets[rows->segments];
  *count = *end - (size_t)rows->offsets[0];
}

heddle_status hd_check_rows(const char *entry, heddle_context *ctx, const heddle_rows *rows,
                            size_t element_bytes, heddle_rows *copy) {
  static const heddle_rows defaults = HEDDLE_ROWS_INIT;
  size_t count;
  HD_TRY(hd_check_size(entry, "rows", rows, sizeof *rows));
  hd_copy_sized(copy, rows, &defaults, sizeof *copy);
  if (copy->offsets) {
    HD_TRY(check_segments(entry, copy));
    return hd_on_device(ctx, copy->offsets) ? HEDDLE_OK : check_offsets(entry, copy);
  }
  if (copy->dims < 1 || copy->dims > HEDDLE_MAX_DIMS)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `rows->dims` is %zu and `rows->offsets` is NULL; give offsets, or 1 to %d "
                   "dimensions",
                   entry, copy->dims, HEDDLE_MAX_DIMS);
  if (copy->axis >= copy->dims)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `rows->axis` is %zu, but there are %zu dimensions",
                   entry, copy->axis, copy->dims);
  if (!copy->shape) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `rows->shape` is NULL", entry);
  if (!hd_shape_count(copy, &count))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `rows->shape` has more elements than memory can hold",
                   entry);
  if (!strides_fit(copy, element_bytes))
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `rows->strides` reach beyond any memory", entry);
  return HEDDLE_OK;
}
