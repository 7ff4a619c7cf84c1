/* arrow.c - Arrow IPC streams and files, and through them Parquet
 *
 * Layout  cli/input/arrow has it. A batch a block of rows. Of numbers of one type nothing is missing: NaN is a value;
 *         columns of their own types have a bitmap, and texts offsets of 32 bits.
 * Method  Flatbuffers from front to back: a vtable, its table, then what that points to, whose offsets are patched.
 *         Parquet is written by another program (input/helper), out of a stream in a nameless file. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "commands/command.h"
#include "input/helper/child.h"
#include "input/helper/parquet_write.h"
#include "input/spool.h"
#include "tables.h"
#include "text/types.h"

enum { VERSION_5 = 4, SCHEMA = 1, BATCH = 3, INT = 2, FLOAT = 3, UTF8 = 5, FIELDS_MOST = 7 };

struct arrow_out {
  struct bytes message, blocks; /* the latest message; a footer's blocks */
  uint64_t position;            /* in what is written */
  size_t batches;
  struct spool *spool; /* of Parquet: where the stream goes */
};

/* ---- flatbuffers --------------------------------------------------------------------------- */

/* A table of zeros whose field i has bytes[i] bytes, 0 for none; at[i] is where each is. */
static size_t put_table(struct bytes *b, const unsigned char bytes[], size_t count, size_t at[]) {
  unsigned offset[FIELDS_MOST];
  bytes_align(b, 8);
  const size_t vtable = b->used, vtable_bytes = 4 + 2 * count;
  const size_t table = vtable + (vtable_bytes + 7) / 8 * 8;
  unsigned next = 4;
  for (size_t i = 0; i < count; i++) {
    const unsigned unit = bytes[i] == 0 ? 1 : bytes[i];
    next = (next + unit - 1) / unit * unit;
    offset[i] = bytes[i] == 0 ? 0 : next;
    at[i] = table + next;
    next += bytes[i];
  }
  bytes_number(b, vtable_bytes, 2);
  bytes_number(b, next, 2);
  for (size_t i = 0; i < count; i++) bytes_number(b, offset[i], 2);
  bytes_align(b, 8);
  bytes_number(b, table - vtable, 4);
  bytes_zeros(b, next - 4);
  return table;
}

/* The offset at `at` points to what comes next, behind zeros up to a multiple of `unit`, less `before` bytes. */
static void point_here(struct bytes *b, size_t at, size_t unit, size_t before) {
  while (!b->full && (b->used + before) % unit != 0) bytes_number(b, 0, 1);
  bytes_patch(b, at, b->used - at, 4);
}

static void put_text(struct bytes *b, size_t at, const char *text) {
  const size_t length = strlen(text);
  point_here(b, at, 4, 0);
  bytes_number(b, length, 4);
  bytes_put(b, text, length + 1);
}

static void put_type(struct bytes *b, size_t at, heddle_type type) {
  static const unsigned char int_bytes[] = {4, 1}, float_bytes[] = {2};
  size_t field[2];
  const bool is_float = type_is_float(type);
  const size_t size = heddle_type_size(type);
  bytes_align(b, 8);
  const size_t table = put_table(b, is_float ? float_bytes : int_bytes, is_float ? 1 : 2, field);
  bytes_patch(b, at, table - at, 4);
  if (is_float)
    bytes_patch(b, field[0], size == 2 ? 0 : size == 4 ? 1 : 2, 2);
  else
    bytes_patch(b, field[0], 8 * size, 4);
  if (!is_float) bytes_patch(b, field[1], type_is_signed(type), 1);
}

static void put_field(struct bytes *b, size_t at, const struct writer *w, size_t k) {
  /* name, nullable, type's kind, type, dictionary, children */
  static const unsigned char bytes[] = {4, 1, 1, 4, 0, 4};
  size_t field[6], none;
  const struct typed_column *const own = w->typed ? &w->typed->column[k] : NULL;
  const bool text = own && own->text;
  const heddle_type type = own ? own->type : w->type;
  const size_t table = put_table(b, bytes, 6, field);
  bytes_patch(b, at, table - at, 4);
  bytes_patch(b, field[1], own != NULL, 1);
  bytes_patch(b, field[2], text ? UTF8 : type_is_float(type) ? FLOAT : INT, 1);
  put_text(b, field[0], w->name[k]);
  if (text) {
    bytes_align(b, 8);
    const size_t empty = put_table(b, bytes, 0, &none);
    bytes_patch(b, field[3], empty - field[3], 4);
  } else {
    put_type(b, field[3], type);
  }
  point_here(b, field[5], 4, 0);
  bytes_number(b, 0, 4);
}

static void put_schema(struct bytes *b, size_t at, const struct writer *w) {
  static const unsigned char bytes[] = {2, 4}; /* byte order, fields */
  size_t field[2];
  const size_t table = put_table(b, bytes, 2, field);
  bytes_patch(b, at, table - at, 4);
  bytes_patch(b, field[0], __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 2);
  point_here(b, field[1], 4, 0);
  bytes_number(b, w->columns, 4);
  const size_t list = b->used;
  bytes_zeros(b, 4 * w->columns);
  for (size_t k = 0; k < w->columns; k++) put_field(b, list + 4 * k, w, k);
}

