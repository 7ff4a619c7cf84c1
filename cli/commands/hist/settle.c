/* settle.c - from what the command line asks to bins that are settled
 *
 * Method  Without --range a pass finds the finite range, as NumPy's; "auto" and "fd" need the
 *         quartiles besides. The rules are those of numpy.histogram_bin_edges: fd 2 IQR n^(-1/3);
 *         sturges range / (log2 n + 1); auto the narrower of sturges and the wider of fd and half
 *         of range / sqrt n; integers never get bins narrower than 1.
 * Limits  2^28 bins; --integer within 2^53 of zero.
 * Source  Freedman and Diaconis 1981; Sturges 1926; NumPy 2.4 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "hist.h"
#include "text/element.h"
#include "text/types.h"

bool hist_needs_survey(const struct settings *s, const struct bins_spec *spec) {
  bool rule = spec->rule != BINS_NUMBER && spec->width == 0 && !spec->integer;
  if (spec->edges || spec->edges_file) return false;
  if (s->bytes && !s->bins && !spec->has_range && spec->width == 0 && !spec->log) return false;
  return rule || !spec->has_range;
}

/* NumPy subtracts in the type of float input. */
static double subtract(heddle_type type, double a, double b) {
  uint64_t narrow = 0;
  double wide = a - b;
  if (type == HEDDLE_F32) return (double)((float)a - (float)b);
  if (!type_is_float(type) || type == HEDDLE_F64) return wide;
  if (heddle_convert(HEDDLE_F64, &wide, type, &narrow, 1) != HEDDLE_OK ||
      heddle_convert(type, &narrow, HEDDLE_F64, &wide, 1) != HEDDLE_OK)
    return a - b;
  return wide;
}

/* numpy.percentile's linear interpolation between neighbours a, b at fraction t. */
static double between(heddle_type type, double a, double b, double t) {
  double d = subtract(type, b, a);
  return t < 0.5 ? a + d * t : b - d * (1 - t);
}

static int quartile_range(heddle_context *ctx, struct hist_input *in, const struct survey *sv,
                          double *iqr, struct failure *why) {
  heddle_type type = input_type(in->values.in);
  double last = (double)(sv->count - 1), low = 0.25 * last, high = 0.75 * last;
  uint64_t ranks[HIST_RANKS], most = sv->count - 1;
  double v[HIST_RANKS];
  ranks[0] = (uint64_t)low;
  ranks[1] = ranks[0] < most ? ranks[0] + 1 : most;
  ranks[2] = (uint64_t)high;
  if (ranks[2] < ranks[1]) { /* four elements or fewer: the ranks cross */
    uint64_t far = ranks[1];
    ranks[1] = ranks[2];
    ranks[2] = far;
  }
  ranks[3] = (uint64_t)high < most ? (uint64_t)high + 1 : most;
  if (hist_order_statistics(ctx, in, sv->lo, sv->hi, ranks, v, why) != 0) return -1;
  bool crossed = (uint64_t)high < (uint64_t)low + 1 && sv->count > 1;
  double q1 = between(type, v[0], crossed ? v[2] : v[1], low - floor(low));
  double q3 = between(type, crossed ? v[1] : v[2], v[3], high - floor(high));
  *iqr = q3 - q1;
  return 0;
}

static int rule_count(heddle_context *ctx, struct hist_input *in, const struct bins_spec *spec,
                      const struct survey *sv, double lo, double hi, size_t *count,
                      struct failure *why) {
  heddle_type type = input_type(in->values.in);
  double n = (double)sv->count, range = subtract(type, sv->hi, sv->lo), iqr = 0;
  *count = 1;
  if (sv->count == 0) return 0;
  if (spec->log) {
    *count = (size_t)ceil(log2(n) + 1);
    return 0;
  }
  if (!isfinite(range) || !isfinite(hi - lo))
    return fail(
        why, EXIT_DATA,
        "%s: the values span more than the largest number, so the rule for the number of bins "
        "has no answer; give --bins N or a --range",
        command_file_label(in->values.path));
  double sturges = range / (log2(n) + 1), width = sturges;
  if (spec->rule != BINS_STURGES) {
    if (quartile_range(ctx, in, sv, &iqr, why) != 0) return -1;
    width = 2 * iqr * pow(n, -1.0 / 3.0);
    if (spec->rule == BINS_AUTO) {
      double half = range / sqrt(n) / 2;
      width = width > half ? width : half;
      width = width < sturges ? width : sturges;
    }
  }
  if (width == 0) return 0;
  if (!type_is_float(type) && width < 1) width = 1;
  double bins = ceil((spec->has_range ? hi - lo : subtract(type, hi, lo)) / width);
  if (!(bins <= BINS_MOST))
    return fail(why, EXIT_DATA,
                "%s: the rule asks for %.3g bins, more than %d, since the outliers "
                "lie far out; give --bins N or a --range",
                command_file_label(in->values.path), bins, BINS_MOST);
  *count = bins < 1 ? 1 : (size_t)bins;
  return 0;
}

