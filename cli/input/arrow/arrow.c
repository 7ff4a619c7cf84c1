/* arrow.c - a stream or a file of messages as a table of batches
 *
 * Layout  A stream is messages: a schema, then dictionaries and record batches, then an end mark. A file is
 *         "ARROW1\0\0", a stream, a footer, the footer's length, "ARROW1".
 * Method  A stream is read from its start to its end, a file by its footer; out of a pipe a file is copied first.
 * Limits  No dictionaries that grow by and by.
 * Source  arrow.apache.org/docs/format/Columnar.html; format/Message.fbs, Schema.fbs */
#include "arrow.h"

#include <stdlib.h>
#include <string.h>

#include "reader.h"

enum { FILE_MAGIC = 8 };

bool arrow_has_magic(const unsigned char *bytes, size_t count) {
  if (count >= FILE_MAGIC && memcmp(bytes, "ARROW1\0\0", FILE_MAGIC) == 0) return true;
  /* A schema takes less than 16 MiB of metadata, and its flatbuffer begins within 64 KiB. */
  return count >= 12 && memcmp(bytes, "\xff\xff\xff\xff", 4) == 0 && bytes[7] == 0 &&
         bytes[10] == 0 && bytes[11] == 0;
}

/* Up to the first batch; the columns are taken from the schema where there are none yet. */
static int begin(struct arrow_reader *r, bool columns, struct failure *why) {
  struct arrow_header header;
  struct flat_table schema;
  int fd;
  uint64_t first, bytes;
  r->position = 0;
  r->block = 0;
  r->table.rows = 0;
  if (r->file) {
    if (arrow_read_footer(r, &schema, why) != 0) return -1;
    return columns ? arrow_take_schema(r, &r->footer_flat, &schema, why) : 0;
  }
  r->limit = stream_is_file(r->table.stream, &fd, &first, &bytes) ? bytes : UINT64_MAX;
  if (arrow_next_message(r, &header, why) != 0) return -1;
  if (header.kind != ARROW_SCHEMA) return arrow_damaged(r, "they begin without a schema", why);
  if (columns && arrow_take_schema(r, &header.flat, &header.table, why) != 0) return -1;
  return arrow_skip(r, header.body, why);
}

static int restart(struct table *table, struct failure *why) {
  return begin((struct arrow_reader *)table, false, why);
}

/* A dictionary's id and batch. */
static int take_dictionary(struct arrow_reader *r, struct arrow_header *h, int64_t *id,
                           struct arrow_batch *batch, struct failure *why) {
  *id = flat_number(&h->flat, &h->table, 0, 8, 0);
  *batch = (struct arrow_batch){&h->flat, flat_child(&h->flat, &h->table, 1), h->body};
  if (flat_number(&h->flat, &h->table, 2, 1, 0) != 0)
    return fail(why, EXIT_DATA,
                "%s: a dictionary grows from batch to batch, which is not read; write it with one "
                "dictionary (pyarrow: table.unify_dictionaries())",
                r->table.name);
  return h->flat.bad ? arrow_damaged(r, "a dictionary has no values", why) : 0;
}

static int next(struct table *table, struct failure *why) {
  struct arrow_reader *const r = (struct arrow_reader *)table;
  struct arrow_header h;
  int64_t id;
  for (;;) {
    if (arrow_next_message(r, &h, why) != 0) return -1;
    struct arrow_batch batch = {&h.flat, h.table, h.body};
    switch (h.kind) {
    case ARROW_END: table->rows = 0; return 0;
    case ARROW_SCHEMA: return arrow_damaged(r, "they have two schemas", why);
    case ARROW_BATCH: return arrow_take_batch(r, &batch, why) == 0 ? 1 : -1;
    case ARROW_DICTIONARY:
      if (take_dictionary(r, &h, &id, &batch, why) != 0) return -1;
      if (arrow_take_words(r, &batch, id, why) != 0) return -1;
      break;
    case ARROW_OTHER:
      if (arrow_skip(r, h.body, why) != 0) return -1;
      break;
    }
  }
}

/* Sets nulls of every column of which one is missing; of a dictionary's, where a word is. */
static void note_nulls(struct arrow_reader *r, struct arrow_batch *batch, bool words, int64_t id) {
  const struct flat_vector nodes = flat_list(batch->flat, &batch->table, 1, 16);
  for (size_t i = 0; i < r->table.columns; i++) {
    const struct arrow_column *const c = &r->column[i];
    if (words && !(c->dictionary && c->id == id)) continue;
    const size_t node = words ? 0 : c->node;
    if (node < nodes.count && flat_i64(batch->flat, nodes.at + 16 * node + 8) != 0)
      r->table.column[i].nulls = true;
  }
}

static int scan(struct table *table, struct failure *why) {
  struct arrow_reader *const r = (struct arrow_reader *)table;
  struct arrow_header h;
  for (size_t i = 0; i < table->columns; i++) table->column[i].nulls = false;
  do {
    int64_t id = 0;
    if (arrow_next_message(r, &h, why) != 0) return -1;
    struct arrow_batch batch = {&h.flat, h.table, h.body};
    if (h.kind == ARROW_DICTIONARY && take_dictionary(r, &h, &id, &batch, why) != 0) return -1;
    if (h.kind == ARROW_DICTIONARY || h.kind == ARROW_BATCH)
      note_nulls(r, &batch, h.kind == ARROW_DICTIONARY, id);
    if (!r->file && arrow_skip(r, h.body, why) != 0) return -1;
  } while (h.kind != ARROW_END);
  return 0;
}