/* ---- messages ------------------------------------------------------------------------------ */

static int emit(struct writer *w, const void *data, size_t bytes, struct failure *why) {
  struct arrow_out *const a = w->own;
  a->position += bytes;
  if (a->spool) return spool_append(a->spool, data, bytes, why);
  sink_write(&w->sink, data, bytes);
  return 0;
}

/* Begins a message; *header is where its header's offset is. */
static struct bytes *begin_message(struct arrow_out *a, int kind, uint64_t body, size_t *header) {
  static const unsigned char bytes[] = {2, 1, 4, 8};
  struct bytes *const b = &a->message;
  size_t field[4];
  b->used = 0;
  bytes_zeros(b, 8); /* the root's offset */
  const size_t table = put_table(b, bytes, 4, field);
  bytes_patch(b, 0, table, 4);
  bytes_patch(b, field[0], VERSION_5, 2);
  bytes_patch(b, field[1], (uint64_t)kind, 1);
  bytes_patch(b, field[3], body, 8);
  *header = field[2];
  return b;
}

static int no_memory(struct failure *why) {
  return fail(why, EXIT_DATA, "out of memory for a message of Arrow");
}

static int end_message(struct writer *w, struct failure *why) {
  struct arrow_out *const a = w->own;
  unsigned char prefix[8];
  bytes_align(&a->message, 8);
  if (a->message.full) return no_memory(why);
  memset(prefix, 0xff, 4);
  for (size_t i = 0; i < 4; i++) prefix[4 + i] = (unsigned char)(a->message.used >> 8 * i);
  if (emit(w, prefix, sizeof prefix, why) != 0) return -1;
  return emit(w, a->message.data, a->message.used, why);
}

static int begin(struct writer *w, struct failure *why) {
  size_t header;
  if (w->type == HEDDLE_BF16)
    return fail(why, EXIT_USAGE, "Arrow has no type for bf16 elements; add --out-type f32");
  if (!w->own) w->own = calloc(1, sizeof(struct arrow_out));
  if (!w->own) return no_memory(why);
  if (w->format == &arrow_writer && emit(w, "ARROW1\0", 8, why) != 0) return -1;
  struct bytes *const b = begin_message(w->own, SCHEMA, 0, &header);
  put_schema(b, header, w);
  return end_message(w, why);
}

/* Buffers of a batch, one behind the other. */
struct body {
  size_t rows, missing[INPUT_MAX_COLUMNS];
  size_t count, padded; /* bytes of all */
  struct {
    const void *data;
    size_t bytes;
  } of[3 * INPUT_MAX_COLUMNS];
};

static size_t padded(size_t bytes) { return (bytes + 63) / 64 * 64; }

static void add_buffer(struct body *body, const void *data, size_t bytes) {
  body->of[body->count].data = data;
  body->of[body->count++].bytes = bytes;
  body->padded += padded(bytes);
}

/* Lists of pairs of 64-bit numbers: nodes of rows and missing ones, then buffers. */
static void put_batch(struct bytes *b, size_t at, const struct writer *w, const struct body *body) {
  static const unsigned char bytes[] = {8, 4, 4};
  size_t field[3], place = 0;
  const size_t table = put_table(b, bytes, 3, field);
  bytes_patch(b, at, table - at, 4);
  bytes_patch(b, field[0], body->rows, 8);
  point_here(b, field[1], 8, 4);
  bytes_number(b, w->columns, 4);
  for (size_t k = 0; k < w->columns; k++) {
    bytes_number(b, body->rows, 8);
    bytes_number(b, body->missing[k], 8);
  }
  point_here(b, field[2], 8, 4);
  bytes_number(b, body->count, 4);
  for (size_t i = 0; i < body->count; i++) {
    bytes_number(b, place, 8);
    bytes_number(b, body->of[i].bytes, 8);
    place += padded(body->of[i].bytes);
  }
}

static int write_batch(struct writer *w, const struct body *body, struct failure *why) {
  static const unsigned char zeros[64];
  struct arrow_out *const a = w->own;
  const uint64_t place = a->position;
  size_t header;
  struct bytes *const b = begin_message(a, BATCH, body->padded, &header);
  put_batch(b, header, w, body);
  if (end_message(w, why) != 0) return -1;
  bytes_number(&a->blocks, place, 8);
  bytes_number(&a->blocks, a->position - place, 8); /* 4 bytes, and 4 of padding */
  bytes_number(&a->blocks, body->padded, 8);
  a->batches += 1;
  for (size_t i = 0; i < body->count; i++) {
    const size_t bytes = body->of[i].bytes;
    if (emit(w, body->of[i].data, bytes, why) != 0 ||
        emit(w, zeros, padded(bytes) - bytes, why) != 0)
      return -1;
  }
  return 0;
}

