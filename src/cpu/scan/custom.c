/* custom.c - one chunk of a scan by a custom operator's block forms
 *
 * Method   Blelloch's tree a level at a time. Up: pairs of neighbours, each level kept. Down: every
 *          block's carry goes to its left half as it is, and to its right half combined with the
 *          left half's total. One call of the operator a level, so that a call costs little an
 *          element. Neighbours only, left operand first: the operator need not commute.
 * Limits   A short chunk uses only blocks that are full.
 * Source   Blelloch 1990 */
#include <string.h>

#include "scan.h"

/* A thread's scratch; what is not one element has room for a chunk and one more. */
struct scratch {
  char *totals; /* of pairs, of pairs of pairs, .. one level after the other */
  char *carry;
  char *side; /* what is combined before it is put between others */
  char *even;
  char *prefix, *next;
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

size_t hd_cpu_custom_scan_bytes(const struct hd_cpu_scan_plan *plan) {
  return 4 * rounded((plan->chunk + 1) * (size_t)plan->in_bytes) + 2 * rounded(plan->in_bytes);
}

static struct scratch scratch_in(const struct hd_cpu_scan_plan *plan, char *memory) {
  const size_t many = rounded((plan->chunk + 1) * (size_t)plan->in_bytes);
  return (struct scratch){.totals = memory,
                          .carry = memory + many,
                          .side = memory + 2 * many,
                          .even = memory + 3 * many,
                          .prefix = memory + 4 * many,
                          .next = memory + 4 * many + rounded(plan->in_bytes)};
}

/* The totals of blocks of 2^level elements. */
static const char *totals_of(const struct hd_cpu_scan_plan *plan, const struct scratch *s,
                             const char *in, unsigned level) {
  size_t before = plan->chunk - (plan->chunk >> (level - (level > 0)));
  return level ? s->totals + before * plan->in_bytes : in;
}

static heddle_status up(const struct hd_cpu_scan_plan *plan, const struct scratch *s,
                        const char *in, size_t n) {
  const heddle_custom *custom = plan->scan->fold.custom;
  heddle_status status = HEDDLE_OK;
  for (unsigned level = 1; n >> level && !status; level++)
    status = custom->pairs((char *)(uintptr_t)totals_of(plan, s, in, level),
                           totals_of(plan, s, in, level - 1), n >> level, custom->user);
  return status;
}

/* The carries before elements 0 .. n - 1, from the one before the chunk. */
static heddle_status down(const struct hd_cpu_scan_plan *plan, const struct scratch *s,
                          const char *in, size_t n) {
  const heddle_custom *custom = plan->scan->fold.custom;
  const size_t bytes = plan->in_bytes;
  heddle_status status = HEDDLE_OK;
  unsigned level = 0;
  while ((size_t)1 << level < n) level++;
  memcpy(s->carry, s->prefix, bytes);
  while (level-- > 0 && !status) {
    const size_t blocks = ((n - 1) >> level) + 1, right = blocks / 2;
    const char *totals = totals_of(plan, s, in, level);
    for (size_t i = 0; i < right; i++) memcpy(s->even + i * bytes, totals + 2 * i * bytes, bytes);
    memcpy(s->side, s->carry, right * bytes);
    status = custom->combine(s->side, s->even, right, custom->user);
    for (size_t i = blocks; i-- > 1;)
      memcpy(s->carry + i * bytes, (i & 1 ? s->side : s->carry) + i / 2 * bytes, bytes);
  }
  return status;
}

/* The prefixes before and, if the chunk is full, behind it. */
static heddle_status prefixes(const struct hd_cpu_scan_plan *plan, const struct scratch *s,
                              struct hd_counter *counter, const char *in, size_t n) {
  const heddle_custom *custom = plan->scan->fold.custom;
  heddle_status status = hd_counter_prefix(counter, s->prefix);
  if (status || n < plan->chunk) return status;
  if (custom->commutative) { /* rule 2 folds columns, so the tree's top is not the total */
    status = plan->fold.chunks(in, NULL, counter->count * plan->chunk, 1, s->next, custom);
  } else {
    unsigned top = (unsigned)__builtin_ctzll(plan->chunk);
    memcpy(s->next, totals_of(plan, s, in, top), plan->in_bytes);
  }
  if (!status) status = hd_counter_push(counter, 0, s->next);
  return status ? status : hd_counter_prefix(counter, s->next);
}

heddle_status hd_cpu_custom_scan_step(const struct hd_cpu_scan_plan *plan,
                                      struct hd_counter *counter, const void *in, size_t n,
                                      void *out, void *scratch) {
  const struct hd_fold *fold = &plan->scan->fold;
  const struct scratch s = scratch_in(plan, scratch);
  const size_t bytes = plan->in_bytes;
  const bool full = n == plan->chunk;
  heddle_status status = up(plan, &s, in, n);
  if (status) return HEDDLE_CALLBACK;
  status = prefixes(plan, &s, counter, in, n);
  if (status) return status;
  if (down(plan, &s, in, full ? n : n + 1)) return HEDDLE_CALLBACK;
  if (full) memcpy(s.carry + n * bytes, s.next, bytes);
  const char *result = plan->exclusive ? s.carry : s.carry + bytes;
  if (fold->init) {
    for (size_t i = 0; i < n; i++) memcpy(s.side + i * bytes, fold->init, bytes);
    if (fold->custom->combine(s.side, result, n, fold->custom->user)) return HEDDLE_CALLBACK;
    result = s.side;
  }
  memcpy(out, result, n * bytes);
  return HEDDLE_OK;
}
