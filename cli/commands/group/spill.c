/* spill.c - rows as bytes, in one of the parts that four bits of the hash name
 *
 * Row     bytes of all that follows, bytes of the key: u32 each; which columns are of f64: a bit each. The key; of
 *         each column 8 bytes, or a text behind its length. */
#include "spill.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "output/interrupt.h"

enum {
  HEAD = 2 * sizeof(uint32_t) + sizeof(uint64_t),
  BATCH_ROWS = 1 << 14,
  BATCH_BYTES = 1 << 20,
  READ_BYTES = 1 << 18
};

_Static_assert(GROUP_FIGURES <= 64, "a row has a bit for the column of each figure");

void spill_start(struct spill *s, const struct asked *q) {
  memset(s, 0, sizeof *s);
  s->q = q;
  for (size_t i = 0; i < SPILL_PARTS; i++)
    s->part[i].runs.use = (struct spool_use){command_file_label(q->path), q->s->tmp,
                                             "is grouped in parts", "name by --tmp a folder"};
}

static void put(unsigned char **at, const void *data, size_t bytes) {
  if (bytes > 0) memcpy(*at, data, bytes);
  *at += bytes;
}

static int make_room(struct spill *s, size_t bytes, struct failure *why) {
  if (bytes <= s->room) return 0;
  unsigned char *const row = realloc(s->row, 2 * bytes);
  if (!row) return fail(why, EXIT_DATA, "%s: out of memory", command_file_label(s->q->path));
  s->row = row;
  s->room = 2 * bytes;
  return 0;
}

int spill_write(struct spill *s, unsigned level, const struct spill_row *row, struct failure *why) {
  struct spill_part *const part =
      &s->part[row->hash >> (64 - SPILL_BITS * (level + 1)) & (SPILL_PARTS - 1)];
  size_t bytes = HEAD + row->key_bytes;
  uint64_t real = 0;
  for (size_t c = 0; c < s->q->columns; c++)
    bytes += s->q->column[c].text ? sizeof(uint32_t) + row->text_bytes[c] : sizeof(uint64_t);
  if (make_room(s, bytes, why) != 0) return -1;
  for (size_t c = 0; c < s->q->columns; c++)
    real |= (uint64_t)(!s->q->column[c].text && row->type[c] == HEDDLE_F64) << c;
  const uint32_t head[] = {(uint32_t)(bytes - sizeof(uint32_t)), (uint32_t)row->key_bytes};
  unsigned char *at = s->row;
  put(&at, head, sizeof head);
  put(&at, &real, sizeof real);
  put(&at, row->key, row->key_bytes);
  for (size_t c = 0; c < s->q->columns; c++) {
    const uint32_t length = (uint32_t)row->text_bytes[c];
    if (!s->q->column[c].text) {
      put(&at, &row->value[c], sizeof row->value[c]);
      continue;
    }
    put(&at, &length, sizeof length);
    put(&at, row->text[c], length);
  }
  if (!part->writing && run_writer_open(&part->runs, &part->writer, why) != 0) return -1;
  part->writing = s->open = true;
  part->writer.run->items += 1;
  return run_write(&part->writer, s->row, bytes, why);
}

int spill_end(struct spill *s, struct failure *why) {
  int status = 0;
  for (size_t i = 0; i < SPILL_PARTS; i++) {
    struct spill_part *const part = &s->part[i];
    if (!part->writing) continue;
    part->writing = false;
    status = run_writer_close(&part->writer, status, why);
  }
  free(s->row);
  s->row = NULL;
  s->room = 0;
  return status;
}

/* ---- back -------------------------------------------------------------------------------------------- */

static int to_batch(struct batch *b, const unsigned char *row, size_t bytes, struct failure *why) {
  const struct asked *const q = b->q;
  uint32_t key_bytes;
  uint64_t real;
  bool added;
  memcpy(&key_bytes, row, sizeof key_bytes);
  memcpy(&real, row + sizeof key_bytes, sizeof real);
  const char *at = (const char *)row + sizeof key_bytes + sizeof real;
  const char *const end = (const char *)row + bytes;
  if (batch_grow(b, why) != 0 || batch_intern(&b->groups, b->rows, at, key_bytes, &added, why) != 0)
    return -1;
  at += key_bytes;
  for (size_t c = 0; c < q->columns && at < end; c++) {
    uint32_t length;
    if (q->column[c].text) {
      memcpy(&length, at, sizeof length);
      at += sizeof length;
      if (batch_intern(&b->column[c].texts, b->rows, at, length, &added, why) != 0) return -1;
      at += length;
      continue;
    }
    uint64_t *const value = &b->column[c].values[b->rows];
    memcpy(value, at, sizeof *value);
    at += sizeof *value;
    if (b->column[c].type == HEDDLE_F64 && (real >> c & 1) == 0 &&
        batch_widen(value, 1, &b->column[c].rounded, why) != 0)
      return -1;
  }
  b->rows += 1;
  return 0;
}

/* The next row, whole in the reader's buffer; *bytes 0 at the end. */
static int next_row(struct run_reader *r, uint32_t *bytes, struct failure *why) {
  for (;;) {
    const size_t have = (size_t)(r->end - r->at);
    size_t got;
    if (have >= sizeof *bytes) {
      memcpy(bytes, r->at, sizeof *bytes);
      if (have - sizeof *bytes >= *bytes) return 0;
    }
    if (run_refill(r, &got, why) != 0) return -1;
    if (got > 0) continue;
    *bytes = 0;
    return 0;
  }
}

static int hand_on(struct batch *b, spill_take *take, void *user, struct failure *why) {
  if (interrupt_poll(NULL)) return fail(why, EXIT_INTERRUPTED, "interrupted");
  if (take(user, b, why) != 0) return -1;
  batch_clear(b);
  return 0;
}

int spill_read(struct spill *s, size_t index, const heddle_type *types, spill_take *take,
               void *user, struct failure *why) {
  struct runs *const runs = &s->part[index].runs;
  struct batch b;
  if (runs->count == 0) return 0;
  struct run_reader *const reader = runs_read(runs->all, 1, READ_BYTES, why);
  if (!reader) return -1;
  batch_start(&b, s->q);
  for (size_t c = 0; c < s->q->columns; c++) b.column[c].type = types[c];
  int status = 0;
  for (size_t in_batch = 0; status == 0;) {
    uint32_t bytes = 0;
    status = next_row(reader, &bytes, why);
    if (status != 0 || bytes == 0) break;
    status = to_batch(&b, reader->at + sizeof bytes, bytes, why);
    reader->at += sizeof bytes + bytes;
    in_batch += bytes;
    if (status != 0 || (b.rows < BATCH_ROWS && in_batch < BATCH_BYTES)) continue;
    status = hand_on(&b, take, user, why);
    in_batch = 0;
  }
  if (status == 0) status = hand_on(&b, take, user, why);
  runs_read_end(reader, 1);
  runs_close(runs);
  memset(runs, 0, sizeof *runs);
  batch_free(&b);
  return status;
}

void spill_free(struct spill *s) {
  for (size_t i = 0; i < SPILL_PARTS; i++) {
    if (s->part[i].writing) free(s->part[i].writer.buffer);
    runs_close(&s->part[i].runs);
    memset(&s->part[i].runs, 0, sizeof s->part[i].runs);
    s->part[i].writing = false;
  }
  free(s->row);
  s->row = NULL;
}
