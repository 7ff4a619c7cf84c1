/* scan.c - running totals of a whole array, on one thread or, by chain.c, several
 *
 * Method   One pass: a chunk's total is taken while it is scanned, and the counter of chunks gives what comes
 *          behind it. Output that the caches cannot hold is written past them.
 * Source   Blelloch 1990 */
#include "scan.h"

enum {
  POLL_CHUNKS = 64, /* half a MiB of lanes */
  FETCH_AHEAD =
      3 << 10 /* bytes: less comes too late, more while lines that are needed first wait */
};

/* ---- one thread -------------------------------------------------------------------------------- */

static void scan_past_caches(const struct hd_cpu_scan_plan *plan,
                             struct hd_cpu_scan_counter *counter, const char *in, u64 chunks,
                             char *out, struct hd_cpu_scan_buffer *buffer,
                             struct hd_cancellation *token) {
  const size_t step = (size_t)plan->chunk * plan->in_bytes;
  struct hd_cpu_scan_writer writer = {plan, buffer, out, false};
  struct hd_cpu_scan_carries carries = {0, hd_cpu_scan_prefix(plan, counter), counter};
  for (u64 c = 0; c < chunks; c++, in += step) {
    if (c % POLL_CHUNKS == POLL_CHUNKS - 1 && hd_poll(token)) break;
    carries.prefix = carries.next;
    hd_cpu_scan_write(&writer, in, &carries, c + 2 < chunks ? in + FETCH_AHEAD : in);
  }
  hd_cpu_scan_write_end(&writer, carries.next);
}

static heddle_status scan_here(const struct hd_cpu_scan_plan *plan,
                               struct hd_cpu_scan_counter *counter, const char *in, u64 chunks,
                               char *out, struct hd_cpu_scan_buffer *buffer,
                               struct hd_cancellation *token) {
  const size_t step = (size_t)plan->chunk * plan->in_bytes;
  const size_t stride = (size_t)plan->chunk * plan->out_bytes;
  struct hd_cpu_scan_carries carries = {0, hd_cpu_scan_prefix(plan, counter), counter};
  for (u64 c = 0; c < chunks; c++, in += step, out += stride) {
    if (c % POLL_CHUNKS == POLL_CHUNKS - 1 && hd_poll(token)) break;
    carries.prefix = carries.next;
    hd_cpu_scan_chunk(plan, in, out, plan->chunk, &carries, buffer);
  }
  return hd_cancellation_status(token, plan->scan->fold.entry);
}

static heddle_status scan_custom(const struct hd_cpu_scan_plan *plan,
                                 struct hd_cpu_scan_cursor *place, const void *in, u64 chunks,
                                 void *out, void *scratch, struct hd_cancellation *token) {
  const size_t bytes = (size_t)plan->chunk * plan->in_bytes;
  heddle_status status = HEDDLE_OK;
  for (u64 c = 0; c < chunks && !status; c++) {
    if (c % POLL_CHUNKS == POLL_CHUNKS - 1 && hd_poll(token)) break;
    status = hd_cpu_scan_step(plan, place, (const char *)in + c * bytes, plan->chunk,
                              (char *)out + c * bytes, scratch);
  }
  return status ? status : hd_cancellation_status(token, plan->scan->fold.entry);
}

/* ---- any number of threads ----------------------------------------------------------------------- */

heddle_status hd_cpu_scan_chunks(heddle_context *ctx, const struct hd_cpu_scan_plan *plan,
                                 struct hd_cpu_scan_cursor *place, const void *in, u64 chunks,
                                 void *out, void *scratch) {
  struct hd_cancellation token;
  hd_cancellation_start(&token, ctx);
  if (!plan->kernel) return scan_custom(plan, place, in, chunks, out, scratch, &token);
  if (hd_cpu_scan_is_one_thread(ctx, chunks)) {
    if (!hd_cpu_scan_is_nontemporal(plan, chunks, in != out))
      return scan_here(plan, &place->counter, in, chunks, out, scratch, &token);
    scan_past_caches(plan, &place->counter, in, chunks, out, scratch, &token);
    return hd_cancellation_status(&token, plan->scan->fold.entry);
  }
  pthread_mutex_lock(&ctx->lock);
  heddle_status status =
      hd_cpu_scan_chain(ctx, plan, &place->counter, in, chunks, out,
                        hd_cpu_scan_is_nontemporal(plan, chunks, in != out), &token);
  pthread_mutex_unlock(&ctx->lock);
  return status;
}

/* An array of built-in elements needs no memory but this thread's stack. */
static heddle_status scan_builtin(heddle_context *ctx, const struct hd_cpu_scan_plan *plan,
                                  const char *in, size_t count, char *out) {
  struct hd_cpu_scan_buffer buffer;
  if (hd_cpu_scan_is_short(plan, count)) {
    struct hd_cpu_scan_carries carries = {plan->start, 0, NULL};
    hd_cpu_scan_chunk(plan, in, out, count, &carries, &buffer);
    if (count) hd_cpu_scan_first(plan, out);
    return HEDDLE_OK;
  }
  struct hd_cpu_scan_cursor place;
  const u64 chunks = count / plan->chunk;
  const size_t done = (size_t)chunks * plan->chunk;
  hd_cpu_scan_cursor_start(&place, plan, NULL);
  heddle_status status = hd_cpu_scan_chunks(ctx, plan, &place, in, chunks, out, &buffer);
  if (status) return status;
  if (count > done)
    (void)hd_cpu_scan_step(plan, &place, in + done * plan->in_bytes, count - done,
                           out + done * plan->out_bytes, &buffer);
  hd_cpu_scan_first(plan, out);
  return HEDDLE_OK;
}

heddle_status hd_cpu_scan_array(heddle_context *ctx, const struct hd_cpu_scan_plan *plan,
                                const void *in, size_t count, void *out) {
  if (plan->kernel) return scan_builtin(ctx, plan, in, count, out);
  const size_t slots = hd_cpu_scan_slots_bytes(plan),
               bytes = slots + hd_cpu_scan_scratch_bytes(plan);
  const u64 chunks = count / plan->chunk;
  const size_t done = (size_t)chunks * plan->chunk * plan->in_bytes;
  struct hd_cpu_scan_cursor place;
  unsigned char *memory = hd_allocate(ctx, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  hd_cpu_scan_cursor_start(&place, plan, memory);
  heddle_status status = hd_cpu_scan_chunks(ctx, plan, &place, in, chunks, out, memory + slots);
  if (!status && count % plan->chunk)
    status = hd_cpu_scan_step(plan, &place, (const char *)in + done, count % plan->chunk,
                              (char *)out + done, memory + slots);
  hd_release(ctx, memory, bytes);
  return hd_cpu_callback_failed(&plan->scan->fold, status);
}

heddle_status hd_cpu_scan(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                          size_t count, void *out) {
  struct hd_cpu_scan_plan plan;
  hd_cpu_scan_make_plan(&plan, ctx->kernels, scan);
  return hd_cpu_scan_array(ctx, &plan, in, count, out);
}
