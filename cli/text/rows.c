/* rows.c - a quick loop for plain numbers that leaves every other line to a careful one
 *
 * Method    quick: one pass over the characters, each number read where it lies, nothing split
 *           beforehand; quoted fields that end on their line are passed over. It gives up on a line at
 *           the first thing that is not plain. careful: split
 *           by record.h, each field on its own. */
#include "rows.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "record.h"
#include "types.h"

/* ---- quick --------------------------------------------------------------------------------- */

static const char *pass_spaces(const char *p) {
  while (*p == ' ') p++;
  return p;
}

static const char *pass_line_end(const char *p) {
  if (*p == '\r') p++;
  return *p == '\n' ? p + 1 : NULL;
}

/* What was read as a point may mean something else: the careful way knows. */
static bool may_be_styled(const struct text_rows *r, const char *text, const char *end) {
  return number_is_styled(&r->style) && memchr(text, '.', (size_t)(end - text));
}

/* The number [text, end) is a word for what is missing: the careful way knows. */
static bool may_be_missing(const struct text_rows *r, const char *text, const char *end) {
  const struct text_field field = {.begin = text, .end = end};
  return r->missing && r->missing->numbers && text_is_missing(r->missing, &field);
}

/* f64 may round an integer so large: the careful way looks. */
static bool may_be_rounded(const char *text, const char *end, const void *value) {
  double x;
  memcpy(&x, value, sizeof x);
  return !(fabs(x) < 0x1p53) && number_is_digits(text, end);
}

/* Lines of one number each, blanks around it; returns where it stopped: at `end`, at a line that is
 * something else, or with `limit` values read. */
static const char *quick_single(const struct text_rows *r, const char *p, const char *end,
                                size_t *rows, size_t limit) {
  unsigned char *value = r->values[0] + *rows * r->element_bytes;
  const bool checks_rounding = r->checks_rounding[0];
  const bool checks_missing = r->missing && r->missing->numbers;
  const bool styled = number_is_styled(&r->style);
  size_t row = *rows;
  for (; p < end && row < limit; value += r->element_bytes) {
    const char *const text = pass_spaces(p), *q = r->scan[0](text, value);
    if (q && checks_rounding && may_be_rounded(text, q, value)) break;
    if (q && styled && may_be_styled(r, text, q)) break;
    if (q && checks_missing && may_be_missing(r, text, q)) break;
    if (!q || !(q = pass_line_end(pass_spaces(q)))) break;
    p = q;
    row += 1;
  }
  *rows = row;
  return p;
}

/* Eight characters, the first one lowest; and the highest bit of each that is c. */
static uint64_t load_eight(const char *p) {
  uint64_t eight;
  memcpy(&eight, p, sizeof eight);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? eight : __builtin_bswap64(eight);
}

static uint64_t mark(uint64_t eight, char c) {
  const uint64_t ones = 0x0101010101010101u, low = 0x7f * ones;
  const uint64_t x = eight ^ (unsigned char)c * ones;
  return ~(((x & low) + low) | x | low);
}

/* As pass_fields for a delimiter that is one character; eight at a time, of which NUMBER_PADDING lets read. */
static const char *pass_delimiters(const char *p, size_t count, char delimiter) {
  while (count > 0) {
    const uint64_t eight = load_eight(p);
    const uint64_t stops = mark(eight, '\n') | mark(eight, '"');
    uint64_t found = mark(eight, delimiter);
    if (stops) found &= (stops & -stops) - 1; /* in front of the first one */
    const size_t here = (size_t)((found >> 7) * 0x0101010101010101u >> 56);
    if (here >= count) {
      for (; count > 1; count--) found &= found - 1;
      return p + __builtin_ctzll(found) / 8 + 1;
    }
    if (stops) return NULL;
    count -= here;
    p += sizeof eight;
  }
  return p;
}

