/* places.c - whose memory each part is: what hd_spread goes by */
#include "parts.h"

static size_t bytes_of(const struct hd_parts *in) { return (in->parts + 1) * sizeof(void *); }

heddle_status hd_parts_places(heddle_context *ctx, const struct hd_parts *in, const void ***where) {
  const void **places = hd_allocate(ctx, bytes_of(in));
  *where = places;
  if (!places) return HEDDLE_OUT_OF_MEMORY;
  for (size_t i = 0; i < in->parts; i++) {
    const struct hd_part *part = &in->part[i];
    const void *const operands[] = {part->x, part->y, part->out};
    places[i] = NULL;
    for (size_t k = 0; k < 3 && part->count && !places[i]; k++)
      if (hd_on_device(ctx, operands[k])) places[i] = operands[k];
  }
  return HEDDLE_OK;
}

void hd_parts_places_free(heddle_context *ctx, const struct hd_parts *in, const void **where) {
  hd_release(ctx, where, bytes_of(in));
}
