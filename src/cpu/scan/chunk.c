/* chunk.c - one chunk by a plan, through the caches or past them; prefixes of chunks
 *
 * Method   Conversions go through a buffer in the L1 cache. Output past the caches is staged there
 *          too, so that only whole lines leave it: what does not fill one waits for the next
 *          chunk. The first and the last line of a run are shared with others' output and written
 *          in the ordinary way. */
#include <string.h>

#include "order/blocks.h"
#include "order/convert.h"
#include "scan.h"

/* ---- prefixes ------------------------------------------------------------------------------------ */

/* A counter and what combines its totals. */
struct counting {
  const struct hd_cpu_scan_kernel *kernel;
  struct hd_cpu_scan_counter *counter;
};

static inline u64 combined(const struct hd_cpu_scan_kernel *kernel, u64 left, u64 right) {
  kernel->combine(&left, &right);
  return left;
}

#define BLOCKS_NAME chunks
#define BLOCKS_COUNTER struct counting
#define BLOCKS_T u64
#define BLOCKS_OP(k, a, b) combined((k)->kernel, a, b)
#define BLOCKS_SLOT(k, i) (k)->counter->total[i]
#define BLOCKS_KEEP(k, i, t) ((k)->counter->total[i] = (t))
#define BLOCKS_CARRY(k, i) (k)->counter->carry[i]
#include "order/blocks_tmpl.h"

u64 hd_cpu_scan_prefix(const struct hd_cpu_scan_plan *plan,
                       const struct hd_cpu_scan_counter *counter) {
  return counter->chunks ? counter->carry[hd_low_bit(counter->chunks)] : plan->start;
}

void hd_cpu_scan_advance(struct hd_cpu_scan_counter *counter, u64 carry) {
  counter->chunks++;
  counter->carry[hd_low_bit(counter->chunks)] = carry;
}

u64 hd_cpu_scan_push(const struct hd_cpu_scan_plan *plan, struct hd_cpu_scan_counter *counter,
                     u64 total) {
  struct counting k = {plan->kernel, counter};
  if (plan->kernel->independent) {
    const u64 carry = combined(plan->kernel, hd_cpu_scan_prefix(plan, counter), total);
    hd_cpu_scan_advance(counter, carry);
    return carry;
  }
  return chunks_carry(&k, counter->chunks++, total);
}

/* ---- through the caches -------------------------------------------------------------------------------- */

static const void *lanes_of(const struct hd_cpu_scan_plan *plan, const void *in, size_t n,
                            struct hd_cpu_scan_buffer *buffer) {
  if (!plan->load || plan->narrow) return in;
  plan->load(in, buffer->lanes, n, plan->load_nan);
  return buffer->lanes;
}

/* Whether the format's results are what the caller wants. */
static inline bool is_result(const struct hd_cpu_scan_plan *plan) {
  return plan->narrow || hd_cpu_scan_is_direct(plan);
}

static void make_results(const struct hd_cpu_scan_plan *plan, unsigned char *lanes, size_t n,
                         char *out) {
  if (plan->scan->fold.init) plan->kernel->apply(&plan->init, lanes, n);
  if (plan->store) {
    plan->store(lanes, out, n, plan->store_nan);
  } else if (plan->convert) {
    for (size_t i = 0; i < n; i++)
      hd_convert_one(plan->convert, lanes + i * sizeof(u64), plan->scan->fold.out_type,
                     out + i * plan->out_bytes);
  } else {
    memcpy(out, lanes, n * plan->kernel->lane_bytes);
  }
}

void hd_cpu_scan_total(const struct hd_cpu_scan_plan *plan, const void *in, void *total,
                       struct hd_cpu_scan_buffer *buffer) {
  if (plan->narrow)
    (void)plan->total->chunks(in, NULL, 0, 1, total, NULL);
  else
    plan->kernel->total(lanes_of(plan, in, plan->chunk, buffer), total);
}

/* What comes behind a full chunk, from what its format gave. */
static inline u64 behind_chunk(const struct hd_cpu_scan_plan *plan,
                               const struct hd_cpu_scan_carries *carries, u64 behind) {
  if (!carries->counter) return carries->next;
  if (!plan->kernel->independent) return hd_cpu_scan_push(plan, carries->counter, behind);
  hd_cpu_scan_advance(carries->counter, behind);
  return behind;
}

