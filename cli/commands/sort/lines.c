/* lines.c - heddle sort -k: the lines of a table by columns of numbers
 *
 * Method  Lines are gathered with their keys until the memory is full, then sorted into a run or, with
 *         --head, cut to the first N. The type of a column is found out as it comes: integers until
 *         something else stands in it, from there on all of it f64.
 * Limits  Integers beyond 2^53 in a column that has other numbers further on: where lines were put in order by
 *         them already, as f64 they might have had another, and that is an error.
 * Text    What stands before the first row stays in front; comments and blank lines behind it go. */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/format.h"
#include "text/record.h"
#include "text/types.h"

/* With --head, lines are looked through when there are so many, or four times those wanted. */
enum { HEAD_LEAST = 1 << 15 };

struct block {
  size_t rows;
  const void *data[INPUT_MAX_COLUMNS]; /* of l->type */
  void *converted[INPUT_MAX_COLUMNS];  /* owned */
};

/* ---- columns ------------------------------------------------------------------------------- */

static void set_bound(struct lines *l) {
  const struct sort_order order = lines_order_of(l, 0);
  if (!l->bounded) return;
  sort_keys(&order, &l->key[0][l->g->head - 1], 1, &l->bound);
  l->bound = sort_tied(&order, l->bound);
}

static int set_type(struct lines *l, size_t k, heddle_type type, struct failure *why) {
  if (l->decided[k] && type == HEDDLE_F64) {
    char shown[60];
    const char *const name = l->g->s->keys[k];
    text_show(name, strlen(name), shown, sizeof shown);
    return fail(why, EXIT_DATA,
                "%s: column '%s' has integers beyond 2^53, and other numbers after a part was "
                "sorted by them; read it as one type: --type f64",
                command_file_label(l->g->src.path), shown);
  }
  if (sort_retype(l->type[k], type, l->key[k], l->count, why) != 0) return -1;
  l->type[k] = type;
  if (k == 0) set_bound(l);
  return 0;
}

/* Column k of a block that was read, as elements of l->type[k]. */
static int take_column(struct lines *l, struct block *b, size_t k, bool first,
                       struct failure *why) {
  struct source *const src = &l->g->src;
  const heddle_type type = input_type(src->in), widest = type_widest(type);
  if (src->integers) {
    size_t rows;
    heddle_type integers;
    const void *const whole = input_integers(src->in, k, &rows, &integers);
    const bool still = whole && rows == b->rows && (first || l->type[k] != HEDDLE_F64);
    if (still) b->data[k] = whole;
    const heddle_type now = still ? integers : HEDDLE_F64;
    return now == l->type[k] ? 0 : set_type(l, k, now, why);
  }
  l->type[k] = widest;
  if (type == widest) return 0;
  free(b->converted[k]);
  b->converted[k] = command_allocate(b->rows, sizeof(uint64_t), "elements", why);
  if (!b->converted[k] ||
      command_check(heddle_convert(type, b->data[k], widest, b->converted[k], b->rows), NULL,
                    why) != 0)
    return -1;
  b->data[k] = b->converted[k];
  return 0;
}

/* ---- gathering ----------------------------------------------------------------------------- */

static int make_room(struct lines *l, size_t rows, size_t bytes, struct failure *why) {
  bool failed = false;
  if (bytes > l->text_room - l->used) {
    size_t room = l->text_room + l->text_room / 2;
    if (room < l->used + bytes) room = l->used + bytes;
    char *const text = realloc(l->text, room);
    failed = !text;
    if (text) l->text = text;
    if (text) l->text_room = room;
  }
  if (rows > l->room - l->count) {
    size_t room = l->room + l->room / 2;
    if (room < l->count + rows) room = l->count + rows;
    size_t *const end = realloc(l->end, room * sizeof *end);
    failed |= !end;
    if (end) l->end = end;
    for (size_t k = 0; k < l->keys; k++) {
      uint64_t *const key = realloc(l->key[k], room * sizeof *key);
      failed |= !key;
      if (key) l->key[k] = key;
    }
    if (!failed) l->room = room;
  }
  if (!failed) return 0;
  return fail(why, EXIT_DATA, "%s: out of memory after %zu lines; give less by -S",
              command_file_label(l->g->src.path), l->count);
}

/* Whether row i, whose first key comes behind those of the N lines that are there. */
static bool is_behind(const struct lines *l, const struct block *b, size_t i) {
  const struct sort_order order = lines_order_of(l, 0);
  uint64_t key;
  sort_keys(&order, (const unsigned char *)b->data[0] + i * sizeof key, 1, &key);
  key = sort_tied(&order, key);
  return key > l->bound || (key == l->bound && l->keys == 1);
}

