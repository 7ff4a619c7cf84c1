/* wav.c - the samples of a WAV file, channel by channel
 *
 * Layout  "RIFF", a size, "WAVE"; chunks of a name, a size and bytes, padded to an even number: "fmt " has the format,
 *         "data" the samples, frame by frame, least byte first. RF64 has the data's size in a chunk "ds64".
 * Result  Columns mono, left and right, or channel1 and so on: u8, i16, i32 (of 24 and 32 bits), f32, f64, as stored.
 * Method  From front to back, so that a pipe streams; a size of 0 or 2^32 - 1, of a recorder that could not go back,
 *         is up to the end.
 * Limits  PCM and floats; up to 1024 channels. */
#define _GNU_SOURCE
#include "wav.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/array/little.h"
#include "table.h"

enum {
  FRAMES = 1 << 15,
  CHANNELS_MOST = 1024,
  FORMAT_BYTES = 40,
  PCM = 1,
  FLOATS = 3,
  EXTENSIBLE = 0xfffe
};

struct wav {
  struct table table; /* the first */
  unsigned channels, bits, format;
  heddle_type type;
  uint64_t left;       /* bytes of samples; UINT64_MAX: up to the end */
  uint64_t wide;       /* of ds64 */
  unsigned char *raw;  /* a batch as it lies in the file */
  unsigned char *data; /* by channel */
};

bool wav_has_magic(const unsigned char *bytes, size_t count) {
  return count >= 12 && (memcmp(bytes, "RIFF", 4) == 0 || memcmp(bytes, "RF64", 4) == 0) &&
         memcmp(bytes + 8, "WAVE", 4) == 0;
}

static int damaged(const struct wav *w, const char *what, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: the WAV file is cut off or damaged: %s; get it again",
              w->table.name, what);
}

static int read_exactly(struct wav *w, void *to, size_t bytes, struct failure *why) {
  size_t got;
  if (stream_read(w->table.stream, to, bytes, &got, why) != 0) return -1;
  return got == bytes ? 0 : damaged(w, "it ends in front of its samples", why);
}

static heddle_type type_of(unsigned format, unsigned bits) {
  if (format == FLOATS)
    return bits == 32 ? HEDDLE_F32 : bits == 64 ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
  if (format != PCM) return HEDDLE_TYPE_DEFAULT;
  return bits == 8    ? HEDDLE_U8
         : bits == 16 ? HEDDLE_I16
         : bits == 24 ? HEDDLE_I32
         : bits == 32 ? HEDDLE_I32
                      : HEDDLE_TYPE_DEFAULT;
}

/* Of "fmt ", which has at least 16 bytes; the rest of it is passed over by the caller. */
static int take_format(struct wav *w, const unsigned char *bytes, size_t count,
                       struct failure *why) {
  if (count < 16) return damaged(w, "its format is too short", why);
  w->format = little_16(bytes);
  w->channels = little_16(bytes + 2);
  w->bits = little_16(bytes + 14);
  if (w->format == EXTENSIBLE && count >= 26) w->format = little_16(bytes + 24);
  w->type = type_of(w->format, w->bits);
  if (w->type == HEDDLE_TYPE_DEFAULT)
    return fail(
        why, EXIT_DATA,
        "%s: samples of format %u and %u bits are not read; PCM of 8, 16, 24 or 32 bits and "
        "floats of 32 or 64 are: sox FILE -e signed -b 16 OUT.wav",
        w->table.name, w->format, w->bits);
  if (w->channels == 0 || w->channels > CHANNELS_MOST)
    return damaged(w, "it has no channels, or more than 1024", why);
  return little_16(bytes + 12) == w->channels * (w->bits / 8)
             ? 0
             : damaged(w, "its frames have no sense", why);
}

static int pass(struct wav *w, uint64_t bytes, struct failure *why) {
  uint64_t passed;
  if (stream_skip(w->table.stream, bytes, &passed, why) != 0) return -1;
  return passed == bytes ? 0 : damaged(w, "it ends in front of its samples", why);
}