/* hd_cpu_scan_chunk; in line, since a short row's time shows a call more. */
static inline __attribute__((always_inline)) void scan_chunk(const struct hd_cpu_scan_plan *plan,
                                                             const void *in, char *out, size_t n,
                                                             struct hd_cpu_scan_carries *carries,
                                                             struct hd_cpu_scan_buffer *buffer) {
  const struct hd_cpu_scan_format *format = plan->format;
  const bool result = is_result(plan), full = n == plan->chunk;
  const size_t bytes = result ? plan->out_bytes : plan->kernel->lane_bytes;
  char *y = result ? out : (char *)buffer->lanes;
  u64 behind = 0;
  format->scan(lanes_of(plan, in, n, buffer), y, n, &carries->prefix,
               full && carries->counter ? &behind : NULL, plan->exclusive);
  if (full) {
    carries->next = behind_chunk(plan, carries, behind);
    if (!plan->exclusive) format->last(&carries->next, y + (n - 1) * bytes);
  }
  if (!result) make_results(plan, buffer->lanes, n, out);
}

void hd_cpu_scan_chunk(const struct hd_cpu_scan_plan *plan, const void *in, void *out, size_t n,
                       struct hd_cpu_scan_carries *carries, struct hd_cpu_scan_buffer *buffer) {
  scan_chunk(plan, in, out, n, carries, buffer);
}

bool hd_cpu_scan_is_zero_first(const struct hd_cpu_scan_plan *plan) {
  return plan->exclusive && hd_is_sum(plan->scan->fold.op) && !plan->scan->fold.init;
}

void hd_cpu_scan_first(const struct hd_cpu_scan_plan *plan, void *out) {
  if (hd_cpu_scan_is_zero_first(plan)) memset(out, 0, plan->out_bytes);
}

/* ---- chunks past the caches --------------------------------------------------------------------- */

/* How far down a chunk's exclusive scan goes, and how far inside a line that is. */
static size_t shift_of(const struct hd_cpu_scan_plan *plan) {
  return plan->exclusive ? 0 : plan->out_bytes;
}
static size_t into_line(const struct hd_cpu_scan_writer *writer) {
  return (size_t)(((uintptr_t)writer->out - shift_of(writer->plan)) % HD_SCAN_LINE);
}

/* The exclusive scan of a full chunk to `out`, and what its format gives. */
static u64 scan_exclusive(const struct hd_cpu_scan_plan *plan, const void *in, char *out,
                          const u64 *prefix, struct hd_cpu_scan_buffer *buffer) {
  const bool result = is_result(plan);
  u64 behind = 0;
  plan->format->scan(lanes_of(plan, in, plan->chunk, buffer), result ? out : (char *)buffer->lanes,
                     plan->chunk, prefix, &behind, true);
  if (!result) make_results(plan, buffer->lanes, plan->chunk, out);
  return behind;
}

/* What is staged, in whole lines. What lies before the first output in its line is not ours to write. */
static void write_lines(const struct hd_cpu_scan_writer *writer, size_t skip, size_t bytes) {
  const char *stage = (const char *)writer->buffer->stage;
  const size_t shift = shift_of(writer->plan);
  if (writer->begun) {
    writer->plan->table->lines(writer->out - shift - skip, stage, bytes);
    return;
  }
  const size_t first = skip + shift;
  const size_t head = (first + HD_SCAN_LINE - 1) / HD_SCAN_LINE * HD_SCAN_LINE;
  memcpy(writer->out, stage + first, head - first);
  writer->plan->table->lines(writer->out + (head - first), stage + head, bytes - head);
}

void hd_cpu_scan_write(struct hd_cpu_scan_writer *writer, const void *in,
                       struct hd_cpu_scan_carries *carries, const void *ahead) {
  const struct hd_cpu_scan_plan *plan = writer->plan;
  const size_t skip = into_line(writer), bytes = (size_t)plan->chunk * plan->out_bytes;
  char *stage = (char *)writer->buffer->stage;
  u64 behind = 0;
  if (is_result(plan) && writer->begun) {
    const struct hd_cpu_scan_nontemporal to = {writer->out - shift_of(plan) - skip, stage, skip,
                                               ahead};
    plan->format->past_caches(lanes_of(plan, in, plan->chunk, writer->buffer), &to,
                              &carries->prefix, &behind);
  } else {
    for (size_t i = 0; i < (size_t)plan->chunk * plan->in_bytes; i += HD_SCAN_LINE)
      __builtin_prefetch((const char *)ahead + i, 0, 2);
    behind = scan_exclusive(plan, in, stage + skip, &carries->prefix, writer->buffer);
    write_lines(writer, skip, bytes);
  }
  carries->next = behind_chunk(plan, carries, behind);
  memcpy(stage, stage + bytes, skip);
  writer->out += bytes;
  writer->begun = true;
}

