/* scan.h - running totals in order v1: the parts that the CPU's entries share
 *
 * scan.c    whole arrays
 * choose.c  which of these an array takes
 * chain.c   full chunks on several threads
 * plan.c    what a checked job needs: lanes, kernel, conversions
 * chunk.c   one chunk by a plan; prefixes of chunks
 * custom.c  one chunk by a custom operator
 * state.c   the same in pieces
 * rows.c    the same along rows
 * columns.c many rows at once */
#ifndef HEDDLE_CPU_SCAN_SCAN_H
#define HEDDLE_CPU_SCAN_SCAN_H

#include "cpu/fold/fold.h"
#include "cpu/isa/kernels.h"

/* ---- a job made ready (plan.c) ---------------------------------------------------------- */

struct hd_cpu_scan_plan {
  const struct hd_scan *scan;
  const struct hd_cpu_scan_kernels *table;
  const struct hd_cpu_scan_kernel *kernel; /* NULL: a custom operator, of which `fold` tells */
  struct hd_cpu_fold_kernel fold;          /* custom only */
  u32 chunk, in_bytes, out_bytes;
  hd_cpu_scan_load *load;   /* NULL: elements are lanes */
  hd_cpu_scan_store *store; /* NULL: lanes are results, or `convert` is set */
  heddle_type
      convert; /* HEDDLE_TYPE_DEFAULT, or the type of lanes that go through order/convert.c */
  const struct hd_cpu_scan_format *format;
  /* The format is of elements and results; then `total` gives a chunk's total. Else it is of lanes. */
  bool narrow;
  const struct hd_cpu_fold_kernel *total;
  u64 load_nan, store_nan;
  u64 start; /* the identity: a lane */
  u64 init;  /* a lane, where scan->fold.init is not NULL */
  bool exclusive;
};

void hd_cpu_scan_make_plan(struct hd_cpu_scan_plan *plan, const struct hd_cpu_kernels *kernels,
                           const struct hd_scan *scan);

/* Whether lanes are what the caller wants. */
static inline bool hd_cpu_scan_is_direct(const struct hd_cpu_scan_plan *plan) {
  return !plan->store && !plan->convert && !plan->scan->fold.init;
}

/* ---- one chunk (chunk.c) ------------------------------------------------------------------ */

/* Scratch of a thread for one chunk: lanes and results. */
struct hd_cpu_scan_buffer {
  _Alignas(64) unsigned char lanes[HD_CHUNK_BYTES];
  _Alignas(64) unsigned char stage[HD_SCAN_LINE + HD_SCAN_MOST * sizeof(u64)];
};

/* What comes before a chunk and behind it: lanes. Where a counter is given, `next` is made of it and the
 * chunk's total; else it is known. */
struct hd_cpu_scan_carries {
  u64 prefix, next;
  struct hd_cpu_scan_counter *counter;
};

/* A full chunk's total. */
void hd_cpu_scan_total(const struct hd_cpu_scan_plan *plan, const void *in, void *total,
                       struct hd_cpu_scan_buffer *buffer);
/* n <= chunk elements, written to out. `next` is of full chunks only. */
void hd_cpu_scan_chunk(const struct hd_cpu_scan_plan *plan, const void *in, void *out, size_t n,
                       struct hd_cpu_scan_carries *carries, struct hd_cpu_scan_buffer *buffer);

/* Full chunks one after the other, past the caches. What goes out is an exclusive scan; an inclusive one is
 * the same, a result further down. */
struct hd_cpu_scan_writer {
  const struct hd_cpu_scan_plan *plan;
  struct hd_cpu_scan_buffer *buffer;
  char *out;  /* where the next chunk's output goes */
  bool begun; /* buffer->stage holds what comes before `out` in its line */
};
/* Meanwhile fetches the chunk at `ahead` into the caches. */
void hd_cpu_scan_write(struct hd_cpu_scan_writer *writer, const void *in,
                       struct hd_cpu_scan_carries *carries, const void *ahead);
/* `next`: behind the last chunk. */
void hd_cpu_scan_write_end(struct hd_cpu_scan_writer *writer, u64 next);

/* Once an array or row is scanned: an exclusive sum starts with +0.0, not with -0.0 (rule 7). */
void hd_cpu_scan_first(const struct hd_cpu_scan_plan *plan, void *out);
bool hd_cpu_scan_is_zero_first(const struct hd_cpu_scan_plan *plan); /* whether it does */

/* Prefixes (rules 3 and 4). Bit i of chunks stands for an aligned block of 2^i chunks: total[i] is
 * its total, and carry[i] that of all chunks up to its end. */
