/* records.c - a buffer that moves on, from record to record
 *
 * Method  One buffer; what is unread moves to its start when more is read. Fields are split up to the
 *         last one that is asked for.
 * Limits  A record has at most RECORD_MAX bytes, so memory is bounded. Lone CRs end no lines. */
#include "records.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "magic.h"
#include "text/number.h"

enum { FIRST_BYTES = 1 << 20, RECORD_MAX = 16 << 20, SAMPLE_MAX = 1 << 16 };

struct records {
  struct input *in;
  struct text_layout layout;
  bool lines;
  size_t last_field; /* of those asked for */
  char *buffer;
  size_t room, begin, end; /* [begin, end) is unread */
  size_t record, record_end;
  bool ended;
  char *front;
  size_t front_bytes, header; /* where the header begins, else front_bytes */
  uint64_t comments, line, next_line;
  bool started; /* the front is complete */
};

const struct text_layout *records_layout(const struct records *r) { return &r->layout; }
uint64_t records_comments(const struct records *r) { return r->comments; }
uint64_t records_line(const struct records *r) { return r->line; }
uint64_t records_next_line(const struct records *r) { return r->next_line; }
const char *records_front(const struct records *r, size_t *bytes) {
  *bytes = r->front_bytes;
  return r->front;
}

size_t records_header(const struct records *r) {
  return r->layout.header ? r->header : r->front_bytes;
}

int records_fail(const struct records *r, const char *at, const char *what, struct failure *why) {
  size_t line = 0;
  const size_t column = text_column_of(r->buffer + r->record, at, &line);
  return fail(why, EXIT_DATA, "%s:%llu:%zu: %s", r->in->name, (unsigned long long)(r->line + line),
              column, what);
}

/* ---- the buffer ---------------------------------------------------------------------------- */

int records_read(struct records *r, struct failure *why) {
  size_t got;
  memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
  r->end -= r->begin;
  r->begin = 0;
  if (r->end == r->room) {
    if (r->room >= RECORD_MAX)
      return fail(
          why, EXIT_DATA,
          "%s:%llu: the line, or a quoted field on it, is longer than %d MiB; is this text?",
          r->in->name, (unsigned long long)r->next_line, RECORD_MAX >> 20);
    char *const larger = realloc(r->buffer, 2 * r->room + 1);
    if (!larger) return fail(why, EXIT_DATA, "%s: no memory for a long line", r->in->name);
    r->buffer = larger;
    r->room *= 2;
  }
  if (stream_read(r->in->stream, r->buffer + r->end, r->room - r->end, &got, why) != 0) return -1;
  r->ended = got < r->room - r->end;
  r->end += got;
  if (r->ended && r->end > 0 && r->buffer[r->end - 1] != '\n') r->buffer[r->end++] = '\n';
  return 0;
}

static uint64_t lines_of(const char *begin, const char *end) {
  uint64_t lines = 0;
  for (; (begin = memchr(begin, '\n', (size_t)(end - begin))) != NULL; begin++) lines++;
  return lines;
}

static int add_front(struct records *r, size_t bytes, struct failure *why) {
  char *const front = realloc(r->front, r->front_bytes + bytes + 1);
  if (!front) return fail(why, EXIT_DATA, "%s: no memory for its first lines", r->in->name);
  r->front = front;
  memcpy(front + r->front_bytes, r->buffer + r->begin, bytes);
  r->front_bytes += bytes;
  return 0;
}

/* A blank line or a comment of `bytes` with its end. */
static int pass_over(struct records *r, size_t bytes, struct failure *why) {
  const char *p = r->buffer + r->begin;
  if (!r->started && add_front(r, bytes, why) != 0) return -1;
  while (*p == ' ' || *p == '\t' || *p == '\r') p++;
  r->comments += r->started && *p == r->in->options.comment;
  r->begin += bytes;
  r->next_line += 1;
  return 0;
}

/* ---- records ------------------------------------------------------------------------------- */

static int unclosed_quote(struct records *r, const char *quote, struct failure *why) {
  r->record = r->begin;
  r->line = r->next_line;
  return records_fail(r, quote, "this quote is not closed", why);
}

