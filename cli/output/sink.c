/* sink.c - errors kept until the sink is closed; names made harmless where a terminal reads
 *
 * Method  A sticky failure over file.h, as stdio's ferror.
 * Limits  A .npy whose length is not known in advance needs a target that can be patched. */
#include "sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cells.h"
#include "file.h"
#include "npy.h"
#include "report/terminal.h"
#include "text/element.h"
#include "text/quoting.h"

int sink_open(struct sink *s, const char *path, struct failure *why) {
  memset(s, 0, sizeof *s);
  s->terminal = (!path || strcmp(path, "-") == 0) && isatty(STDOUT_FILENO);
  return output_file_open(path ? path : "-", &s->file, why);
}

int sink_close(struct sink *s, struct failure *why) {
  if (s->failed) {
    sink_drop(s);
    *why = s->why;
    return -1;
  }
  int status = output_file_commit(s->file, why);
  s->file = NULL;
  return status;
}

void sink_drop(struct sink *s) {
  output_file_abort(s->file);
  s->file = NULL;
  cells_free(s);
}

void sink_write(struct sink *s, const void *data, size_t bytes) {
  if (s->cells)
    cells_write(s, data, bytes);
  else if (!s->failed)
    s->failed = output_file_write(s->file, data, bytes, &s->why) != 0;
}

void sink_text(struct sink *s, const char *text) { sink_write(s, text, strlen(text)); }

void sink_print(struct sink *s, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  sink_write(s, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static void spaces(struct sink *s, size_t count) {
  for (; count > 0; count--) sink_write(s, " ", 1);
}

void sink_right(struct sink *s, const char *text, size_t columns) {
  size_t width = terminal_columns(text);
  if (width < columns) spaces(s, columns - width);
  sink_text(s, text);
}

void sink_left(struct sink *s, const char *text, size_t columns) {
  size_t width = terminal_columns(text);
  sink_text(s, text);
  if (width < columns) spaces(s, columns - width);
}

void sink_safe_bytes(struct sink *s, const char *text, size_t bytes) {
  char safe[UTF8_SAFE];
  for (const char *const end = text + bytes; text < end;) {
    text += utf8_safe(text, safe);
    sink_text(s, safe);
  }
}

void sink_safe(struct sink *s, const char *text) { sink_safe_bytes(s, text, strlen(text)); }

void sink_xml(struct sink *out, const char *text) {
  while (*text != '\0') {
    uint32_t code = 0;
    const size_t length = utf8_character(text, &code);
    const bool blank = code == '\t' || code == '\n' || code == '\r';
    switch (*text) {
    case '&': sink_text(out, "&amp;"); break;
    case '<': sink_text(out, "&lt;"); break;
    case '>': sink_text(out, "&gt;"); break;
    case '"': sink_text(out, "&quot;"); break;
    default:
      if (length > 0 && (utf8_shows(code) || blank))
        sink_write(out, blank ? " " : text, blank ? 1 : length);
      else
        sink_text(out, "\xef\xbf\xbd");
    }
    text += length == 0 ? 1 : length;
  }
}

void sink_csv(struct sink *s, const char *text) { sink_csv_bytes(s, text, strlen(text)); }

void sink_csv_bytes(struct sink *s, const char *text, size_t bytes) {
  const bool plain = text_stands_alone(text, bytes, ',') && !memchr(text, '\t', bytes);
  const char *const end = text + bytes;
  char safe[UTF8_SAFE];
  if (plain && !s->terminal) {
    sink_write(s, text, bytes);
    return;
  }
  if (!plain) sink_write(s, "\"", 1);
  while (text < end) {
    if (*text == '"') sink_write(s, "\"", 1);
    if (s->terminal) {
      text += utf8_safe(text, safe);
      sink_text(s, safe);
    } else {
      const char *const quote = memchr(text + 1, '"', (size_t)(end - text) - 1); /* is doubled */
      sink_write(s, text, (size_t)((quote ? quote : end) - text));
      text = quote ? quote : end;
    }
  }
  if (!plain) sink_write(s, "\"", 1);
}

static int npy_start(struct array_sink *a, size_t dims, const size_t *shape, enum array_order order,
                     struct failure *why) {
  unsigned char header[NPY_WRITTEN_MAX];
  size_t bytes = 0, none = 0;
  a->patch = dims == 0;
  if (a->patch && !output_file_can_patch(a->sink.file))
    return fail(why, EXIT_USAGE,
                "a .npy array of unknown length cannot be written to a pipe or a device, since its "
                "length stands in front; write to a file with -o FILE.npy");
  if (npy_write_header(a->type, a->patch ? 1 : dims, a->patch ? &none : shape,
                       order == ARRAY_FORTRAN, header, &bytes, why) != 0)
    return -1;
  sink_write(&a->sink, header, bytes);
  return 0;
}

int array_open(struct array_sink *a, const char *path, enum array_format format, heddle_type type,
               size_t dims, const size_t *shape, enum array_order order, struct failure *why) {
  memset(a, 0, sizeof *a);
  a->format = format;
  a->type = type;
  bool standard = !path || strcmp(path, "-") == 0;
  if (format != ARRAY_TEXT && standard && isatty(STDOUT_FILENO))
    return fail(why, EXIT_USAGE,
                "binary elements are not written to a terminal; name a file with -o FILE, or pipe "
                "the output");
  if (sink_open(&a->sink, path, why) != 0) return -1;
  if (format == ARRAY_NPY && npy_start(a, dims, shape, order, why) != 0) {
    sink_drop(&a->sink);
    return -1;
  }
  return 0;
}

/* Lines are gathered, so that a write is not paid for each. */
static void text_lines(struct array_sink *a, const unsigned char *element, size_t count) {
  char lines[1 << 14];
  size_t used = 0, size = heddle_type_size(a->type);
  for (size_t i = 0; i < count; i++, element += size) {
    used += (size_t)element_text(lines + used, a->type, element);
    lines[used++] = '\n';
    if (used + NUMBER_TEXT + 1 > sizeof lines || i + 1 == count) {
      sink_write(&a->sink, lines, used);
      used = 0;
    }
  }
}

void array_write(struct array_sink *a, const void *elements, size_t count) {
  if (a->format == ARRAY_TEXT)
    text_lines(a, elements, count);
  else
    sink_write(&a->sink, elements, count * heddle_type_size(a->type));
  a->count += count;
}

int array_close(struct array_sink *a, struct failure *why) {
  if (a->patch && !a->sink.failed) {
    unsigned char header[NPY_WRITTEN_MAX];
    size_t bytes = 0, count = (size_t)a->count;
    if (npy_write_header(a->type, 1, &count, false, header, &bytes, why) != 0 ||
        output_file_patch(a->sink.file, 0, header, bytes, why) != 0) {
      sink_drop(&a->sink);
      return -1;
    }
  }
  return sink_close(&a->sink, why);
}
