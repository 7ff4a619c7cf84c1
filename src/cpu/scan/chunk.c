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

/* ---- through the caches -------------------------------------------------------------------------------- */

static const void *lanes_of(const struct hd_cpu_scan_plan *plan, const void *in, size_t n,
                            struct hd_cpu_scan_buffer *buffer) {
  if (!plan->load) return in;
  if (buffer->held != in) plan->load(in, buffer->lanes, n, plan->load_nan);
  buffer->held = NULL;
  return buffer->lanes;
}

void hd_cpu_scan_total(const struct hd_cpu_scan_plan *plan, const void *in, void *total,
                       struct hd_cpu_scan_buffer *buffer) {
  if (plan->narrow) {
    (void)plan->total->chunks(in, NULL, 0, 1, total, NULL);
    return;
  }
  plan->kernel->total(lanes_of(plan, in, plan->chunk, buffer), total);
  buffer->held = in;
}

/* hd_cpu_scan_chunk; in line, since a short row's time shows a call more. */
static inline __attribute__((always_inline)) void scan_chunk(const struct hd_cpu_scan_plan *plan,
                                                             const void *in, void *out, size_t n,
                                                             const void *prefix, void *next,
                                                             struct hd_cpu_scan_buffer *buffer) {
  const struct hd_cpu_scan_kernel *kernel = plan->kernel;
  const void *x = lanes_of(plan, in, n, buffer);
  if (hd_cpu_scan_is_direct(plan)) {
    kernel->scan[plan->exclusive](x, out, n, prefix, next);
    return;
  }
  kernel->scan[plan->exclusive](x, buffer->lanes, n, prefix, next);
  if (plan->scan->fold.init) kernel->apply(&plan->init, buffer->lanes, n);
  if (plan->store) {
    plan->store(buffer->lanes, out, n, plan->store_nan);
  } else if (plan->convert) {
    for (size_t i = 0; i < n; i++)
      hd_convert_one(plan->convert, buffer->lanes + i * sizeof(u64), plan->scan->fold.out_type,
                     (char *)out + i * plan->out_bytes);
  } else {
    memcpy(out, buffer->lanes, n * kernel->lane_bytes);
  }
}

void hd_cpu_scan_chunk(const struct hd_cpu_scan_plan *plan, const void *in, void *out, size_t n,
                       const void *prefix, void *next, struct hd_cpu_scan_buffer *buffer) {
  scan_chunk(plan, in, out, n, prefix, next, buffer);
}

bool hd_cpu_scan_is_zero_first(const struct hd_cpu_scan_plan *plan) {
  return plan->exclusive && hd_is_sum(plan->scan->fold.op) && !plan->scan->fold.init;
}

void hd_cpu_scan_first(const struct hd_cpu_scan_plan *plan, void *out) {
  if (hd_cpu_scan_is_zero_first(plan)) memset(out, 0, plan->out_bytes);
}

/* ---- chunks past the caches --------------------------------------------------------------------- */

/* The line that `out` lies in and how far inside. */
static size_t into_line(const char *out) { return (size_t)((uintptr_t)out % HD_SCAN_LINE); }

void hd_cpu_scan_write(struct hd_cpu_scan_writer *writer, const void *in, const void *prefix,
                       void *next, const void *coming, void *total, const void *ahead) {
  const struct hd_cpu_scan_plan *plan = writer->plan;
  const size_t skip = into_line(writer->out), bytes = (size_t)plan->chunk * plan->out_bytes;
  char *stage = (char *)writer->buffer->stage;
  const bool at_once = plan->narrow || hd_cpu_scan_is_direct(plan);
  if (at_once && (writer->begun || !skip)) {
    const bool fused = coming && !plan->load;
    const struct hd_cpu_scan_nontemporal to = {writer->out - skip,   stage, skip, coming,
                                               fused ? total : NULL, ahead};
    if (plan->narrow)
      plan->narrow(in, &to, prefix, next);
    else
      plan->kernel->past_caches[plan->exclusive](lanes_of(plan, in, plan->chunk, writer->buffer),
                                                 &to, prefix, next);
    if (fused) coming = NULL;
  } else {
    for (size_t i = 0; i < (size_t)plan->chunk * plan->in_bytes; i += HD_SCAN_LINE)
      __builtin_prefetch((const char *)ahead + i, 0, 2);
    hd_cpu_scan_chunk(plan, in, stage + skip, plan->chunk, prefix, next, writer->buffer);
    /* What lies before the first output in its line is not ours to write. */
    size_t head = writer->begun || !skip ? 0 : HD_SCAN_LINE;
    if (head) memcpy(writer->out, stage + skip, head - skip);
    plan->table->lines(writer->out - skip + head, stage + head, bytes - head);
  }
  if (coming) hd_cpu_scan_total(plan, coming, total, writer->buffer);
  memcpy(stage, stage + bytes, skip);
  writer->out += bytes;
  writer->begun = true;
}

void hd_cpu_scan_write_end(struct hd_cpu_scan_writer *writer) {
  const size_t skip = into_line(writer->out);
  if (writer->begun) memcpy(writer->out - skip, writer->buffer->stage, skip);
  writer->plan->table->fence();
}

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
  u64 prefix = hd_cpu_scan_prefix(plan, &place->counter), total = 0, next = 0;
  const bool full = n == plan->chunk, ordered = !plan->kernel->independent;
  ((struct hd_cpu_scan_buffer *)scratch)->held = NULL;
  if (full && ordered) {
    hd_cpu_scan_total(plan, in, &total, scratch);
    next = hd_cpu_scan_push(plan, &place->counter, total);
  }
  scan_chunk(plan, in, out, n, &prefix, &next, scratch);
  if (full && !ordered) hd_cpu_scan_advance(&place->counter, next);
  return HEDDLE_OK;
}

heddle_status hd_cpu_scan_last(const struct hd_cpu_scan_plan *plan,
                               const struct hd_cpu_kernels *kernels,
                               const struct hd_cpu_scan_cursor *place, const void *in, size_t n,
                               void *total) {
  const struct hd_fold *fold = &plan->scan->fold;
  _Alignas(64) unsigned char sum[HD_MAX_CUSTOM_BYTES];
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_fold_kernel *kernel = hd_cpu_fold_kernel(kernels, fold, &storage);
  u64 chunks = plan->kernel ? place->counter.chunks : place->custom.count;
  u64 count = chunks * plan->chunk + n;
  heddle_status status = HEDDLE_OK;
  if (!plan->kernel) {
    status = hd_counter_prefix(&place->custom, sum);
  } else if (!chunks) {
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
  if (!status && n) status = kernel->tail(in, NULL, 0, n, sum, fold->custom);
  struct hd_fold_out out = {total, NULL, NULL};
  return status ? status : hd_cpu_fold_result(fold, kernel, sum, count, false, out);
}
