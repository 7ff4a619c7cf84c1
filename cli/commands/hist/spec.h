/* spec.h - what --bins, --range, --edges, --width, --log and --integer ask for */
#ifndef HEDDLE_CLI_COMMANDS_HIST_SPEC_H
#define HEDDLE_CLI_COMMANDS_HIST_SPEC_H

#include <stdbool.h>
#include <stddef.h>

/* The words as they stand on the command line; NULL where one is not given. */
struct bins_text {
  const char *bins, *lo, *hi, *edges, *width;
  bool log, integer;
};

enum bins_rule { BINS_NUMBER, BINS_AUTO, BINS_FD, BINS_STURGES };

enum { BINS_MOST = 1 << 28 };

struct bins_spec {
  enum bins_rule rule;
  size_t count; /* BINS_NUMBER; with edges, edge_count - 1 */
  bool has_range;
  double lo, hi; /* has_range: finite, lo <= hi; log: 0 < lo < hi */
  double width;  /* 0: none was given */
  double *edges; /* NULL, or edge_count edges that do not fall, none NaN */
  size_t edge_count;
  const char *edges_file; /* of --edges @FILE; points into the text */
  bool log, integer;
};

/* 0, or -1 and a message in why, of `size` bytes at least 256. bins_free in either case. */
int bins_parse(const struct bins_text *text, struct bins_spec *spec, char *why, size_t size);
void bins_free(struct bins_spec *spec);

/* 0 if these can be edges, else -1 and a message. */
int bins_check_edges(const double *edges, size_t count, char *why, size_t size);

#endif
