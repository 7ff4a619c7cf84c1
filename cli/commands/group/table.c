/* table.c - batches behind each other: their ids to the table's, their columns to its types */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "base/large_memory.h"
#include "commands/command.h"

/* Positions of rows are of 32 bits. */
#define ROWS_MOST ((size_t)UINT32_MAX - (1u << 24))

enum {
  FOLD_ROWS = 1 << 18, /* that are folded at once; they and what orders them stay in the cache */
  FOLD_GROUP_ROWS = 1 << 7,
  FOLD_BYTES = 64 << 20 /* of states, beyond which rows take less */
};

/* Bytes of a row besides its columns: id, place in the order of groups, and what figures and the sort take. */
enum { ROW_COST = 40 };

void table_start(struct group_table *t, const struct asked *q, heddle_context *ctx, size_t memory,
                 unsigned level) {
  memset(t, 0, sizeof *t);
  t->q = q;
  t->ctx = ctx;
  t->memory = memory;
  t->level = level;
  t->generation = 1;
  for (size_t k = 0; k < q->keys; k++) t->numbers[k] = true;
  for (size_t c = 0; c < q->columns; c++) t->column[c].type = HEDDLE_I64;
  spill_start(&t->spill, q);
}

void table_release(struct group_table *t) {
  keys_free(&t->keys);
  large_memory_free(t->ids, t->ids_room * sizeof *t->ids);
  t->ids = NULL;
  for (size_t c = 0; c < t->q->columns; c++) {
    struct group_column *const column = &t->column[c];
    if (t->q->column[c].text)
      large_memory_free(column->ids, column->room * sizeof *column->ids);
    else
      large_memory_free(column->values, column->room * sizeof *column->values);
    keys_free(&column->texts);
    column->values = NULL;
    column->ids = NULL;
    column->room = 0;
  }
  held_free(&t->held);
  t->rows = t->room = t->ids_room = 0;
}

