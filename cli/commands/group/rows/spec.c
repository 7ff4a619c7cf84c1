/* spec.c - a name from a table, or a letter and a number, in front of the first colon */
#include "spec.h"

#include <string.h>

#include "base/suggest.h"
#include "text/number.h"
#include "text/record.h"

static const struct {
  const char *name;
  enum figure figure;
} names[] = {{"count", FIGURE_COUNT},
             {"sum", FIGURE_SUM},
             {"mean", FIGURE_MEAN},
             {"min", FIGURE_MIN},
             {"max", FIGURE_MAX},
             {"prod", FIGURE_PROD},
             {"sum_squares", FIGURE_SUM_SQUARES},
             {"std", FIGURE_STD},
             {"var", FIGURE_VAR},
             {"skewness", FIGURE_SKEWNESS},
             {"median", FIGURE_QUANTILE},
             {"mode", FIGURE_MODE},
             {"first", FIGURE_FIRST},
             {"last", FIGURE_LAST},
             {"distinct", FIGURE_DISTINCT}};
enum { NAMES = sizeof names / sizeof *names };

#define KNOWN                                                                                     \
  "count, sum, mean, min, max, prod, sum_squares, std, var, skewness, median, p95, q0.95, mode, " \
  "first, last, distinct"

/* What other programs call them. */
static const struct {
  const char *typed, *ours;
} synonyms[] = {{"avg", "mean"},         {"average", "mean"},    {"stddev", "std"},
                {"sd", "std"},           {"variance", "var"},    {"product", "prod"},
                {"minimum", "min"},      {"maximum", "max"},     {"total", "sum"},
                {"nunique", "distinct"}, {"unique", "distinct"}, {"n", "count"},
                {"size", "count"},       {"skew", "skewness"},   {"count_distinct", "distinct"}};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool spec_is_text(enum figure figure) { return figure >= FIGURE_FIRST; }

/* "p99.9" or "q0.5": a letter and a decimal, which is all up to the colon. */
static enum spec_kind take_quantile(const char *text, size_t length, struct spec *out,
                                    struct failure *why) {
  const bool percent = *text == 'p';
  double value = -1;
  char shown[40];
  if (number_parse(text + 1, length - 1, HEDDLE_F64, &value) == NUMBER_OK && value >= 0 &&
      value <= (percent ? 100 : 1)) {
    out->figure = FIGURE_QUANTILE;
    out->share = percent ? value / 100 : value;
    return SPEC_FIGURE;
  }
  text_show(text, length, shown, sizeof shown);
  (void)fail(why, EXIT_USAGE,
             "'%s' is no quantile: p has 0 to 100 behind it, as in p95:time, and q 0 to 1, as in "
             "q0.95:time",
             shown);
  return SPEC_BAD;
}

static enum spec_kind unknown(const char *text, size_t length, struct failure *why) {
  char typed[64], hint[160], shown[60];
  struct suggestion near;
  if (length >= sizeof typed) length = sizeof typed - 1;
  memcpy(typed, text, length);
  typed[length] = '\0';
  text_show(typed, length, shown, sizeof shown);
  suggest_start(&near, typed);
  for (size_t i = 0; i < NAMES; i++) suggest_add(&near, names[i].name);
  for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
    if (strcmp(synonyms[i].typed, typed) == 0) near.best = synonyms[i].ours;
  (void)fail(why, EXIT_USAGE, "no figure is called '%s'%s it is one of " KNOWN, shown,
             near.best ? suggest_text(&near, "", hint, sizeof hint) : ";");
  return SPEC_BAD;
}

static enum spec_kind take_name(const char *text, size_t length, struct spec *out,
                                struct failure *why) {
  for (size_t i = 0; i < NAMES; i++) {
    if (strlen(names[i].name) != length || memcmp(names[i].name, text, length) != 0) continue;
    out->figure = names[i].figure;
    out->share = 0.5;
    return SPEC_FIGURE;
  }
  if (length > 1 && (*text == 'p' || *text == 'q') && (is_digit(text[1]) || text[1] == '.'))
    return take_quantile(text, length, out, why);
  return unknown(text, length, why);
}

enum spec_kind spec_parse(const char *text, struct spec *out, struct failure *why) {
  const char *const colon = strchr(text, ':');
  memset(out, 0, sizeof *out);
  if (!colon) {
    if (strcmp(text, "count") == 0) return SPEC_FIGURE;
    for (size_t i = 0; i < NAMES; i++)
      if (strcmp(text, names[i].name) == 0) {
        (void)fail(why, EXIT_USAGE, "'%s' needs a column behind it: %s:COLUMN", text, text);
        return SPEC_BAD;
      }
    return SPEC_OTHER;
  }
  const size_t length = (size_t)(colon - text);
  const enum spec_kind kind = take_name(text, length, out, why);
  if (kind != SPEC_FIGURE) return kind;
  out->column = colon + 1;
  if (*out->column != '\0') return SPEC_FIGURE;
  (void)fail(why, EXIT_USAGE, "'%s' has no column behind its colon", text);
  return SPEC_BAD;
}
