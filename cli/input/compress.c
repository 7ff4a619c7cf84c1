/* compress.c - gzip and deflate by zlib, zstd by libzstd, xz and bzip2 by xz_bzip2.c, from one buffer into the caller's
 *
 * Limits    a zstd frame may ask for a window of 128 MiB at most, the limit of zstd itself, so
 *           that a hostile file cannot claim more memory. Zero bytes behind the last gzip member
 *           are padding (tapes); anything else there is an error. */
#include "compress.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "xz_bzip2.h"

enum { PACKED_BYTES = 128 * 1024, WINDOW_LOG_MAX = 27 };

struct decoder {
  enum compression kind;
  const char *name;
  pull_bytes *pull;
  void *user;
  z_stream gzip;
  ZSTD_DStream *zstd;
  struct unpacker *other;      /* xz, bzip2 */
  uint64_t expected, unpacked; /* bytes: of deflate, in all and so far */
  uint32_t expected_crc, crc;
  bool finished; /* of xz and bzip2: behind the last stream */
  bool inside;   /* a member or frame has begun and not ended */
  bool ended;    /* there are no packed bytes but those in the buffer */
  size_t begin, end;
  unsigned char packed[PACKED_BYTES];
};

enum compression compression_of(const unsigned char *bytes, size_t count) {
  if (count >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8) return COMPRESSION_GZIP;
  if (count >= 6 && memcmp(bytes, "\xfd\x37zXZ", 6) == 0) return COMPRESSION_XZ;
  /* The first block's mark, or that of the end, where there is none. */
  if (count >= 10 && memcmp(bytes, "BZh", 3) == 0 &&
      (memcmp(bytes + 4, "1AY&SY", 6) == 0 ||
       memcmp(bytes + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0))
    return COMPRESSION_BZIP2;
  if (count < 4) return COMPRESSION_NONE;
  const bool frame = bytes[0] == 0x28 && bytes[1] == 0xb5 && bytes[2] == 0x2f && bytes[3] == 0xfd;
  const bool skippable =
      (bytes[0] & 0xf0) == 0x50 && bytes[1] == 0x2a && bytes[2] == 0x4d && bytes[3] == 0x18;
  return frame || skippable ? COMPRESSION_ZSTD : COMPRESSION_NONE;
}

int decoder_open(enum compression kind, const char *name, pull_bytes *pull, void *user,
                 struct decoder **out, struct failure *why) {
  struct decoder *const d = calloc(1, sizeof *d);
  if (!d) return fail(why, EXIT_DATA, "%s: no memory to unpack it", name);
  d->kind = kind;
  d->name = name;
  d->pull = pull;
  d->user = user;
  bool ready = true;
  int status = 0;
  if (kind == COMPRESSION_XZ || kind == COMPRESSION_BZIP2) {
    status = unpacker_open(kind == COMPRESSION_BZIP2, name, &d->other, why);
  } else if (kind != COMPRESSION_ZSTD) {
    /* Any window; gzip's wrapper only, or none. */
    ready = inflateInit2(&d->gzip, kind == COMPRESSION_GZIP ? 15 + 16 : -15) == Z_OK;
  } else {
    d->zstd = ZSTD_createDStream();
    ready = d->zstd &&
            !ZSTD_isError(ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX));
  }
  if (!ready) status = fail(why, EXIT_DATA, "%s: no memory to unpack it", name);
  if (status != 0)
    decoder_close(d);
  else
    *out = d;
  return status;
}

void decoder_close(struct decoder *decoder) {
  if (!decoder) return;
  if (decoder->kind == COMPRESSION_GZIP || decoder->kind == COMPRESSION_DEFLATE)
    (void)inflateEnd(&decoder->gzip);
  unpacker_close(decoder->other);
  ZSTD_freeDStream(decoder->zstd);
  free(decoder);
}

