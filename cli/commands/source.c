/* source.c - input_next between a line of progress and a look for SIGINT
 *
 * Limits  Whatever is read streams through blocks of a few MiB, so that a file may be larger than
 *         memory; only source_all, for work along an axis, holds an array that is not mapped. */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "missing.h"
#include "output/interrupt.h"
#include "part.h"
#include "text/record.h"
#include "where/condition.h"
#include "where/elements.h"

/* Opens the file again, at this process's part of its elements. */
static int take_part(const struct part *part, const struct input_options *whole, struct source *src,
                     struct failure *why) {
  struct input_options options = *whole;
  const uint64_t all = input_count(src->in);
  if (all == UINT64_MAX || strcmp(src->path, "-") == 0)
    return fail(
        why, EXIT_USAGE,
        "%s: heddle mpi reads files of .npy or raw elements, of which every process finds its "
        "part; heddle convert makes one",
        command_file_label(src->path));
  src->all = all;
  src->first = part_first(part, part->rank, all);
  input_narrow(src->in, src->first, part_first(part, part->rank + 1, all) - src->first, &options);
  input_close(src->in);
  src->in = NULL;
  return input_open(&options, &src->in, why);
}

/* Threads that the library would take for work on a CPU: the command line's or the environment's, else all. */
static size_t cpu_threads(const struct settings *s) {
  char threaded[32];
  const char *device = s->device ? s->device : getenv("HEDDLE_DEVICE");
  heddle_context *ctx;
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  if (!device || strncmp(device, "cpu", 3) != 0) device = "cpu";
  if (s->threads > 0 && s->threads <= 1024) {
    (void)snprintf(threaded, sizeof threaded, "cpu:%u", (unsigned)s->threads);
    device = threaded;
  }
  if (heddle_open(device, &ctx) != HEDDLE_OK) return 1;
  const bool known = heddle_info(ctx, &info) == HEDDLE_OK;
  heddle_close(ctx);
  return known ? info.threads : 1;
}

/* Beyond these, text comes no faster: one thread at a time reads and cuts it. */
enum { TEXT_THREADS_MOST = 16 };

/* The line of a pass that finds types. */
static void show_passing(void *user, const struct input *in) {
  struct source *const src = user;
  uint64_t done = 0, total = 0;
  input_progress(in, &done, &total);
  progress_update(&src->progress, done, total);
}

int source_open_options(const struct settings *s, const struct input_options *given,
                        struct source *out, struct failure *why) {
  struct input_options with_threads = *given;
  const struct input_options *const options = &with_threads;
  const size_t threads = s->part ? 1 : cpu_threads(s);
  if (given->threads == 0 || given->threads > threads) with_threads.threads = threads;
  if (with_threads.threads > TEXT_THREADS_MOST) with_threads.threads = TEXT_THREADS_MOST;
  memset(out, 0, sizeof *out);
  out->path = options->path;
  out->settings = s;
  with_threads.passing = show_passing;
  with_threads.user = out;
  progress_start(&out->progress, s->quiet ? PROGRESS_NEVER : (enum progress_mode)s->progress);
  interrupt_waiting(true);
  int status = input_open(options, &out->in, why);
  if (status == 0 && s->part) status = take_part(s->part, options, out, why);
  interrupt_waiting(false);
  if (status != 0) {
    progress_end(&out->progress);
    input_close(out->in);
    out->in = NULL;
    return -1;
  }
  progress_again(&out->progress);
  return 0;
}

/* What depends on where an element stands is refused. */
static int hold_elements(struct source *src, const struct condition *where, struct failure *why) {
  const struct settings *const s = src->settings;
  const char *const name = command_file_label(src->path);
  const char *const option = s->part           ? "heddle mpi"
                             : s->axis         ? "--axis"
                             : s->weights      ? "--weights"
                             : s->channels > 1 ? "--channels"
                                               : NULL;
  if (option)
    return fail(why, EXIT_USAGE,
                "%s is no table: with %s its elements are told by where they stand, and --where "
                "would move them; heddle select writes those for which it holds",
                name, option);
  src->elements = held_elements_new(where, input_type(src->in), name, why);
  return src->elements ? 0 : -1;
}

int source_open_where(const struct settings *s, const struct input_options *given,
                      struct source *out, struct failure *why) {
  struct input_options options = *given;
  struct condition *where = NULL;
  if (s->where) {
    if (condition_read(s->where, &where, why) != 0) return -1;
    options.filter = condition_filter(where);
  }
  int status = source_open_options(s, &options, out, why);
  if (status == 0 && s->where && !input_is_text(out->in)) {
    status = hold_elements(out, where, why);
    if (status != 0) source_close(out);
  }
  if (status == 0) out->where = where;
  if (status != 0) condition_free(where);
  return status;
}

