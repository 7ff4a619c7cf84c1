/* ordered.c - a stable count of rows by group, and columns gathered by it */
#include "ordered.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

int ordered_rows(const struct group_table *t, struct ordered *o, struct failure *why) {
  const size_t groups = t->keys.count;
  if (o->offsets) return 0;
  o->offsets = command_allocate(groups + 2, sizeof *o->offsets, "groups", why);
  o->order = o->offsets ? command_allocate(t->rows, sizeof *o->order, "rows", why) : NULL;
  if (!o->order) return -1;
  uint64_t *const next = o->offsets + 1; /* where each group goes on; at the end where it ends */
  for (size_t i = 0; i < t->rows; i++) next[t->ids[i] + 1] += 1;
  for (size_t g = 0; g < groups; g++) next[g + 1] += next[g];
  for (size_t i = 0; i < t->rows; i++) o->order[next[t->ids[i]]++] = (uint32_t)i;
  return 0;
}

int ordered_column(const struct group_table *t, struct ordered *o, size_t c, struct failure *why) {
  struct ordered_column *const to = &o->column[c];
  const uint64_t *const from = t->column[c].values;
  if (ordered_rows(t, o, why) != 0) return -1;
  to->type = t->column[c].type;
  to->values = command_allocate(t->rows, sizeof *to->values, "values", why);
  if (!to->values) return -1;
  for (size_t i = 0; i < t->rows; i++) to->values[i] = from[o->order[i]];
  to->real = (double *)(void *)to->values;
  if (to->type == HEDDLE_F64) return 0;
  to->real = command_allocate(t->rows, sizeof *to->real, "values", why);
  if (!to->real) return -1;
  return command_check(heddle_convert(HEDDLE_I64, to->values, HEDDLE_F64, to->real, t->rows), NULL,
                       why);
}

int ordered_make(struct group_table *t, struct ordered *o, struct failure *why) {
  memset(o, 0, sizeof *o);
  int status = ordered_rows(t, o, why);
  for (size_t c = 0; c < t->q->columns && status == 0; c++)
    if (!t->q->column[c].text) status = ordered_column(t, o, c, why);
  return status;
}

void ordered_free(struct ordered *o) {
  for (size_t c = 0; c < INPUT_MAX_COLUMNS; c++) {
    if ((void *)o->column[c].real != (void *)o->column[c].values) free(o->column[c].real);
    free(o->column[c].values);
  }
  free(o->offsets);
  free(o->order);
}

uint32_t ordered_text(const struct group_table *t, const struct ordered *o, size_t c, size_t i) {
  return t->column[c].ids[o->order[i]];
}

const char *figure_text(const struct group_table *t, const struct ordered *o, size_t f,
                        size_t group, size_t *length) {
  const size_t c = t->q->of[f].column, from = (size_t)o->offsets[group];
  const size_t count = (size_t)o->offsets[group + 1] - from;
  const bool last = t->q->of[f].spec.figure == FIGURE_LAST;
  const char *text = NULL;
  for (size_t i = 0; i < count; i++) {
    text = keys_text(&t->column[c].texts,
                     ordered_text(t, o, c, last ? from + count - 1 - i : from + i), length);
    if (*length > 0 || t->q->s->nan != HEDDLE_NAN_SKIP) break;
  }
  return text;
}
