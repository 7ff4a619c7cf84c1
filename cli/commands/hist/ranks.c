/* ranks.c - order statistics of data that need not fit into memory
 *
 * Method  Doubles in rising order are consecutive integers ("keys"). Each pass counts, by the
 *         library's histogram with explicit edges, how many elements lie in each of 1,024 equal
 *         parts of the keys around each rank; the part that holds the rank is next. Once the parts
 *         hold few elements together, a last pass gathers and sorts them. At most eight passes,
 *         usually two.
 * Limits  Integers beyond 2^53 are rounded to double, as the library's histogram does.
 * Source  Munro and Paterson 1980, selection in a few passes over a file */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "hist.h"

enum { PARTS = 1024, GATHERED = 1 << 20 };

/* The elements with key first <= key < last; `below` come before them; `inside` of them. */
struct span {
  uint64_t first, last, below, inside;
};

/* Both zeros have one key, so that neighbouring keys are neighbouring values. */
static uint64_t key_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits >> 63 ? ~bits + 1 : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key) {
  double x;
  uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~(key - 1);
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint64_t cut(const struct span *s, size_t part) {
  uint64_t width = s->last - s->first;
  if (width <= PARTS) return s->first + (part < width ? part : width);
  return s->first + width / PARTS * part + width % PARTS * part / PARTS;
}

/* Edges of all distinct spans one after the other; spans rise and do not overlap. */
static size_t lay_edges(const struct span spans[], double *edges) {
  size_t count = 0;
  for (size_t r = 0; r < HIST_RANKS; r++) {
    if (r > 0 && spans[r].first == spans[r - 1].first) continue;
    for (size_t p = 0; p <= PARTS; p++) {
      double edge = value_of(cut(&spans[r], p));
      if (count == 0 || edge > edges[count - 1]) edges[count++] = edge;
    }
  }
  return count;
}

static int count_parts(heddle_context *ctx, struct hist_input *in, const double *edges,
                       size_t edge_count, uint64_t *counts, uint64_t *under, struct failure *why) {
  heddle_bins bins = HEDDLE_BINS_INIT;
  heddle_histogram_result result = HEDDLE_HISTOGRAM_RESULT_INIT;
  heddle_state *state = NULL;
  bins.kind = HEDDLE_BINS_EDGES;
  bins.count = edge_count - 1;
  bins.edges = edges;
  int status = hist_input_rewind(in, why);
  if (status == 0)
    status = command_check(
        heddle_histogram_begin(ctx, input_type(in->values.in), &bins, NULL, &state), NULL, why);
  while (status == 0) {
    const void *x, *w;
    size_t n = 0;
    status = hist_input_next(in, &x, &w, &n, why);
    if (status != 0 || n == 0) break;
    status = command_check(heddle_histogram_update(state, x, NULL, n), NULL, why);
  }
  if (status == 0)
    status = command_check(heddle_histogram_finish(state, counts, &result, NULL), NULL, why);
  *under = result.under;
  heddle_state_free(state);
  return status;
}

static int changed(const struct hist_input *in, struct failure *why) {
  return fail(why, EXIT_DATA, "%s changed while it was read", command_file_label(in->values.path));
}

/* The part that holds the rank; `below` elements come before the first edge. */
static bool narrow(struct span *s, uint64_t rank, const double *edges, size_t edge_count,
                   const uint64_t *counts, uint64_t below) {
  for (size_t i = 0; i + 1 < edge_count; i++) {
    if (rank < below + counts[i]) {
      s->first = key_of(edges[i]);
      s->last = key_of(edges[i + 1]);
      s->below = below;
      s->inside = counts[i];
      return true;
    }
    below += counts[i];
  }
  return false;
}

static bool is_done(const struct span *s) { return s->last - s->first <= 1; }

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool is_wanted(const struct span spans[], double v) {
  uint64_t key = key_of(v);
  for (size_t r = 0; r < HIST_RANKS; r++)
    if (!is_done(&spans[r]) && key >= spans[r].first && key < spans[r].last) return v == v;
  return false;
}

/* All elements of the spans that are not single values. */
static int gather(struct hist_input *in, const struct span spans[], double *room, size_t *used,
                  struct failure *why) {
  enum { PIECE = 4096 };
  heddle_type type = input_type(in->values.in);
  size_t size = heddle_type_size(type);
  double piece[PIECE];
  if (hist_input_rewind(in, why) != 0) return -1;
  for (;;) {
    const void *x, *w;
    size_t n = 0;
    if (hist_input_next(in, &x, &w, &n, why) != 0) return -1;
    if (n == 0) return 0;
    for (size_t done = 0; done < n; done += PIECE) {
      size_t some = n - done < PIECE ? n - done : PIECE;
      const unsigned char *from = (const unsigned char *)x + done * size;
      if (command_check(heddle_convert(type, from, HEDDLE_F64, piece, some), NULL, why) != 0)
        return -1;
      for (size_t i = 0; i < some; i++) {
        if (!is_wanted(spans, piece[i])) continue;
        if (*used == GATHERED) return changed(in, why);
        room[(*used)++] = piece[i];
      }
    }
  }
}

/* Each rank's element among those gathered, which are sorted first. */
static int read_off(const struct hist_input *in, const struct span spans[], const uint64_t ranks[],
                    double *room, size_t used, double values[], struct failure *why) {
  size_t before = 0; /* gathered elements of the spans to the left */
  qsort(room, used, sizeof *room, by_value);
  for (size_t r = 0; r < HIST_RANKS; r++) {
    if (r > 0 && spans[r].first != spans[r - 1].first && !is_done(&spans[r - 1]))
      before += (size_t)spans[r - 1].inside;
    if (is_done(&spans[r])) continue;
    size_t at = before + (size_t)(ranks[r] - spans[r].below);
    if (at >= used) return changed(in, why);
    values[r] = room[at];
  }
  return 0;
}

static uint64_t undecided(const struct span spans[]) {
  uint64_t sum = 0;
  for (size_t r = 0; r < HIST_RANKS; r++)
    if (!is_done(&spans[r]) && (r == 0 || spans[r].first != spans[r - 1].first))
      sum += spans[r].inside;
  return sum;
}

static int find(heddle_context *ctx, struct hist_input *in, struct span spans[],
                const uint64_t ranks[], double values[], double *room, struct failure *why) {
  static double edges[HIST_RANKS * (PARTS + 1)];
  static uint64_t counts[HIST_RANKS * (PARTS + 1)];
  uint64_t outside = 0; /* finite range: what lies below all of it */
  for (bool first = true; first || undecided(spans) > GATHERED; first = false) {
    uint64_t under;
    size_t edge_count = lay_edges(spans, edges);
    if (count_parts(ctx, in, edges, edge_count, counts, &under, why) != 0) return -1;
    if (first) outside = under;
    for (size_t r = 0; r < HIST_RANKS; r++)
      if (!narrow(&spans[r], ranks[r], edges, edge_count, counts, under - outside))
        return changed(in, why);
  }
  for (size_t r = 0; r < HIST_RANKS; r++) values[r] = value_of(spans[r].first);
  if (undecided(spans) == 0) return 0;
  size_t used = 0;
  if (gather(in, spans, room, &used, why) != 0) return -1;
  return read_off(in, spans, ranks, room, used, values, why);
}

int hist_order_statistics(heddle_context *ctx, struct hist_input *in, double lo, double hi,
                          const uint64_t ranks[HIST_RANKS], double values[HIST_RANKS],
                          struct failure *why) {
  struct span spans[HIST_RANKS];
  double *room = command_allocate(GATHERED, sizeof *room, "elements around the quartiles", why);
  if (!room) return -1;
  for (size_t r = 0; r < HIST_RANKS; r++) {
    struct span all = {key_of(lo), key_of(hi) + 1, 0, UINT64_MAX / HIST_RANKS};
    spans[r] = all;
  }
  int status = find(ctx, in, spans, ranks, values, room, why);
  free(room);
  return status;
}