struct hd_cpu_scan_counter {
  u64 chunks;
  u64 total[64], carry[64];
};
/* The carry behind the chunks so far. */
u64 hd_cpu_scan_prefix(const struct hd_cpu_scan_plan *plan,
                       const struct hd_cpu_scan_counter *counter);
/* Takes the next chunk's total and gives the carry behind it. */
u64 hd_cpu_scan_push(const struct hd_cpu_scan_plan *plan, struct hd_cpu_scan_counter *counter,
                     u64 total);
/* The same of a kernel that is independent of the order, from the carry behind the chunk. */
void hd_cpu_scan_advance(struct hd_cpu_scan_counter *counter, u64 carry);

/* ---- any operator, on one thread ----------------------------------------------------------------- */

/* Where a scan stands between two chunks. */
struct hd_cpu_scan_cursor {
  struct hd_cpu_scan_counter counter;
  struct hd_counter custom; /* the same of a custom operator */
};

size_t hd_cpu_scan_slots_bytes(const struct hd_cpu_scan_plan *plan);   /* of a place; may be 0 */
size_t hd_cpu_scan_scratch_bytes(const struct hd_cpu_scan_plan *plan); /* of a thread */
void hd_cpu_scan_cursor_start(struct hd_cpu_scan_cursor *place, const struct hd_cpu_scan_plan *plan,
                              void *slots);
/* n <= chunk elements; a full chunk moves the place on. */
heddle_status hd_cpu_scan_step(const struct hd_cpu_scan_plan *plan,
                               struct hd_cpu_scan_cursor *place, const void *in, size_t n,
                               void *out, void *scratch);
/* *sum = the total of all full chunks so far and the n more elements at `in`; it has HD_MAX_CUSTOM_BYTES. */
heddle_status hd_cpu_scan_sum(const struct hd_cpu_scan_plan *plan,
                              const struct hd_cpu_kernels *kernels,
                              const struct hd_cpu_scan_cursor *place, const void *in, size_t n,
                              void *sum);
/* *total = the same as heddle_reduce has it. */
heddle_status hd_cpu_scan_last(const struct hd_cpu_scan_plan *plan,
                               const struct hd_cpu_kernels *kernels,
                               const struct hd_cpu_scan_cursor *place, const void *in, size_t n,
                               void *total);

/* Custom operators (custom.c). */
size_t hd_cpu_custom_scan_bytes(const struct hd_cpu_scan_plan *plan);
heddle_status hd_cpu_custom_scan_step(const struct hd_cpu_scan_plan *plan,
                                      struct hd_counter *counter, const void *in, size_t n,
                                      void *out, void *scratch);

/* ---- many chunks (scan.c) ------------------------------------------------------------------------- */

/* Full chunks from the place on, by as many threads as they are worth. */
heddle_status hd_cpu_scan_chunks(heddle_context *ctx, const struct hd_cpu_scan_plan *plan,
                                 struct hd_cpu_scan_cursor *place, const void *in, u64 chunks,
                                 void *out, void *scratch);
/* The same by several threads; past_caches: its output goes there. The context's lock is held. */
heddle_status hd_cpu_scan_chain(heddle_context *ctx, const struct hd_cpu_scan_plan *plan,
                                struct hd_cpu_scan_counter *counter, const void *in, u64 chunks,
                                void *out, bool past_caches, struct hd_cancellation *token);
/* Threads of it. */
size_t hd_cpu_scan_chain_workers(const heddle_context *ctx, u64 chunks);

/* What hd_cpu_scan_array asks on its way, and choose.c again. */
enum {
  HD_SCAN_PARALLEL_CHUNKS = 64,       /* below this a thread costs more than it brings */
  HD_SCAN_NONTEMPORAL_BYTES = 8 << 20 /* of output: from here on it is written past the caches */
};
static inline bool hd_cpu_scan_is_short(const struct hd_cpu_scan_plan *plan, size_t count) {
  return count < plan->chunk;
}
static inline bool hd_cpu_scan_is_one_thread(const heddle_context *ctx, u64 chunks) {
  return ctx->threads < 2 || chunks < HD_SCAN_PARALLEL_CHUNKS;
}
/* Output is large, and not where the input was just read. */
static inline bool hd_cpu_scan_is_nontemporal(const struct hd_cpu_scan_plan *plan, u64 chunks,
                                              bool apart) {
  return plan->table->lines && apart &&
         chunks * plan->chunk * plan->out_bytes >= HD_SCAN_NONTEMPORAL_BYTES;
}
struct hd_cpu_choice hd_cpu_scan_choice(const heddle_context *ctx,
                                        const struct hd_cpu_scan_plan *plan, size_t count);

/* A whole array, or a long row. */
heddle_status hd_cpu_scan_array(heddle_context *ctx, const struct hd_cpu_scan_plan *plan,
                                const void *in, size_t count, void *out);

#endif
