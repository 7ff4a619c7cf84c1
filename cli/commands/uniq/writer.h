/* writer.h - distinct lines on their way out, those of them that are asked for */
#ifndef HEDDLE_CLI_COMMANDS_UNIQ_WRITER_H
#define HEDDLE_CLI_COMMANDS_UNIQ_WRITER_H

#include <stdbool.h>

#include "options/args.h"
#include "output/sink.h"

struct line_writer {
  struct sink out;
  bool counts;
  char delimiter; /* behind the count; 0: of a list, to the right in seven columns */
};

/* Whether what is there so often is asked for. */
static inline bool writer_takes(const struct settings *s, uint64_t count) {
  return !(s->repeated && count < 2) && !(s->single && count > 1);
}
/* A line without its '\n'. */
void writer_line(struct line_writer *w, const struct settings *s, uint64_t count, const char *line,
                 size_t bytes);
/* The count in front of a line. */
void writer_count(struct sink *out, char delimiter, uint64_t count);

#endif
