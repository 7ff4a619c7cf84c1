/* cut.c - parts cut at multiples of a chunk, and elements of several parts put together */
#include "cut.h"

#include <string.h>

/* At most a body a part, and a seam behind each. */
static heddle_status make_room(struct hd_cut *cut) {
  size_t bytes;
  if (!hd_product(2 * cut->parts + 1, sizeof *cut->piece, &bytes))
    return hd_fail(HEDDLE_OUT_OF_MEMORY, "no memory for %zu parts", cut->parts);
  cut->room = bytes + (cut->parts + 1) * sizeof *cut->first;
  cut->piece = hd_allocate(cut->ctx, cut->room);
  if (!cut->piece) return HEDDLE_OUT_OF_MEMORY;
  cut->first = (u64 *)(void *)((unsigned char *)cut->piece + bytes);
  return HEDDLE_OK;
}

static void add(struct hd_cut *cut, u64 first, u64 end, size_t part, bool seam) {
  if (first < end)
    cut->piece[cut->pieces++] = (struct hd_cut_piece){{first, end - first}, part, seam};
}

heddle_status hd_cut_make(heddle_context *ctx, const struct hd_parts *in, u32 chunk,
                          struct hd_cut *cut) {
  *cut = (struct hd_cut){.ctx = ctx, .parts = in->parts};
  HD_TRY(make_room(cut));
  u64 at = 0, done = 0; /* done: a multiple of the chunk, or the array's end */
  for (size_t p = 0; p < in->parts; p++) {
    cut->first[p] = at;
    const u64 end = at + in->part[p].count;
    /* A chunk that began in an earlier part and goes on here. */
    if (done < at && end > at) {
      const u64 whole = done + chunk < in->count ? done + chunk : in->count;
      if (end >= whole) {
        size_t from = p;
        while (cut->first[from] > done) from--;
        add(cut, done, whole, from, true);
        done = whole;
      }
    }
    if (done >= at && done < end) {
      const u64 last = end == in->count ? end : end / chunk * chunk;
      add(cut, done, last, p, false);
      if (last > done) done = last;
    }
    at = end;
  }
  cut->first[in->parts] = at;
  return HEDDLE_OK;
}

void hd_cut_free(struct hd_cut *cut) { hd_release(cut->ctx, cut->piece, cut->room); }

heddle_status hd_cut_gather(const struct hd_cut *cut, const struct hd_parts *in, bool y,
                            size_t element_bytes, struct hd_run run, void *to) {
  unsigned char *out = to;
  size_t p = 0;
  while (p + 1 < cut->parts && cut->first[p + 1] <= run.first) p++;
  for (u64 at = run.first, end = run.first + run.count; at < end; p++) {
    const u64 stop = cut->first[p + 1] < end ? cut->first[p + 1] : end;
    const size_t bytes = (size_t)(stop - at) * element_bytes;
    const unsigned char *from = y ? in->part[p].y : in->part[p].x;
    if (bytes)
      HD_TRY(cut->ctx->backend->copy(cut->ctx, out,
                                     from + (size_t)(at - cut->first[p]) * element_bytes, bytes));
    out += bytes;
    at = stop;
  }
  return HEDDLE_OK;
}
