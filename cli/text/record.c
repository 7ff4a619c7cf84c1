/* record.c - the careful functions, which also know where something is wrong
 *
 * Limits  Lines of plain numbers never come here: rows.c reads those in one go. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c, char delimiter) {
  return c == ' ' || c == '\r' || (c == '\t' && delimiter != '\t');
}

static const char *pass_blanks(const char *p, const char *end, char delimiter) {
  while (p < end && is_blank(*p, delimiter)) p++;
  return p;
}

static bool ends_field(char c, char delimiter) {
  return delimiter == TEXT_BLANKS ? c == ' ' || c == '\t' : c == delimiter;
}

/* Behind the closing quote of the one at p; NULL if there is none. */
static const char *pass_quoted(const char *p, const char *end) {
  p++;
  while (p < end) {
    p = memchr(p, '"', (size_t)(end - p));
    if (!p) return NULL;
    if (p + 1 == end || p[1] != '"') return p + 1;
    p += 2;
  }
  return NULL;
}

/* Whether the quote at p opens a field: nothing but blanks between it and a delimiter, or the record's begin.
 * `from`: where the text behind the latest quoted field begins, or the record. */
static bool opens_field(const char *p, const char *from, bool begins, char delimiter) {
  while (p > from && is_blank(p[-1], delimiter)) p--;
  return p == from ? begins : ends_field(p[-1], delimiter);
}

/* As text_record_end, by one character that is no blank: from quote to quote. */
static const char *end_by_quotes(const char *text, const char *end, char delimiter,
                                 const char **unclosed) {
  const char *line = memchr(text, '\n', (size_t)(end - text));
  const char *from = text;
  for (const char *p = text;;) {
    const char *const limit = line ? line : end, *const quote = memchr(p, '"', (size_t)(limit - p));
    if (!quote) return line;
    p = quote + 1;
    if (!opens_field(quote, from, from == text, delimiter)) continue;
    p = from = pass_quoted(quote, end);
    if (!p) *unclosed = quote;
    if (!p) return NULL;
    if (line && p > line) line = memchr(p, '\n', (size_t)(end - p));
  }
}

const char *text_record_end(const char *text, const char *end, char delimiter,
                            const char **unclosed) {
  *unclosed = NULL;
  if (delimiter != TEXT_BLANKS) return end_by_quotes(text, end, delimiter, unclosed);
  for (const char *p = text; p < end;) {
    p = pass_blanks(p, end, delimiter);
    if (p < end && *p == '"') {
      const char *const quote = p;
      p = pass_quoted(p, end);
      if (!p) {
        *unclosed = quote;
        return NULL;
      }
    }
    while (p < end && *p != '\n' && !ends_field(*p, delimiter)) p++;
    if (p < end && *p == '\n') return p;
    p++;
  }
  return NULL;
}

bool text_is_passed_over(const char *line, const char *end, char delimiter, char comment) {
  const char *const p = pass_blanks(line, end, delimiter);
  return p == end || *p == comment;
}

const char *text_field_beyond(const char *at, const char *end, char delimiter) {
  struct text_field field;
  while (at) {
    text_next_field(&at, end, delimiter, &field);
    if (field.begin < field.end) return field.start;
  }
  return NULL;
}

bool text_is_missing(const struct text_missing *missing, const struct text_field *field) {
  const size_t bytes = (size_t)(field->end - field->begin);
  for (size_t i = 0; i < missing->count; i++)
    if (missing->bytes[i] == bytes && memcmp(missing->word[i], field->begin, bytes) == 0)
      return true;
  return false;
}

/* Blanks between fields are the delimiter itself, so those at the end of a record end nothing. */
static const char *behind_field(const char *p, const char *end, char delimiter) {
  if (delimiter != TEXT_BLANKS) return p < end ? p + 1 : NULL;
  p = pass_blanks(p, end, delimiter);
  return p < end ? p : NULL;
}

void text_next_field(const char **at, const char *end, char delimiter, struct text_field *field) {
  const char *p = pass_blanks(*at, end, delimiter);
  field->start = p;
  field->begin = p;
  field->problem = TEXT_GOOD;
  field->quoted = p < end && *p == '"';
  if (field->quoted) {
    const char *const close = pass_quoted(p, end);
    field->begin = p + 1;
    field->end = close ? close - 1 : end;
    p = close ? close : end;
    if (!close) field->problem = TEXT_UNCLOSED;
    if (delimiter != TEXT_BLANKS) p = pass_blanks(p, end, delimiter);
    if (p < end && !ends_field(*p, delimiter) && *p != '\r') field->problem = TEXT_TRAILING;
  }
  while (p < end && !ends_field(*p, delimiter)) p++;
  if (!field->quoted) {
    field->end = p;
    while (field->end > field->begin && is_blank(field->end[-1], delimiter)) field->end--;
  }
  *at = behind_field(p, end, delimiter);
}

char *text_field_copy(const struct text_field *field) {
  char *const copy = malloc((size_t)(field->end - field->begin) + 1);
  if (!copy) return NULL;
  size_t used = 0;
  for (const char *p = field->begin; p < field->end; p++) {
    copy[used++] = *p;
    if (field->quoted && *p == '"') p++;
  }
  copy[used] = '\0';
  return copy;
}

size_t text_column_of(const char *record, const char *at, size_t *line) {
  size_t column = 1;
  for (const char *p = record; p < at; p++) {
    const bool inside = ((unsigned char)*p & 0xc0) == 0x80; /* a character's later bytes */
    column += !inside;
    if (*p == '\n') {
      *line += 1;
      column = 1;
    }
  }
  return column;
}

/* Bytes of the printable UTF-8 character at p; 0 if there is none. */
static size_t printable(const unsigned char *p, size_t left) {
  if (*p >= 0x20 && *p < 0x7f) return 1;
  const size_t bytes = *p >= 0xf0 && *p < 0xf5 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc2 ? 2 : 0;
  if (bytes == 0 || *p >= 0xf5 || left < bytes) return 0;
  for (size_t i = 1; i < bytes; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  if (*p == 0xc2 && p[1] < 0xa0) return 0; /* terminals obey these */
  /* These end lines or turn the direction of writing. */
  if (*p == 0xe2 && p[1] == 0x80 && p[2] >= 0xa8 && p[2] <= 0xae) return 0;
  if (*p == 0xe2 && p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9) return 0;
  return bytes;
}

void text_show(const char *text, size_t length, char *out, size_t room) {
  const unsigned char *p = (const unsigned char *)text;
  size_t used = 0;
  while (length > 0) {
    const size_t known = printable(p, length);
    const size_t bytes = known == 0 ? 1 : known;
    /* Room is kept for the dots, unless all the rest fits. */
    if (used + bytes + 4 > room && used + length + 1 > room) {
      memcpy(out + used, "...", 3);
      used += 3;
      break;
    }
    if (known == 0)
      out[used] = '?';
    else
      memcpy(out + used, p, bytes);
    used += bytes;
    p += bytes;
    length -= bytes;
  }
  out[used] = '\0';
}