int records_next(struct records *r, const char **begin, const char **end, struct failure *why) {
  const char delimiter = r->layout.delimiter;
  for (;;) {
    const char *const p = r->buffer + r->begin, *const limit = r->buffer + r->end;
    const char *unclosed = NULL;
    const char *const line = memchr(p, '\n', (size_t)(limit - p));
    if (!line && !r->ended) return RECORDS_READ;
    if (!line) return RECORDS_END;
    if (!r->lines && text_is_passed_over(p, line, delimiter, r->in->options.comment)) {
      if (pass_over(r, (size_t)(line - p) + 1, why) != 0) return -1;
      continue;
    }
    const char *const stop = r->lines ? line : text_record_end(p, limit, delimiter, &unclosed);
    if (!stop && !r->ended) return RECORDS_READ;
    if (!stop) return unclosed_quote(r, unclosed, why);
    r->record = r->begin;
    r->record_end = (size_t)(stop - r->buffer);
    r->line = r->next_line;
    r->next_line += stop == line ? 1 : lines_of(p, stop + 1);
    r->begin = r->record_end + 1;
    *begin = p;
    *end = stop;
    return RECORDS_ONE;
  }
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* The end of the last whole record of the block; its begin if there is none. */
static const char *last_end(const struct records *r, const struct records_block *b) {
  const char *p = b->text, *const limit = b->text + b->bytes;
  if (!b->quotes || r->lines) {
    const char *end = limit;
    while (end > p && end[-1] != '\n') end--;
    return end;
  }
  while (p < limit) {
    const char *unclosed, *line = memchr(p, '\n', (size_t)(limit - p));
    if (line && !text_is_passed_over(p, line, r->layout.delimiter, r->in->options.comment))
      line = text_record_end(p, limit, r->layout.delimiter, &unclosed);
    if (!line) break;
    p = line + 1;
  }
  return p;
}

static int block_room(const struct records *r, struct records_block *b, size_t room,
                      struct failure *why) {
  if (room <= b->room) return 0;
  char *const text = realloc(b->text, room + 1 + NUMBER_PADDING);
  if (!text) return fail(why, EXIT_DATA, "%s: no memory to read it", r->in->name);
  b->text = text;
  b->room = room;
  return 0;
}

/* What is behind the last whole record waits in the buffer. */
static int keep_rest(struct records *r, const char *from, size_t bytes, struct failure *why) {
  if (bytes > r->room) {
    char *const larger = realloc(r->buffer, bytes + 1);
    if (!larger) return fail(why, EXIT_DATA, "%s: no memory for a long line", r->in->name);
    r->buffer = larger;
    r->room = bytes;
  }
  memcpy(r->buffer, from, bytes);
  r->begin = 0;
  r->end = bytes;
  return 0;
}

int records_block(struct records *r, struct records_block *b, struct failure *why) {
  const size_t before = r->end - r->begin;
  if (block_room(r, b, before > FIRST_BYTES / 2 ? 2 * before : FIRST_BYTES, why) != 0) return -1;
  memcpy(b->text, r->buffer + r->begin, before);
  b->bytes = before;
  for (;;) {
    size_t got = 0;
    if (!r->ended &&
        stream_read(r->in->stream, b->text + b->bytes, b->room - b->bytes, &got, why) != 0)
      return -1;
    r->ended |= got < b->room - b->bytes;
    b->bytes += got;
    if (r->ended && b->bytes > 0 && b->text[b->bytes - 1] != '\n') b->text[b->bytes++] = '\n';
    b->quotes = b->bytes > 0 && memchr(b->text, '"', b->bytes) != NULL;
    const char *const end = r->ended ? b->text + b->bytes : last_end(r, b);
    const size_t whole = (size_t)(end - b->text);
    if (whole > 0 || r->ended) {
      if (keep_rest(r, end, b->bytes - whole, why) != 0) return -1;
      b->bytes = whole;
      memset(b->text + whole, 0, NUMBER_PADDING);
      return 0;
    }
    if (b->room >= RECORD_MAX)
      return fail(why, EXIT_DATA,
                  "%s: a line, or a quoted field, is longer than %d MiB; is this text?",
                  r->in->name, RECORD_MAX >> 20);
    if (block_room(r, b, 2 * b->room, why) != 0) return -1;
  }
}

int records_walk(const struct records *r, const struct records_block *b, struct records_walk *w) {
  const char delimiter = r->layout.delimiter;
  for (const char *const limit = b->text + b->bytes; w->next < b->bytes;) {
    const char *const p = b->text + w->next, *unclosed = NULL;
    const char *const line = memchr(p, '\n', (size_t)(limit - p));
    const bool passed =
        !r->lines && text_is_passed_over(p, line, delimiter, r->in->options.comment);
    const bool quoted = !r->lines && !passed && b->quotes;
    const char *const stop = quoted ? text_record_end(p, limit, delimiter, &unclosed) : line;
    w->begin = p;
    w->end = stop ? stop : unclosed;
    if (!stop) return -1;
    w->next = (size_t)(stop + 1 - b->text);
    w->lines += stop == line ? 1 : lines_of(p, stop + 1);
    if (!passed) {
      w->records += 1;
      return RECORDS_ONE;
    }
    for (w->begin = p; *w->begin == ' ' || *w->begin == '\t' || *w->begin == '\r';) w->begin++;
    w->comments += *w->begin == r->in->options.comment;
  }
  return RECORDS_END;
}

/* ---- fields -------------------------------------------------------------------------------- */

const char *records_split(const struct records *r, const char *begin, const char *end,
                          struct text_field *fields, const char **at) {
  const struct text_layout *const l = &r->layout;
  const char *p = begin;
  struct text_field f;
  for (size_t i = 0; i <= r->last_field && l->wanted > 0; i++) {
    *at = end;
    if (!p) return "the line has too few columns";
    text_next_field(&p, end, l->delimiter, &f);
    for (size_t k = 0; k < l->wanted; k++) {
      if (l->field[k] != i) continue;
      *at = f.start;
      if (f.problem == TEXT_UNCLOSED) return "this quote is not closed";
      if (f.problem == TEXT_TRAILING) return "something stands behind the closing quote";
      fields[k] = f;
    }
  }
  return NULL;
}

int records_fields(const struct records *r, struct text_field *fields, struct failure *why) {
  const char *at, *const what = records_split(r, r->buffer + r->record, r->buffer + r->record_end,
                                              fields, &at);
  return what ? records_fail(r, at, what, why) : 0;
}

/* ---- opening ------------------------------------------------------------------------------- */

static int check_encoding(struct records *r, struct failure *why) {
  const unsigned char *const b = (const unsigned char *)r->buffer;
  if (r->end >= 2 && ((b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff)))
    return fail(why, EXIT_DATA, "%s is UTF-16 text; convert it by iconv -f UTF-16 -t UTF-8",
                r->in->name);
  if (magic_no_table(r->in->name, b, r->end, why) != 0) return -1;
  if (!r->in->options.zeros &&
      magic_no_zeros(r->in->name, b, r->end < SAMPLE_MAX ? r->end : SAMPLE_MAX, why) != 0)
    return -1;
  const char *const lf = memchr(b, '\n', r->end);
  const char *const cr = memchr(b, '\r', lf ? (size_t)(lf - r->buffer) : r->end);
  if (cr && cr + 1 < r->buffer + r->end && cr[1] != '\n')
    return fail(why, EXIT_DATA, "%s: its lines end in lone CRs; turn them into LFs: tr '\\r' '\\n'",
                r->in->name);
  return 0;
}

static int begin_text(struct records *r, struct failure *why) {
  if (records_read(r, why) != 0 || check_encoding(r, why) != 0) return -1;
  if (r->end < 3 || memcmp(r->buffer, "\xef\xbb\xbf", 3) != 0) return 0;
  if (add_front(r, 3, why) != 0) return -1;
  r->begin = 3;
  return 0;
}

static void find_delimiter(struct records *r) {
  const char asked = r->in->options.delimiter;
  const char *const sample = r->buffer + r->begin;
  size_t bytes = r->end - r->begin;
  if (bytes > SAMPLE_MAX) bytes = SAMPLE_MAX;
  while (bytes > 0 && sample[bytes - 1] != '\n') bytes--;
  r->layout.delimiter = asked
                            ? asked
                            : text_detect_delimiter(sample, sample + bytes, r->in->options.comment,
                                                    &r->in->options.style);
}

/* The layout, by the first record, which is read again unless it is a header. */
static int find_layout(struct records *r, struct input_options *options, struct failure *why) {
  const char *begin, *end;
  int next = RECORDS_END;
  while (memchr(r->buffer + r->begin, '\n', r->end - r->begin) == NULL && !r->ended)
    if (records_read(r, why) != 0) return -1;
  find_delimiter(r);
  while ((next = records_next(r, &begin, &end, why)) == RECORDS_READ)
    if (records_read(r, why) != 0) return -1;
  if (next < 0) return -1;
  const bool one = next == RECORDS_ONE;
  if (text_find_columns(options, r->in->name, one ? begin : NULL, one ? end : NULL, &r->layout,
                        why) != 0)
    return -1;
  if (one) r->begin = r->record;
  if (one && r->layout.header) {
    const size_t bytes = r->record_end + 1 - r->record;
    r->header = r->front_bytes;
    if (add_front(r, bytes, why) != 0) return -1;
    r->begin += bytes;
  } else if (one) {
    r->next_line = r->line;
  }
  return 0;
}

int records_open(struct input *in, const char *const *columns, size_t column_count, bool lines,
                 struct records **out, struct failure *why) {
  struct records *const r = calloc(1, sizeof *r);
  *out = r;
  if (!r) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  r->in = in;
  r->lines = lines;
  r->next_line = 1;
  r->room = FIRST_BYTES;
  r->buffer = malloc(r->room + 1);
  if (!r->buffer) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  if (begin_text(r, why) != 0) return -1;
  if (lines) {
    r->layout.delimiter = TEXT_NONE;
    r->started = true;
    return 0;
  }
  struct input_options options = in->options;
  options.column_count = column_count;
  for (size_t k = 0; k < column_count; k++) options.columns[k] = columns[k];
  if (find_layout(r, &options, why) != 0) return -1;
  for (size_t k = 0; k < r->layout.wanted; k++)
    if (r->layout.field[k] > r->last_field) r->last_field = r->layout.field[k];
  r->started = true;
  return 0;
}

void records_close(struct records *r) {
  if (!r) return;
  text_free_labels(&r->layout);
  free(r->front);
  free(r->buffer);
  free(r);
}
