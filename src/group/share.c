/* share.c - an array of the host as parts of nearly one length, one a member
 *
 * A part is worth a thread and a transfer from LEAST_BYTES on; a smaller array is one part. */
#include "group.h"

enum {
  LEAST_BYTES = 256 << 10,
  GRANULE =
      1 << 14 /* elements: a multiple of every chunk, so that few blocks of totals are short */
};

size_t hd_group_shares(heddle_context *ctx, u64 count, size_t element_bytes) {
  const u64 worth = count / ((u64)LEAST_BYTES / element_bytes + 1);
  const size_t members = hd_group(ctx)->members;
  return worth < 2 ? 1 : worth < members ? (size_t)worth : members;
}

static size_t shares(heddle_context *ctx, const struct hd_group_array *array, size_t n,
                     const void *const *results) {
  const size_t parts = hd_group_shares(ctx, array->count, array->x_bytes);
  if (parts < 2 || hd_on_device(ctx, array->x) || hd_on_device(ctx, array->y) ||
      hd_on_device(ctx, array->out))
    return 1;
  for (size_t i = 0; i < n; i++)
    if (hd_on_device(ctx, results[i])) return 1;
  return parts;
}

struct hd_parts hd_group_share(heddle_context *ctx, const struct hd_group_array *array, size_t n,
                               const void *const *results, struct hd_part part[HD_GROUP_MOST]) {
  const size_t parts = shares(ctx, array, n, results), count = array->count;
  const size_t granule = (size_t)GRANULE * (array->channels ? array->channels : 1);
  const size_t each = (count / parts / granule + 1) * granule;
  const char *x = array->x, *y = array->y;
  char *out = array->out;
  size_t at = 0;
  for (size_t i = 0; i < parts; i++) {
    const size_t share = i + 1 < parts && each < count - at ? each : count - at;
    part[i] = (struct hd_part){x + at * array->x_bytes, y ? y + at * array->y_bytes : NULL,
                               out ? out + at * array->out_bytes : NULL, share};
    at += share;
  }
  return (struct hd_parts){parts, part, count};
}
