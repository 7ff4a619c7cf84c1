/* spec.c - each word checked by itself, then the pairs that exclude each other
 *
 * Limits  2^28 bins; edges on the command line are finite or infinite numbers, never NaN.
 *         Depends on the C library alone, so that it can be fuzzed alone. */
#include "spec.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct complaint {
  char *text;
  size_t size;
};

__attribute__((format(printf, 2, 3))) static int complain(struct complaint why, const char *format,
                                                          ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(why.text, why.size, format, arguments);
  va_end(arguments);
  return -1;
}

/* A number and nothing else; strtod's leading blanks are no part of one. */
static bool parse_number(const char *text, double *value) {
  char *end;
  if (*text == '\0' || isspace((unsigned char)*text)) return false;
  *value = strtod(text, &end);
  return *end == '\0' && !isnan(*value);
}

static int parse_count(const char *text, struct bins_spec *spec, struct complaint why) {
  static const struct {
    const char *name;
    enum bins_rule rule;
  } rules[] = {{"auto", BINS_AUTO}, {"fd", BINS_FD}, {"sturges", BINS_STURGES}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (strcmp(text, rules[i].name) != 0) continue;
    spec->rule = rules[i].rule;
    return 0;
  }
  char *end;
  errno = 0;
  unsigned long long n = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
  if (!isdigit((unsigned char)*text) || *end != '\0')
    return complain(why, "--bins takes a number, auto, fd or sturges, not '%.100s'", text);
  if (errno != 0 || n < 1 || n > BINS_MOST)
    return complain(why, "--bins takes 1 to %d bins, not %.100s", BINS_MOST, text);
  spec->rule = BINS_NUMBER;
  spec->count = (size_t)n;
  return 0;
}

static int parse_range(const struct bins_text *text, struct bins_spec *spec, struct complaint why) {
  const char *words[2] = {text->lo, text->hi};
  double *values[2] = {&spec->lo, &spec->hi};
  for (int i = 0; i < 2; i++)
    if (!words[i] || !parse_number(words[i], values[i]) || !isfinite(*values[i]))
      return complain(why, "--range takes two finite numbers, not '%.100s'",
                      words[i] ? words[i] : "");
  if (spec->lo > spec->hi)
    return complain(why, "--range %.60s %.60s falls; give the lower end first", text->lo, text->hi);
  if (spec->log && !(spec->lo > 0 && spec->lo < spec->hi))
    return complain(why, "--log needs a --range with 0 < LO < HI, not %.60s %.60s", text->lo,
                    text->hi);
  spec->has_range = true;
  return 0;
}

int bins_check_edges(const double *edges, size_t count, char *text, size_t size) {
  struct complaint why = {text, size};
  if (count < 2) return complain(why, "edges: at least two are needed to make a bin");
  if (count - 1 > BINS_MOST) return complain(why, "edges: at most %d bins", BINS_MOST);
  for (size_t i = 0; i < count; i++) {
    if (isnan(edges[i])) return complain(why, "edge %zu is not a number", i + 1);
    if (i > 0 && edges[i] < edges[i - 1])
      return complain(why,
                      "edges must not fall, but edge %zu, %.17g, is below the one before, %.17g",
                      i + 1, edges[i], edges[i - 1]);
  }
  return 0;
}

static int parse_edges(const char *text, struct bins_spec *spec, struct complaint why) {
  if (*text == '@') {
    if (text[1] == '\0') return complain(why, "--edges @ lacks the file's name: --edges @FILE");
    spec->edges_file = text + 1;
    return 0;
  }
  size_t most = 1;
  for (const char *c = text; *c != '\0'; c++) most += *c == ',';
  spec->edges = malloc(most * sizeof *spec->edges);
  if (!spec->edges) return complain(why, "out of memory for %zu edges", most);
  for (const char *word = text; word;) {
    const char *comma = strchr(word, ',');
    size_t length = !comma ? strlen(word) : (size_t)(comma - word);
    char number[400]; /* longer than any double written out */
    if (length >= sizeof number) return complain(why, "--edges: '%.40s...' is too long", word);
    memcpy(number, word, length);
    number[length] = '\0';
    if (!parse_number(number, &spec->edges[spec->edge_count++]))
      return complain(why, "--edges: '%.100s' is not a number", number);
    word = comma ? comma + 1 : NULL;
  }
  spec->count = spec->edge_count - 1;
  spec->rule = BINS_NUMBER;
  return bins_check_edges(spec->edges, spec->edge_count, why.text, why.size);
}

static int parse_width(const char *text, struct bins_spec *spec, struct complaint why) {
  if (!parse_number(text, &spec->width) || !isfinite(spec->width) || !(spec->width > 0))
    return complain(why, "--width takes a positive number, not '%.100s'", text);
  if (spec->has_range && (spec->hi - spec->lo) / spec->width > BINS_MOST)
    return complain(why, "--width %.60s makes more than %d bins of that range; take a larger one",
                    text, BINS_MOST);
  return 0;
}

/* Of the ways to say where bins lie, one at a time. */
static int check_conflicts(const struct bins_text *text, struct complaint why) {
  const struct {
    const char *a, *b;
    bool both;
  } pairs[] = {{"--edges", "--bins", text->edges && text->bins},
               {"--edges", "--range", text->edges && text->lo},
               {"--edges", "--width", text->edges && text->width},
               {"--edges", "--log", text->edges && text->log},
               {"--edges", "--integer", text->edges && text->integer},
               {"--width", "--bins", text->width && text->bins},
               {"--width", "--log", text->width && text->log},
               {"--width", "--integer", text->width && text->integer},
               {"--integer", "--bins", text->integer && text->bins},
               {"--integer", "--log", text->integer && text->log}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i].both)
      return complain(why, "%s and %s exclude each other: give one", pairs[i].a, pairs[i].b);
  return 0;
}

int bins_parse(const struct bins_text *text, struct bins_spec *spec, char *message, size_t size) {
  struct complaint why = {message, size};
  memset(spec, 0, sizeof *spec);
  spec->rule = BINS_AUTO;
  spec->log = text->log;
  spec->integer = text->integer;
  if (check_conflicts(text, why) != 0) return -1;
  if (text->bins && parse_count(text->bins, spec, why) != 0) return -1;
  if (text->log && spec->rule == BINS_FD)
    return complain(why, "--bins fd is a rule for bins of one width; with --log give a number");
  if ((text->lo || text->hi) && parse_range(text, spec, why) != 0) return -1;
  if (text->edges && parse_edges(text->edges, spec, why) != 0) return -1;
  if (text->width && parse_width(text->width, spec, why) != 0) return -1;
  if (spec->integer && spec->has_range &&
      (spec->lo != floor(spec->lo) || spec->hi != floor(spec->hi) ||
       spec->hi - spec->lo >= BINS_MOST))
    return complain(why, "--integer needs a --range of whole numbers, at most %d apart",
                    BINS_MOST - 1);
  return 0;
}

void bins_free(struct bins_spec *spec) {
  free(spec->edges);
  spec->edges = NULL;
}