/* Up to the samples. */
static int begin(struct wav *w, struct failure *why) {
  unsigned char head[12], chunk[8], format[FORMAT_BYTES];
  w->table.rows = 0;
  w->type = HEDDLE_TYPE_DEFAULT;
  w->wide = 0;
  if (read_exactly(w, head, sizeof head, why) != 0) return -1;
  for (;;) {
    if (read_exactly(w, chunk, sizeof chunk, why) != 0) return -1;
    uint64_t size = little_32(chunk + 4), taken = 0;
    if (memcmp(chunk, "data", 4) == 0) {
      if (w->type == HEDDLE_TYPE_DEFAULT)
        return damaged(w, "its samples come before their format", why);
      w->left = size == UINT32_MAX && w->wide > 0 ? w->wide
                : size == 0 || size == UINT32_MAX ? UINT64_MAX
                                                  : size;
      return 0;
    }
    const bool is_format = memcmp(chunk, "fmt ", 4) == 0;
    if (is_format || memcmp(chunk, "ds64", 4) == 0) {
      taken = size < FORMAT_BYTES ? size : FORMAT_BYTES;
      if (read_exactly(w, format, (size_t)taken, why) != 0) return -1;
      if (is_format && take_format(w, format, (size_t)taken, why) != 0) return -1;
      if (!is_format && taken >= 16) w->wide = little_64(format + 8);
    }
    if (pass(w, size - taken + size % 2, why) != 0) return -1;
  }
}

static int restart(struct table *table, struct failure *why) {
  struct wav *const w = (struct wav *)table;
  if (begin(w, why) != 0) return -1;
  return w->channels == table->columns && w->type == table->column[0].type
             ? 0
             : damaged(w, "it changed while it was being read", why);
}

/* One channel's samples, in this machine's order and size. */
static void take_channel(const struct wav *w, unsigned channel, size_t frames, unsigned char *to) {
  const size_t bytes = w->bits / 8, step = bytes * w->channels, size = heddle_type_size(w->type);
  const unsigned char *from = w->raw + channel * bytes;
  const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  for (size_t i = 0; i < frames; i++, from += step, to += size) {
    if (bytes == 3) {
      const uint32_t bits = little_16(from) << 8 | (uint32_t)from[2] << 24;
      const int32_t value = (int32_t)bits >> 8;
      memcpy(to, &value, sizeof value);
    } else {
      for (size_t k = 0; k < bytes; k++) to[k] = from[little ? k : bytes - 1 - k];
    }
  }
}

static int next(struct table *table, struct failure *why) {
  struct wav *const w = (struct wav *)table;
  const size_t frame = (size_t)w->channels * (w->bits / 8), size = heddle_type_size(w->type);
  size_t wanted = (FRAMES / w->channels + 1) * frame, got;
  if (w->left != UINT64_MAX && w->left < wanted) wanted = (size_t)w->left;
  if (stream_read(table->stream, w->raw, wanted, &got, why) != 0) return -1;
  if (w->left != UINT64_MAX && got < wanted) return damaged(w, "its samples end too early", why);
  if (w->left != UINT64_MAX) w->left -= got;
  if (got % frame != 0) return damaged(w, "its samples end within a frame", why);
  table->rows = got / frame;
  const size_t room = (FRAMES / w->channels + 1) * size;
  for (unsigned c = 0; c < w->channels; c++) {
    if (!table->column[c].wanted) continue;
    take_channel(w, c, table->rows, w->data + c * room);
    table->part[c].values = w->data + c * room;
  }
  return table->rows > 0;
}

static void text(const struct table *table, size_t column, size_t row, const char **out,
                 size_t *bytes) {
  (void)table, (void)column, (void)row; /* there are only numbers */
  *out = "";
  *bytes = 0;
}

static void close_wav(struct table *table) {
  struct wav *const w = (struct wav *)table;
  free(w->raw);
  free(w->data);
  table_free_columns(table);
  free(w);
}

static int name_channels(struct wav *w, struct failure *why) {
  if (table_reserve(&w->table, w->channels, why) != 0) return -1;
  for (unsigned c = 0; c < w->channels; c++) {
    char name[24];
    (void)snprintf(name, sizeof name, "channel%u", c + 1);
    w->table.column[c].name = strdup(w->channels == 1  ? "mono"
                                     : w->channels > 2 ? name
                                     : c == 0          ? "left"
                                                       : "right");
    w->table.column[c].kind = TABLE_NUMBERS;
    w->table.column[c].type = w->type;
    if (!w->table.column[c].name)
      return fail(why, EXIT_DATA, "%s: no memory to read it", w->table.name);
  }
  const size_t frames = FRAMES / w->channels + 1;
  w->raw = malloc(frames * w->channels * 8);
  w->data = malloc(frames * w->channels * 8);
  return w->raw && w->data ? 0 : fail(why, EXIT_DATA, "%s: no memory to read it", w->table.name);
}

int wav_table(struct input *in, bool again, struct table **out, struct failure *why) {
  static const struct table_format format = {
      .next = next, .restart = restart, .text = text, .close = close_wav};
  struct wav *const w = calloc(1, sizeof *w);
  if (!w) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  w->table.format = &format;
  w->table.stream = in->stream;
  w->table.name = in->name;
  *out = &w->table;
  if (again && stream_keep(in->stream, why) != 0) return -1;
  return begin(w, why) != 0 ? -1 : name_channels(w, why);
}
