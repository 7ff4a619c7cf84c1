/* elements.c - heddle sort: the elements of an input in order
 *
 * Method  As many elements as the memory takes are gathered and sorted where they lie; what does not fit
 *         becomes runs, which are merged. Of text the type is found out as it comes: integers that were
 *         gathered, or lie in a run, become f64 when something else than integers comes, which keeps their
 *         order. With --head N what cannot be among the first N is dropped as it is read. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "merge.h"
#include "output.h"
#include "text/types.h"

struct gathered {
  struct sorting *g;
  struct sort_order order;
  size_t size, count, room, capacity; /* in elements, but size, of one */
  unsigned char *elements;
  void *scratch;
  size_t scratch_bytes;
  bool bounded; /* all N wanted are there: elements from the key `bound` on are not among them */
  uint64_t bound;
};

enum { BLOCK = 512 };

/* ---- sorted in memory ---------------------------------------------------------------------- */

static void set_bound(struct gathered *a) {
  const uint64_t head = a->g->head;
  if (head > 0) sort_keys(&a->order, a->elements + (head - 1) * a->size, 1, &a->bound);
}

static int sort_gathered(struct gathered *a, struct failure *why) {
  struct sorting *const g = a->g;
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  options.descending = g->reverse;
  options.scratch = a->scratch;
  options.scratch_bytes = a->scratch ? a->scratch_bytes : 0;
  if (command_check(
          heddle_sort(g->ctx, a->order.type, a->elements, a->count, a->elements, &options),
          g->src.path, why) != 0)
    return -1;
  struct sort_first first = {.any = false};
  if (g->unique) a->count = sort_first_of_each(&a->order, &first, a->elements, NULL, a->count);
  if (a->count > g->head) a->count = (size_t)g->head;
  return 0;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static int add_run(struct gathered *a, struct failure *why) {
  struct run *run;
  if (runs_add(&a->g->runs, &run, why) != 0 ||
      spool_append(run->file, a->elements, a->count * a->size, why) != 0)
    return -1;
  run->items = a->count;
  run->type[0] = a->order.type;
  a->count =
      0; /* and `bounded` is not set: its N take less than half of the room, and are all there is */
  return 0;
}

/* The memory is full: sorted, and cut to what is wanted or put into a run. */
static int flush(struct gathered *a, struct failure *why) {
  struct sorting *const g = a->g;
  if (!a->scratch && a->scratch_bytes > 0) a->scratch = malloc(a->scratch_bytes);
  if (sort_gathered(a, why) != 0) return -1;
  if (a->count <= a->capacity / 2) { /* also where -u left so few */
    a->bounded = a->count == g->head;
    if (a->bounded) set_bound(a);
    return 0;
  }
  return add_run(a, why) != 0 ? -1 : merge_levels(g, MERGE_ELEMENTS, &a->order, why);
}

/* ---- reading ------------------------------------------------------------------------------- */

static int make_room(struct gathered *a, size_t n, struct failure *why) {
  if (n <= a->room - a->count) return 0;
  size_t room = a->room + a->room / 2;
  if (room < a->count + n) room = a->count + n;
  if (room > a->capacity) room = a->capacity;
  void *const larger = realloc(a->elements, room * a->size);
  if (!larger)
    return fail(why, EXIT_DATA, "%s: out of memory after %zu elements; give less by -S",
                command_file_label(a->g->src.path), a->count);
  a->elements = larger;
  a->room = room;
  return 0;
}

/* Those of n elements that may be among the first N, which there is room for. */
static void take_before_bound(struct gathered *a, const unsigned char *from, size_t n) {
  uint64_t keys[BLOCK];
  for (size_t m; n > 0; n -= m, from += m * a->size) {
    size_t some = 0;
    m = n < BLOCK ? n : BLOCK;
    sort_keys(&a->order, from, m, keys);
    for (size_t i = 0; i < m; i++) {
      const uint64_t key = keys[i];
      keys[some] = key;
      some += key < a->bound;
    }
    sort_elements_of(&a->order, keys, some, a->elements + a->count * a->size);
    a->count += some;
  }
}

static int take(struct gathered *a, const void *data, size_t n, struct failure *why) {
  const unsigned char *from = data;
  while (n > 0 && a->g->head > 0) {
    if (a->count == a->capacity && flush(a, why) != 0) return -1;
    size_t m = a->capacity - a->count < n ? a->capacity - a->count : n;
    if (make_room(a, m, why) != 0) return -1;
    if (a->bounded) {
      take_before_bound(a, from, m);
    } else {
      memcpy(a->elements + a->count * a->size, from, m * a->size);
      a->count += m;
    }
    from += m * a->size;
    n -= m;
  }
  return 0;
}

/* From here on elements are of `type`, and so are those that were gathered. */
static int set_type(struct gathered *a, heddle_type type, struct failure *why) {
  if (sort_retype(a->order.type, type, a->elements, a->count, why) != 0) return -1;
  a->order = sort_order_of(type, a->g->reverse);
  if (a->bounded) set_bound(a);
  return 0;
}

static int gather(struct gathered *a, struct failure *why) {
  struct source *const src = &a->g->src;
  for (bool any = false;; any = true) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0, rows;
    heddle_type type = input_type(src->in), integers;
    if (source_next(src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    const void *from = data[0];
    if (src->integers) {
      const void *const whole = input_integers(src->in, 0, &rows, &integers);
      const bool still = !any || a->order.type != HEDDLE_F64;
      if (whole && rows == n && still) {
        from = whole;
        type = integers;
      }
    }
    if (type != a->order.type && set_type(a, type, why) != 0) return -1;
    if (take(a, from, n, why) != 0) return -1;
  }
}

/* ---- the command --------------------------------------------------------------------------- */

static int write_gathered(struct gathered *a, struct failure *why) {
  struct sort_output out;
  if (a->count > 0 && sort_gathered(a, why) != 0) return -1;
  if (sort_output_open(a->g, a->order.type, a->count, &out, why) != 0) return -1;
  return sort_output_close(&out, sort_output_write(&out, a->elements, a->count, why), why);
}

static int emit_elements(void *user, const void *elements, const uint64_t *positions, size_t n,
                         struct failure *why) {
  (void)positions;
  return sort_output_write(user, elements, n, why);
}

static int write_merged(struct gathered *a, struct failure *why) {
  struct sorting *const g = a->g;
  struct sort_output out;
  if (a->count > 0 && (sort_gathered(a, why) != 0 || add_run(a, why) != 0)) return -1;
  free(a->elements);
  free(a->scratch);
  a->elements = a->scratch = NULL; /* the memory is for buffers */
  const uint64_t items = runs_items(&g->runs), count = items < g->head ? items : g->head;
  if (sort_output_open(g, a->order.type, g->unique ? UINT64_MAX : count, &out, why) != 0) return -1;
  const int status = merge_runs(g, g->runs.all, g->runs.count, MERGE_ELEMENTS, &a->order,
                                emit_elements, &out, why);
  return sort_output_close(&out, status, why);
}

int sort_elements(struct sorting *g, struct failure *why) {
  const heddle_type type = input_type(g->src.in);
  struct gathered a = {.g = g, .size = heddle_type_size(type)};
  a.order = sort_order_of(type, g->reverse);
  g->src.integers = type == HEDDLE_F64 && input_has_integers(g->src.in);
  int status = sort_capacity(g, HEDDLE_SORT_KEYS, type, 0, a.size, &a.capacity, why);
  if (status == 0)
    status = sort_scratch(g, HEDDLE_SORT_KEYS, type, 0, a.capacity, &a.scratch_bytes, why);
  if (status == 0) status = gather(&a, why);
  if (status == 0) status = g->runs.count > 0 ? write_merged(&a, why) : write_gathered(&a, why);
  free(a.elements);
  free(a.scratch);
  return status;
}
