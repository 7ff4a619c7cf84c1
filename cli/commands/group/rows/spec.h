/* spec.h - what is asked of each group: "sum:price", "p95:time", "count"
 *
 *   figure    "count" | name ":" column
 *   name      "count" | "sum" | "mean" | "min" | "max" | "prod" | "sum_squares" | "std" | "var" | "skewness" |
 *             "median" | "mode" | "p" percent | "q" share | "first" | "last" | "distinct"
 *
 * percent is a decimal from 0 to 100, share one from 0 to 1; the column is all behind the first colon. */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_ROWS_SPEC_H
#define HEDDLE_CLI_COMMANDS_GROUP_ROWS_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "report/failure.h"

enum figure {
  FIGURE_ROWS,  /* count of all rows */
  FIGURE_COUNT, /* of those whose field is there */
  FIGURE_SUM,
  FIGURE_MIN,
  FIGURE_MAX,
  FIGURE_PROD,
  FIGURE_SUM_SQUARES,
  FIGURE_MEAN,
  FIGURE_VAR,
  FIGURE_STD,
  FIGURE_SKEWNESS,
  FIGURE_QUANTILE,
  FIGURE_MODE,
  FIGURE_FIRST,
  FIGURE_LAST,
  FIGURE_DISTINCT
};

struct spec {
  enum figure figure;
  double share;       /* of a quantile */
  const char *column; /* in the text that was given; NULL: none */
};

/* SPEC_OTHER: it is not written as a figure, but may be the name of a file. SPEC_BAD: it is like a figure, and
 * wrong; *why says how. */
enum spec_kind { SPEC_FIGURE, SPEC_OTHER, SPEC_BAD };
enum spec_kind spec_parse(const char *text, struct spec *out, struct failure *why);

/* Whether the figure is of a field's characters, and not of a number. */
bool spec_is_text(enum figure figure);

#endif
