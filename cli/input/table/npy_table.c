/* npy_table.c - records as they lie in the file, gathered field by field, some at a time
 *
 * Method  From front to back, so that a pipe streams. A batch is read as it is; the fields that are wanted are gathered
 *         out of it, in this machine's order, text of four bytes a character as UTF-8 in the same room.
 * Limits  Records of up to 16 MiB, 65,536 columns. Arrays in Fortran order are none: their rows lie apart. */
#define _GNU_SOURCE
#include "npy_table.h"

#include <stdlib.h>
#include <string.h>

#include "npy_fields.h"
#include "table.h"

enum { BATCH_BYTES = 1 << 20 };

struct records_table {
  struct table table; /* the first */
  struct npy_fields fields;
  uint64_t first; /* byte of the file */
  uint64_t count, left;
  size_t rows;          /* of a batch, at most */
  unsigned char *raw;   /* a batch as it lies in the file */
  unsigned char **data; /* by column */
};

/* A condition of columns by their numbers, beyond the one that elements have. */
static bool names_columns(const struct input_filter *f) {
  if (!f || f->element || f->column_count == 0) return false;
  for (size_t k = 0; k < f->column_count; k++)
    if (f->columns[k][strspn(f->columns[k], "0123456789")] != '\0') return false;
  return f->column_count > 1 || strcmp(f->columns[0], "1") != 0;
}

bool npy_is_table(const unsigned char *bytes, size_t count, const struct input_options *o) {
  struct failure ignored;
  struct npy_header header;
  size_t begin, length;
  if (!npy_has_magic(bytes, count) || (o->type != HEDDLE_TYPE_DEFAULT && o->offset > 0) ||
      npy_read_prefix(bytes, count < NPY_PREFIX ? count : NPY_PREFIX, "", &begin, &length,
                      &ignored) != 0)
    return false;
  const size_t there = count - begin < length ? count - begin : length;
  if (npy_fields_begin((const char *)bytes + begin, there)) return true;
  if (o->column_count == 0 && o->format != INPUT_TEXT && !names_columns(o->filter)) return false;
  if (npy_read_dictionary((const char *)bytes + begin, there, "", &header, &ignored) != 0)
    return false;
  return there == length && header.dimensions == 2 && !header.fortran && header.shape[1] > 0 &&
         header.shape[1] <= NPY_COLUMNS_MOST;
}

static int no_memory(const struct records_table *r, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: no memory to read it", r->table.name);
}

static int cut_off(const struct records_table *r, struct failure *why) {
  return fail(why, EXIT_DATA,
              "%s: the file is cut off: its header promises %llu records of %zu bytes; write or "
              "copy it again",
              r->table.name, (unsigned long long)r->count, r->fields.record_bytes);
}

/* ---- the header ---------------------------------------------------------------------------- */

static int take_header(struct records_table *r, char *text, size_t length, struct failure *why) {
  struct npy_header header;
  const char *const name = r->table.name;
  if (npy_fields_begin(text, length)) {
    if (npy_fields_read(text, length, name, &r->fields, &header, why) != 0) return -1;
    r->count = header.count;
    return 0;
  }
  if (npy_read_dictionary(text, length, name, &header, why) != 0) return -1;
  r->count = header.count / header.shape[1]; /* as npy_is_table has seen it */
  return npy_fields_columns(&header, name, &r->fields, why);
}

static int read_header(struct records_table *r, struct failure *why) {
  unsigned char peeked[STREAM_PEEK];
  struct stream *const stream = r->table.stream;
  size_t count, begin, length, got;
  uint64_t passed;
  if (stream_peek(stream, peeked, &count, why) != 0) return -1;
  if (count > NPY_PREFIX) count = NPY_PREFIX;
  if (npy_read_prefix(peeked, count, r->table.name, &begin, &length, why) != 0) return -1;
  if (stream_skip(stream, begin, &passed, why) != 0) return -1;
  char *const text = malloc(length + 1);
  if (!text) return no_memory(r, why);
  int status = stream_read(stream, text, length, &got, why);
  if (status == 0 && got < length)
    status = fail(why, EXIT_DATA, "%s: the .npy file ends inside its header", r->table.name);
  if (status == 0) status = take_header(r, text, length, why);
  free(text);
  r->first = begin + length;
  r->left = r->count;
  return status;
}

static int name_columns(struct records_table *r, struct failure *why) {
  const struct npy_fields *const fields = &r->fields;
  if (table_reserve(&r->table, fields->count, why) != 0) return -1;
  for (size_t c = 0; c < fields->count; c++) {
    const struct npy_field *const f = &fields->field[c];
    struct table_column *const column = &r->table.column[c];
    column->name = strdup(f->name);
    column->kind = f->kind;
    column->type = f->type;
    column->what = f->what;
    if (!column->name) return no_memory(r, why);
  }
  r->rows = BATCH_BYTES / fields->record_bytes + 1;
  r->raw = malloc(r->rows * fields->record_bytes);
  r->data = calloc(fields->count + 1, sizeof *r->data);
  return r->raw && r->data ? 0 : no_memory(r, why);
}

