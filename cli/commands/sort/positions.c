/* positions.c - heddle argsort: the positions that sort the elements of an input
 *
 * Method  As elements.c, with keys and positions side by side, and records of both in runs. Equal elements
 *         have one key, so that they stay in their order. Text is passed over beforehand to find its type:
 *         whether two integers are equal depends on what comes later. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "merge.h"
#include "output.h"

struct gathered {
  struct sorting *g;
  struct sort_order order;
  size_t count, room, capacity;
  uint64_t *keys, *positions;
  uint64_t next; /* position of what is read */
  bool bounded;  /* all N wanted are there: elements from the key `bound` on are not among them */
  uint64_t bound;
};

enum { BLOCK = 512 };

static int sort_gathered(struct gathered *a, struct failure *why) {
  const struct sorting *const g = a->g;
  if (command_check(heddle_sort_pairs(g->ctx, HEDDLE_U64, a->keys, sizeof *a->positions,
                                      a->positions, a->count, a->keys, a->positions, NULL),
                    g->src.path, why) != 0)
    return -1;
  struct sort_first first = {.any = false};
  if (g->unique) a->count = sort_first_of_each(&a->order, &first, a->keys, a->positions, a->count);
  if (a->count > g->head) a->count = (size_t)g->head;
  return 0;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static int add_run(struct gathered *a, struct failure *why) {
  struct run *run;
  if (runs_add(&a->g->runs, &run, why) != 0 ||
      merge_append(run, a->keys, a->positions, a->count, why) != 0)
    return -1;
  a->count =
      0; /* and `bounded` is not set: its N take less than half of the room, and are all there is */
  return 0;
}

static int flush(struct gathered *a, struct failure *why) {
  if (sort_gathered(a, why) != 0) return -1;
  if (a->count > a->capacity / 2)
    return add_run(a, why) != 0 ? -1 : merge_levels(a->g, MERGE_POSITIONS, &a->order, why);
  a->bounded = a->count == a->g->head;
  if (a->bounded) a->bound = a->keys[a->count - 1];
  return 0;
}

/* ---- reading ------------------------------------------------------------------------------- */

static int make_room(struct gathered *a, struct failure *why) {
  if (a->count + BLOCK <= a->room || a->room == a->capacity) return 0;
  size_t room = a->room < 2 * BLOCK ? 2 * BLOCK : a->room + a->room / 2;
  if (room > a->capacity) room = a->capacity;
  uint64_t *const keys = realloc(a->keys, room * sizeof *keys);
  if (keys) a->keys = keys;
  uint64_t *const positions = keys ? realloc(a->positions, room * sizeof *positions) : NULL;
  if (!positions)
    return fail(why, EXIT_DATA, "%s: out of memory after %zu elements; give less by -S",
                command_file_label(a->g->src.path), a->count);
  a->positions = positions;
  a->room = room;
  return 0;
}

static int take(struct gathered *a, const void *data, size_t n, struct failure *why) {
  const size_t size = heddle_type_size(a->order.type);
  const unsigned char *from = data;
  uint64_t keys[BLOCK];
  for (size_t m; n > 0 && a->g->head > 0; n -= m, from += m * size) {
    if (a->count == a->capacity && flush(a, why) != 0) return -1;
    if (make_room(a, why) != 0) return -1;
    m = n < BLOCK ? n : BLOCK;
    if (m > a->room - a->count) m = a->room - a->count;
    sort_keys(&a->order, from, m, keys);
    for (size_t i = 0; i < m; i++) {
      const uint64_t key = sort_tied(&a->order, keys[i]);
      a->keys[a->count] = key;
      a->positions[a->count] = a->next++;
      a->count += !a->bounded || key < a->bound;
    }
  }
  return 0;
}

static int gather(struct gathered *a, struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(&a->g->src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    if (take(a, data[0], n, why) != 0) return -1;
  }
}

/* ---- the command --------------------------------------------------------------------------- */

static int write_gathered(struct gathered *a, struct failure *why) {
  struct sort_output out;
  if (a->count > 0 && sort_gathered(a, why) != 0) return -1;
  if (sort_output_open(a->g, HEDDLE_U64, a->count, &out, why) != 0) return -1;
  return sort_output_close(&out, sort_output_write(&out, a->positions, a->count, why), why);
}

static int emit_positions(void *user, const void *keys, const uint64_t *positions, size_t n,
                          struct failure *why) {
  (void)keys;
  return sort_output_write(user, positions, n, why);
}

static int write_merged(struct gathered *a, struct failure *why) {
  struct sorting *const g = a->g;
  struct sort_output out;
  if (a->count > 0 && (sort_gathered(a, why) != 0 || add_run(a, why) != 0)) return -1;
  free(a->keys);
  free(a->positions);
  a->keys = a->positions = NULL; /* the memory is for buffers */
  const uint64_t items = runs_items(&g->runs), count = items < g->head ? items : g->head;
  if (sort_output_open(g, HEDDLE_U64, g->unique ? UINT64_MAX : count, &out, why) != 0) return -1;
  const int status = merge_runs(g, g->runs.all, g->runs.count, MERGE_POSITIONS, &a->order,
                                emit_positions, &out, why);
  return sort_output_close(&out, status, why);
}

int sort_positions(struct sorting *g, struct failure *why) {
  struct gathered a = {.g = g};
  a.order = sort_order_of(input_type(g->src.in), g->reverse);
  int status = sort_capacity(g, HEDDLE_SORT_PAIRS, HEDDLE_U64, sizeof *a.positions, POSITION_RECORD,
                             &a.capacity, why);
  if (status == 0) status = gather(&a, why);
  if (status == 0) status = g->runs.count > 0 ? write_merged(&a, why) : write_gathered(&a, why);
  free(a.keys);
  free(a.positions);
  return status;
}
