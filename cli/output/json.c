/* json.c - a stack of open brackets tells which commas and line ends are due
 *
 * Limits  JSON has no NaN and no infinities: they are the strings "nan", "inf" and "-inf".
 *         Names that are not UTF-8 are written with U+FFFD, and their bytes beside them.
 * Source  RFC 8259 */
#include "json.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/json/escape.h"
#include "base/utf8.h"
#include "text/element.h"

void json_start(struct json *j, struct sink *out) {
  memset(j, 0, sizeof *j);
  j->out = out;
}

void json_start_line(struct json *j, struct sink *out) {
  json_start(j, out);
  j->flat = true;
}

void json_end(struct json *j) {
  assert(j->depth == 0);
  sink_text(j->out, "\n");
}

static void new_line(struct json *j) {
  if (j->flat) return;
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

/* What a terminal might obey is escaped as well, so that JSON can be looked at. Tags, which lie
 * beyond what \u names, are no such thing. */
static bool shows(uint32_t code) { return code > 0xffff || utf8_shows(code); }

/* Characters that are written as they stand. */
static size_t plain(const char *text, size_t bytes) {
  size_t n = 0;
  while (n < bytes && text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' && text[n] != '\\') n++;
  return n;
}

static void quoted(struct sink *out, const char *text, size_t bytes) {
  char escaped[JSON_ESCAPED], one[5];
  sink_write(out, "\"", 1);
  while (bytes > 0) {
    size_t length = plain(text, bytes);
    sink_write(out, text, length);
    text += length;
    bytes -= length;
    if (bytes == 0) break;
    const size_t most = bytes < 4 ? bytes : 4;
    memcpy(one, text, most);
    one[most] = '\0';
    length = one[0] == '\0' ? 1 : json_escape(one, shows, escaped);
    sink_text(out, one[0] == '\0' ? "\\u0000" : length > 0 ? escaped : "\xef\xbf\xbd");
    length += length == 0;
    text += length;
    bytes -= length;
  }
  sink_write(out, "\"", 1);
}

void json_name(struct json *j, const char *name) {
  assert(j->depth > 0 && j->object[j->depth - 1]);
  if (j->filled[j->depth - 1]) sink_text(j->out, j->flat ? ", " : ",");
  j->filled[j->depth - 1] = true;
  new_line(j);
  quoted(j->out, name, strlen(name));
  sink_write(j->out, ": ", 2);
  j->named = true;
}

void json_text(struct json *j, const char *text) {
  before_value(j);
  quoted(j->out, text, strlen(text));
}

void json_bytes(struct json *j, const char *text, size_t bytes) {
  before_value(j);
  quoted(j->out, text, bytes);
}

void json_null(struct json *j) {
  before_value(j);
  sink_text(j->out, "null");
}

void json_member(struct json *j, const char *name, const char *text) {
  json_member_bytes(j, name, text, strlen(text));
}

static bool is_valid(const char *text, size_t bytes) {
  uint32_t code;
  for (const char *const end = text + bytes; text < end;) {
    const size_t length = utf8_character(text, &code);
    if (length == 0) return false;
    text += length;
  }
  return true;
}

void json_member_bytes(struct json *j, const char *name, const char *text, size_t bytes) {
  json_name(j, name);
  json_bytes(j, text, bytes);
  if (is_valid(text, bytes)) return;
  char longer[64];
  (void)snprintf(longer, sizeof longer, "%s_bytes", name);
  json_name(j, longer);
  before_value(j);
  sink_text(j->out, "\"");
  for (size_t i = 0; i < bytes; i++) sink_print(j->out, "%02x", (unsigned char)text[i]);
  sink_text(j->out, "\"");
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
