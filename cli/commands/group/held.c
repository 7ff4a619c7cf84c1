/* held.c - each group's rows to its states, column by column
 *
 * Limits  A state is some 30 KiB, so that this is for few groups of many rows; quantiles and distinct texts need
 *         all rows at once. */
#include "held.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "figures.h"
#include "table.h"

enum { STATE_BYTES = 32 << 10, GROUP_BYTES = 64 };

bool held_can(const struct asked *q) {
  for (size_t f = 0; f < q->figures; f++) switch (q->of[f].spec.figure) {
    case FIGURE_QUANTILE:
    case FIGURE_MODE:
    case FIGURE_DISTINCT: return false;
    default: break;
    }
  return true;
}

size_t held_cost(const struct asked *q) {
  size_t bytes = GROUP_BYTES;
  for (size_t f = 0; f < q->figures; f++) {
    const struct figure_way way = figure_way_of(q, f);
    bytes += GROUP_BYTES + (size_t)(way.reduce || way.describe ? STATE_BYTES : 0);
  }
  return bytes;
}

static bool grow(void *pointer, size_t before, size_t room, size_t size) {
  void **const memory = pointer, *const larger = realloc(*memory, room * size);
  if (!larger) return false;
  *memory = larger;
  memset((char *)larger + before * size, 0, (room - before) * size);
  return true;
}

static int make_room(struct group_table *t, size_t groups, struct failure *why) {
  struct held *const h = &t->held;
  const size_t room = groups + groups / 2;
  bool good = true;
  if (groups <= h->room) return 0;
  for (size_t f = 0; f < t->q->figures && good; f++) {
    struct held_figure *const figure = &h->of[f];
    good = grow(&figure->whole, h->room, room, sizeof *figure->whole) &&
           grow(&figure->real, h->room, room, sizeof *figure->real) &&
           grow(&figure->counts, h->room, room, sizeof *figure->counts) &&
           grow(&figure->texts, h->room, room, sizeof *figure->texts);
  }
  if (!good)
    return fail(why, EXIT_DATA, "%s: out of memory after %zu groups; give less by -S",
                command_file_label(t->q->path), h->groups);
  h->room = room;
  return 0;
}

/* ---- rows to states ---------------------------------------------------------------------------------- */

static int begin(const struct group_table *t, size_t f, heddle_state **state, struct failure *why) {
  const struct figure_way way = figure_way_of(t->q, f);
  heddle_options options;
  figure_options(t->q, f, &options);
  return command_check(way.describe
                           ? heddle_describe_begin(t->ctx, HEDDLE_F64, &options, state)
                           : heddle_reduce_begin(t->ctx, way.op, HEDDLE_F64, &options, state),
                       command_file_label(t->q->path), why);
}

static int update(const struct group_table *t, size_t f, heddle_state **state, const double *values,
                  size_t count, struct failure *why) {
  if (!*state && begin(t, f, state, why) != 0) return -1;
  return command_check(figure_way_of(t->q, f).describe
                           ? heddle_describe_update(*state, values, count)
                           : heddle_reduce_update(*state, values, count),
                       command_file_label(t->q->path), why);
}

static int take_numbers(struct group_table *t, const struct ordered *o, size_t f, size_t groups,
                        struct failure *why) {
  const struct figure_way way = figure_way_of(t->q, f);
  const struct ordered_column *const column = &o->column[t->q->of[f].column];
  struct held_figure *const figure = &t->held.of[f];
  const bool whole = way.reduce && !way.real && column->type == HEDDLE_I64;
  for (size_t g = 0; g < groups; g++) {
    const size_t from = (size_t)o->offsets[g], count = (size_t)o->offsets[g + 1] - from;
    figure->counts[g] += figure_count(column->real + from, count);
    for (size_t i = from; i < from + count && whole; i++)
      wide_add(&figure->whole[g], way.op, (int64_t)column->values[i]);
    if (count == 0 || !(way.reduce || way.describe)) continue;
    if (update(t, f, &figure->real[g], column->real + from, count, why) != 0) return -1;
  }
  return 0;
}

static int take_texts(struct group_table *t, const struct ordered *o, size_t f, size_t groups,
                      struct failure *why) {
  const size_t c = t->q->of[f].column;
  const bool last = t->q->of[f].spec.figure == FIGURE_LAST;
  for (size_t g = 0; g < groups; g++) {
    struct held_text *const held = &t->held.of[f].texts[g];
    size_t length;
    const char *const text = figure_text(t, o, f, g, &length);
    if (!text) continue;
    const bool skip = t->q->s->nan == HEDDLE_NAN_SKIP;
    if (held->text && (last ? skip && length == 0 : !skip || held->length > 0)) continue;
    char *const copy = realloc(held->text, length + 1);
    if (!copy)
      return fail(why, EXIT_DATA, "%s: out of memory for column '%s'",
                  command_file_label(t->q->path), t->q->column[c].name);
    if (length > 0) memcpy(copy, text, length);
    held->text = copy;
    held->length = length;
  }
  return 0;
}

int held_take(struct group_table *t, size_t groups, struct failure *why) {
  struct ordered o;
  if (make_room(t, groups, why) != 0) return -1;
  if (groups > t->held.groups) t->held.groups = groups;
  int status = ordered_make(t, &o, why);
  for (size_t f = 0; f < t->q->figures && status == 0; f++) {
    if (t->q->of[f].spec.figure == FIGURE_ROWS)
      for (size_t g = 0; g < groups; g++)
        t->held.of[f].counts[g] += o.offsets[g + 1] - o.offsets[g];
    else if (spec_is_text(t->q->of[f].spec.figure))
      status = take_texts(t, &o, f, groups, why);
    else
      status = take_numbers(t, &o, f, groups, why);
  }
  ordered_free(&o);
  return status;
}

/* ---- results ----------------------------------------------------------------------------------------- */

int held_values(const struct group_table *t, size_t f, uint64_t *values, struct failure *why) {
  const struct figure_way way = figure_way_of(t->q, f);
  const struct held_figure *const figure = &t->held.of[f];
  for (size_t g = 0; g < t->held.groups; g++) {
    heddle_description d = HEDDLE_DESCRIPTION_INIT;
    heddle_status status = HEDDLE_OK;
    if (way.describe)
      status = heddle_describe_finish(figure->real[g], &d);
    else if (way.reduce)
      status = heddle_reduce_finish(figure->real[g], &values[g]);
    if (command_check(status, command_file_label(t->q->path), why) != 0) return -1;
    figure_settle(t->q, f, HEDDLE_F64, figure->counts[g], &d, &values[g]);
  }
  return 0;
}

void held_free(struct held *h) {
  for (size_t f = 0; f < GROUP_FIGURES; f++) {
    struct held_figure *const figure = &h->of[f];
    for (size_t g = 0; g < h->groups && figure->counts; g++) {
      heddle_state_free(figure->real[g]);
      free(figure->texts[g].text);
    }
    free(figure->whole);
    free(figure->real);
    free(figure->counts);
    free(figure->texts);
  }
  memset(h, 0, sizeof *h);
}
