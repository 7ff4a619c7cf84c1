/* nonzero.c - how many elements are not zero
 *
 * Method   Elements become bytes 0 and 1, which are counted; of floats all bits but the sign's are looked
 *          at. What lies without gaps, in any order, is read where it is; rows part by part (masked.h). */
#include <stdlib.h>

#include "bools.h"
#include "masked.h"
#include "target.h"

#define NAME bytes_1
#define ELEMENT uint8_t
#include "nonzero_tmpl.h"
#define NAME bytes_2
#define ELEMENT uint16_t
#include "nonzero_tmpl.h"
#define NAME bytes_4
#define ELEMENT uint32_t
#include "nonzero_tmpl.h"
#define NAME bytes_8
#define ELEMENT uint64_t
#include "nonzero_tmpl.h"

enum { TOGETHER = 4096 };

static void to_bytes(uint8_t *to, const void *from, const struct array *a, size_t count) {
  const uint64_t all = UINT64_MAX >> (64 - 8 * a->buffer.item_bytes);
  const uint64_t bits = a->is_float ? all >> 1 : all;
  switch (a->buffer.item_bytes) {
  case 1: bytes_1(to, from, (uint8_t)bits, count); break;
  case 2: bytes_2(to, from, (uint16_t)bits, count); break;
  case 4: bytes_4(to, from, (uint32_t)bits, count); break;
  default: bytes_8(to, from, bits, count);
  }
}

static heddle_status count_block(heddle_context *ctx, const struct lines *l, uint64_t *total) {
  const size_t bytes = (size_t)l->a.buffer.item_bytes;
  uint8_t found[TOGETHER];
  heddle_status status = HEDDLE_OK;
  if (l->a.is_bool) return bools_count(ctx, l->block, l->a.count, total);
  *total = 0;
  for (size_t at = 0; at < l->a.count && !status; at += TOGETHER) {
    const size_t n = l->a.count - at < TOGETHER ? l->a.count - at : TOGETHER;
    uint64_t some;
    to_bytes(found, l->block + at * bytes, &l->a, n);
    status = bools_count(ctx, found, n, &some);
    *total += some;
  }
  return status;
}

struct counting {
  heddle_context *ctx;
  const struct array *array;
  uint64_t *total;
  uint8_t *bytes; /* of the first part, the largest */
};

static heddle_status count_rows(void *to, const struct masked_part *part) {
  struct counting *c = to;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.out_type = HEDDLE_U64;
  if (!c->bytes) c->bytes = malloc(part->count);
  if (!c->bytes) return HEDDLE_OUT_OF_MEMORY;
  to_bytes(c->bytes, part->data, c->array, part->count);
  return heddle_reduce_rows(c->ctx, HEDDLE_SUM, HEDDLE_U8, c->bytes, &part->rows,
                            c->total + part->first_row, &options);
}

static heddle_status count(heddle_context *ctx, const struct lines *l, uint64_t *total) {
  if (l->results == 1 && l->block) return count_block(ctx, l, total);
  struct masked m = {.l = l, .type = l->a.type};
  struct counting c = {ctx, &l->a, total, NULL};
  const heddle_status status = masked_each(&m, count_rows, &c);
  free(c.bytes);
  return status;
}

python_object *heddle_py_count_nonzero(python_object *object, python_object *axis, int keepdims,
                                       int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target t;
  if (!ctx || !target_can() || !lines_begin(&l, object, axis, keepdims, LINES_IN_ANY_ORDER))
    return array_decline();
  if (!target_begin(&t, &l, call_index())) return target_none(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  const heddle_status status = count(ctx, &l, t.at);
  call_come_back(thread);
  lines_end(&l);
  return target_end(&t, status, call_index(), HEDDLE_U64);
}
