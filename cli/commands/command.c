/* command.c - contexts with a poll for SIGINT, statuses as exit codes, one loop over files */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/interrupt.h"
#include "part.h"
#include "report/terminal.h"

int command_check(heddle_status status, const char *where, struct failure *why) {
  static const struct {
    heddle_status status;
    int exit_code;
  } codes[] = {{HEDDLE_BAD_ARGUMENT, EXIT_USAGE},
               {HEDDLE_UNSUPPORTED, EXIT_USAGE},
               {HEDDLE_NO_DEVICE, EXIT_USAGE},
               {HEDDLE_CANCELLED, EXIT_INTERRUPTED}};
  int exit_code = EXIT_DATA;
  if (status == HEDDLE_OK) return 0;
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    if (codes[i].status == status) exit_code = codes[i].exit_code;
  if (!where) return fail(why, exit_code, "%s", heddle_message());
  return fail(why, exit_code, "%s: %s", command_file_label(where), heddle_message());
}

int command_context(const struct settings *s, heddle_context **ctx, struct failure *why) {
  char threaded[32];
  const char *device = s->device;
  if (s->threads != 0 || device) {
    bool plain = !device || strcmp(device, "cpu") == 0;
    if (s->threads != 0 && !plain)
      return fail(why, EXIT_USAGE, "--threads goes with --device cpu, not with '%s'", device);
    if (s->threads > 1024)
      return fail(why, EXIT_USAGE, "--threads takes 1 to 1024, not %llu",
                  (unsigned long long)s->threads);
    (void)snprintf(threaded, sizeof threaded, "cpu:%u", (unsigned)s->threads);
    if (s->threads != 0) device = threaded;
  }
  if (command_check(heddle_open(device, ctx), NULL, why) != 0) return -1;
  if (command_check(heddle_set_poll(*ctx, interrupt_poll, NULL), NULL, why) == 0) return 0;
  heddle_close(*ctx);
  *ctx = NULL;
  return -1;
}

void command_options(const struct settings *s, heddle_options *options) {
  const heddle_options defaults = HEDDLE_OPTIONS_INIT;
  *options = defaults;
  options->nan = (heddle_nan)s->nan;
  options->acc_type = (heddle_type)s->acc;
  options->out_type = (heddle_type)s->out_type;
  options->exact = s->exact;
}

int command_merge(const struct settings *s, heddle_context *ctx, heddle_state **state,
                  struct failure *why) {
  if (!s->part) return 0;
  if (s->part->merge(s->part, ctx, state, why) != 0) return -1;
  return s->part->rank != 0;
}

void command_note(const struct settings *s, const char *format, ...) {
  char text[1024];
  if (s->quiet) return;
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  terminal_message(text);
}

const char *command_file_label(const char *path) {
  return strcmp(path, "-") == 0 ? "standard input" : path;
}

int command_each_file(const struct settings *s, command_file *fold, void *user, bool *missing,
                      struct failure *why) {
  const bool whole = s->output && strcmp(s->output, "-") != 0;
  *missing = false;
  for (size_t i = 0; i < s->file_count; i++) {
    if (fold(s, s->files[i], user, why) == 0) continue;
    if (s->file_count == 1 || whole || why->exit_code != EXIT_DATA) return -1;
    terminal_message(why->text);
    *missing = true;
  }
  return 0;
}

int command_missing(int status, bool missing, struct failure *why) {
  if (status != 0 || !missing) return status;
  why->exit_code = EXIT_DATA;
  why->text[0] = '\0';
  return -1;
}

void *command_allocate(size_t count, size_t size, const char *what, struct failure *why) {
  void *memory = calloc(count == 0 ? 1 : count, size);
  if (!memory)
    (void)fail(why, EXIT_DATA, "out of memory for %zu %s of %zu bytes each", count, what, size);
  return memory;
}