/* ---- text ---------------------------------------------------------------------------------- */

static void text_of(const struct arrow_values *v, size_t i, const char **text, size_t *bytes) {
  *text = "";
  *bytes = 0;
  if (v->layout == ARROW_TEXT_VIEW) {
    const unsigned char *const view = v->main.data + 16 * i;
    int32_t at[4];
    memcpy(at, view, sizeof at);
    *bytes = (size_t)at[0];
    if (*bytes > 0)
      *text = *bytes <= 12 ? (const char *)view + 4 : (const char *)v->views[at[2]].data + at[3];
    return;
  }
  const size_t size = v->layout == ARROW_TEXT ? 4 : 8;
  uint64_t begins = 0, ends = 0;
  memcpy(&begins, v->main.data + i * size, size);
  memcpy(&ends, v->main.data + (i + 1) * size, size);
  *bytes = (size_t)(ends - begins);
  if (*bytes > 0) *text = (const char *)v->text.data + begins;
}

static void text(const struct table *table, size_t column, size_t row, const char **out,
                 size_t *bytes) {
  const struct arrow_reader *const r = (const struct arrow_reader *)table;
  const struct arrow_column *const c = &r->column[column];
  if (!c->dictionary)
    text_of(&c->values, row, out, bytes);
  else
    text_of(arrow_words(r, c), arrow_place(c, row), out, bytes);
}

/* Places of rows that are not valid were not checked. */
static void words(const struct arrow_reader *r, const struct arrow_column *c, size_t first,
                  size_t count, struct table_text *out) {
  const struct arrow_values *const words = arrow_words(r, c);
  for (size_t i = 0; i < count; i++) {
    out[i] = (struct table_text){"", 0};
    if (c->values.all_valid || table_bit(c->values.valid.data, first + i))
      text_of(words, arrow_place(c, first + i), &out[i].at, &out[i].bytes);
  }
}

static void texts(const struct table *table, size_t column, size_t first, size_t count,
                  struct table_text *out) {
  const struct arrow_reader *const r = (const struct arrow_reader *)table;
  const struct arrow_column *const c = &r->column[column];
  const struct arrow_values *const v = &c->values;
  if (c->dictionary) {
    words(r, c, first, count, out);
    return;
  }
  if (v->layout != ARROW_TEXT) {
    for (size_t i = 0; i < count; i++) text_of(v, first + i, &out[i].at, &out[i].bytes);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t ends[2];
    memcpy(ends, v->main.data + (first + i) * sizeof *ends, sizeof ends);
    out[i].bytes = ends[1] - ends[0];
    out[i].at = ends[1] > ends[0] ? (const char *)v->text.data + ends[0] : "";
  }
}

static size_t places(const struct table *table, size_t column, size_t first, size_t count,
                     uint32_t *out) {
  const struct arrow_reader *const r = (const struct arrow_reader *)table;
  const struct arrow_column *const c = &r->column[column];
  if (!c->dictionary) return 0;
  const size_t size = heddle_type_size(c->index), words = arrow_words(r, c)->rows;
  const unsigned char *const from = c->values.main.data;
  if (size == sizeof *out && count > 0)
    memcpy(out, from + first * size, count * size);
  else
    for (size_t i = 0; i < count; i++) out[i] = (uint32_t)arrow_place(c, first + i);
  return words <= UINT32_MAX ? words : 0;
}

static struct table_text word(const struct table *table, size_t column, uint32_t place) {
  const struct arrow_reader *const r = (const struct arrow_reader *)table;
  struct table_text out;
  text_of(arrow_words(r, &r->column[column]), place, &out.at, &out.bytes);
  return out;
}

static void close_reader(struct table *table) {
  struct arrow_reader *const r = (struct arrow_reader *)table;
  for (size_t i = 0; i < table->columns; i++) {
    arrow_free_values(&r->column[i].values);
    arrow_free_values(&r->column[i].words);
    free(r->column[i].spread.data);
    free(r->column[i].there.data);
  }
  free(r->column);
  free(r->metadata);
  free(r->footer);
  free(r->packed.data);
  table_free_columns(table);
  free(r);
}

int arrow_open(struct stream *stream, struct table **out, struct failure *why) {
  static const struct table_format format = {next,   restart, scan,         text, texts,
                                             places, word,    close_reader, NULL};
  unsigned char bytes[STREAM_PEEK];
  size_t count;
  struct arrow_reader *const r = calloc(1, sizeof *r);
  if (!r) return fail(why, EXIT_DATA, "%s: no memory to read it", stream_name(stream));
  r->table.format = &format;
  r->table.stream = stream;
  r->table.name = stream_name(stream);
  *out = &r->table;
  if (stream_peek(stream, bytes, &count, why) != 0) return -1;
  r->file = count > 0 && bytes[0] == 'A';
  if (r->file && stream_to_file(stream, why) != 0) return -1;
  return begin(r, true, why);
}
