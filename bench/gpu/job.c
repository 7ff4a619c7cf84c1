/* job.c - lines of work, data and times; see job.h */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

enum { SLOTS = 2, MOST_REPS = 101, QUEUED = 64 };

static struct {
  char file[256];
  size_t n, size;
  void *memory;
} on_device[SLOTS], on_host[SLOTS];

void job_parse(char *line, struct job *job) {
  *job = (struct job){.reps = 9, .kind = "even", .bins = 256, .hi = 1};
  for (char *place, *word = strtok_r(line, " \n", &place); word;
       word = strtok_r(NULL, " \n", &place)) {
    char *value = strchr(word, '=');
    if (!value) gpu_die("no value in '%s'", word);
    *value++ = 0;
    const struct {
      const char *key;
      char *text;
      size_t bytes;
    } texts[] = {{"what", job->what, sizeof job->what},
                 {"data", job->data, sizeof job->data},
                 {"data2", job->data2, sizeof job->data2},
                 {"kind", job->kind, sizeof job->kind}};
    const struct {
      const char *key;
      size_t *number;
    } numbers[] = {{"n", &job->n},
                   {"block", &job->block},
                   {"block2", &job->block2},
                   {"bins", &job->bins},
                   {"row", &job->row},
                   {"offset", &job->offset},
                   {"out_offset", &job->out_offset}};
    for (size_t i = 0; i < 4; i++)
      if (!strcmp(word, texts[i].key)) (void)snprintf(texts[i].text, texts[i].bytes, "%s", value);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      if (!strcmp(word, numbers[i].key)) *numbers[i].number = strtoull(value, NULL, 10);
    if (!strcmp(word, "type")) job->type = heddle_type_parse(value);
    if (!strcmp(word, "lo")) job->lo = atof(value);
    if (!strcmp(word, "hi")) job->hi = atof(value);
    if (!strcmp(word, "reps")) job->reps = (unsigned)atoi(value);
    if (!strcmp(word, "exact")) job->exact = (unsigned)atoi(value);
  }
}

static void read_file(const char *path, void *out, size_t bytes) {
  FILE *file = fopen(path, "rb");
  if (!file || fread(out, 1, bytes, file) != bytes) gpu_die("cannot read %s", path);
  (void)fclose(file);
}

void *job_on_host(const char *file, size_t block, size_t n, size_t size, unsigned slot) {
  if (on_host[slot].memory && on_host[slot].n >= n && on_host[slot].size == size &&
      !strcmp(on_host[slot].file, file))
    return on_host[slot].memory;
  free(on_host[slot].memory);
  char *memory = aligned_alloc(4096, (n * size + 8191) / 4096 * 4096);
  if (!memory) gpu_die("no memory for %zu elements", n);
  const size_t first = (block < n ? block : n) * size;
  read_file(file, memory, first);
  for (size_t done = first; done < n * size; done *= 2)
    memcpy(memory + done, memory, done < n * size - done ? done : n * size - done);
  on_host[slot].memory = memory;
  on_host[slot].n = n;
  on_host[slot].size = size;
  (void)snprintf(on_host[slot].file, sizeof on_host[slot].file, "%s", file);
  return memory;
}

void *job_on_device(const char *file, size_t block, size_t n, size_t size, unsigned slot) {
  if (on_device[slot].memory && on_device[slot].n >= n && on_device[slot].size == size &&
      !strcmp(on_device[slot].file, file))
    return on_device[slot].memory;
  gpu_forget(on_device[slot].memory);
  char *memory = gpu_memory(n * size);
  const size_t first = (block < n ? block : n) * size;
  char *part = malloc(first ? first : 1);
  if (!part) gpu_die("no memory for %zu elements", block);
  read_file(file, part, first);
  gpu_copy(memory, part, first);
  free(part);
  for (size_t done = first; done < n * size; done *= 2)
    gpu_copy_async(memory + done, memory, done < n * size - done ? done : n * size - done);
  gpu_wait();
  on_device[slot].memory = memory;
  on_device[slot].n = n;
  on_device[slot].size = size;
  (void)snprintf(on_device[slot].file, sizeof on_device[slot].file, "%s", file);
  return memory;
}

void job_forget(void) {
  for (size_t i = 0; i < SLOTS; i++) {
    gpu_forget(on_device[i].memory);
    free(on_host[i].memory);
    on_device[i].memory = on_host[i].memory = NULL;
  }
}

static int rising(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

struct timing job_time(void (*run)(void *arg), void *arg, unsigned reps, int host) {
  double ms[MOST_REPS];
  if (reps < 3) reps = 3;
  if (reps > MOST_REPS) reps = MOST_REPS;
  run(arg);
  run(arg);
  gpu_wait();
  for (unsigned i = 0; i < reps; i++) {
    const double begun = gpu_clock();
    if (!host) gpu_start();
    run(arg);
    ms[i] = host ? gpu_clock() - begun : gpu_stop();
  }
  qsort(ms, reps, sizeof *ms, rising);
  struct timing timing = {ms[reps / 2], ms[0], ms[reps - 1], 0};
  if (host || timing.median > 0.2) return timing;
  gpu_start();
  for (int i = 0; i < QUEUED; i++) run(arg);
  timing.queued = gpu_stop() / QUEUED;
  return timing;
}

static void print_text(const char *name, const char *text) {
  (void)printf(", \"%s\": \"", name);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') (void)putchar('\\');
    (void)putchar((unsigned char)*text < ' ' ? ' ' : *text);
  }
  (void)putchar('"');
}

void job_print(const struct timing *timing, const char *why, const char *note) {
  (void)printf("{\"ms\": %.7g, \"least\": %.7g, \"most\": %.7g, \"queued\": %.7g, \"verified\": %s",
               timing->median, timing->least, timing->most, timing->queued, why ? "false" : "true");
  if (why) print_text("why", why);
  if (note) print_text("note", note);
  (void)printf("}\n");
  (void)fflush(stdout);
}