static int block(struct writer *w, const void *const data[], size_t rows, struct failure *why) {
  struct body body = {.rows = rows};
  for (size_t k = 0; k < w->columns; k++) {
    add_buffer(&body, NULL, 0);
    add_buffer(&body, data[k], rows * heddle_type_size(w->type));
  }
  return write_batch(w, &body, why);
}

/* Texts of Arrow are UTF-8. */
static int check_texts(const struct writer *w, const struct typed *t, const struct typed_column *c,
                       struct failure *why) {
  size_t bytes = 0;
  const int32_t *const end = c->values;
  bool ascii = true;
  for (int32_t i = 0; i < end[t->rows]; i++) ascii &= (unsigned char)c->characters[i] < 0x80;
  for (size_t row = 0; row < t->rows && !ascii; row++) {
    const char *const text = typed_text(c, row, &bytes);
    if (!typed_is_utf8(text, bytes))
      return fail(
          why, EXIT_DATA,
          "%s: column '%s' has a text that is not UTF-8, as those of Arrow and Parquet are; "
          "convert the file first: iconv -f LATIN1 -t UTF-8",
          command_file_label(w->src->path), c->name);
  }
  return 0;
}

static int typed_block(struct writer *w, const struct typed *t, struct failure *why) {
  struct body body = {.rows = t->rows};
  for (size_t k = 0; k < w->columns; k++) {
    const struct typed_column *const c = &t->column[k];
    const int32_t *const end = c->values;
    body.missing[k] = c->missing;
    add_buffer(&body, c->valid, c->missing > 0 ? (t->rows + 7) / 8 : 0);
    add_buffer(&body, c->values,
               c->text ? (t->rows + 1) * sizeof *end : t->rows * heddle_type_size(c->type));
    if (c->text && check_texts(w, t, c, why) != 0) return -1;
    if (c->text) add_buffer(&body, c->characters, (size_t)end[t->rows]);
  }
  return write_batch(w, &body, why);
}

static int end_stream(struct writer *w, struct failure *why) {
  return emit(w, "\xff\xff\xff\xff\0\0\0", 8, why);
}

static int end_file(struct writer *w, struct failure *why) {
  static const unsigned char bytes[] = {2, 4, 4, 4}; /* version, schema, dictionaries, batches */
  struct arrow_out *const a = w->own;
  struct bytes *const b = &a->message;
  size_t field[4];
  if (end_stream(w, why) != 0) return -1;
  b->used = 0;
  bytes_zeros(b, 8);
  const size_t table = put_table(b, bytes, 4, field);
  bytes_patch(b, 0, table, 4);
  bytes_patch(b, field[0], VERSION_5, 2);
  put_schema(b, field[1], w);
  point_here(b, field[2], 8, 4);
  bytes_number(b, 0, 4);
  point_here(b, field[3], 8, 4);
  bytes_number(b, a->batches, 4);
  bytes_put(b, a->blocks.data, a->blocks.used);
  const size_t footer = b->used;
  bytes_number(b, footer, 4);
  bytes_put(b, "ARROW1", 6);
  if (b->full || a->blocks.full) return no_memory(why);
  return emit(w, b->data, b->used, why);
}

static void release(struct writer *w) {
  struct arrow_out *const a = w->own;
  if (!a) return;
  free(a->message.data);
  free(a->blocks.data);
  spool_close(a->spool);
  free(a);
}

/* ---- Parquet ------------------------------------------------------------------------------- */

static int begin_parquet(struct writer *w, struct failure *why) {
  const struct spool_use use = {"the Parquet file", NULL, "is made of an Arrow stream",
                                "set TMPDIR to a folder"};
  struct arrow_out *const a = calloc(1, sizeof *a);
  w->own = a;
  if (!a) return no_memory(why);
  if (spool_open(&use, &a->spool, why) != 0) return -1;
  return begin(w, why);
}

static int end_parquet(struct writer *w, struct failure *why) {
  struct arrow_out *const a = w->own;
  unsigned char *const bytes = malloc(1 << 16);
  struct child *child = NULL;
  size_t got = 1;
  if (!bytes) return no_memory(why);
  int status = end_stream(w, why);
  const int fd = status == 0 ? spool_take(a->spool) : -1;
  if (status == 0) a->spool = NULL;
  if (status == 0) status = parquet_write(fd, &child, why);
  while (status == 0 && got > 0 && !w->sink.failed) {
    status = child_read_data(child, bytes, 1 << 16, &got, why);
    if (status == 0) sink_write(&w->sink, bytes, got);
  }
  child_end(child);
  if (fd >= 0) close(fd);
  free(bytes);
  return status;
}

const struct writer_format arrow_writer = {begin, block, typed_block, end_file, release};
const struct writer_format arrow_stream_writer = {begin, block, typed_block, end_stream, release};
const struct writer_format parquet_writer = {begin_parquet, block, typed_block, end_parquet,
                                             release};
