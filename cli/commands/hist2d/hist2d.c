/* hist2d.c - heddle hist2d: how points are distributed in two dimensions
 *
 * Method  Without --x-range and --y-range a pass finds the finite range of each axis. Then blocks are counted
 *         by heddle_histogram_nd, and their counts added up. */
#include "hist2d.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/commands.h"
#include "points.h"
#include "show.h"

enum { USUAL_BINS = 10, MOST_BINS = 1 << 28 };

/* ---- what is asked for ----------------------------------------------------------------------- */

static const char *bins_of(const char *text, size_t *bins) {
  char *end;
  errno = 0;
  const unsigned long long n = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
  if (n < 1 || n > MOST_BINS || errno) return NULL;
  *bins = (size_t)n;
  return end;
}

static int parse_bins(const char *text, struct grid *g, struct failure *why) {
  size_t n[AXES] = {USUAL_BINS, USUAL_BINS};
  if (text) {
    const char *end = bins_of(text, &n[0]);
    n[1] = n[0];
    if (end && *end == ',') end = bins_of(end + 1, &n[1]);
    if (!end || *end != '\0')
      return fail(why, EXIT_USAGE,
                  "--bins takes one number of bins or two, such as 100,50, not '%.100s'", text);
  }
  if (n[0] > MOST_BINS / n[1])
    return fail(why, EXIT_USAGE, "--bins %s asks for more than %d bins; use fewer", text,
                MOST_BINS);
  g->bins[0].count = n[0];
  g->bins[1].count = n[1];
  return 0;
}

static int parse_range(const char *const words[2], const char *name, heddle_bins *bins,
                       struct failure *why) {
  double ends[2];
  if (!words[0]) return 0;
  for (int i = 0; i < 2; i++) {
    char *end;
    ends[i] = strtod(words[i], &end);
    if (*words[i] == '\0' || *end != '\0' || !isfinite(ends[i]))
      return fail(why, EXIT_USAGE, "--%s takes two finite numbers, not '%.100s'", name, words[i]);
  }
  if (ends[0] > ends[1])
    return fail(why, EXIT_USAGE, "--%s %s %s ends before it begins", name, words[0], words[1]);
  bins->lo = ends[0];
  bins->hi = ends[1];
  bins->auto_range = 0;
  return 0;
}

static int parse(const struct settings *s, struct grid *g, struct failure *why) {
  const heddle_bins none = HEDDLE_BINS_INIT;
  for (size_t d = 0; d < AXES; d++) {
    g->bins[d] = none;
    g->bins[d].auto_range = 1;
  }
  if (parse_bins(s->bins, g, why) != 0) return -1;
  if (parse_range(s->x_range, "x-range", &g->bins[0], why) != 0) return -1;
  return parse_range(s->y_range, "y-range", &g->bins[1], why);
}

/* ---- the range ------------------------------------------------------------------------------- */

enum { PIECE = 4096 };

/* The least and the greatest finite of n coordinates. */
static int widen(heddle_type type, const void *x, size_t n, double *lo, double *hi,
                 struct failure *why) {
  const size_t bytes = heddle_type_size(type);
  double piece[PIECE];
  for (size_t i = 0; i < n; i += PIECE) {
    const size_t part = n - i < PIECE ? n - i : PIECE;
    const void *from = (const unsigned char *)x + i * bytes;
    if (command_check(heddle_convert(type, from, HEDDLE_F64, piece, part), NULL, why) != 0)
      return -1;
    for (size_t k = 0; k < part; k++) {
      if (!isfinite(piece[k])) continue;
      if (piece[k] < *lo) *lo = piece[k];
      if (piece[k] > *hi) *hi = piece[k];
    }
  }
  return 0;
}