void table_free(struct group_table *t) {
  table_release(t);
  spill_free(&t->spill);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static bool grow(void *pointer, size_t *had, size_t room, size_t size) {
  void **const memory = pointer;
  void *const larger = large_memory_grow(*memory, *had * size, room * size);
  if (!larger) return false;
  *memory = larger;
  *had = room;
  return true;
}

static int make_room(struct group_table *t, size_t more, struct failure *why) {
  if (t->room > 0 && more <= t->room - t->rows) return 0;
  const size_t room = t->room + t->room / 2 + more + 1;
  bool good = grow(&t->ids, &t->ids_room, room, sizeof *t->ids);
  for (size_t c = 0; c < t->q->columns && good; c++) {
    struct group_column *const column = &t->column[c];
    good = t->q->column[c].text
               ? grow(&column->ids, &column->room, room, sizeof *column->ids)
               : grow(&column->values, &column->room, room, sizeof *column->values);
  }
  if (!good)
    return fail(why, EXIT_DATA, "%s: out of memory after %zu rows; give less by -S",
                command_file_label(t->q->path), t->rows);
  t->room = room;
  return 0;
}

static size_t bytes_of(const struct group_table *t) {
  size_t bytes = keys_bytes(&t->keys) + t->held.groups * held_cost(t->q), row = ROW_COST;
  for (size_t c = 0; c < t->q->columns; c++) {
    row += t->q->column[c].text ? sizeof(uint32_t) : sizeof(uint64_t);
    bytes += keys_bytes(&t->column[c].texts);
  }
  return bytes + t->rows * row;
}

/* ---- what does not fit ------------------------------------------------------------------------------- */

static int spill_table_row(struct group_table *t, size_t row, struct failure *why) {
  struct spill_row out;
  out.key = keys_text(&t->keys, t->ids[row], &out.key_bytes);
  out.hash = keys_hash(out.key, out.key_bytes);
  for (size_t c = 0; c < t->q->columns; c++) {
    const struct group_column *const column = &t->column[c];
    out.type[c] = column->type;
    if (t->q->column[c].text)
      out.text[c] = keys_text(&column->texts, column->ids[row], &out.text_bytes[c]);
    else
      out.value[c] = column->values[row];
  }
  return spill_write(&t->spill, t->level, &out, why);
}

static int spill_batch_row(struct group_table *t, const struct batch *b, size_t row,
                           struct failure *why) {
  struct spill_row out;
  const uint32_t id = b->groups.ids[row];
  out.key = keys_text(&b->groups.keys, id, &out.key_bytes);
  out.hash = keys_hash(out.key, out.key_bytes);
  for (size_t c = 0; c < t->q->columns; c++) {
    const struct batch_column *const column = &b->column[c];
    out.type[c] = column->type;
    if (t->q->column[c].text)
      out.text[c] = keys_text(&column->texts.keys, column->texts.ids[row], &out.text_bytes[c]);
    else
      out.value[c] = column->values[row];
  }
  return spill_write(&t->spill, t->level, &out, why);
}

/* All rows to the states of their groups, which stay. */
static int fold_rows(struct group_table *t, struct failure *why) {
  if (held_take(t, t->keys.count, why) != 0) return -1;
  for (size_t c = 0; c < t->q->columns; c++) keys_cut(&t->column[c].texts, 0);
  t->rows = 0;
  t->generation += 1;
  return 0;
}

/* Few groups, and rows enough that a state is given many at once: they need not be kept. */
static bool is_worth_folding(const struct group_table *t) {
  if (t->rows < FOLD_ROWS || t->rows / FOLD_GROUP_ROWS < t->keys.count || t->spill.open)
    return false;
  const size_t bytes = t->keys.count * held_cost(t->q);
  return held_can(t->q) && bytes <= FOLD_BYTES && bytes <= t->memory / 2;
}

/* Makes the table empty of rows. One group alone cannot be made smaller, nor can groups of one hash. */
static int relieve(struct group_table *t, struct failure *why) {
  size_t keep = t->held.groups;
  if (held_can(t->q) && !t->spill.open && t->keys.count * held_cost(t->q) <= t->memory / 2)
    keep = t->keys.count;
  if (keep == 0 && (t->keys.count <= 1 || t->level + 1 == SPILL_LEVELS)) {
    if (t->rows > ROWS_MOST)
      return fail(why, EXIT_DATA,
                  "%s: a group of more than %zu rows: quantiles and distinct texts need all of "
                  "them at once",
                  command_file_label(t->q->path), ROWS_MOST);
    t->memory = t->memory > SIZE_MAX / 2 ? SIZE_MAX : 2 * t->memory;
    return 0;
  }
  if (keep > 0 && held_take(t, keep, why) != 0) return -1;
  for (size_t row = 0; row < t->rows && keep < t->keys.count; row++)
    if (t->ids[row] >= keep && spill_table_row(t, row, why) != 0) return -1;
  keys_cut(&t->keys, keep);
  for (size_t c = 0; c < t->q->columns; c++) keys_cut(&t->column[c].texts, 0);
  t->rows = 0;
  t->generation += 1;
  return 0;
}

/* ---- batches ----------------------------------------------------------------------------------------- */

static int set_types(struct group_table *t, struct batch *b, struct failure *why) {
  for (size_t c = 0; c < t->q->columns; c++) {
    struct group_column *const ours = &t->column[c];
    struct batch_column *const its = &b->column[c];
    if (ours->type != its->type && !t->q->column[c].text) {
      if (ours->type == HEDDLE_I64 ? batch_widen(ours->values, t->rows, &ours->rounded, why)
                                   : batch_widen(its->values, b->rows, &its->rounded, why))
        return -1;
      ours->type = its->type = HEDDLE_F64;
    }
    ours->rounded |= its->rounded;
  }
  return 0;
}

/* The map of a batch's texts is as long as its table, and none of an older generation. */
static int fit_map(const struct group_table *t, const struct batch *b, struct interned *texts,
                   struct failure *why) {
  const size_t count = texts->keys.count;
  texts->fresh = t->spill.open ? count : texts->mapped;
  if (b->generation != t->generation) texts->mapped = 0;
  if (count <= texts->mapped) return 0;
  uint32_t *const map = realloc(texts->map, texts->keys.room * sizeof *map);
  if (!map) return fail(why, EXIT_DATA, "%s: out of memory", command_file_label(t->q->path));
  texts->map = map;
  memset(map + texts->mapped, 0xff, (count - texts->mapped) * sizeof *map);
  texts->mapped = count;
  return 0;
}

/* The table's id of one of a batch's texts, which is a new one if `add`; else it may be KEYS_NONE. */
static inline int map_id(struct interned *from, struct keys *to, uint32_t id, bool add,
                         uint32_t *out, struct failure *why) {
  *out = from->map[id];
  if (*out != KEYS_NONE) return 0;
  size_t length;
  const char *const text = keys_text(&from->keys, id, &length);
  if (!add)
    *out = keys_find(to, text, length, from->keys.tag[id]);
  else if (keys_id(to, text, length, from->keys.tag[id], out, why) != 0)
    return -1;
  from->map[id] = *out;
  return 0;
}

/* Texts that came with these rows; the table may be larger than any cache. */
static int map_new(struct interned *from, struct keys *to, struct failure *why) {
  const size_t count = from->keys.count;
  const uint32_t *const tag = from->keys.tag;
  for (size_t id = from->fresh; id < count; id++) {
    uint32_t mapped;
    keys_fetch(to, tag + id, count - id);
    if (map_id(from, to, (uint32_t)id, true, &mapped, why) != 0) return -1;
  }
  return 0;
}

static int map_all(struct interned *from, struct keys *to, size_t rows, uint32_t *out,
                   struct failure *why) {
  if (map_new(from, to, why) != 0) return -1;
  for (size_t row = 0; row < rows; row++)
    if (map_id(from, to, from->ids[row], true, &out[row], why) != 0) return -1;
  return 0;
}

/* Rows of groups that the table has are moved to the batch's front; the others go to disk. */
static int part_rows(struct group_table *t, struct batch *b, struct failure *why) {
  size_t kept = 0;
  for (size_t row = 0; row < b->rows; row++) {
    uint32_t id;
    if (map_id(&b->groups, &t->keys, b->groups.ids[row], false, &id, why) != 0) return -1;
    if (id == KEYS_NONE) {
      if (spill_batch_row(t, b, row, why) != 0) return -1;
      continue;
    }
    b->groups.ids[kept] = b->groups.ids[row];
    for (size_t c = 0; c < t->q->columns; c++) {
      struct batch_column *const column = &b->column[c];
      if (t->q->column[c].text)
        column->texts.ids[kept] = column->texts.ids[row];
      else
        column->values[kept] = column->values[row];
    }
    kept++;
  }
  b->rows = kept;
  return 0;
}

int table_add(struct group_table *t, struct batch *b, struct failure *why) {
  const struct asked *const q = t->q;
  t->taken += b->rows;
  for (size_t k = 0; k < q->keys; k++) t->numbers[k] &= b->numbers[k];
  int status = set_types(t, b, why);
  if (status == 0) status = fit_map(t, b, &b->groups, why);
  for (size_t c = 0; c < q->columns && status == 0; c++)
    if (q->column[c].text) status = fit_map(t, b, &b->column[c].texts, why);
  b->generation = t->generation;
  if (status == 0 && t->spill.open) status = part_rows(t, b, why);
  if (status == 0) status = make_room(t, b->rows, why);
  if (status == 0) status = map_all(&b->groups, &t->keys, b->rows, t->ids + t->rows, why);
  for (size_t c = 0; c < q->columns && status == 0; c++) {
    if (q->column[c].text)
      status = map_all(&b->column[c].texts, &t->column[c].texts, b->rows,
                       t->column[c].ids + t->rows, why);
    else if (b->rows > 0)
      memcpy(t->column[c].values + t->rows, b->column[c].values, b->rows * sizeof(uint64_t));
  }
  if (status != 0) return -1;
  t->rows += b->rows;
  if (is_worth_folding(t)) return fold_rows(t, why);
  return bytes_of(t) > t->memory || t->rows > ROWS_MOST ? relieve(t, why) : 0;
}