/* At least `wanted` packed bytes in the buffer, unless there are no more. */
static int refill(struct decoder *d, size_t wanted, struct failure *why) {
  while (!d->ended && d->end - d->begin < wanted) {
    memmove(d->packed, d->packed + d->begin, d->end - d->begin);
    d->end -= d->begin;
    d->begin = 0;
    size_t got;
    if (d->pull(d->user, d->packed + d->end, PACKED_BYTES - d->end, &got, why) != 0) return -1;
    d->ended = got == 0;
    d->end += got;
  }
  return 0;
}

static int truncated(const struct decoder *d, const char *format, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: the %s data end too early: the file is cut off; get it again",
              d->name, format);
}

/* Between members: begins the next one, or finds that there is none. */
static int begin_member(struct decoder *d, bool *more, struct failure *why) {
  if (refill(d, 2, why) != 0) return -1;
  while (d->begin < d->end && d->packed[d->begin] == 0) {
    d->begin += 1;
    if (refill(d, 2, why) != 0) return -1;
  }
  *more = d->begin < d->end;
  if (!*more) return 0;
  if (d->packed[d->begin] != 0x1f || (d->end - d->begin > 1 && d->packed[d->begin + 1] != 0x8b))
    return fail(why, EXIT_DATA,
                "%s: what follows the gzip data is not gzip data; the file is damaged", d->name);
  d->inside = true;
  if (inflateReset(&d->gzip) != Z_OK)
    return fail(why, EXIT_DATA, "%s: zlib cannot begin anew", d->name);
  return 0;
}

static int read_gzip(struct decoder *d, unsigned char *buffer, size_t capacity, size_t *got,
                     struct failure *why) {
  z_stream *const z = &d->gzip;
  *got = 0;
  while (*got < capacity) {
    bool more = true;
    if (!d->inside && begin_member(d, &more, why) != 0) return -1;
    if (!more) return 0;
    if (refill(d, 1, why) != 0) return -1;
    const size_t room = capacity - *got;
    z->next_in = d->packed + d->begin;
    z->avail_in = (uInt)(d->end - d->begin);
    z->next_out = buffer + *got;
    z->avail_out = room > UINT_MAX ? UINT_MAX : (uInt)room;
    const int status = inflate(z, Z_NO_FLUSH);
    d->begin = d->end - z->avail_in;
    *got = (size_t)(z->next_out - buffer);
    if (status == Z_STREAM_END)
      d->inside = false;
    else if (status == Z_BUF_ERROR && d->ended && d->begin == d->end)
      return truncated(d, "gzip", why);
    else if (status == Z_MEM_ERROR)
      return fail(why, EXIT_DATA, "%s: no memory to unpack it", d->name);
    else if (status != Z_OK)
      return fail(why, EXIT_DATA, "%s: the gzip data are damaged: %s; get the file again", d->name,
                  z->msg ? z->msg : "invalid data");
  }
  return 0;
}

void decoder_expect(struct decoder *decoder, uint64_t bytes, uint32_t crc) {
  decoder->expected = bytes;
  decoder->expected_crc = crc;
  decoder->inside = true;
}

static int damaged_member(const struct decoder *d, const char *what, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: the zip member is damaged: %s; get the file again", d->name,
              what);
}

static int end_of_member(struct decoder *d, struct failure *why) {
  d->inside = false;
  if (d->unpacked != d->expected) return damaged_member(d, "its size is not what it says", why);
  return d->crc == d->expected_crc ? 0 : damaged_member(d, "its checksum is wrong", why);
}

