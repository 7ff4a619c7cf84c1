/* state.c - a scan in pieces: begin, updates, finish
 *
 * Method   Full chunks go through the engine; a partial chunk's input is kept, and scanned again
 *          from its start whenever more of it comes, as its last element needs the whole chunk's
 *          total. An update therefore costs at most two chunks more than its elements.
 *          What comes from elsewhere, as a fold's totals, is the counter's and that chunk's.
 * Memory   one chunk of input and of output, the counter's totals */
#include <string.h>

#include "host/status.h"
#include "scan.h"

struct scan_state {
  heddle_context *ctx;
  struct hd_scan scan;
  struct hd_cpu_scan_plan plan;
  struct hd_cpu_scan_cursor place;
  size_t bytes; /* of this allocation */
  size_t held;  /* elements in the partial chunk */
  u64 before;   /* elements that a total stands for, less its chunk's */
  bool any;     /* an element came */
  unsigned char *in, *out, *slots, *scratch; /* partial chunk and its output */
  _Alignas(64) unsigned char init[HD_MAX_CUSTOM_BYTES], identity[HD_MAX_CUSTOM_BYTES];
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* The caller's init and operator are copied; the plan is made again to point at the copies. */
static void own(struct scan_state *s) {
  struct hd_fold *fold = &s->scan.fold;
  if (fold->init) {
    memcpy(s->init, fold->init, hd_cpu_fold_out_bytes(fold));
    fold->init = s->init;
  }
  if (fold->custom) {
    fold->custom_copy = *fold->custom;
    fold->custom = &fold->custom_copy;
    memcpy(s->identity, fold->custom->identity, fold->custom->element_bytes);
    fold->custom_copy.identity = s->identity;
  }
  hd_cpu_scan_make_plan(&s->plan, s->ctx->kernels, &s->scan);
}

heddle_status hd_cpu_scan_begin(heddle_context *ctx, const struct hd_scan *scan, void **state) {
  struct hd_cpu_scan_plan plan;
  hd_cpu_scan_make_plan(&plan, ctx->kernels, scan);
  const size_t in = rounded((size_t)plan.chunk * plan.in_bytes);
  const size_t out = rounded((size_t)plan.chunk * plan.out_bytes);
  const size_t slots = rounded(hd_cpu_scan_slots_bytes(&plan));
  const size_t bytes =
      sizeof(struct scan_state) + in + out + slots + rounded(hd_cpu_scan_scratch_bytes(&plan));
  struct scan_state *s = hd_allocate(ctx, bytes);
  if (!s) return HEDDLE_OUT_OF_MEMORY;
  s->ctx = ctx;
  s->scan = *scan;
  s->bytes = bytes;
  s->held = 0;
  s->before = 0;
  s->any = false;
  s->in = (unsigned char *)(s + 1);
  s->out = s->in + in;
  s->slots = s->out + out;
  s->scratch = s->slots + slots;
  own(s);
  hd_cpu_scan_cursor_start(&s->place, &s->plan, s->slots);
  *state = s;
  return HEDDLE_OK;
}

/* Up to `want` more elements of the partial chunk. */
static heddle_status scan_partial(struct scan_state *s, const char *in, size_t want, char *out) {
  const struct hd_cpu_scan_plan *plan = &s->plan;
  const size_t before = s->held;
  memcpy(s->in + before * plan->in_bytes, in, want * plan->in_bytes);
  heddle_status status =
      hd_cpu_scan_step(plan, &s->place, s->in, before + want, s->out, s->scratch);
  if (status) return status;
  memcpy(out, s->out + before * plan->out_bytes, want * plan->out_bytes);
  s->held = before + want == plan->chunk ? 0 : before + want;
  return HEDDLE_OK;
}

static heddle_status update(struct scan_state *s, const char *in, size_t count, char *out) {
  const struct hd_cpu_scan_plan *plan = &s->plan;
  heddle_status status = HEDDLE_OK;
  if (s->held) {
    size_t room = plan->chunk - s->held, part = room < count ? room : count;
    status = scan_partial(s, in, part, out);
    in += part * plan->in_bytes;
    out += part * plan->out_bytes;
    count -= part;
  }
  const u64 chunks = count / plan->chunk;
  const size_t done = (size_t)chunks * plan->chunk;
  if (!status && chunks)
    status = hd_cpu_scan_chunks(s->ctx, plan, &s->place, in, chunks, out, s->scratch);
  if (!status && count > done)
    status =
        scan_partial(s, in + done * plan->in_bytes, count - done, out + done * plan->out_bytes);
  return status;
}

heddle_status hd_cpu_scan_update(void *state, const void *in, size_t count, void *out) {
  struct scan_state *s = state;
  if (!count) return HEDDLE_OK;
  heddle_status status = update(s, in, count, out);
  if (status) return hd_cpu_callback_failed(&s->scan.fold, status);
  if (!s->any && s->plan.kernel) hd_cpu_scan_first(&s->plan, out);
  s->any = true;
  return HEDDLE_OK;
}

heddle_status hd_cpu_scan_finish(void *state, void *total) {
  struct scan_state *s = state;
  return hd_cpu_callback_failed(
      &s->scan.fold, hd_cpu_scan_last(&s->plan, s->ctx->kernels, &s->place, s->in, s->held, total));
}

void hd_cpu_scan_free(void *state) {
  struct scan_state *s = state;
  if (s) hd_release(s->ctx, s, s->bytes);
}

/* ---- as totals ----------------------------------------------------------------------------- */

/* Lanes are totals, but for their width; so are a custom operator's elements. */
static void export_chunks(const struct scan_state *s, u32 bytes, unsigned char *to) {
  const bool custom = !s->plan.kernel;
  u64 left = custom ? s->place.custom.count : s->place.counter.chunks;
  for (; left; left ^= (u64)1 << hd_top_bit(left), to += bytes) {
    const u32 level = hd_top_bit(left);
    if (custom)
      memcpy(to, s->place.custom.slot + (size_t)level * bytes, bytes);
    else
      memcpy(to, &s->place.counter.total[level], bytes);
  }
}

heddle_status hd_cpu_scan_export(void *state, u64 *count, void *totals, void *x) {
  struct scan_state *s = state;
  const struct hd_fold_form form = hd_fold_form_of(&s->scan.fold);
  const u64 chunks = s->plan.kernel ? s->place.counter.chunks : s->place.custom.count;
  *count = s->before + chunks * s->plan.chunk + s->held;
  if (form.order_free) {
    unsigned char total[HD_TOTAL_BYTES_MOST];
    (void)hd_cpu_scan_sum(&s->plan, s->ctx->kernels, &s->place, s->in, s->held, total);
    if (*count) memcpy(totals, total, form.bytes);
    return HEDDLE_OK;
  }
  export_chunks(s, form.bytes, totals);
  hd_totals_canonical(form.total.kind, totals, hd_run_totals(false, 1, (struct hd_run){0, chunks}));
  if (s->held) memcpy(x, s->in, s->held * s->plan.in_bytes);
  return HEDDLE_OK;
}

/* A total as a lane, which may be narrower, or wider where the output is: then the sign goes on. */
static u64 lane_of_total(const struct scan_state *s, u32 bytes, const unsigned char *from) {
  u64 total = 0;
  memcpy(&total, from, bytes);
  if (s->plan.kernel->lane_bytes == sizeof(u32)) return (u32)total;
  if (bytes == sizeof(u32) && hd_is_signed(s->scan.fold.type)) return (u64)(i64)(i32)(u32)total;
  return total;
}

/* As if chunks of 2^level had come, biggest first. */
static heddle_status resume_chunks(struct scan_state *s, u64 chunks, u32 bytes,
                                   const unsigned char *from) {
  u64 carry = 0, done = 0;
  heddle_status status = HEDDLE_OK;
  for (; done != chunks && !status; from += bytes) {
    const u32 level = hd_top_bit(chunks ^ done);
    if (!s->plan.kernel) {
      _Alignas(64) unsigned char spent[HD_MAX_CUSTOM_BYTES];
      memcpy(spent, from, bytes);
      status = hd_counter_push(&s->place.custom, level, spent);
    } else {
      const u64 total = lane_of_total(s, bytes, from);
      if (done) s->plan.kernel->combine(&carry, &total);
      if (!done) carry = total;
      s->place.counter.total[level] = total;
      s->place.counter.carry[level] = carry;
      s->place.counter.chunks |= (u64)1 << level;
    }
    done |= (u64)1 << level;
  }
  return status;
}

/* An order-free total stands for a chunk, whatever it is of. */
heddle_status hd_cpu_scan_resume(void *state, u64 count, const void *totals, const void *x) {
  struct scan_state *s = state;
  const struct hd_fold_form form = hd_fold_form_of(&s->scan.fold);
  u64 chunks = count / s->plan.chunk;
  if (!count) return HEDDLE_OK;
  s->any = true;
  if (form.order_free) {
    chunks = 1;
    s->before = count - s->plan.chunk; /* modulo 2^64 */
  } else {
    s->held = (size_t)(count % s->plan.chunk);
    if (s->held) memcpy(s->in, x, s->held * s->plan.in_bytes);
  }
  return hd_cpu_callback_failed(&s->scan.fold, resume_chunks(s, chunks, form.bytes, totals));
}

heddle_status hd_cpu_scan_behind(heddle_context *ctx, const struct hd_scan *scan, u64 before,
                                 const void *totals, const void *x, const void *in, size_t count,
                                 void *out) {
  void *state;
  HD_TRY(hd_cpu_scan_begin(ctx, scan, &state));
  heddle_status status = hd_cpu_scan_resume(state, before, totals, x);
  if (!status) status = hd_cpu_scan_update(state, in, count, out);
  hd_cpu_scan_free(state);
  return status;
}
