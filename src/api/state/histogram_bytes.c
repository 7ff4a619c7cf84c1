/* histogram_bytes.c - a state of a histogram from bytes that may be anyone's
 *
 * Method   As load.c: the call that begins such a state checks what was asked for; counts have to be those of the elements
 *          seen, and sums such as back ends export. Nothing is allocated before as many bytes are there as counters ask for. */
#include "saved.h"

struct saved_histogram {
  heddle_bins bins;
  heddle_histogram_options options;
  u32 type;
  u64 seen;
};

static heddle_status get_histogram(struct hd_reader *r, struct saved_histogram *h) {
  static const heddle_bins no_bins = HEDDLE_BINS_INIT;
  static const heddle_histogram_options no_options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  h->bins = no_bins, h->options = no_options;
  h->type = hd_get_u32(r);
  h->options.channels = hd_get_u32(r);
  h->options.weights_type = (heddle_type)hd_get_u32(r);
  h->bins.kind = (heddle_binning)hd_get_u32(r);
  h->options.weight_exponent = (int)hd_get_u32(r);
  h->options.exact = (int)hd_get_u32(r);
  const u64 bins = hd_get_u64(r);
  h->bins.lo = hd_get_f64(r), h->bins.hi = hd_get_f64(r);
  h->bins.first = (i64)hd_get_u64(r);
  h->seen = hd_get_u64(r);
  if (bins > r->left / sizeof(u64))
    return hd_saved_bad("they are fewer than its bins"); /* a counter each */
  h->bins.count = (size_t)bins;
  return r->cut ? hd_saved_bad("they are cut short") : HEDDLE_OK;
}

/* Copies that are aligned; every element was counted once. */
static heddle_status check_counts(const struct hd_histogram *job, const u64 *counts, u64 seen) {
  const u64 counters = hd_saved_counters(job);
  u64 sum[4] = {0};
  if (seen % job->channels) return hd_saved_bad("its elements are no whole groups");
  for (u64 i = 0; i < counters; i++) {
    u64 *channel = &sum[i % job->channels];
    if (counts[i] > seen - *channel) return hd_saved_bad("its counts are more than its elements");
    *channel += counts[i];
  }
  for (size_t c = 0; c < job->channels; c++)
    if (sum[c] != seen / job->channels) return hd_saved_bad("its counts are not its elements");
  return HEDDLE_OK;
}

/* Sums of weights are what back ends may export. */
static heddle_status check_sums(const struct hd_histogram *job, const unsigned char *sums) {
  const u32 known = HD_MARK_PLUS | HD_MARK_MINUS | HD_MARK_NAN;
  const size_t counters = (size_t)hd_saved_counters(job), bytes = hd_histogram_sum_bytes(job);
  for (size_t i = 0; i < counters && bytes; i++) {
    const unsigned char *at = sums + i * bytes;
    struct hd_weight_total total;
    u32 marks;
    i64 last;
    memcpy(&marks, at, sizeof marks);
    memcpy(&last, at + bytes - sizeof last, sizeof last);
    if (!job->exact) memcpy(&total, at, sizeof total);
    if (!job->exact && ((total.marks & ~known) || total.zero))
      return hd_saved_bad("a sum has no such mark");
    if (job->exact && ((marks & ~known) || (last >> 32 != 0 && last >> 32 != -1)))
      return hd_saved_bad("a sum is beyond any");
  }
  return HEDDLE_OK;
}

static heddle_status fill_tables(heddle_state *state, struct hd_reader *r, u64 seen) {
  const size_t counters = (size_t)hd_saved_counters(&state->histogram), bytes = r->left;
  u64 *counts = hd_allocate(state->ctx, bytes);
  if (!counts) return HEDDLE_OUT_OF_MEMORY;
  void *const sums = hd_histogram_sum_bytes(&state->histogram) ? counts + counters : NULL;
  hd_get(r, counts, bytes);
  heddle_status status = check_counts(&state->histogram, counts, seen);
  if (!status) status = check_sums(&state->histogram, sums);
  if (!status) status = state->ctx->backend->histogram_add(state->inner, seen, counts, sums);
  state->count = seen;
  hd_release(state->ctx, counts, bytes);
  return status;
}

static heddle_status begin_histogram(heddle_context *ctx, struct saved_histogram *h,
                                     struct hd_reader *r, heddle_state **out) {
  const bool edges = h->bins.kind == HEDDLE_BINS_EDGES;
  const size_t bytes = edges ? (h->bins.count + 1) * sizeof(f64) : 0;
  const void *given = hd_take(r, bytes);
  if (!given) return hd_saved_bad("they are cut short");
  f64 *aligned = edges ? hd_allocate(ctx, bytes) : NULL;
  if (edges && !aligned) return HEDDLE_OUT_OF_MEMORY;
  if (edges) h->bins.edges = memcpy(aligned, given, bytes);
  heddle_status status =
      heddle_histogram_begin(ctx, (heddle_type)h->type, &h->bins, &h->options, out);
  hd_release(ctx, aligned, bytes);
  return hd_saved_refused(status);
}

/* Whether there are as many counters and sums as such bins have. */
static bool is_whole(const struct saved_histogram *h, const struct hd_reader *r) {
  const struct hd_histogram job = {.weights_type = h->options.weights_type,
                                   .exact = h->options.exact != 0};
  const size_t edges = h->bins.kind == HEDDLE_BINS_EDGES ? (h->bins.count + 1) * sizeof(f64) : 0;
  const size_t counters = (h->bins.count + HD_EXTRA_SLOTS) * h->options.channels;
  return r->left == edges + counters * (sizeof(u64) + hd_histogram_sum_bytes(&job));
}

heddle_status hd_saved_histogram(heddle_context *ctx, struct hd_reader *r, heddle_state **out) {
  struct saved_histogram h;
  HD_TRY(get_histogram(r, &h));
  if (h.options.channels < 1 || h.options.channels > 4)
    return hd_saved_bad("it has no such channels");
  if (!is_whole(&h, r)) return hd_saved_bad("they are not as many as its counters ask for");
  HD_TRY(begin_histogram(ctx, &h, r, out));
  const bool same = (*out)->histogram.exact == (h.options.exact != 0);
  heddle_status status =
      same ? fill_tables(*out, r, h.seen) : hd_saved_bad("such sums are always exact");
  if (!status) return HEDDLE_OK;
  heddle_state_free(*out);
  *out = NULL;
  return status;
}