/* Behind `count` fields from p on; NULL if one is quoted or the line ends. */
static const char *pass_fields(const char *p, size_t count, char delimiter) {
  if (delimiter != TEXT_BLANKS) {
    p = pass_delimiters(p, count, delimiter);
    return p ? pass_spaces(p) : NULL;
  }
  for (; count > 0; count--) {
    while (*p == ' ' || *p == '\t') p++;
    while (*p != ' ' && *p != '\t' && *p != '\n' && *p != '"') p++;
    if (*p != ' ' && *p != '\t') return NULL;
  }
  while (*p == ' ' || *p == '\t') p++;
  return p;
}

/* Behind so many fields of the line that ends at `line`, some of them quoted; at its end where it has no more. NULL if a
 * quote is not closed on the line, or something stands behind it. */
static const char *pass_quoted_fields(const char *p, size_t count, char delimiter,
                                      const char *line) {
  for (; count > 0; count--) {
    p = pass_spaces(p);
    if (*p == '"') {
      do {
        p = memchr(p + 1, '"', (size_t)(line - p - 1));
        if (!p) return NULL;
        p++;
      } while (*p == '"');
      p = pass_spaces(p);
      if (*p != delimiter && p != line && !(*p == '\r' && p + 1 == line)) return NULL;
    }
    while (*p != delimiter && p != line && *p != '"') p++;
    if (p == line) return p;
    if (*p == '"') return NULL;
    p++;
  }
  return pass_spaces(p);
}

/* As pass_fields, of a line that may have quotes. */
static const char *pass_any_fields(const char *p, size_t count, char delimiter, const char *end) {
  const char *const plain = pass_fields(p, count, delimiter);
  if (plain || delimiter == TEXT_BLANKS) return plain;
  const char *const line = memchr(p, '\n', (size_t)(end - p));
  const char *const behind = line ? pass_quoted_fields(p, count, delimiter, line) : NULL;
  return behind == line ? NULL : behind;
}

/* Behind the number that ended at p: the delimiter or the line end, which is not passed over. */
static const char *find_delimiter(const char *p, char delimiter) {
  const char *const q = pass_spaces(p);
  if (*q == '\n' || (q[0] == '\r' && q[1] == '\n')) return q;
  if (delimiter == TEXT_BLANKS) return *p == ' ' || *p == '\t' ? p : NULL;
  return *q == delimiter ? q : NULL;
}

/* Behind the end of a line, of which a delimiter is next or nothing, unless a field goes on over it. */
static const char *pass_rest(const char *p, const char *end, char delimiter) {
  const char *const line = memchr(p, '\n', (size_t)(end - p));
  if (!line) return NULL;
  if (!memchr(p, '"', (size_t)(line - p))) return line + 1;
  if (delimiter == TEXT_BLANKS || *p != delimiter) return NULL;
  return pass_quoted_fields(p + 1, SIZE_MAX, delimiter, line) == line ? line + 1 : NULL;
}

/* From a delimiter to the end of its line; NULL if something else stands between. */
static const char *pass_empty_fields(const char *p, char delimiter) {
  while (*p == delimiter || *p == ' ') p++;
  return *p == '\n' || *p == '\r' ? p : NULL;
}

/* One line's wanted fields; NULL if any is not plain. */
static const char *quick_line(const struct text_rows *r, const char *p, const char *end,
                              size_t row) {
  const char delimiter = r->delimiter;
  size_t index = 0;
  p = pass_spaces(p);
  if (*p == r->comment || *p == '\r' || (*p == '\t' && delimiter != '\t')) return NULL;
  for (size_t k = 0; k < r->fields; k++) {
    p = pass_any_fields(p, r->field[k] - index, delimiter, end);
    if (!p) return NULL;
    const char *const text = p;
    unsigned char *const value = r->values[k] + row * r->element_bytes;
    p = r->scan[k](text, value);
    if (p && r->checks_rounding[k] && may_be_rounded(text, p, value)) return NULL;
    if (p && (may_be_missing(r, text, p) || may_be_styled(r, text, p))) return NULL;
    if (!p || !(p = find_delimiter(p, delimiter))) return NULL;
    index = r->field[k] + 1;
    if (k + 1 < r->fields && delimiter != TEXT_BLANKS) {
      if (*p != delimiter) return NULL;
      p++;
    }
  }
  if (r->ends && *p == delimiter && !(p = pass_empty_fields(p, delimiter))) return NULL;
  return pass_rest(p, end, delimiter);
}

