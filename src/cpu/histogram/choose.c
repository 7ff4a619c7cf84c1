/* choose.c - which tables a histogram counts into
 *
 *   input                                              strategy  tables
 *   weights                                            WEIGHTS   an accumulator a total a worker, with
 *                                                                copies while they fit the first-level
 *                                                                cache
 *   8-bit elements, and enough of them                 BYTES     HD_COPIES of 256 counters a worker
 *   HD_COPIES counters a slot fit the first-level      COPIES    HD_COPIES counters a slot a worker
 *   cache
 *   6K to 32K totals                                   NARROW    16 bits, emptied into 32, a worker
 *   tables of up to MOST_PRIVATE bytes                 FLAT      a counter a total a worker
 *   more, on several threads                           SHARED    the totals, by atomic additions
 *   more, on one thread, or few elements               DIRECT    the totals
 *
 * The first row that fits is taken. A table has to be worth clearing and adding up: it takes WORTH
 * elements a counter, or the row does not fit. */
#include "count.h"
#include "tally.h"

enum {
  WORTH = 4,                    /* elements a counter that pay for clearing and adding it up */
  MOST_COPIES_BYTES = 36 << 10, /* of a first-level cache of 32 to 48 KiB, which indices share */
  MOST_COPIED = 24 << 10,       /* the same of accumulators */
  MOST_WHOLE = HD_ACCUMULATOR_ROOM >> 5, /* accumulators, carried on once in so many weights */
  LEAST_NARROW = 6 << 10,    /* totals; below, 32-bit counters fit the first-level cache */
  MOST_NARROW = 32 << 10,    /* beyond, emptying them costs more than it brings */
  MOST_PRIVATE = 16 << 20,   /* bytes of tables a worker */
  PARALLEL_BYTES = 256 << 10 /* below this a thread costs more than it brings */
};

static bool pays(u64 expected, size_t counters) { return expected / WORTH >= counters; }

static void choose_weights(struct hd_cpu_tally *t, u64 expected) {
  const size_t copied = t->totals << HD_WEIGH_SHIFT;
  t->strategy = HD_TALLY_WEIGHTS;
  t->weigh.copies = copied * sizeof(struct hd_accumulator) <= MOST_COPIED && pays(expected, copied);
  t->counters = t->weigh.copies ? copied : t->totals;
  t->weigh.whole = t->counters <= MOST_WHOLE;
  t->worker_bytes = t->counters * sizeof(struct hd_accumulator);
  if (t->worker_bytes > MOST_PRIVATE || !pays(expected, t->counters)) t->workers = 1;
}

static void choose_counts(struct hd_cpu_tally *t, u64 expected) {
  size_t counter_bytes = sizeof(u32);
  size_t slots_copies = t->slots * HD_COPIES, bytes_copies = (size_t)HD_COPIES * HD_BYTE_TABLE;
  t->copies = t->channels == 3 ? 6 : 8;
  if (t->plan.strategy == HD_PLAN_VALUES && pays(expected, bytes_copies)) {
    t->strategy = HD_TALLY_BYTES;
    t->counters = bytes_copies;
  } else if (slots_copies * sizeof(u32) <= MOST_COPIES_BYTES && pays(expected, slots_copies)) {
    t->strategy = HD_TALLY_COPIES;
    t->counters = slots_copies;
    t->plan.index.shift = HD_COPIES_SHIFT;
  } else if (t->totals * counter_bytes <= MOST_PRIVATE && pays(expected, t->totals)) {
    bool narrow = t->totals >= LEAST_NARROW && t->totals <= MOST_NARROW;
    t->strategy = narrow ? HD_TALLY_NARROW : HD_TALLY_FLAT;
    t->counters = t->totals;
    if (narrow) counter_bytes += sizeof(u16);
  } else if (t->workers > 1 && pays(expected, PARALLEL_BYTES)) {
    t->strategy = HD_TALLY_SHARED;
  } else {
    t->strategy = HD_TALLY_DIRECT;
    t->workers = 1;
  }
  bool one_each = t->strategy == HD_TALLY_FLAT || t->strategy == HD_TALLY_NARROW;
  t->worker_bytes = one_each ? t->totals * counter_bytes : t->counters * sizeof(u32);
}

void hd_cpu_tally_choose(struct hd_cpu_tally *t, u64 expected) {
  if (t->weighted)
    choose_weights(t, expected);
  else
    choose_counts(t, expected);
}

unsigned hd_cpu_tally_workers(const struct hd_cpu_tally *t, size_t count) {
  size_t bytes = count * t->element_bytes, most = bytes / (PARALLEL_BYTES / 2);
  if (bytes < PARALLEL_BYTES) return 1;
  if (t->counters && most > count / WORTH / t->counters) most = count / WORTH / t->counters;
  return most < 1 ? 1 : most < t->workers ? (unsigned)most : t->workers;
}

/* ---- as heddle_explain gives it --------------------------------------------------------------- */

static const struct strategy {
  const char *name, *kernel, *file;
} strategies[] = {
    [HD_TALLY_DIRECT] = {"direct", "hd_cpu_count_u64", "cpu/histogram/count.c"},
    [HD_TALLY_SHARED] = {"shared", "hd_cpu_count_shared", "cpu/histogram/count.c"},
    [HD_TALLY_FLAT] = {"flat", "hd_cpu_count_u32", "cpu/histogram/count.c"},
    [HD_TALLY_NARROW] = {"narrow", "hd_cpu_count_u16", "cpu/histogram/count.c"},
    [HD_TALLY_COPIES] = {"copies", "hd_cpu_count_copies", "cpu/histogram/count.c"},
    [HD_TALLY_WEIGHTS] = {"weights", "hd_cpu_weigh_block", "cpu/histogram/weigh.c"},
    [HD_TALLY_BYTES] = {"bytes", "hd_cpu_count_bytes", "cpu/histogram/count.c"},
};

static const struct strategy exact_weights = {"weights_exact", "hd_cpu_weigh_exact_block",
                                              "cpu/histogram/weigh_exact.c"};

struct hd_cpu_choice hd_cpu_tally_choice(const struct hd_cpu_tally *t, size_t count) {
  const struct strategy *line = t->weigh.exact ? &exact_weights : &strategies[t->strategy];
  const size_t first = count < HD_TALLY_SEGMENT ? count : HD_TALLY_SEGMENT;
  return (struct hd_cpu_choice){line->name, line->kernel, line->file,
                                hd_cpu_tally_workers(t, first)};
}