/* ---- batches ------------------------------------------------------------------------------- */

static void gather(const struct records_table *r, const struct npy_field *f, unsigned char *to) {
  const size_t step = r->fields.record_bytes, n = r->table.rows;
  const unsigned char *from = r->raw + f->offset;
  switch (f->bytes) { /* a size that is known is copied at once */
  case 8:
    for (size_t i = 0; i < n; i++) memcpy(to + 8 * i, from + i * step, 8);
    break;
  case 4:
    for (size_t i = 0; i < n; i++) memcpy(to + 4 * i, from + i * step, 4);
    break;
  default:
    for (size_t i = 0; i < n; i++) memcpy(to + f->bytes * i, from + i * step, f->bytes);
  }
}

static void turn(unsigned char *p, size_t count, size_t size) {
  for (size_t i = 0; i < count; i++, p += size)
    for (size_t k = 0; k < size / 2; k++) {
      const unsigned char kept = p[k];
      p[k] = p[size - 1 - k];
      p[size - 1 - k] = kept;
    }
}

/* UTF-8, of at most four bytes; what is no character becomes U+FFFD. */
static size_t put_character(unsigned char *to, uint32_t c) {
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd;
  const size_t bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t k = bytes; k > 1; k--, c >>= 6) to[k - 1] = (unsigned char)(0x80 | (c & 0x3f));
  to[0] = (unsigned char)(lead[bytes] | c);
  return bytes;
}

static void shorten(unsigned char *text, size_t rows, size_t bytes) {
  for (size_t i = 0; i < rows; i++, text += bytes) {
    size_t used = 0;
    for (size_t at = 0; at < bytes; at += 4) { /* never ahead of what is read */
      uint32_t c;
      memcpy(&c, text + at, sizeof c);
      used += put_character(text + used, c); /* zeros at the end are none of its bytes */
    }
    memset(text + used, 0, bytes - used);
  }
}

static int next(struct table *table, struct failure *why) {
  struct records_table *const r = (struct records_table *)table;
  const size_t wanted = r->left < r->rows ? (size_t)r->left : r->rows;
  const size_t bytes = wanted * r->fields.record_bytes;
  size_t got = 0;
  if (bytes > 0 && stream_read(table->stream, r->raw, bytes, &got, why) != 0) return -1;
  if (got < bytes) return cut_off(r, why);
  r->left -= wanted;
  table->rows = wanted;
  for (size_t c = 0; c < table->columns && wanted > 0; c++) {
    const struct npy_field *const f = &r->fields.field[c];
    if (!table->column[c].wanted || f->kind == TABLE_OTHER) continue;
    if (!r->data[c]) r->data[c] = malloc(r->rows * f->bytes + 1);
    if (!r->data[c]) return no_memory(r, why);
    gather(r, f, r->data[c]);
    if (f->swapped && f->text != FIELD_BYTES)
      turn(r->data[c], wanted * f->bytes / (f->text == FIELD_UCS4 ? 4 : f->bytes),
           f->text == FIELD_UCS4 ? 4 : f->bytes);
    if (f->text == FIELD_UCS4) shorten(r->data[c], wanted, f->bytes);
    table->part[c].values = r->data[c];
  }
  return wanted > 0;
}

static int restart(struct table *table, struct failure *why) {
  struct records_table *const r = (struct records_table *)table;
  uint64_t passed;
  table->rows = 0;
  r->left = r->count;
  if (stream_skip(table->stream, r->first, &passed, why) != 0) return -1;
  return passed == r->first ? 0 : cut_off(r, why);
}

static void text(const struct table *table, size_t column, size_t row, const char **out,
                 size_t *bytes) {
  const struct records_table *const r = (const struct records_table *)table;
  const size_t size = r->fields.field[column].bytes;
  *out = (const char *)r->data[column] + row * size;
  for (*bytes = size; *bytes > 0 && (*out)[*bytes - 1] == '\0';) *bytes -= 1;
}

static void close_records(struct table *table) {
  struct records_table *const r = (struct records_table *)table;
  for (size_t c = 0; r->data && c < table->columns; c++) free(r->data[c]);
  free(r->data);
  free(r->raw);
  npy_fields_free(&r->fields);
  table_free_columns(table);
  free(r);
}

int npy_table(struct input *in, bool again, struct table **out, struct failure *why) {
  static const struct table_format format = {
      .next = next, .restart = restart, .text = text, .close = close_records};
  struct records_table *const r = calloc(1, sizeof *r);
  if (!r) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  r->table.format = &format;
  r->table.stream = in->stream;
  r->table.name = in->name;
  *out = &r->table;
  if (again && stream_keep(in->stream, why) != 0) return -1;
  return read_header(r, why) != 0 ? -1 : name_columns(r, why);
}
