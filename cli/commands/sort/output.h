/* output.h - sorted elements or positions on their way out */
#ifndef HEDDLE_CLI_COMMANDS_SORT_OUTPUT_H
#define HEDDLE_CLI_COMMANDS_SORT_OUTPUT_H

#include "output/json.h"
#include "output/sink.h"
#include "sort.h"

struct sort_output {
  struct array_sink out;
  struct json json;
  bool as_json;
  const struct sort_taker *taker; /* or NULL */
};

/* count UINT64_MAX: known at the end only. */
int sort_output_open(const struct sorting *g, heddle_type type, uint64_t count,
                     struct sort_output *out, struct failure *why);
int sort_output_write(struct sort_output *out, const void *elements, size_t count,
                      struct failure *why);
/* With `status`, that of the work so far, not 0: nothing appears. */
int sort_output_close(struct sort_output *out, int status, struct failure *why);

#endif