/* Rows [first, last) of a block. */
static int append(struct lines *l, const struct block *b, const struct input_lines *text,
                  size_t first, size_t last, struct failure *why) {
  const size_t start = first == 0 ? 0 : text->end[first - 1], n = last - first;
  const size_t bytes = n == 0 ? 0 : text->end[last - 1] - start;
  if (n == 0) return 0;
  if (make_room(l, n, bytes, why) != 0) return -1;
  memcpy(l->text + l->used, text->text + start, bytes);
  for (size_t i = 0; i < n; i++) l->end[l->count + i] = text->end[first + i] - start + l->used;
  for (size_t k = 0; k < l->keys; k++)
    memcpy(l->key[k] + l->count, (const uint64_t *)b->data[k] + first, n * sizeof(uint64_t));
  l->used += bytes;
  l->count += n;
  return 0;
}

/* Whether one line more is more than is wanted at a time: the memory, or enough for --head. */
static bool is_full(const struct lines *l, size_t count, size_t bytes, size_t cost) {
  const size_t memory = l->g->memory;
  if (count <= 1) return false;
  return count > l->most || bytes > memory || (memory - bytes) / cost < count;
}

static int take(struct lines *l, const struct block *b, size_t cost, struct failure *why) {
  const struct input_lines text = input_lines(l->g->src.in);
  for (size_t i = 0; i < b->rows && l->g->head > 0;) {
    const size_t start = i == 0 ? 0 : text.end[i - 1];
    size_t last = i;
    bool full = false;
    while (last < b->rows && !(l->bounded && is_behind(l, b, last))) {
      full = is_full(l, l->count + (last - i) + 1, l->used + (text.end[last] - start), cost);
      if (full) break;
      last++;
    }
    if (append(l, b, &text, i, last, why) != 0) return -1;
    if (full && lines_flush(l, why) != 0) return -1;
    i = full ? last : last + 1;
  }
  return 0;
}

static int gather(struct lines *l, struct failure *why) {
  struct source *const src = &l->g->src;
  struct block b = {.rows = 0};
  size_t cost;
  int status = lines_cost(l, &cost, why);
  for (bool first = true; status == 0; first = false) {
    status = source_next(src, b.data, &b.rows, why);
    if (b.rows == 0) break;
    for (size_t k = 0; k < l->keys && status == 0; k++) status = take_column(l, &b, k, first, why);
    if (status == 0) status = take(l, &b, cost, why);
  }
  for (size_t k = 0; k < l->keys; k++) free(b.converted[k]);
  return status;
}

/* ---- the command --------------------------------------------------------------------------- */

static int write_lines(struct lines *l, struct failure *why) {
  struct sorting *const g = l->g;
  const struct input_lines text = input_lines(g->src.in);
  struct sink out;
  int status = 0;
  if (l->count > 0) status = lines_order(l, why);
  if (status == 0 && g->runs.count > 0 && l->count > 0) status = lines_add_run(l, why);
  if (g->runs.count > 0) lines_forget(l); /* the memory is for buffers */
  if (status != 0 || sink_open(&out, g->s->output, why) != 0) return -1;
  sink_write(&out, text.front, text.front_bytes);
  for (size_t i = 0; i < l->ordered && !out.failed; i++) {
    const size_t at = l->index[i], start = lines_start(l, at);
    lines_prefetch(l, i);
    sink_write(&out, l->text + start, l->end[at] - start);
  }
  if (g->runs.count > 0) status = lines_merge(l, &out, why);
  if (status == 0) return sink_close(&out, why);
  sink_drop(&out);
  return -1;
}

int sort_lines(struct sorting *g, struct failure *why) {
  struct lines l = {.g = g, .keys = g->s->key_count, .most = LINES_MOST};
  if (g->head < HEAD_LEAST / 4)
    l.most = HEAD_LEAST;
  else if (g->head < LINES_MOST / 4)
    l.most = 4 * (size_t)g->head;
  for (size_t k = 0; k < l.keys; k++) {
    l.reverse[k] = g->reverse != g->s->key_reversed[k];
    l.type[k] = type_widest(input_type(g->src.in));
  }
  g->src.integers = input_type(g->src.in) == HEDDLE_F64 && input_has_integers(g->src.in);
  int status = output_check_lines(g->s, input_lines(g->src.in).delimiter,
                                  command_file_label(g->src.path), why);
  if (status == 0) status = gather(&l, why);
  if (status == 0) status = write_lines(&l, why);
  const uint64_t comments = input_lines(g->src.in).comments;
  if (status == 0 && comments > 0)
    command_note(g->s, "%s: %llu comment%s behind the first row passed over",
                 command_file_label(g->src.path), (unsigned long long)comments,
                 comments == 1 ? "" : "s");
  lines_forget(&l);
  return status;
}
