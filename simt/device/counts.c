/* Counters of every kernel, as JSON in the file that SIMT_COUNTS names. */
#include "grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KERNELS = 512 };

struct total {
  const struct simt_kernel *kernel;
  uint64_t launches, nanoseconds;
  struct counters counters;
};

static struct total totals[KERNELS];
static size_t kernels;

void sd_count_launch(const struct grid *grid) {
  struct worker *workers = sd_workers();
  struct total *total = NULL;
  for (size_t i = 0; i < kernels && !total; i++)
    if (totals[i].kernel == grid->kernel) total = &totals[i];
  if (!total && kernels < KERNELS) {
    total = &totals[kernels++];
    total->kernel = grid->kernel;
  }
  if (total) total->launches++;
  for (unsigned w = 0; w < grid->workers; w++) {
    if (total) {
      total->counters.blocks += workers[w].counters.blocks;
      total->counters.threads += workers[w].counters.threads;
      total->counters.barriers += workers[w].counters.barriers;
      total->counters.collectives += workers[w].counters.collectives;
    }
    memset(&workers[w].counters, 0, sizeof workers[w].counters);
  }
}

static void write_string(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      fprintf(file, "\\%c", *text);
    else if ((unsigned char)*text < 32)
      fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
    else
      fputc(*text, file);
  fputc('"', file);
}

static bool write_all(FILE *file) {
  fputs("{\"kernels\": [", file);
  for (size_t i = 0; i < kernels; i++) {
    const struct total *t = &totals[i];
    fputs(i ? ",\n  {\"name\": " : "\n  {\"name\": ", file);
    write_string(file, t->kernel->name);
    fputs(", \"file\": ", file);
    write_string(file, t->kernel->file);
    fprintf(file,
            ", \"line\": %d, \"launches\": %llu, \"blocks\": %llu, \"threads\": %llu, "
            "\"barriers\": %llu, \"collectives\": %llu}",
            t->kernel->line, (unsigned long long)t->launches,
            (unsigned long long)t->counters.blocks, (unsigned long long)t->counters.threads,
            (unsigned long long)t->counters.barriers, (unsigned long long)t->counters.collectives);
  }
  fputs("\n]}\n", file);
  return !ferror(file);
}

/* A temporary file beside the wanted one, then a rename: never half a file. A device
 * or a pipe is written directly. */
void sd_counts_write(void) {
  const char *path = sd_options()->counts_path;
  if (!path) return;
  char temporary[4096];
  struct stat status;
  const bool direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  const int n = direct ? snprintf(temporary, sizeof temporary, "%s", path)
                       : snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  if (n < 0 || (size_t)n >= sizeof temporary) return;
  FILE *file = fopen(temporary, direct ? "w" : "wx");
  if (!file) {
    sd_note("the counters could not be written to %s", path);
    return;
  }
  bool fine = write_all(file);
  if (fclose(file) != 0) fine = false;
  if (!fine || (!direct && rename(temporary, path) != 0)) {
    sd_note("the counters could not be written to %s", path);
    if (!direct) remove(temporary);
  }
}