/* Inflates once into [to, to + room). */
static int inflate_once(struct decoder *d, unsigned char *to, size_t room, size_t *fresh,
                        struct failure *why) {
  z_stream *const z = &d->gzip;
  if (refill(d, 1, why) != 0) return -1;
  z->next_in = d->packed + d->begin;
  z->avail_in = (uInt)(d->end - d->begin);
  z->next_out = to;
  z->avail_out = room > UINT_MAX ? UINT_MAX : (uInt)room;
  const int status = inflate(z, Z_NO_FLUSH);
  *fresh = (size_t)(z->next_out - to);
  d->begin = d->end - z->avail_in;
  d->crc = (uint32_t)crc32_z(d->crc, to, *fresh);
  d->unpacked += *fresh;
  if (d->unpacked > d->expected) return damaged_member(d, "it is larger than it says", why);
  if (status == Z_STREAM_END) return end_of_member(d, why);
  if (status == Z_BUF_ERROR && d->ended && d->begin == d->end)
    return damaged_member(d, "it ends too early", why);
  if (status == Z_MEM_ERROR) return fail(why, EXIT_DATA, "%s: no memory to unpack it", d->name);
  if (status != Z_OK && status != Z_BUF_ERROR)
    return damaged_member(d, z->msg ? z->msg : "invalid data", why);
  return 0;
}

static int read_deflate(struct decoder *d, unsigned char *buffer, size_t capacity, size_t *got,
                        struct failure *why) {
  size_t fresh;
  *got = 0;
  while (*got < capacity && d->inside) {
    if (inflate_once(d, buffer + *got, capacity - *got, &fresh, why) != 0) return -1;
    *got += fresh;
  }
  /* Who knows how much there is reads no further: the end is looked at, and the checksum with it. */
  while (d->inside && d->unpacked == d->expected) {
    unsigned char more;
    if (inflate_once(d, &more, 1, &fresh, why) != 0) return -1;
  }
  return 0;
}

static int zstd_failure(const struct decoder *d, size_t status, struct failure *why) {
  if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge)
    return fail(why, EXIT_DATA,
                "%s: the zstd data need a window of more than 128 MiB; unpack them by "
                "zstd -d --long=31 and pipe them in",
                d->name);
  return fail(why, EXIT_DATA, "%s: the zstd data are damaged: %s; get the file again", d->name,
              ZSTD_getErrorName(status));
}

static int read_zstd(struct decoder *d, unsigned char *buffer, size_t capacity, size_t *got,
                     struct failure *why) {
  ZSTD_outBuffer out = {buffer, capacity, 0};
  while (out.pos < capacity) {
    if (refill(d, 1, why) != 0) return -1;
    if (d->begin == d->end && !d->inside) break;
    ZSTD_inBuffer in = {d->packed + d->begin, d->end - d->begin, 0};
    const size_t before = out.pos;
    const size_t status = ZSTD_decompressStream(d->zstd, &out, &in);
    if (ZSTD_isError(status)) return zstd_failure(d, status, why);
    d->begin += in.pos;
    d->inside = status != 0;
    if (d->inside && d->ended && in.pos == in.size && out.pos == before)
      return truncated(d, "zstd", why);
  }
  *got = out.pos;
  return 0;
}

static int read_other(struct decoder *d, unsigned char *buffer, size_t capacity, size_t *got,
                      struct failure *why) {
  struct unpacker_step step = {.to = buffer, .to_bytes = capacity, .ended = d->finished};
  while (step.to_bytes > 0 && !step.ended) {
    if (refill(d, 1, why) != 0) return -1;
    step.from = d->packed + d->begin;
    step.from_bytes = d->end - d->begin;
    step.last = d->ended;
    if (unpacker_go(d->other, &step, why) != 0) return -1;
    d->begin = d->end - step.from_bytes;
  }
  d->finished = step.ended;
  *got = capacity - step.to_bytes;
  return 0;
}

int decoder_read(struct decoder *decoder, void *buffer, size_t capacity, size_t *got,
                 struct failure *why) {
  if (decoder->other) return read_other(decoder, buffer, capacity, got, why);
  if (decoder->kind == COMPRESSION_DEFLATE)
    return read_deflate(decoder, buffer, capacity, got, why);
  return decoder->kind == COMPRESSION_GZIP ? read_gzip(decoder, buffer, capacity, got, why)
                                           : read_zstd(decoder, buffer, capacity, got, why);
}