static int find_ranges(struct points *in, struct grid *g, struct failure *why) {
  double lo[AXES] = {INFINITY, INFINITY}, hi[AXES] = {-INFINITY, -INFINITY};
  for (;;) {
    const void *x[AXES];
    size_t n = 0;
    if (points_next(in, x, &n, why) != 0) return -1;
    if (n == 0) break;
    for (size_t d = 0; d < AXES; d++)
      if (g->bins[d].auto_range && widen(points_type(in), x[d], n, &lo[d], &hi[d], why) != 0)
        return -1;
  }
  for (size_t d = 0; d < AXES; d++) {
    if (!g->bins[d].auto_range) continue;
    g->bins[d].auto_range = 0;
    g->bins[d].lo = lo[d] > hi[d] ? 0 : lo[d];
    g->bins[d].hi = lo[d] > hi[d] ? 1 : hi[d];
  }
  return points_rewind(in, why);
}

/* ---- counting -------------------------------------------------------------------------------- */

static int allocate(heddle_type type, struct grid *g, struct failure *why) {
  const size_t all = g->bins[0].count * g->bins[1].count;
  g->counts = command_allocate(all, sizeof *g->counts, "counts", why);
  if (!g->counts) return -1;
  memset(g->counts, 0, all * sizeof *g->counts);
  for (size_t d = 0; d < AXES; d++) {
    g->edges[d] = command_allocate(g->bins[d].count + 1, sizeof **g->edges, "edges", why);
    if (!g->edges[d]) return -1;
    if (command_check(heddle_histogram_edges(type, &g->bins[d], g->edges[d]), NULL, why) != 0)
      return -1;
  }
  return 0;
}

static int count_block(heddle_context *ctx, heddle_type type, const void *const x[AXES], size_t n,
                       struct grid *g, uint64_t *block, struct failure *why) {
  const size_t all = g->bins[0].count * g->bins[1].count;
  const heddle_histogram_result none = HEDDLE_HISTOGRAM_RESULT_INIT;
  heddle_histogram_result results[AXES] = {none, none};
  if (command_check(heddle_histogram_nd(ctx, type, AXES, x, n, g->bins, block, results, NULL), NULL,
                    why) != 0)
    return -1;
  for (size_t i = 0; i < all; i++) g->counts[i] += block[i];
  for (size_t d = 0; d < AXES; d++) {
    g->results[d].under += results[d].under;
    g->results[d].over += results[d].over;
    g->results[d].nan += results[d].nan;
  }
  g->points += n;
  return 0;
}

static int count_all(heddle_context *ctx, struct points *in, struct grid *g, struct failure *why) {
  uint64_t *block =
      command_allocate(g->bins[0].count * g->bins[1].count, sizeof *block, "counts", why);
  int status = block ? 0 : -1;
  while (status == 0) {
    const void *x[AXES];
    size_t n = 0;
    status = points_next(in, x, &n, why);
    if (status != 0 || n == 0) break;
    status = count_block(ctx, points_type(in), x, n, g, block, why);
  }
  free(block);
  return status;
}

static int histogram(const struct settings *s, heddle_context *ctx, struct points *in, bool survey,
                     struct grid *g, struct failure *why) {
  int status = survey ? find_ranges(in, g, why) : 0;
  for (size_t d = 0; d < AXES; d++) g->names[d] = points_name(in, s, d);
  if (status == 0) status = allocate(points_type(in), g, why);
  if (status == 0) status = count_all(ctx, in, g, why);
  progress_end(&in->a.progress);
  return status == 0 ? show_grid(s, g, why) : status;
}

int command_hist2d(const struct settings *s, struct failure *why) {
  struct grid g;
  struct points in;
  heddle_context *ctx = NULL;
  memset(&g, 0, sizeof g);
  int status = parse(s, &g, why);
  const bool survey = g.bins[0].auto_range || g.bins[1].auto_range;
  if (status == 0) status = command_context(s, &ctx, why);
  if (status == 0) {
    status = points_open(s, survey, &in, why);
    if (status == 0) {
      status = histogram(s, ctx, &in, survey, &g, why);
      points_close(&in);
    }
  }
  heddle_close(ctx);
  free(g.counts);
  for (size_t d = 0; d < AXES; d++) free(g.edges[d]);
  return status;
}