void hd_cpu_scan_write_end(struct hd_cpu_scan_writer *writer, u64 next) {
  const struct hd_cpu_scan_plan *plan = writer->plan;
  char *stage = (char *)writer->buffer->stage;
  const size_t skip = into_line(writer), shift = shift_of(plan);
  if (writer->begun) {
    if (shift && is_result(plan)) {
      plan->format->last(&next, stage + skip);
    } else if (shift) {
      plan->format->last(&next, writer->buffer->lanes);
      make_results(plan, writer->buffer->lanes, 1, stage + skip);
    }
    memcpy(writer->out - shift - skip, stage, skip + shift);
  }
  plan->table->fence();
}

/* ---- any operator -------------------------------------------------------------------------------- */

size_t hd_cpu_scan_slots_bytes(const struct hd_cpu_scan_plan *plan) {
  return plan->kernel ? 0 : HD_COUNTER_SLOTS * (size_t)plan->in_bytes;
}

size_t hd_cpu_scan_scratch_bytes(const struct hd_cpu_scan_plan *plan) {
  return plan->kernel ? sizeof(struct hd_cpu_scan_buffer) : hd_cpu_custom_scan_bytes(plan);
}

void hd_cpu_scan_cursor_start(struct hd_cpu_scan_cursor *place, const struct hd_cpu_scan_plan *plan,
                              void *slots) {
  place->counter.chunks = 0;
  if (!plan->kernel)
    hd_counter_start(&place->custom, &plan->fold.merge, plan->scan->fold.custom, slots);
}

heddle_status hd_cpu_scan_step(const struct hd_cpu_scan_plan *plan,
                               struct hd_cpu_scan_cursor *place, const void *in, size_t n,
                               void *out, void *scratch) {
  if (!plan->kernel) return hd_cpu_custom_scan_step(plan, &place->custom, in, n, out, scratch);
  struct hd_cpu_scan_carries carries = {hd_cpu_scan_prefix(plan, &place->counter), 0,
                                        &place->counter};
  scan_chunk(plan, in, out, n, &carries, scratch);
  return HEDDLE_OK;
}

heddle_status hd_cpu_scan_sum(const struct hd_cpu_scan_plan *plan,
                              const struct hd_cpu_kernels *kernels,
                              const struct hd_cpu_scan_cursor *place, const void *in, size_t n,
                              void *sum) {
  const struct hd_fold *fold = &plan->scan->fold;
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_fold_kernel *kernel = hd_cpu_fold_kernel(kernels, fold, &storage);
  heddle_status status = HEDDLE_OK;
  if (!plan->kernel) {
    status = hd_counter_prefix(&place->custom, sum);
  } else if (!place->counter.chunks) {
    kernel->merge.identity(sum, NULL);
  } else {
    /* A lane is the total of its operator, but for its width. */
    u64 lane = hd_cpu_scan_prefix(plan, &place->counter);
    memcpy(sum, &lane, kernel->merge.bytes);
  }
  /* Integers may have shorter chunks there than here; they fold to the same in any order. */
  for (; !status && n >= kernel->chunk; n -= kernel->chunk) {
    u64 right[HD_TOTAL_BYTES_MOST / sizeof(u64)];
    status = kernel->chunks(in, NULL, 0, 1, right, NULL);
    if (!status) status = kernel->merge.combine(sum, right, NULL);
    in = (const char *)in + (size_t)kernel->chunk * kernel->element_bytes;
  }
  return !status && n ? kernel->tail(in, NULL, 0, n, sum, fold->custom) : status;
}

heddle_status hd_cpu_scan_last(const struct hd_cpu_scan_plan *plan,
                               const struct hd_cpu_kernels *kernels,
                               const struct hd_cpu_scan_cursor *place, const void *in, size_t n,
                               void *total) {
  const struct hd_fold *fold = &plan->scan->fold;
  _Alignas(64) unsigned char sum[HD_MAX_CUSTOM_BYTES];
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_fold_kernel *kernel = hd_cpu_fold_kernel(kernels, fold, &storage);
  const u64 chunks = plan->kernel ? place->counter.chunks : place->custom.count;
  const struct hd_fold_out out = {total, NULL, NULL};
  heddle_status status = hd_cpu_scan_sum(plan, kernels, place, in, n, sum);
  if (status) return status;
  return hd_cpu_fold_result(fold, kernel, sum, chunks * plan->chunk + n, false, out);
}
