/* elements.c - heddle select on arrays: a block, what is selected of it, out
 *
 * Method  A condition that is one comparison with a number that the elements' type has is the library's
 *         own; any other is a mask that the library is given. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/where/masks.h"
#include "options/format.h"
#include "output/sink.h"
#include "select.h"
#include "text/types.h"

struct work {
  struct selecting *g;
  heddle_type type;
  struct masks masks;
  bool single; /* one comparison, with `value` */
  heddle_comparison comparison;
  uint64_t value[1]; /* an element */
  uint8_t *mask;
  void *out;
  size_t room; /* elements of a block */
  uint64_t at; /* of the block's first */
};

/* Whether one end of an interval is an element of `type`: it goes there and back unchanged. */
static bool narrow(heddle_type widest, const void *end, heddle_type type, void *value) {
  uint64_t back;
  return heddle_convert(widest, end, type, value, 1) == HEDDLE_OK &&
         heddle_convert(type, value, widest, &back, 1) == HEDDLE_OK &&
         memcmp(&back, end, sizeof back) == 0;
}

static void find_single(struct work *w) {
  const struct expression *const e = w->masks.e;
  const size_t top = e->nodes[0].first;
  const struct interval *const in = &w->masks.interval[top];
  if (e->nodes[top].kind != NODE_COMPARE) return;
  const struct interval all =
      interval_of(HEDDLE_LESS_EQUAL, &(struct value){VALUE_REAL, 0, HUGE_VAL}, w->masks.widest);
  const bool from_first = memcmp(&in->least, &all.least, sizeof all.least) == 0;
  const bool to_last = memcmp(&in->most, &all.most, sizeof all.most) == 0;
  const bool one = memcmp(&in->least, &in->most, sizeof in->least) == 0;
  if (one)
    w->comparison = in->outside ? HEDDLE_NOT_EQUAL : HEDDLE_EQUAL;
  else if (from_first != to_last && !in->outside)
    w->comparison = from_first ? HEDDLE_LESS_EQUAL : HEDDLE_GREATER_EQUAL;
  else
    return;
  const void *const end = w->comparison == HEDDLE_LESS_EQUAL ? (const void *)&in->most : &in->least;
  w->single = narrow(w->masks.widest, end, w->type, w->value);
}

static int make_room(struct work *w, size_t count, struct failure *why) {
  const size_t size = w->g->s->positions ? sizeof(uint64_t) : heddle_type_size(w->type);
  if (count <= w->room) return 0;
  free(w->mask);
  free(w->out);
  w->mask = command_allocate(count, 1, "a mask", why);
  w->out = w->mask ? command_allocate(count, size, "elements", why) : NULL;
  w->room = w->out ? count : 0;
  return w->out ? 0 : -1;
}

static int take_block(struct work *w, const void *data, size_t count, struct array_sink *out,
                      struct failure *why) {
  heddle_where where = HEDDLE_WHERE_INIT;
  uint64_t selected = 0;
  if (make_room(w, count, why) != 0) return -1;
  if (w->single) {
    where.comparison = w->comparison;
    where.type = w->type;
    where.of = data;
    where.value = w->value;
  } else {
    if (masks_make(&w->masks, data, count, w->mask, why) != 0) return -1;
    where.of = w->mask;
  }
  const bool positions = w->g->s->positions != 0;
  const heddle_status status =
      positions ? heddle_positions(w->g->ctx, &where, count, HEDDLE_U64, w->out, &selected)
                : heddle_select(w->g->ctx, &where, heddle_type_size(w->type), data, count, w->out,
                                &selected);
  if (command_check(status, w->g->src.path, why) != 0) return -1;
  uint64_t *const index = w->out;
  for (size_t i = 0; positions && i < selected; i++) index[i] += w->at;
  array_write(out, w->out, (size_t)selected);
  w->at += count;
  return 0;
}

static int take_all(struct work *w, struct array_sink *out, struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t count = 0;
    if (source_next(&w->g->src, data, &count, why) != 0) return -1;
    if (count == 0 || out->sink.failed) return 0;
    if (take_block(w, data[0], count, out, why) != 0) return -1;
  }
}

int select_elements(struct selecting *g, struct failure *why) {
  struct work w = {.g = g, .type = input_type(g->src.in)};
  struct array_sink out;
  int status = masks_start(&w.masks, &g->e, w.type, why);
  if (status == 0) {
    find_single(&w);
    status = array_open(&out, g->s->output, output_array_format(g->s->output),
                        g->s->positions ? HEDDLE_U64 : w.type, 0, NULL, ARRAY_C, why);
    if (status == 0) {
      status = take_all(&w, &out, why);
      if (status == 0)
        status = array_close(&out, why);
      else
        sink_drop(&out.sink);
    }
  }
  masks_free(&w.masks);
  free(w.mask);
  free(w.out);
  return status;
}
