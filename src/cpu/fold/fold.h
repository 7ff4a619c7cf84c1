/* fold.h - folding an array in order v1: what the CPU's files share
 *
 * choose.c  the kernel and strategy       blocks.c  chunks to blocks      fold.c    arrays; state.c in pieces
 * custom.c  that of an operator      finish.c  a total to a result   rows/     one result a row
 * partial.c totals of parts of an array                                columns/  rows side by side */
#ifndef HEDDLE_CPU_FOLD_FOLD_H
#define HEDDLE_CPU_FOLD_FOLD_H

#include "cpu/cpu.h"
#include "cpu/isa/kernels.h"
#include "cpu/rows.h"

/* One long row, on all threads of the context. */
heddle_status hd_cpu_fold_long(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                               const void *y, size_t count, struct hd_fold_out out);
/* The result of a row without gaps, on this thread (rows/rows.c); slots are a counter's. */
heddle_status hd_cpu_fold_contiguous(const struct hd_fold *fold,
                                     const struct hd_cpu_fold_kernel *kernel, void *slots,
                                     const void *x, const void *y, u64 length,
                                     struct hd_fold_out out);
/* *total = that of `count` elements, at least a chunk, on all threads of the context (rule 5); it has
 * HD_MAX_CUSTOM_BYTES. */
heddle_status hd_cpu_fold_array(heddle_context *ctx, const struct hd_fold *fold,
                                const struct hd_cpu_fold_kernel *kernel, const void *x,
                                const void *y, size_t count, void *total);
/* Full chunks into the counter, by as many threads as they are worth. */
heddle_status hd_cpu_fold_count(heddle_context *ctx, const struct hd_fold *fold,
                                const struct hd_cpu_fold_kernel *kernel, struct hd_counter *counter,
                                const void *x, const void *y, u64 chunks);
/* Sets the message for HEDDLE_CALLBACK, which belongs to the calling thread, whichever thread ran
 * the operator; hands any other status on. */
heddle_status hd_cpu_callback_failed(const struct hd_fold *fold, heddle_status status);

/* ---- blocks of chunks (blocks.c), on this thread --------------------------------------------- */

/* The level of the largest aligned block that starts at chunk `at`, ends within `chunks` more, and
 * is folded by one call. */
u32 hd_cpu_fold_level(const struct hd_cpu_fold_kernel *kernel, u64 at, u64 chunks);
/* *out = the total of the block of 2^level chunks from chunk `at` on, whose elements are x and y. */
heddle_status hd_cpu_fold_block(const struct hd_cpu_fold_kernel *kernel, const void *x,
                                const void *y, u64 at, u32 level, void *out,
                                const heddle_custom *custom);
/* Appends `chunks` full chunks at x, y to the counter of chunks. */
heddle_status hd_cpu_fold_chunks(const struct hd_cpu_fold_kernel *kernel,
                                 struct hd_counter *counter, const void *x, const void *y,
                                 u64 chunks);
/* Whether nothing behind a total's elements changes it. */
static inline bool hd_cpu_fold_is_settled(const struct hd_cpu_fold_kernel *kernel,
                                          const void *total) {
  return kernel->settled && kernel->settled(total);
}
/* Few chunks need no counter: all their totals fit HD_MAX_CUSTOM_BYTES. */
static inline bool hd_cpu_fold_is_few(const struct hd_cpu_fold_kernel *kernel, u64 chunks) {
  return chunks <= HD_MAX_CUSTOM_BYTES / HD_TOTAL_BYTES_MOST &&
         kernel->merge.bytes <= HD_TOTAL_BYTES_MOST;
}
/* Less than a chunk is the kernel's tail alone. */
static inline bool hd_cpu_fold_is_short(const struct hd_cpu_fold_kernel *kernel, size_t count) {
  return count < kernel->chunk;
}
/* Below this a thread costs more than it brings. */
enum { HD_FOLD_PARALLEL_BYTES = 1 << 20 };
static inline bool hd_cpu_fold_is_one_thread(const heddle_context *ctx,
                                             const struct hd_cpu_fold_kernel *kernel, u64 chunks) {
  const u64 bytes = chunks * kernel->chunk * kernel->element_bytes;
  return bytes < HD_FOLD_PARALLEL_BYTES || (ctx->threads < 2 && !ctx->poll && !ctx->run);
}
/* Threads that fold the first wave of many chunks (fold.c). */
size_t hd_cpu_fold_wave_workers(const heddle_context *ctx, const struct hd_cpu_fold_kernel *kernel,
                                u64 chunks);
