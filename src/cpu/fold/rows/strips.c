/* strips.c - rows whose neighbours lie one element apart, by kernels that take them together
 *
 * Method   Lines go to the kernel some chunks at a time, so that a call can be cancelled between them;
 *          each column's total becomes its result.
 * Memory   the kernel's state, and a total a column. */
#include <string.h>

#include "cpu/fold/fold.h"
#include "host/status.h"

enum { LINES = 1 << 16 /* between two polls, at least a chunk of any kernel */ };

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

size_t hd_cpu_fold_strip_bytes(const struct hd_cpu_fold_kernel *kernel) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  if (!strips) return 0;
  return rounded(strips->state_bytes) + rounded((size_t)strips->most * kernel->merge.bytes);
}

size_t hd_cpu_fold_strip_width(const struct hd_cpu_fold_kernel *kernel,
                               const struct hd_cpu_row *row, i64 apart, u64 rows) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  if (!strips || !row->length || !apart || rows < strips->least) return 0;
  if (row->step == 1 ? row->length > strips->longest : apart != 1 && !strips->longest) return 0;
  const u32 most = row->length < kernel->chunk ? strips->most : strips->most_twice;
  return rows < most ? (size_t)rows : most;
}

static struct hd_fold_out out_of(struct hd_fold_out out, size_t out_bytes, size_t c) {
  if (out.value) out.value = (char *)out.value + c * out_bytes;
  if (out.index) out.index += c;
  if (out.description) out.description += c;
  return out;
}

heddle_status hd_cpu_fold_strip(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                                const struct hd_cpu_strip *strip, void *memory,
                                struct hd_cancellation *token, struct hd_fold_out out,
                                size_t out_bytes) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  char *totals = (char *)memory + rounded(strips->state_bytes);
  heddle_status status = HEDDLE_OK;
  strips->start(memory, strip->apart, strip->width);
  for (u64 at = 0; at < strip->length; at += LINES) {
    const u64 left = strip->length - at;
    if (hd_poll(token)) return HEDDLE_CANCELLED;
    strips->lines(memory, strip->x + (i64)at * strip->pitch, strip->pitch, at,
                  left < LINES ? (size_t)left : LINES);
  }
  strips->finish(memory, totals);
  for (size_t c = 0; c < strip->width && !status; c++)
    status = hd_cpu_fold_result(fold, kernel, totals + c * kernel->merge.bytes, strip->length, true,
                                out_of(out, out_bytes, c));
  return status;
}
