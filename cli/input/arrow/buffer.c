/* buffer.c - the wanted buffers of a body, one after the other, unpacked
 *
 * Method  In the order of their places, so that a pipe does; what lies between is passed over.
 * Memory  Grows with what has come, not with what is claimed: of a pipe no more than twice of it, of packed data no
 *         more than twice of what they unpack to. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "lz4.h"
#include "reader.h"

enum { STEP = 1 << 20 };

int arrow_reserve(const struct arrow_reader *r, struct arrow_buffer *buffer, size_t bytes,
                  struct failure *why) {
  if (bytes <= buffer->room && buffer->data) return 0;
  unsigned char *const larger = realloc(buffer->data, bytes + 1);
  if (!larger)
    return fail(why, EXIT_DATA,
                "%s: no memory for a batch of %zu bytes; write it in smaller batches",
                r->table.name, bytes);
  buffer->data = larger;
  buffer->room = bytes;
  return 0;
}

static int fill(struct arrow_reader *r, struct arrow_buffer *to, uint64_t bytes,
                struct failure *why) {
  to->bytes = 0;
  if (bytes > r->limit - r->position || bytes > SIZE_MAX / 2)
    return arrow_damaged(r, "they end too early", why);
  do {
    size_t step = (size_t)bytes - to->bytes;
    const size_t most = to->bytes < STEP ? STEP : to->bytes;
    if (r->limit == UINT64_MAX && step > most) step = most;
    if (arrow_reserve(r, to, to->bytes + step, why) != 0 ||
        arrow_read(r, to->data + to->bytes, step, why) != 0)
      return -1;
    to->bytes += step;
  } while (to->bytes < bytes);
  return 0;
}

static int unzstd(struct arrow_reader *r, const unsigned char *from, size_t bytes, uint64_t claimed,
                  struct arrow_buffer *to, struct failure *why) {
  ZSTD_DStream *const zstd = ZSTD_createDStream();
  ZSTD_inBuffer in = {from, bytes, 0};
  size_t state = 1;
  int status = zstd ? 0 : fail(why, EXIT_DATA, "%s: no memory to unpack it", r->table.name);
  to->bytes = 0;
  while (status == 0 && state != 0) {
    size_t room = to->bytes < STEP ? STEP : 2 * to->bytes;
    if (room > claimed) room = (size_t)claimed;
    status = arrow_reserve(r, to, room, why);
    if (status != 0) break;
    ZSTD_outBuffer out = {to->data, room, to->bytes};
    const size_t before = in.pos;
    state = ZSTD_decompressStream(zstd, &out, &in);
    if (ZSTD_isError(state) || (out.pos == to->bytes && in.pos == before))
      status = arrow_damaged(r, "a zstd buffer does not unpack", why);
    to->bytes = out.pos;
  }
  ZSTD_freeDStream(zstd);
  if (status == 0 && to->bytes != claimed)
    return arrow_damaged(r, "a buffer does not unpack to what it says", why);
  return status;
}

static int unlz4(struct arrow_reader *r, const unsigned char *from, size_t bytes, uint64_t claimed,
                 struct arrow_buffer *to, struct failure *why) {
  to->bytes = 0;
  if (claimed / LZ4_RATIO_MOST > bytes)
    return arrow_damaged(r, "a buffer claims more than it can unpack to", why);
  if (arrow_reserve(r, to, (size_t)claimed, why) != 0) return -1;
  if (!lz4_unpack(from, bytes, to->data, (size_t)claimed))
    return arrow_damaged(r, "an LZ4 buffer does not unpack", why);
  to->bytes = (size_t)claimed;
  return 0;
}

/* Eight bytes of the unpacked length, -1 for one that is stored as it is, then the data. */
static int read_packed(struct arrow_reader *r, enum arrow_codec codec, uint64_t bytes,
                       struct arrow_buffer *to, struct failure *why) {
  uint64_t length = 0;
  if (bytes < 8) return arrow_damaged(r, "a packed buffer has no length", why);
  if (fill(r, &r->packed, bytes, why) != 0) return -1;
  for (size_t i = 8; i > 0; i--) length = length << 8 | r->packed.data[i - 1];
  if (length != UINT64_MAX) {
    if (length > SIZE_MAX / 4) return arrow_damaged(r, "a buffer claims too many bytes", why);
    if (length == 0) {
      to->bytes = 0;
      return 0;
    }
    return (codec == ARROW_LZ4 ? unlz4 : unzstd)(r, r->packed.data + 8, (size_t)bytes - 8, length,
                                                 to, why);
  }
  if (arrow_reserve(r, to, (size_t)bytes - 8, why) != 0) return -1;
  to->bytes = (size_t)bytes - 8;
  memcpy(to->data, r->packed.data + 8, to->bytes);
  return 0;
}

static int by_offset(const void *a, const void *b) {
  const struct arrow_wanted *const x = a, *const y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

int arrow_read_buffers(struct arrow_reader *r, uint64_t body, struct arrow_wanted *wanted,
                       size_t count, enum arrow_codec codec, struct failure *why) {
  uint64_t at = 0;
  qsort(wanted, count, sizeof *wanted, by_offset);
  for (size_t i = 0; i < count; i++) {
    const struct arrow_wanted *const w = &wanted[i];
    w->to->bytes = 0;
    if (w->bytes == 0) continue;
    if (w->offset < at || w->offset > body || w->bytes > body - w->offset)
      return arrow_damaged(r, "buffers overlap or lie outside of their message", why);
    if (arrow_skip(r, w->offset - at, why) != 0) return -1;
    if ((codec != ARROW_UNPACKED ? read_packed(r, codec, w->bytes, w->to, why)
                                 : fill(r, w->to, w->bytes, why)) != 0)
      return -1;
    at = w->offset + w->bytes;
  }
  return arrow_skip(r, body - at, why);
}