/* What hd_cpu_fold does with `count` elements (choose.c). */
struct hd_cpu_choice hd_cpu_fold_choice(const heddle_context *ctx,
                                        const struct hd_cpu_fold_kernel *kernel, size_t count);
/* totals[0] = the prefix of few full chunks at x, y; totals has HD_MAX_CUSTOM_BYTES. */
static inline heddle_status hd_cpu_fold_few(const struct hd_cpu_fold_kernel *kernel, const void *x,
                                            const void *y, size_t chunks, void *totals,
                                            const heddle_custom *custom) {
  if (!chunks) {
    kernel->merge.identity(totals, custom);
    return HEDDLE_OK;
  }
  heddle_status status = kernel->chunks(x, y, 0, chunks, totals, custom);
  if (chunks == 1 || kernel->merge.order_free || status) return status;
  return hd_totals_prefix(&kernel->merge, totals, chunks, custom);
}

/* ---- strips of neighbouring columns (rows/strips.c) ------------------------------------------- */

struct hd_cpu_runs;

/* What neighbouring rows share whose elements lie in lines: struct hd_cpu_fold_strips. */
struct hd_cpu_strip {
  const char *x;
  i64 step, apart; /* elements between lines, and between columns */
  u64 length;      /* lines */
  size_t width;
  const struct hd_cpu_runs *runs; /* of which the columns are, not x (rows/runs.h); or NULL */
  /* Columns that go to the kernel with what lies between: so many `apart`, the next ones `pitch` elements on
   * from the first of them. 0: there are none. */
  size_t group;
  i64 pitch;
};
/* Bytes of memory that a strip of a kernel needs, aligned to 64 bytes. */
size_t hd_cpu_fold_strip_bytes(const struct hd_cpu_fold_kernel *kernel);
/* Columns of the next strip, of at most `rows` neighbours `apart` elements from each other; 0: they are
 * no strip of this kernel. */
size_t hd_cpu_fold_strip_width(const struct hd_cpu_fold_kernel *kernel,
                               const struct hd_cpu_row *row, i64 apart, u64 rows);
/* Runs of few neighbours of few elements that make one strip, from row r, at which one begins, on; 0: those
 * are none. */
size_t hd_cpu_fold_strip_runs(const struct hd_cpu_fold_kernel *kernel,
                              const struct hd_cpu_row_walk *walk, u64 r, u64 end);
/* Rows from r on whose strip is folded with what lies between its columns: strip->width, group and pitch are
 * set. False: there are none. */
bool hd_cpu_fold_strip_gaps(const struct hd_cpu_fold_kernel *kernel,
                            const struct hd_cpu_row_walk *walk, u64 r, u64 end,
                            struct hd_cpu_strip *strip);
/* The result of column c to out[c], as in hd_cpu_fold_rows. */
heddle_status hd_cpu_fold_strip(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                                const struct hd_cpu_strip *strip, void *memory,
                                const struct hd_cpu_kernels *kernels, struct hd_cancellation *token,
                                struct hd_fold_out out, size_t out_bytes);

/* ---- results (finish.c) --------------------------------------------------------------- */

/* *out = op(init, *total), rounded to out_type; count is the number of elements folded. In a row
 * an empty extreme is the identity, else HEDDLE_EMPTY. */
heddle_status hd_cpu_fold_result(const struct hd_fold *fold,
                                 const struct hd_cpu_fold_kernel *kernel, const void *total,
                                 u64 count, bool is_row, struct hd_fold_out out);
/* The same of the totals of n neighbouring rows' places. */
void hd_cpu_fold_places(const struct hd_fold *fold, const void *totals, size_t n,
                        struct hd_fold_out out);
/* Bytes of one result at out.value. */
size_t hd_cpu_fold_out_bytes(const struct hd_fold *fold);

#endif
