/* writer.c - counts as uniq(1) writes them, or as one more column in front */
#include "writer.h"

#include <inttypes.h>

void writer_count(struct sink *out, char delimiter, uint64_t count) {
  if (delimiter)
    sink_print(out, "%" PRIu64 "%c", count, delimiter);
  else
    sink_print(out, "%7" PRIu64 " ", count);
}

void writer_line(struct line_writer *w, const struct settings *s, uint64_t count, const char *line,
                 size_t bytes) {
  if (!writer_takes(s, count)) return;
  if (w->counts) writer_count(&w->out, w->delimiter, count);
  sink_write(&w->out, line, bytes);
  sink_write(&w->out, "\n", 1);
}
