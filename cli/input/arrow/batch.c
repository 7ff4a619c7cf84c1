/* batch.c - the wanted values of a record batch or of a dictionary, checked so that later nothing needs to be
 *
 * Method  The buffers of the wanted columns are gathered, read in order (buffer.c), and then looked through: enough
 *         elements for the rows, offsets that rise and end within the characters, views that lie in their buffers. */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

struct body {
  struct arrow_reader *r;
  struct flat *flat;
  struct flat_vector nodes, buffers, counts; /* of the buffers of views */
  uint64_t rows;
  enum arrow_codec codec;
  struct arrow_wanted *wanted;
  size_t count; /* of them; there is room for all buffers */
};

void arrow_free_values(struct arrow_values *v) {
  free(v->valid.data);
  free(v->main.data);
  free(v->text.data);
  for (size_t i = 0; i < v->view_count; i++) free(v->views[i].data);
  free(v->views);
  memset(v, 0, sizeof *v);
}

static int no_sense(const struct body *b, struct failure *why) {
  return arrow_damaged(b->r, "a batch does not go with its schema", why);
}

/* ---- what is wanted ------------------------------------------------------------------------ */

static int want(struct body *b, size_t buffer, struct arrow_buffer *to, struct failure *why) {
  if (buffer >= b->buffers.count || b->count == b->buffers.count) return no_sense(b, why);
  const size_t at = b->buffers.at + 16 * buffer;
  const int64_t offset = flat_i64(b->flat, at), bytes = flat_i64(b->flat, at + 8);
  if (offset < 0 || bytes < 0) return no_sense(b, why);
  b->wanted[b->count++] = (struct arrow_wanted){(uint64_t)offset, (uint64_t)bytes, to};
  return 0;
}

/* Buffers of the views before this one; *own of this one, if it is one. */
static int count_views(const struct body *b, size_t view, bool is_view, size_t *before, size_t *own,
                       struct failure *why) {
  *before = *own = 0;
  for (size_t i = 0; i < view + is_view; i++) {
    if (i >= b->counts.count) return no_sense(b, why);
    const int64_t count = flat_i64(b->flat, b->counts.at + 8 * i);
    if (count < 0 || (uint64_t)count > b->buffers.count - *before) return no_sense(b, why);
    *own = (size_t)count;
    if (i < view) *before += *own;
  }
  return 0;
}

static int want_views(struct body *b, struct arrow_values *v, size_t buffer, size_t own,
                      struct failure *why) {
  if (own > v->view_count) {
    struct arrow_buffer *const more = realloc(v->views, own * sizeof *more);
    if (!more) return fail(why, EXIT_DATA, "%s: no memory for a batch", b->r->table.name);
    memset(more + v->view_count, 0, (own - v->view_count) * sizeof *more);
    v->views = more;
    v->view_count = own;
  }
  for (size_t i = 0; i < v->view_count; i++) v->views[i].bytes = 0;
  for (size_t i = 0; i < own; i++)
    if (want(b, buffer + 2 + i, &v->views[i], why) != 0) return -1;
  return 0;
}

/* Where the values begin in a batch. */
struct slot {
  size_t node, buffer, view;
};

static int want_values(struct body *b, struct arrow_values *v, struct slot at,
                       struct failure *why) {
  size_t before = 0, own = 0;
  if (at.node >= b->nodes.count) return no_sense(b, why);
  const int64_t rows = flat_i64(b->flat, b->nodes.at + 16 * at.node);
  const bool views = v->layout == ARROW_TEXT_VIEW;
  if (rows < 0 || (uint64_t)rows != b->rows) return no_sense(b, why);
  v->rows = (size_t)rows;
  v->all_valid = flat_i64(b->flat, b->nodes.at + 16 * at.node + 8) == 0;
  v->text.bytes = 0;
  if (count_views(b, at.view, views, &before, &own, why) != 0) return -1;
  const size_t buffer = at.buffer + before;
  if (!v->all_valid && want(b, buffer, &v->valid, why) != 0) return -1;
  if (want(b, buffer + 1, &v->main, why) != 0) return -1;
  if (views) return want_views(b, v, buffer, own, why);
  return v->layout == ARROW_TEXT || v->layout == ARROW_TEXT_64 ? want(b, buffer + 2, &v->text, why)
                                                               : 0;
}

/* ---- what came ----------------------------------------------------------------------------- */

/* Offsets, rows + 1 of them, rise within the text. No offsets at all are those of no rows. */
static bool check_offsets(const struct arrow_values *v, size_t size) {
  uint64_t before = 0;
  if (v->rows == 0) return true;
  if (v->main.bytes / size <= v->rows) return false;
  for (size_t i = 0; i <= v->rows; i++) {
    uint64_t offset = 0;
    memcpy(&offset, v->main.data + i * size, size);
    if (offset < before || offset > v->text.bytes) return false;
    before = offset;
  }
  return true;
}