int source_settings(const struct settings *s, const char *path, enum passes passes,
                    struct input_options *out, struct failure *why) {
  if (args_input_options(s, path, out, why) != 0) return -1;
  out->two_passes = passes == TWO_PASSES || passes == SETTLED_TWO_PASSES;
  out->settle = passes == SETTLED || passes == SETTLED_TWO_PASSES;
  out->spans = true;
  return 0;
}

int source_open(const struct settings *s, const char *path, enum passes passes, struct source *out,
                struct failure *why) {
  struct input_options options;
  if (source_settings(s, path, passes, &options, why) != 0) return -1;
  return source_open_where(s, &options, out, why);
}

static void note_bad(struct source *src) {
  uint64_t bad = input_bad_lines(src->in);
  if (bad == src->noted_bad) return;
  src->noted_bad = bad;
  progress_end(&src->progress);
  command_note(src->settings, "%s: %llu bad line%s passed over", command_file_label(src->path),
               (unsigned long long)bad, bad == 1 ? "" : "s");
}

/* f64 holds every integer up to 2^53: one beyond that changes, and whoever sees it is told. */
static void note_rounded(struct source *src) {
  for (size_t c = 0; c < input_columns(src->in) && !src->noted_rounded; c++) {
    if (!input_is_rounded(src->in, c) || (src->integers && !src->mixed[c])) continue;
    const char *label = input_label(src->in, c);
    char shown[48] = "";
    text_show(label, strlen(label), shown, sizeof shown);
    progress_end(&src->progress);
    src->noted_rounded = true;
    command_note(src->settings, "%s: integers beyond 2^53%s%s%s were rounded to f64",
                 command_file_label(src->path), *shown == '\0' ? "" : " in column '", shown,
                 *shown == '\0' ? "" : "'");
  }
}

static void watch_integers(struct source *src, size_t count) {
  if (!src->integers) return;
  for (size_t c = 0; c < input_columns(src->in); c++) {
    size_t rows;
    heddle_type type;
    (void)input_integers(src->in, c, &rows, &type);
    src->mixed[c] |= rows < count;
  }
}

static int look_for_missing(struct source *src, const void *data[], size_t count,
                            struct failure *why) {
  size_t first;
  for (size_t c = 0; c < input_columns(src->in) && src->settings->nan_error; c++)
    if (missing_find(input_type(src->in), data[c], count, &first))
      return missing_fail(src->path, input_label(src->in, c), src->first + src->rows + first, why);
  src->rows += count;
  return 0;
}

int source_next(struct source *src, const void *data[], size_t *count, struct failure *why) {
  uint64_t done = 0, total = 0;
  for (bool again = true; again;) {
    interrupt_waiting(true);
    int status = input_next(src->in, data, count, why);
    interrupt_waiting(false);
    if (status != 0) return -1;
    if (interrupt_poll(NULL)) return fail(why, EXIT_INTERRUPTED, "interrupted");
    input_progress(src->in, &done, &total);
    progress_update(&src->progress, done, total);
    again = src->elements && *count > 0;
    if (again && held_elements_take(src->elements, data, count, why) != 0) return -1;
    again = again && *count == 0; /* it holds for none of the block */
  }
  watch_integers(src, *count);
  if (*count == 0) note_bad(src);
  if (*count == 0) note_rounded(src);
  return look_for_missing(src, data, *count, why);
}

int source_record(struct source *src, struct records *records, const char **begin, const char **end,
                  struct failure *why) {
  for (;;) {
    const int next = records_next(records, begin, end, why);
    uint64_t done = 0, total = 0;
    if (next != RECORDS_READ) return next;
    interrupt_waiting(true);
    const int status = records_read(records, why);
    interrupt_waiting(false);
    if (status != 0) return -1;
    if (interrupt_poll(NULL)) return fail(why, EXIT_INTERRUPTED, "interrupted");
    input_progress(src->in, &done, &total);
    progress_update(&src->progress, done, total);
  }
}

/* After a read, which came to `status`. */
static int look_around(struct source *src, int status, struct failure *why) {
  uint64_t done = 0, total = 0;
  interrupt_waiting(false);
  if (status < 0) return -1;
  if (interrupt_poll(NULL)) return fail(why, EXIT_INTERRUPTED, "interrupted");
  input_progress(src->in, &done, &total);
  progress_update(&src->progress, done, total);
  return status;
}

int source_block(struct source *src, struct records *records, struct records_block *block,
                 struct failure *why) {
  interrupt_waiting(true);
  return look_around(src, records_block(records, block, why), why);
}

