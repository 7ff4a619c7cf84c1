/* masks.c - chunks that stay in the cache: elements made wide once, then a mask for each part
 *
 * Method  A comparison is an interval of i64, u64 or f64 (expression/interval.h). Parts of "&&" and "||"
 *         are folded into the mask of their first one. */
#include "masks.h"

#include <stdlib.h>
#include <string.h>

#include "text/types.h"

enum { CHUNK = 1 << 14 };

static size_t depth_of(const struct expression *e, size_t index) {
  size_t deepest = 0;
  for (size_t part = e->nodes[index].first; part != 0; part = e->nodes[part].next) {
    const size_t depth = depth_of(e, part);
    if (depth > deepest) deepest = depth;
  }
  return deepest + 1;
}

/* As if the number stood on the right. */
static heddle_comparison turned(const struct node *n) {
  static const heddle_comparison other[] = {
      [HEDDLE_EQUAL] = HEDDLE_EQUAL,  [HEDDLE_NOT_EQUAL] = HEDDLE_NOT_EQUAL,
      [HEDDLE_LESS] = HEDDLE_GREATER, [HEDDLE_LESS_EQUAL] = HEDDLE_GREATER_EQUAL,
      [HEDDLE_GREATER] = HEDDLE_LESS, [HEDDLE_GREATER_EQUAL] = HEDDLE_LESS_EQUAL};
  return n->a.kind == OPERAND_COLUMN ? n->comparison : other[n->comparison];
}

int masks_start(struct masks *m, const struct expression *e, heddle_type type,
                struct failure *why) {
  *m = (struct masks){.e = e, .type = type, .widest = type_widest(type)};
  m->interval = calloc(e->count, sizeof *m->interval);
  m->wide = malloc(CHUNK * sizeof(uint64_t));
  m->scratch = calloc(depth_of(e, 0), CHUNK);
  if (!m->interval || !m->wide || !m->scratch)
    return fail(why, EXIT_DATA, "out of memory for the masks of a condition");
  for (size_t i = 0; i < e->count; i++) {
    const struct node *const n = &e->nodes[i];
    if (n->kind != NODE_COMPARE) continue;
    const struct operand *const other = n->a.kind == OPERAND_COLUMN ? &n->b : &n->a;
    if (other->kind == OPERAND_COLUMN)
      return fail(why, EXIT_USAGE,
                  "an element of an array is compared with a number, not with itself");
    if (other->kind != OPERAND_NUMBER)
      return fail(why, EXIT_USAGE, "the elements of an array are numbers, and \"%s\" is text",
                  other->text);
    m->interval[i] = interval_of(turned(n), &other->number, m->widest);
  }
  return 0;
}

void masks_free(struct masks *m) {
  free(m->interval);
  free(m->wide);
  free(m->scratch);
}

/* ---- a chunk ------------------------------------------------------------------------------- */

static void missing(const struct masks *m, const void *wide, size_t n, uint8_t *out) {
  const double *const x = wide;
  if (m->widest != HEDDLE_F64) memset(out, 0, n);
  for (size_t i = 0; i < n && m->widest == HEDDLE_F64; i++) out[i] = x[i] != x[i];
}

/* `level` is the first mask of the scratch that is free. */
static void make(const struct masks *m, size_t index, const void *wide, size_t n, uint8_t *out,
                 size_t level) {
  const struct node *const node = &m->e->nodes[index];
  uint8_t *const other = m->scratch + level * CHUNK;
  size_t part = node->first;
  switch (node->kind) {
  case NODE_COMPARE: interval_mask(&m->interval[index], wide, n, out); return;
  case NODE_MISSING: missing(m, wide, n, out); return;
  case NODE_NOT:
    make(m, part, wide, n, out, level);
    for (size_t i = 0; i < n; i++) out[i] ^= 1;
    return;
  case NODE_ALL:
  case NODE_ANY:
    make(m, part, wide, n, out, level);
    while ((part = m->e->nodes[part].next) != 0) {
      make(m, part, wide, n, other, level + 1);
      if (node->kind == NODE_ALL)
        for (size_t i = 0; i < n; i++) out[i] &= other[i];
      else
        for (size_t i = 0; i < n; i++) out[i] |= other[i];
    }
  }
}

int masks_make(const struct masks *m, const void *elements, size_t count, uint8_t *mask,
               struct failure *why) {
  const unsigned char *from = elements;
  const size_t size = heddle_type_size(m->type);
  for (size_t at = 0, n; at < count; at += n, from += n * size) {
    n = count - at < CHUNK ? count - at : CHUNK;
    if (heddle_convert(m->type, from, m->widest, m->wide, n) != HEDDLE_OK)
      return fail(why, EXIT_DATA, "%s", heddle_message());
    make(m, 0, m->wide, n, mask + at, 0);
  }
  return 0;
}