static bool check_view(const struct arrow_values *v, const unsigned char *view) {
  int32_t length, buffer, offset;
  memcpy(&length, view, 4);
  memcpy(&buffer, view + 8, 4);
  memcpy(&offset, view + 12, 4);
  if (length >= 0 && length <= 12) return true;
  if (length < 0 || buffer < 0 || offset < 0 || (size_t)buffer >= v->view_count) return false;
  const size_t bytes = v->views[buffer].bytes;
  return (size_t)offset <= bytes && (size_t)length <= bytes - (size_t)offset;
}

static bool check_values(const struct arrow_values *v) {
  if (!v->all_valid && v->valid.bytes < v->rows / 8 + (v->rows % 8 > 0)) return false;
  switch (v->layout) {
  case ARROW_PLAIN: return v->main.bytes / heddle_type_size(v->type) >= v->rows;
  case ARROW_BITS: return v->main.bytes >= v->rows / 8 + (v->rows % 8 > 0);
  case ARROW_TEXT: return check_offsets(v, 4);
  case ARROW_TEXT_64: return check_offsets(v, 8);
  case ARROW_TEXT_VIEW: break;
  case ARROW_NONE: return false;
  }
  if (v->main.bytes / 16 < v->rows) return false;
  for (size_t i = 0; i < v->rows; i++)
    if ((v->all_valid || table_bit(v->valid.data, i)) && !check_view(v, v->main.data + 16 * i))
      return false;
  return true;
}

/* ---- batches ------------------------------------------------------------------------------- */

static int begin(struct body *b, struct arrow_reader *r, const struct arrow_batch *batch,
                 struct failure *why) {
  const struct flat_table *const t = &batch->table;
  *b = (struct body){.r = r, .flat = batch->flat};
  const int64_t rows = flat_number(b->flat, t, 0, 8, 0);
  const struct flat_table packed = flat_child(b->flat, t, 3);
  b->nodes = flat_list(b->flat, t, 1, 16);
  b->buffers = flat_list(b->flat, t, 2, 16);
  b->counts = flat_list(b->flat, t, 4, 8);
  const int64_t codec = flat_number(b->flat, &packed, 0, 1, 0);
  if (b->flat->bad || rows < 0 || (uint64_t)rows > SIZE_MAX / 32) return no_sense(b, why);
  if (packed.at != 0 && codec > 1) return no_sense(b, why);
  b->codec = packed.at == 0 ? ARROW_UNPACKED : codec == 0 ? ARROW_LZ4 : ARROW_ZSTD;
  b->rows = (uint64_t)rows;
  b->wanted = calloc(b->buffers.count + 1, sizeof *b->wanted);
  return b->wanted ? 0 : fail(why, EXIT_DATA, "%s: no memory for a batch", r->table.name);
}

/* What of the column the batch itself has. */
static void set_layout(struct arrow_column *c) {
  c->values.layout = c->dictionary ? ARROW_PLAIN : c->layout;
  c->values.type = c->dictionary ? c->index : c->type;
}

int arrow_take_batch(struct arrow_reader *r, const struct arrow_batch *batch, struct failure *why) {
  struct body b;
  struct table *const t = &r->table;
  int status = begin(&b, r, batch, why);
  for (size_t i = 0; i < t->columns && status == 0; i++) {
    struct arrow_column *const c = &r->column[i];
    if (!t->column[i].wanted) continue;
    set_layout(c);
    status = want_values(&b, &c->values, (struct slot){c->node, c->buffer, c->view}, why);
  }
  if (status == 0 && b.flat->bad) status = no_sense(&b, why);
  if (status == 0) status = arrow_read_buffers(r, batch->body, b.wanted, b.count, b.codec, why);
  for (size_t i = 0; i < t->columns && status == 0; i++) {
    struct arrow_column *const c = &r->column[i];
    if (!t->column[i].wanted) continue;
    if (!check_values(&c->values)) status = no_sense(&b, why);
    t->part[i].values = c->values.main.data;
    t->part[i].valid = c->values.all_valid ? NULL : c->values.valid.data;
    if (status == 0 && c->dictionary) status = arrow_look_up(r, i, why);
  }
  t->rows = status == 0 ? (size_t)b.rows : 0;
  free(b.wanted);
  return status;
}

int arrow_take_words(struct arrow_reader *r, const struct arrow_batch *batch, int64_t id,
                     struct failure *why) {
  struct body b;
  size_t i = 0;
  while (i < r->table.columns &&
         !(r->table.column[i].wanted && r->column[i].dictionary && r->column[i].id == id))
    i++;
  if (i == r->table.columns) return arrow_skip(r, batch->body, why);
  struct arrow_values *const v = &r->column[i].words;
  v->layout = r->column[i].layout;
  v->type = r->column[i].type;
  int status = begin(&b, r, batch, why);
  if (status == 0) status = want_values(&b, v, (struct slot){0, 0, 0}, why);
  if (status == 0 && b.flat->bad) status = no_sense(&b, why);
  if (status == 0) status = arrow_read_buffers(r, batch->body, b.wanted, b.count, b.codec, why);
  if (status == 0 && !check_values(v)) status = no_sense(&b, why);
  if (status != 0) v->rows = 0;
  free(b.wanted);
  return status;
}