static int settle_integer(const struct settings *s, heddle_type type, double lo, double hi,
                          struct hist_bins *out, struct failure *why) {
  if (!(fabs(lo) <= 0x1p53 && fabs(hi) <= 0x1p53))
    return fail(why, EXIT_DATA, "%s: --integer takes values within 2^53 of zero; give a --range",
                command_file_label(s->files[0]));
  lo = floor(lo);
  hi = floor(hi);
  if (hi - lo >= BINS_MOST)
    return fail(why, EXIT_DATA,
                "%s: --integer from %.0f to %.0f makes more than %d bins; give a "
                "--range, or --width",
                command_file_label(s->files[0]), lo, hi, BINS_MOST);
  out->whole = true;
  out->bins.kind = HEDDLE_BINS_INTEGER;
  out->bins.first = (int64_t)lo;
  out->bins.count = (size_t)(hi - lo) + 1;
  if (!type_is_float(type)) return 0;
  /* Floats: [i, i + 1). The last edge is open too, hence one step lower. */
  out->bins.kind = HEDDLE_BINS_EDGES;
  out->edges = command_allocate(out->bins.count + 1, sizeof *out->edges, "edges", why);
  if (!out->edges) return -1;
  for (size_t i = 0; i <= out->bins.count; i++) out->edges[i] = lo + (double)i;
  out->edges[out->bins.count] = nextafter(hi + 1, lo);
  return 0;
}

static int settle_width(const struct settings *s, const struct bins_spec *spec, double lo,
                        double hi, struct hist_bins *out, struct failure *why) {
  double start = spec->has_range ? lo : floor(lo / spec->width) * spec->width;
  double bins = ceil((hi - start) / spec->width);
  if (!(bins <= BINS_MOST) || !isfinite(start))
    return fail(why, EXIT_DATA,
                "%s: --width %s from %g to %g makes more than %d bins; take a larger "
                "one, or a --range",
                command_file_label(s->files[0]), s->width, lo, hi, BINS_MOST);
  out->bins.kind = HEDDLE_BINS_EVEN;
  out->bins.count = bins < 1 ? 1 : (size_t)bins;
  out->bins.lo = start;
  out->bins.hi = start + (double)out->bins.count * spec->width;
  if (isfinite(out->bins.hi)) return 0;
  return fail(why, EXIT_DATA, "%s: the bins of --width %s end beyond the largest number",
              command_file_label(s->files[0]), s->width);
}

/* With a range that is found, NumPy computes the edges of floats in their own type: where that
 * makes a difference the library is given those edges one by one. */
static int settle_found(heddle_type type, struct hist_bins *out, struct failure *why) {
  heddle_bins found = out->bins;
  size_t count = out->bins.count + 1;
  if (!type_is_float(type) || type == HEDDLE_F64) return 0;
  double *plain = command_allocate(count, sizeof *plain, "edges", why);
  out->edges = plain ? command_allocate(count, sizeof *out->edges, "edges", why) : NULL;
  int status = out->edges ? 0 : -1;
  found.auto_range = 1;
  if (status == 0)
    status = command_check(heddle_histogram_edges(type, &found, out->edges), NULL, why);
  if (status == 0)
    status = command_check(heddle_histogram_edges(type, &out->bins, plain), NULL, why);
  if (status == 0 && memcmp(plain, out->edges, count * sizeof *plain) != 0)
    out->bins.kind = HEDDLE_BINS_EDGES;
  free(plain);
  return status;
}

/* One value alone: half a unit to each side, as NumPy, which computes in the type. Where that makes
 * no difference to a large value, lo == hi stays, which the library takes. */
static void widen(heddle_type type, bool log, double *lo, double *hi) {
  if (log) {
    *lo = fmax(*lo / 2, 0x1p-1074);
    *hi = *hi > DBL_MAX / 2 ? DBL_MAX : 2 * *hi;
    return;
  }
  *lo = subtract(type, *lo, 0.5);
  *hi = subtract(type, *hi, -0.5);
}

