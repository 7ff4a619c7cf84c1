/* lines_sort.c - the lines in memory: put in order, cut to what is wanted, written to a run
 *
 * Method  By the last key first, then by those before it, each time stable: as many sorts of keys and
 *         positions as there are keys. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "lines.h"

struct sort_order lines_order_of(const struct lines *l, size_t k) {
  return sort_order_of(l->type[k], l->reverse[k]);
}

int lines_cost(const struct lines *l, size_t *bytes, struct failure *why) {
  enum { MANY = 1 << 20 };
  size_t scratch;
  if (command_check(heddle_sort_scratch(l->g->ctx, HEDDLE_SORT_PAIRS, HEDDLE_U64, sizeof *l->index,
                                        MANY, NULL, &scratch),
                    l->g->src.path, why) != 0)
    return -1;
  const size_t kept = l->keys * sizeof **l->key + sizeof *l->end + sizeof *l->index;
  *bytes = kept + (l->keys > 1 ? sizeof **l->key : 0) + (scratch + MANY - 1) / MANY;
  return 0;
}

/* ---- order --------------------------------------------------------------------------------- */

static bool is_rounded_integer(heddle_type type, uint64_t bits) {
  const uint64_t exact = (uint64_t)1 << 53;
  if (type == HEDDLE_I64 && bits >> 63 != 0) bits = 0 - bits;
  return type != HEDDLE_F64 && bits > exact;
}

static void make_keys(struct lines *l) {
  for (size_t k = 0; k < l->keys; k++) {
    const struct sort_order order = lines_order_of(l, k);
    uint64_t *const keys = l->key[k];
    for (size_t i = 0; i < l->count && !l->decided[k]; i++)
      l->decided[k] = is_rounded_integer(l->type[k], keys[i]);
    sort_keys(&order, keys, l->count, keys);
    for (size_t i = 0; i < l->count && order.is_float; i++) keys[i] = sort_tied(&order, keys[i]);
  }
}

static int sort_index(struct lines *l, struct failure *why) {
  heddle_context *const ctx = l->g->ctx;
  const size_t n = l->count, last = l->keys - 1;
  if (command_check(heddle_argsort(ctx, HEDDLE_U64, l->key[last], n, HEDDLE_U32, l->index, NULL),
                    l->g->src.path, why) != 0)
    return -1;
  if (last == 0) return 0;
  uint64_t *const keys = command_allocate(n, sizeof *keys, "keys", why);
  int status = keys ? 0 : -1;
  for (size_t k = last; status == 0 && k-- > 0;) {
    for (size_t i = 0; i < n; i++) keys[i] = l->key[k][l->index[i]];
    status = command_check(heddle_sort_pairs(ctx, HEDDLE_U64, keys, sizeof *l->index, l->index, n,
                                             NULL, l->index, NULL),
                           l->g->src.path, why);
  }
  free(keys);
  return status;
}

static bool same_keys(const struct lines *l, size_t a, size_t b) {
  for (size_t k = 0; k < l->keys; k++)
    if (l->key[k][a] != l->key[k][b]) return false;
  return true;
}

int lines_order(struct lines *l, struct failure *why) {
  free(l->index);
  l->index = command_allocate(l->count, sizeof *l->index, "lines", why);
  if (!l->index) return -1;
  make_keys(l);
  if (sort_index(l, why) != 0) return -1;
  l->ordered = l->count;
  if (l->g->unique) {
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++)
      if (kept == 0 || !same_keys(l, l->index[i], l->index[kept - 1]))
        l->index[kept++] = l->index[i];
    l->ordered = kept;
  }
  if (l->ordered > l->g->head) l->ordered = (size_t)l->g->head;
  return 0;
}

/* ---- what stays ---------------------------------------------------------------------------- */

/* The lines of the index alone, in its order, in memory of their own. */
static int keep_ordered(struct lines *l, size_t bytes, struct failure *why) {
  struct lines kept = {.text_room = bytes, .room = l->ordered, .count = l->ordered};
  bool failed = (kept.text = malloc(bytes)) == NULL;
  failed |= (kept.end = calloc(kept.room, sizeof *kept.end)) == NULL;
  for (size_t k = 0; k < l->keys; k++)
    failed |= (kept.key[k] = calloc(kept.room, sizeof **kept.key)) == NULL;
  for (size_t i = 0; i < l->ordered && !failed; i++) {
    const size_t from = l->index[i], start = lines_start(l, from), n = l->end[from] - start;
    memcpy(kept.text + kept.used, l->text + start, n);
    kept.end[i] = kept.used += n;
    for (size_t k = 0; k < l->keys; k++) kept.key[k][i] = l->key[k][from];
  }
  lines_forget(failed ? &kept : l);
  if (failed) return fail(why, EXIT_DATA, "no memory for %zu lines; give less by -S", l->ordered);
  l->text = kept.text;
  l->end = kept.end;
  memcpy(l->key, kept.key, sizeof kept.key);
  l->used = l->text_room = bytes;
  l->count = l->room = kept.count;
  l->bounded = l->count == l->g->head;
  if (l->bounded) l->bound = l->key[0][l->count - 1];
  for (size_t k = 0; k < l->keys; k++) { /* elements again */
    const struct sort_order order = lines_order_of(l, k);
    sort_elements_of(&order, l->key[k], l->count, l->key[k]);
  }
  return 0;
}

int lines_flush(struct lines *l, struct failure *why) {
  if (lines_order(l, why) != 0) return -1;
  size_t bytes = 0;
  for (size_t i = 0; i < l->ordered; i++)
    bytes += l->end[l->index[i]] - lines_start(l, l->index[i]);
  if (l->ordered > 0 && l->ordered <= l->count / 4 && bytes <= l->g->memory / 4)
    return keep_ordered(l, bytes, why);
  return lines_add_run(l, why) != 0 ? -1 : lines_merge_levels(l, why);
}

void lines_forget(struct lines *l) {
  for (size_t k = 0; k < INPUT_MAX_COLUMNS; k++) {
    free(l->key[k]);
    l->key[k] = NULL;
  }
  free(l->end);
  free(l->text);
  free(l->index);
  l->end = NULL;
  l->text = NULL;
  l->index = NULL;
  l->count = l->room = l->used = l->text_room = l->ordered = 0;
}

/* ---- runs ---------------------------------------------------------------------------------- */

int lines_add_run(struct lines *l, struct failure *why) {
  struct run_writer w;
  int status = run_writer_open(&l->g->runs, &w, why);
  if (status != 0) return -1;
  memcpy(w.run->type, l->type, sizeof w.run->type);
  for (size_t i = 0; i < l->ordered && status == 0; i++) {
    const size_t at = l->index[i], start = lines_start(l, at);
    const uint32_t bytes = (uint32_t)(l->end[at] - start);
    uint64_t keys[INPUT_MAX_COLUMNS];
    for (size_t k = 0; k < l->keys; k++) keys[k] = l->key[k][at];
    lines_prefetch(l, i);
    status = run_write(&w, &bytes, sizeof bytes, why);
    if (status == 0) status = run_write(&w, keys, l->keys * sizeof *keys, why);
    if (status == 0) status = run_write(&w, l->text + start, bytes, why);
  }
  w.run->items = l->ordered;
  l->count = l->used = 0;
  l->bounded = false;
  return run_writer_close(&w, status, why);
}