int source_batch(struct source *src, struct failure *why) {
  interrupt_waiting(true);
  return look_around(src, input_batch(src->in, why), why);
}

int source_rewind(struct source *src, struct failure *why) {
  progress_again(&src->progress);
  src->rows = 0;
  return input_rewind(src->in, why);
}

void source_close(struct source *src) {
  progress_end(&src->progress);
  input_close(src->in);
  src->in = NULL;
  held_elements_free(src->elements);
  src->elements = NULL;
  condition_free(src->where);
  src->where = NULL;
}

int source_single(const struct source *src, struct failure *why) {
  if (input_columns(src->in) == 1) return 0;
  return fail(why, EXIT_USAGE, "%s: this command takes one column; choose it with -c NAME",
              command_file_label(src->path));
}

void pair_start(struct pair *p, struct source *a, struct source *b) {
  memset(p, 0, sizeof *p);
  p->a = a;
  p->b = b;
  p->type[0] = input_type(a->in);
  p->type[1] = input_type(b->in);
}

/* A part of both blocks is taken. */
static void pair_pass(struct pair *p, size_t n) {
  for (int i = 0; i < 2 && n > 0; i++) {
    p->data[i] = (const unsigned char *)p->data[i] + n * heddle_type_size(p->type[i]);
    if (p->integers[i])
      p->integers[i] = (const unsigned char *)p->integers[i] + n * sizeof(uint64_t);
    p->left[i] -= n;
  }
  p->done += n;
}

int pair_next(struct pair *p, const void **x, const void **y, const void *whole[2], size_t *count,
              struct failure *why) {
  struct source *sources[2] = {p->a, p->b};
  for (int i = 0; i < 2; i++) {
    const void *columns[INPUT_MAX_COLUMNS];
    if (p->left[i] > 0) continue;
    if (source_next(sources[i], columns, &p->left[i], why) != 0) return -1;
    p->data[i] = columns[0];
    size_t rows;
    p->integers[i] = input_integers(sources[i]->in, 0, &rows, &p->integer_type[i]);
    if (rows < p->left[i]) p->integers[i] = NULL;
  }
  if ((p->left[0] == 0) != (p->left[1] == 0)) {
    int ended = p->left[0] == 0 ? 0 : 1;
    return fail(why, EXIT_DATA,
                "%s ends after %llu elements, but %s has more; both must have as many",
                command_file_label(sources[ended]->path), (unsigned long long)p->done,
                command_file_label(sources[1 - ended]->path));
  }
  size_t n = p->left[0] < p->left[1] ? p->left[0] : p->left[1];
  *x = p->data[0];
  *y = p->data[1];
  *count = n;
  const bool both = p->integers[0] && p->integers[1];
  for (int i = 0; i < 2 && whole; i++) whole[i] = both ? p->integers[i] : NULL;
  pair_pass(p, n);
  return 0;
}

int source_all(struct source *src, const void **data, size_t *count, void **owned,
               struct failure *why) {
  size_t size = heddle_type_size(input_type(src->in)), room = 0, used = 0;
  unsigned char *all = NULL;
  *owned = NULL;
  *data = src->elements ? NULL : input_whole(src->in, count);
  if (*data) return look_for_missing(src, data, *count, why);
  for (;;) {
    const void *columns[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(src, columns, &n, why) != 0) break;
    if (n == 0) {
      *data = *owned = all;
      *count = used;
      return 0;
    }
    if (n > room - used) {
      size_t more = room / 2 > n ? room / 2 : n;
      if (more > SIZE_MAX / 2 / size - room) more = n;
      void *larger = realloc(all, (room + more) * size);
      if (!larger) {
        (void)fail(
            why, EXIT_DATA,
            "%s: out of memory after %zu elements: --axis needs the whole array; store it as "
            "an uncompressed .npy file, which is mapped",
            command_file_label(src->path), used);
        break;
      }
      all = larger;
      room += more;
    }
    memcpy(all + used * size, columns[0], n * size);
    used += n;
  }
  free(all);
  return -1;
}

int source_each(struct source *src, source_taker *take, void *user, struct failure *why) {
  const size_t columns = input_columns(src->in);
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    for (size_t c = 0; c < columns; c++)
      if (take(src, c, data[c], n, user, why) != 0) return -1;
  }
}

static int describe(struct source *src, size_t column, const void *data, size_t n, void *user,
                    struct failure *why) {
  heddle_state *const *const states = user;
  return command_check(heddle_describe_update(states[column], data, n), src->path, why);
}

int source_describe(struct source *src, heddle_state **states, struct failure *why) {
  return source_each(src, describe, states, why);
}