const char *text_quick_rows(const struct text_rows *r, const char *p, const char *end, size_t *rows,
                            size_t limit) {
  if (r->only) return quick_single(r, p, end, rows, limit);
  while (p < end && *rows < limit) {
    const char *const next = quick_line(r, p, end, *rows);
    if (!next) break;
    p = next;
    *rows += 1;
  }
  return p;
}

/* ---- careful ------------------------------------------------------------------------------- */

static bool complain(struct text_complaint *out, const char *at, const char *text) {
  out->at = at;
  strncpy(out->text, text, sizeof out->text - 1);
  out->text[sizeof out->text - 1] = '\0';
  return false;
}

static bool complain_number(const struct text_rows *r, size_t k, const struct text_field *field,
                            enum number_status status, struct text_complaint *out) {
  char shown[48];
  out->number = true;
  out->index = k;
  out->begin = field->begin;
  out->end = field->end;
  text_show(field->begin, (size_t)(field->end - field->begin), shown, sizeof shown);
  out->at = field->start;
  const char *const type = heddle_type_name(r->type[k]);
  if (status == NUMBER_EMPTY)
    snprintf(out->text, sizeof out->text,
             "an empty field is not a number of type %s (as f64 it is NaN)", type);
  else if (status == NUMBER_RANGE)
    snprintf(out->text, sizeof out->text, "'%s' does not fit %s", shown, type);
  else
    snprintf(out->text, sizeof out->text, "'%s' is not %s", shown,
             type_is_float(r->type[k]) || r->found[k] ? "a number" : "an integer");
  return false;
}

/* One field wanted, the k-th. */
static enum number_status read_field(const struct text_rows *r, size_t k,
                                     const struct text_field *field, void *value) {
  const size_t length = (size_t)(field->end - field->begin);
  if (length == 0 && r->no_empty) return NUMBER_EMPTY;
  bool rounded = false;
  const enum number_status status = number_parse_styled(&r->style, field->begin, length, r->type[k],
                                                        value, r->found[k] ? &rounded : NULL);
  if (!r->found[k] || status != NUMBER_OK || length == 0) return status;
  if (r->type[k] == HEDDLE_F64) {
    r->rounded[k] |= rounded;
    return status;
  }
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  return bits == 0 && *field->begin == '-' ? NUMBER_BAD : status; /* -0 is no integer's value */
}

bool text_careful_row(const struct text_rows *r, const char *record, const char *end, size_t row,
                      struct text_complaint *out) {
  size_t index = 0, k = 0;
  out->number = false;
  struct text_field field;
  const char *p = record;
  for (; p && (k < r->fields || r->only); index++) {
    text_next_field(&p, end, r->delimiter, &field);
    if (r->only && index > 0) return complain(out, field.start, "a second field on the line");
    if (k == r->fields || index != r->field[k]) continue;
    if (r->missing && text_is_missing(r->missing, &field)) field.end = field.begin;
    if (field.problem == TEXT_TRAILING)
      return complain(out, field.start, "something stands behind the closing quote");
    const enum number_status status =
        read_field(r, k, &field, r->values[k] + row * r->element_bytes);
    if (status != NUMBER_OK) return complain_number(r, k, &field, status, out);
    k += 1;
  }
  const char *const beyond =
      k == r->fields && r->ends ? text_field_beyond(p, end, r->delimiter) : NULL;
  if (beyond) return complain(out, beyond, TEXT_TOO_MANY);
  if (k == r->fields) return true;
  out->at = end;
  snprintf(out->text, sizeof out->text, "the line has %zu field%s, column %zu is wanted", index,
           index == 1 ? "" : "s", r->field[k] + 1);
  return false;
}