static int settle_even(heddle_context *ctx, struct hist_input *in, const struct bins_spec *spec,
                       const struct survey *sv, double lo, double hi, struct hist_bins *out,
                       struct failure *why) {
  out->bins.kind = spec->log ? HEDDLE_BINS_LOG : HEDDLE_BINS_EVEN;
  heddle_type type = input_type(in->values.in);
  bool found = !spec->log && !spec->has_range;
  if (lo == hi) widen(found ? type : HEDDLE_F64, spec->log, &lo, &hi);
  out->bins.lo = lo;
  out->bins.hi = hi;
  out->bins.count = spec->count;
  if (spec->rule != BINS_NUMBER &&
      rule_count(ctx, in, spec, sv, lo, hi, &out->bins.count, why) != 0)
    return -1;
  return found ? settle_found(type, out, why) : 0;
}

/* --edges, on the command line or from a file. */
static int settle_edges(const struct settings *s, const struct bins_spec *spec,
                        struct hist_bins *out, struct failure *why) {
  char message[256];
  out->bins.kind = HEDDLE_BINS_EDGES;
  if (spec->edges) {
    out->bins.count = spec->count;
    out->edges = command_allocate(spec->edge_count, sizeof *out->edges, "edges", why);
    if (!out->edges) return -1;
    memcpy(out->edges, spec->edges, spec->edge_count * sizeof *out->edges);
    return 0;
  }
  struct input_options file;
  struct source src;
  const void *data;
  void *owned = NULL;
  size_t count = 0;
  input_options_init(&file, spec->edges_file);
  file.count = (uint64_t)BINS_MOST + 2;
  if (source_open_options(s, &file, &src, why) != 0) return -1;
  heddle_type type = input_type(src.in);
  int status = source_single(&src, why);
  if (status == 0) status = source_all(&src, &data, &count, &owned, why);
  if (status == 0) {
    out->edges = command_allocate(count, sizeof *out->edges, "edges", why);
    status = out->edges ? 0 : -1;
  }
  if (status == 0)
    status = command_check(heddle_convert(type, data, HEDDLE_F64, out->edges, count), NULL, why);
  free(owned);
  source_close(&src);
  if (status == 0 && bins_check_edges(out->edges, count, message, sizeof message) != 0)
    status = fail(why, EXIT_DATA, "%s: %s", spec->edges_file, message);
  if (status == 0) out->bins.count = count - 1;
  return status;
}

static int survey_range(heddle_context *ctx, struct hist_input *in, const struct bins_spec *spec,
                        struct survey *sv, double *lo, double *hi, struct failure *why) {
  double from = spec->has_range ? spec->lo : spec->log ? 0x1p-1074 : -DBL_MAX;
  double to = spec->has_range ? spec->hi : DBL_MAX;
  if (hist_survey(ctx, in, false, from, to, sv, why) != 0) return -1;
  *lo = spec->has_range ? spec->lo : sv->count > 0 ? sv->lo : spec->log ? 1 : 0;
  *hi = spec->has_range ? spec->hi : sv->count > 0 ? sv->hi : spec->log ? 10 : 1;
  return 0;
}

int hist_settle(const struct settings *s, heddle_context *ctx, struct hist_input *in,
                const struct bins_spec *spec, struct hist_bins *out, struct failure *why) {
  const heddle_bins none = HEDDLE_BINS_INIT;
  heddle_type type = input_type(in->values.in);
  struct survey sv = {0, 0, 0};
  double lo = spec->lo, hi = spec->hi;
  memset(out, 0, sizeof *out);
  out->bins = none;
  int status = 0;
  bool survey = hist_needs_survey(s, spec);
  bool edges = spec->edges || spec->edges_file;
  if (survey) status = survey_range(ctx, in, spec, &sv, &lo, &hi, why);
  if (status != 0) return -1;
  if (edges)
    status = settle_edges(s, spec, out, why);
  else if (!survey && !spec->has_range)
    status = settle_integer(s, type, 0, 255, out, why); /* --bytes */
  else if (spec->integer)
    status = settle_integer(s, type, lo, hi, out, why);
  else if (spec->width > 0)
    status = settle_width(s, spec, lo, hi, out, why);
  else
    status = settle_even(ctx, in, spec, &sv, lo, hi, out, why);
  if (status != 0) return -1;
  if (!out->edges) {
    out->edges = command_allocate(out->bins.count + 1, sizeof *out->edges, "edges", why);
    if (!out->edges) return -1;
    if (command_check(heddle_histogram_edges(type, &out->bins, out->edges), NULL, why) != 0)
      return -1;
  }
  out->bins.edges = out->bins.kind == HEDDLE_BINS_EDGES ? out->edges : NULL;
  return 0;
}

void hist_bins_free(struct hist_bins *b) {
  free(b->edges);
  b->edges = NULL;
}
