/* bykey.h - what the bykey rungs share: data in runs, serial references, the run, the verdict
 *
 * Result   bykey_main runs a rung's launch on eight elements and on any length, verifies, times it
 * Method   keys come in runs of 1 to 512, short ones more often, so that runs begin, end and
 *          reach across the edges of warps and blocks; neighbouring runs of one key are one
 *          (--data constant: all of it). Values have all 32 bits and their sums wrap: any order of
 *          adding gives the same bits, and a value lost, doubled or misplaced shows. Elements
 *          to select from are random keys, of which the odd ones are wanted
 * Limits   groups of keys that lie anywhere are in groups.h
 */
#ifndef BYKEY_H
#define BYKEY_H

#include "../sort/sort.h"

enum { BLOCK = 256, BYKEY_FEWEST = 8 };

enum bykey_task {
  BYKEY_SUMS,      /* of each run its key and the sum of its values, in their order */
  BYKEY_LENGTHS,   /* of each run its key and its length */
  BYKEY_SCAN,      /* of each element the sum of its run up to it */
  BYKEY_SELECT,    /* the odd elements of keys, in their order */
  BYKEY_SELECT_ANY /* and in any order */
};

/* What a launch finds and leaves. `count` is the number of runs or of elements selected. */
struct bykey {
  size_t n;
  unsigned int *keys, *values;          /* on the device, as are the next five */
  unsigned int *out_keys, *out, *count; /* out: sums, lengths or elements */
  unsigned int *work;                   /* the words that the rung asked bykey_main for */
  unsigned int *host_keys, *host_values, *want_keys, *want, *got;
  size_t wanted; /* runs, elements selected, or n */
};
typedef void bykey_launch(struct bykey *b);

static inline size_t bykey_at_least(size_t n) { return n < BYKEY_FEWEST ? BYKEY_FEWEST : n; }

/* ---- data --------------------------------------------------------------------------------- */

static inline void bykey_fill_runs(unsigned int *keys, size_t n) {
  size_t i = 0;
  for (size_t run = 0; i < n; ++run) {
    const unsigned int bits = (unsigned int)(ladder_random(4, run) >> 32) % 10;
    size_t length = 1 + (size_t)(ladder_random(3, run) >> 32) % ((size_t)1 << bits);
    const unsigned int key = ladder_value(run, n, 1000);
    for (; length > 0 && i < n; --length) keys[i++] = key;
  }
}
static inline void bykey_fill_values(unsigned int *values, size_t n) {
  for (size_t i = 0; i < n; ++i) values[i] = (unsigned int)ladder_random(2, i);
}

/* ---- references: one loop each ------------------------------------------------------------- */

/* values NULL: lengths. Returns the number of runs. */
static inline size_t bykey_serial_runs(const unsigned int *keys, const unsigned int *values,
                                       size_t n, unsigned int *out_keys, unsigned int *out) {
  size_t runs = 0;
  for (size_t i = 0; i < n; ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      out_keys[runs] = keys[i];
      out[runs++] = 0;
    }
    out[runs - 1] += values ? values[i] : 1;
  }
  return runs;
}

/* Begins anew every `piece` elements, too. */
static inline void bykey_serial_scan(const unsigned int *keys, const unsigned int *values, size_t n,
                                     size_t piece, unsigned int *out) {
  for (size_t i = 0; i < n; ++i)
    out[i] = values[i] + (i % piece && keys[i] == keys[i - 1] ? out[i - 1] : 0);
}

static inline size_t bykey_serial_select(const unsigned int *keys, size_t n, unsigned int *out) {
  size_t selected = 0;
  for (size_t i = 0; i < n; ++i)
    if (keys[i] & 1) out[selected++] = keys[i];
  return selected;
}

/* ---- the run ------------------------------------------------------------------------------ */

static inline void bykey_to_device(struct bykey *b) {
  sort_to_device(b->keys, b->host_keys, b->n);
  sort_to_device(b->values, b->host_values, b->n);
}

static inline void bykey_open(struct bykey *b, size_t n, size_t work_words) {
  unsigned int **const device[] = {&b->keys, &b->values, &b->out_keys, &b->out};
  unsigned int **const host[] = {&b->host_keys, &b->host_values, &b->want_keys, &b->want, &b->got};
  b->n = n;
  for (int i = 0; i < 4; ++i) *device[i] = sort_memory(n);
  for (int i = 0; i < 5; ++i) *host[i] = sort_host_memory(n);
  b->count = sort_memory(1);
  b->work = sort_memory(work_words + 1);
}

static inline void bykey_close(struct bykey *b) {
  unsigned int *const device[] = {b->keys, b->values, b->out_keys, b->out, b->count, b->work};
  unsigned int *const host[] = {b->host_keys, b->host_values, b->want_keys, b->want, b->got};
  for (int i = 0; i < 6; ++i) CHECK(cudaFree(device[i]));
  for (int i = 0; i < 5; ++i) free(host[i]);
}

