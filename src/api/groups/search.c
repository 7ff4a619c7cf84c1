/* search.c - search_sorted and gather: positions from values, and elements from positions */
#include "api/api.h"
#include "api/overlap.h"
#include "host/status.h"
#include "positions.h"

/* ---- what positions are of -------------------------------------------------------------------- */

heddle_status hd_check_row_bytes(const char *entry, const char *what, size_t bytes) {
  if (bytes >= 1 && bytes <= HD_MOST_ROW_BYTES) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` is %zu; elements have 1 to %d bytes", entry, what,
                 bytes, (int)HD_MOST_ROW_BYTES);
}

heddle_status hd_check_id_type(const char *entry, const char *what, heddle_type type) {
  if (hd_is_type(type) && !hd_is_float(type) && heddle_type_size(type) >= 4) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `%s` %d is none of HEDDLE_I32, HEDDLE_U32, HEDDLE_I64 and HEDDLE_U64", entry,
                 what, (int)type);
}

heddle_status hd_check_index_type(const char *entry, heddle_type type, u32 *bytes) {
  *bytes = (u32)heddle_type_size(type);
  if (type == HEDDLE_U32 || type == HEDDLE_U64) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `index_type` %d is neither HEDDLE_U32 nor HEDDLE_U64",
                 entry, (int)type);
}

/* ---- search ----------------------------------------------------------------------------------- */

heddle_status heddle_search_sorted(heddle_context *ctx, heddle_type type, const void *sorted,
                                   size_t sorted_count, const void *values, size_t count,
                                   heddle_side side, heddle_type index_type, void *index) {
  const char *entry = "heddle_search_sorted";
  u32 bytes;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_check_type(entry, type));
  if (side != HEDDLE_LEFT && side != HEDDLE_RIGHT)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `side` %d is neither HEDDLE_LEFT nor HEDDLE_RIGHT",
                   entry, (int)side);
  HD_TRY(hd_check_index_type(entry, index_type, &bytes));
  if (bytes == 4 && sorted_count > UINT32_MAX)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: places in %zu elements do not fit HEDDLE_U32; give HEDDLE_U64", entry,
                   sorted_count);
  const size_t size = heddle_type_size(type);
  HD_TRY(hd_check_array(entry, "sorted", sorted, sorted_count, size));
  HD_TRY(hd_check_array(entry, "values", values, count, size));
  HD_TRY(hd_check_array(entry, "index", index, count, bytes));
  const struct hd_span ins[] = {{"sorted", sorted, sorted_count * size},
                                {"values", values, count * size}};
  const struct hd_span out = {"index", index, count * bytes};
  HD_TRY(hd_check_apart(entry, &out, 1, ins, 2));
  if (!count) return HEDDLE_OK;
  return ctx->backend->search(ctx, type, sorted, sorted_count, values, count, side, bytes, index);
}

/* ---- gather ----------------------------------------------------------------------------------- */

heddle_status heddle_gather(heddle_context *ctx, size_t element_bytes, const void *in,
                            size_t in_count, heddle_type index_type, const void *index,
                            size_t count, void *out) {
  const char *entry = "heddle_gather";
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_check_row_bytes(entry, "element_bytes", element_bytes));
  HD_TRY(hd_check_id_type(entry, "index_type", index_type));
  const size_t index_bytes = heddle_type_size(index_type);
  HD_TRY(hd_check_array(entry, "in", in, in_count, element_bytes));
  HD_TRY(hd_check_array(entry, "index", index, count, index_bytes));
  HD_TRY(hd_check_array(entry, "out", out, count, element_bytes));
  const struct hd_span ins[] = {{"in", in, in_count * element_bytes},
                                {"index", index, count * index_bytes}};
  const struct hd_span span = {"out", out, count * element_bytes};
  HD_TRY(hd_check_apart(entry, &span, 1, ins, 2));
  if (!count) return HEDDLE_OK;
  return ctx->backend->gather(ctx, element_bytes, in, in_count, index_type, index, count, out);
}
