/* box.c - heddle box: quartiles, and how far values lie beyond them
 *
 * Method  Quartiles as heddle quantile has them, linear between two elements. Whiskers go to the farthest values within
 *         1.5 times the distance of the quartiles from the box; what is beyond is an outlier, and counted.
 * Limits  Columns are held in memory, where their file is mapped there. NaN are left out, and counted. Where a quartile
 *         is infinite there are no outliers.
 * Source  Tukey 1977, Exploratory Data Analysis */
#include "box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/rank/columns.h"
#include "commands/source.h"
#include "options/commands.h"
#include "show.h"

const double box_shares[BOX_SHARES] = {0, 0.25, 0.5, 0.75, 1};

/* NaN is neither below nor above a fence. */
static void take(struct plot_box *b, const double *x, size_t n, double below, double above) {
  for (size_t i = 0; i < n; i++) {
    b->nan += isnan(x[i]) != 0;
    b->outliers += x[i] < below || x[i] > above;
    if (x[i] >= below && x[i] < b->low) b->low = x[i];
    if (x[i] <= above && x[i] > b->high) b->high = x[i];
  }
}

int boxes_add(struct boxes *b, const char *label, heddle_type type, const void *elements, size_t n,
              const double q[BOX_SHARES], struct failure *why) {
  enum { PIECE = 4096 };
  double piece[PIECE];
  if (b->count == b->room) {
    const size_t room = b->room == 0 ? 8 : 2 * b->room;
    struct plot_box *const of = realloc(b->of, room * sizeof *of);
    if (of) b->of = of;
    char **const labels = of ? realloc(b->labels, room * sizeof *labels) : NULL;
    if (!labels) return fail(why, EXIT_DATA, "out of memory for %zu boxes", room);
    b->labels = labels;
    b->room = room;
  }
  struct plot_box box = {
      .count = n, .min = q[0], .q1 = q[1], .median = q[2], .q3 = q[3], .max = q[4]};
  const double reach = 1.5 * (box.q3 - box.q1);
  const double below = isfinite(reach) ? box.q1 - reach : -INFINITY;
  const double above = isfinite(reach) ? box.q3 + reach : INFINITY;
  box.low = box.q1; /* never inside the box, whose ends may lie between two elements */
  box.high = box.q3;
  for (size_t done = 0; done < n; done += PIECE) {
    const size_t some = n - done < PIECE ? n - done : PIECE;
    const unsigned char *const from =
        (const unsigned char *)elements + done * heddle_type_size(type);
    if (command_check(heddle_convert(type, from, HEDDLE_F64, piece, some), NULL, why) != 0)
      return -1;
    take(&box, piece, some, below, above);
  }
  b->labels[b->count] = strdup(label);
  if (!b->labels[b->count]) return fail(why, EXIT_DATA, "out of memory for a name");
  box.label = b->labels[b->count];
  b->of[b->count++] = box;
  return 0;
}

void boxes_free(struct boxes *b) {
  for (size_t i = 0; i < b->count; i++) free(b->labels[i]);
  free(b->labels);
  free(b->of);
}

static int of_columns(const struct settings *s, heddle_context *ctx, struct source *src,
                      struct boxes *out, struct failure *why) {
  const size_t columns = input_columns(src->in);
  const heddle_type type = input_type(src->in);
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  struct columns c = {{NULL}, NULL, NULL, 0};
  options.nan = HEDDLE_NAN_SKIP;
  int status = columns_read(src, columns, &c, why);
  if (status == 0 && c.count == 0)
    status = fail(why, EXIT_DATA, "%s: of no values there are no quartiles",
                  command_file_label(src->path));
  for (size_t i = 0; i < columns && status == 0; i++) {
    double found[BOX_SHARES] = {NAN, NAN, NAN, NAN, NAN};
    const char *label = input_label(src->in, i);
    const heddle_status found_status = heddle_quantiles(
        ctx, type, columns_at(&c, columns, i), c.count, box_shares, BOX_SHARES, found, &options);
    if (found_status != HEDDLE_EMPTY) status = command_check(found_status, src->path, why);
    if (*label == '\0') label = columns == 1 ? command_file_label(s->files[0]) : "";
    if (status == 0)
      status = boxes_add(out, label, type, columns_at(&c, columns, i), c.count, found, why);
  }
  columns_free(&c);
  return status;
}

int command_box(const struct settings *s, struct failure *why) {
  struct boxes found = {NULL, NULL, 0, 0};
  heddle_context *ctx = NULL;
  if (command_context(s, &ctx, why) != 0) return -1;
  int status;
  if (s->key_count > 0) {
    status = boxes_by(s, ctx, &found, why);
  } else {
    struct source src;
    status = source_open(s, s->files[0], ONE_PASS, &src, why);
    if (status == 0) {
      status = of_columns(s, ctx, &src, &found, why);
      source_close(&src);
    }
  }
  if (status == 0) status = show_boxes(s, &found, why);
  boxes_free(&found);
  heddle_close(ctx);
  return status;
}
