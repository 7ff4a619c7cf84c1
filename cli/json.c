/* json.c - JSON written as it goes
 *
 * Limits  JSON has no NaN and no infinities: they are the strings "nan", "inf" and "-inf".
 * Source  RFC 8259; RFC 3629 for what is UTF-8 */
#include "json.h"

#include <assert.h>
#include <string.h>

#include "show_number.h"

void json_start(struct json *j, struct sink *out) {
  memset(j, 0, sizeof *j);
  j->out = out;
}

void json_end(struct json *j) {
  assert(j->depth == 0);
  sink_text(j->out, "\n");
}

static void new_line(struct json *j) {
  sink_text(j->out, "\n");
  for (unsigned i = 0; i < j->depth; i++) sink_text(j->out, "  ");
}

static void before_value(struct json *j) {
  if (j->named || j->depth == 0) {
    j->named = false;
    return;
  }
  if (j->filled[j->depth - 1]) sink_text(j->out, ", ");
  j->filled[j->depth - 1] = true;
}

void json_open(struct json *j, char bracket) {
  before_value(j);
  assert(j->depth < JSON_DEPTH);
  sink_write(j->out, &bracket, 1);
  j->object[j->depth] = bracket == '{';
  j->filled[j->depth] = false;
  j->depth++;
}

void json_close(struct json *j, char bracket) {
  assert(j->depth > 0);
  j->depth--;
  if (j->object[j->depth] && j->filled[j->depth]) new_line(j);
  sink_write(j->out, &bracket, 1);
}

/* The length of the UTF-8 character at s, 0 if there is none: overlong forms, surrogates and
 * what lies above U+10FFFF are not UTF-8. */
static size_t utf8_length(const unsigned char *s) {
  static const struct {
    unsigned char first, last, low, high;
    size_t length;
  } forms[] = {
      {0x00, 0x7f, 0x80, 0xbf, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    if (s[0] < forms[f].first || s[0] > forms[f].last) continue;
    for (size_t i = 1; i < forms[f].length; i++) {
      unsigned char low = i == 1 ? forms[f].low : 0x80, high = i == 1 ? forms[f].high : 0xbf;
      if (s[i] < low || s[i] > high) return 0;
    }
    return forms[f].length;
  }
  return 0;
}

static void quoted(struct sink *out, const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  sink_text(out, "\"");
  while (*s != '\0') {
    size_t length = utf8_length(s);
    if (length == 0) {
      sink_text(out, "\xef\xbf\xbd");
      length = 1;
    } else if (*s == '"' || *s == '\\') {
      sink_print(out, "\\%c", *s);
    } else if (*s < 0x20 || *s == 0x7f) {
      sink_print(out, "\\u%04x", *s);
    } else {
      sink_write(out, s, length);
    }
    s += length;
  }
  sink_text(out, "\"");
}

void json_name(struct json *j, const char *name) {
  assert(j->depth > 0 && j->object[j->depth - 1]);
  if (j->filled[j->depth - 1]) sink_text(j->out, ",");
  j->filled[j->depth - 1] = true;
  new_line(j);
  quoted(j->out, name);
  sink_text(j->out, ": ");
  j->named = true;
}

void json_text(struct json *j, const char *text) {
  before_value(j);
  quoted(j->out, text);
}

void json_u64(struct json *j, uint64_t value) {
  char text[NUMBER_TEXT];
  const int length = u64_text(text, value);
  before_value(j);
  sink_write(j->out, text, (size_t)length);
}

void json_double(struct json *j, double value) { json_element(j, HEDDLE_F64, &value); }

void json_element(struct json *j, heddle_type type, const void *element) {
  char text[NUMBER_TEXT];
  const int length = element_text(text, type, element);
  const char last = text[length - 1]; /* 'n' and 'f' end "nan", "inf" and "-inf", and no number */
  const bool finite = last != 'n' && last != 'f';
  before_value(j);
  if (!finite) sink_write(j->out, "\"", 1);
  sink_write(j->out, text, (size_t)length);
  if (!finite) sink_write(j->out, "\"", 1);
}

void json_bool(struct json *j, bool value) {
  before_value(j);
  sink_text(j->out, value ? "true" : "false");
}
