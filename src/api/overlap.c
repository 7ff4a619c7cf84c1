/* overlap.c - outputs that lie in the way of what the call reads, or of one another
 *
 * Result   HEDDLE_BAD_ARGUMENT that names both, before anything is written
 * Method   Addresses are compared as numbers, those of device memory too: one address space holds
 *          both. An array with strides is followed axis by axis, the widest first: an output may
 *          lie in the gaps between its rows.
 * Limits   Of rows that lie in one another (sliding windows) the whole span counts as read. */
#include "overlap.h"

#include "host/status.h"

bool hd_spans_touch(const struct hd_span *a, const struct hd_span *b) {
  uintptr_t at = (uintptr_t)a->start, to = (uintptr_t)b->start;
  if (!a->start || !b->start || !a->bytes || !b->bytes) return false;
  return at >= to ? at - to < b->bytes : to - at < a->bytes;
}

heddle_status hd_overlap(const char *entry, const char *out, const char *other) {
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` overlaps `%s`; give it memory of its own", entry,
                 out, other);
}

heddle_status hd_check_apart(const char *entry, const struct hd_span *outs, size_t out_count,
                             const struct hd_span *ins, size_t in_count) {
  for (size_t o = 0; o < out_count; o++) {
    for (size_t i = 0; i < in_count; i++)
      if (hd_spans_touch(&outs[o], &ins[i])) return hd_overlap(entry, outs[o].name, ins[i].name);
    for (size_t i = 0; i < o; i++)
      if (hd_spans_touch(&outs[o], &outs[i])) return hd_overlap(entry, outs[o].name, outs[i].name);
  }
  return HEDDLE_OK;
}

/* ---- arrays with strides ------------------------------------------------------------------- */

struct axis {
  u64 stride, length; /* bytes, and more than one element */
};

/* An array as its first byte in memory, its axes with strides that rise in memory, and how far the
 * first byte of its last element is from it. */
struct view {
  uintptr_t start;
  struct axis axes[HEDDLE_MAX_DIMS];
  size_t dims;
  u64 reach, element_bytes;
};

/* Of a checked shape without an axis of no elements: nothing here overflows. */
static struct view view_of(const heddle_rows *rows, const void *in, size_t element_bytes) {
  struct view v = {.start = (uintptr_t)in, .element_bytes = element_bytes};
  for (size_t d = 0; d < rows->dims; d++) {
    const i64 stride = hd_rows_stride(rows, d) * (i64)element_bytes;
    if (stride == 0 || rows->shape[d] < 2) continue;
    const struct axis axis = {(u64)(stride < 0 ? -stride : stride), rows->shape[d]};
    const u64 reach = axis.stride * (axis.length - 1);
    if (stride < 0) v.start -= (uintptr_t)reach;
    v.reach += reach;
    size_t at = v.dims++;
    for (; at > 0 && v.axes[at - 1].stride < axis.stride; at--) v.axes[at] = v.axes[at - 1];
    v.axes[at] = axis;
  }
  return v;
}

bool hd_rows_touch(const heddle_rows *rows, const void *in, size_t element_bytes,
                   const struct hd_span *span) {
  if (!span->start || !span->bytes || !in) return false;
  const struct view v = view_of(rows, in, element_bytes);
  const uintptr_t low = (uintptr_t)span->start, high = low + (span->bytes - 1);
  uintptr_t start = v.start;
  u64 reach = v.reach;
  for (size_t d = 0; d < v.dims; d++) {
    const struct axis *axis = &v.axes[d];
    if (low > start + reach + (v.element_bytes - 1) || high < start) return false;
    if (low <= start) return true;
    const u64 inner = reach - axis->stride * (axis->length - 1);
    if (inner + v.element_bytes > axis->stride) return true; /* no gaps along this axis */
    u64 index = (low - start) / axis->stride; /* the last part that begins at or before `low` */
    if (index >= axis->length) index = axis->length - 1;
    if (index + 1 < axis->length && high >= start + (index + 1) * axis->stride) return true;
    start += index * axis->stride;
    reach = inner;
  }
  return low <= start + (v.element_bytes - 1) && high >= start;
}

bool hd_rows_dense(const heddle_rows *rows) {
  i64 dense = 1;
  for (size_t d = rows->dims; rows->strides && d-- > 0;) {
    if (rows->shape[d] > 1 && rows->strides[d] != dense) return false;
    dense *= (i64)rows->shape[d];
  }
  return true;
}