static inline void bykey_reference(struct bykey *b, enum bykey_task task, size_t piece) {
  b->wanted = b->n;
  if (task == BYKEY_SCAN)
    bykey_serial_scan(b->host_keys, b->host_values, b->n, piece, b->want);
  else if (task == BYKEY_SELECT || task == BYKEY_SELECT_ANY)
    b->wanted = bykey_serial_select(b->host_keys, b->n, b->want);
  else
    b->wanted = bykey_serial_runs(b->host_keys, task == BYKEY_SUMS ? b->host_values : NULL, b->n,
                                  b->want_keys, b->want);
}

/* Compares with the reference, which is made here; got holds what the launch left in out. */
static inline int bykey_verify(struct bykey *b, enum bykey_task task, size_t piece) {
  static const char *const names[] = {"sums", "lengths", "sums", "selected", "selected"};
  bykey_reference(b, task, piece);
  if (task != BYKEY_SCAN) {
    const unsigned int wanted = (unsigned int)b->wanted;
    unsigned int count;
    sort_to_host(&count, b->count, 1);
    if (!ladder_same_u32("count", &count, &wanted, 1)) return 0;
  }
  if (task == BYKEY_SUMS || task == BYKEY_LENGTHS) {
    sort_to_host(b->got, b->out_keys, b->wanted);
    if (!ladder_same_u32("keys", b->got, b->want_keys, b->wanted)) return 0;
  }
  sort_to_host(b->got, b->out, b->wanted);
  if (task == BYKEY_SELECT_ANY) {
    sort_serial(b->got, b->wanted, b->wanted + 1);
    sort_serial(b->want, b->wanted, b->wanted + 1);
  }
  return ladder_same_u32(names[task], b->got, b->want, b->wanted);
}

static inline void bykey_print(const struct bykey *b, enum bykey_task task) {
  unsigned int all = 0;
  const size_t m = b->wanted;
  for (size_t i = 0; i < m; ++i) all += b->got[i];
  if (task == BYKEY_SCAN)
    printf("Scanned %zu: middle %u, last %u, sum %u\n", m, b->got[m / 2], b->got[m - 1], all);
  else if (task == BYKEY_SELECT || task == BYKEY_SELECT_ANY)
    printf("Selected %zu of %zu: sum %u\n", m, b->n, all);
  else
    printf("%zu runs in %zu: first %u: %u, last %u: %u, sum %u\n", m, b->n, b->want_keys[0],
           b->got[0], b->want_keys[m - 1], b->got[m - 1], all);
}

/* Eight elements, printed with what was counted. */
static inline void bykey_example(enum bykey_task task, size_t piece, size_t work_words,
                                 bykey_launch *launch) {
  static const unsigned int runs[8] = {2, 2, 2, 5, 5, 1, 2, 2};
  static const unsigned int elements[8] = {5, 1, 4, 0xffffffffu, 2, 8, 1, 6};
  const unsigned long long *const c = ladder.counts;
  const bool select = task == BYKEY_SELECT || task == BYKEY_SELECT_ANY;
  struct bykey b;
  bykey_open(&b, 8, work_words);
  for (unsigned int i = 0; i < 8; ++i) b.host_values[i] = i + 1;
  memcpy(b.host_keys, select ? elements : runs, sizeof runs);
  bykey_to_device(&b);
  ladder_start();
  launch(&b);
  CHECK(ladder_stop());
  if (bykey_verify(&b, task, piece)) {
    sort_print("-> ", b.host_keys, 8);
    if (task == BYKEY_SUMS || task == BYKEY_LENGTHS) sort_print("with ", b.want_keys, b.wanted);
    sort_print("\n", b.got, b.wanted);
  }
  printf("8 elements: %llu steps, work %llu\n", c[LADDER_COUNT_STEPS], c[LADDER_COUNT_WORK]);
  bykey_close(&b);
  ladder.kernel.runs = 0;
}

/* bykey_main - what main calls. `piece` is for a scan that begins anew every so many elements, n
 * or more where none; `work_words` how much memory the launch has for ladder.size elements.
 * ladder_end is left to the caller. */
static inline void bykey_main(enum bykey_task task, size_t piece, size_t work_words,
                              bykey_launch *launch) {
  struct bykey b;
  bykey_example(task, piece, work_words, launch);
  bykey_open(&b, ladder.size, work_words);
  if (task == BYKEY_SELECT || task == BYKEY_SELECT_ANY)
    ladder_fill_u32(b.host_keys, b.n, 0xffffffffu);
  else
    bykey_fill_runs(b.host_keys, b.n);
  bykey_fill_values(b.host_values, b.n);
  bykey_to_device(&b);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    launch(&b);
    CHECK(ladder_stop());
  }
  if (bykey_verify(&b, task, piece)) bykey_print(&b, task);
  const bool select = task == BYKEY_SELECT || task == BYKEY_SELECT_ANY;
  ladder_moves(4.0 *
               ((select                  ? 1.0
                 : task == BYKEY_LENGTHS ? 1.0
                                         : 2.0) *
                    (double)b.n +
                (task == BYKEY_SUMS || task == BYKEY_LENGTHS ? 2.0 : 1.0) * (double)b.wanted));
  bykey_close(&b);
}

#endif
