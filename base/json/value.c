/* value.c - by recursive descent, a function a kind of value
 *
 * Source  RFC 8259
 */
#include "base/json/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/escape.h"

enum { DEPTH = 32 };

static void blanks(const char **at) { *at += strspn(*at, " \t\r\n"); }

static bool expect(const char **at, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0) return false;
  *at += length;
  return true;
}

static char escaped(const char **at) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char c = *(*at)++;
  const char *found = c ? strchr(from, c) : NULL;
  if (found) return to[found - from];
  unsigned code = 0;
  int used = 0;
  if (c == 'u' && sscanf(*at, "%4x%n", &code, &used) == 1 && used == 4) {
    *at += 4;
    return code && code < 128 ? (char)code : '?';
  }
  (*at)--; /* the end of the text, or a letter that stays */
  return '?';
}

static bool read_text(const char **at, char **out) {
  struct text t = {0};
  if (!expect(at, "\"")) return false;
  text_add(&t, "", 0);
  while (**at && **at != '"') {
    char c = *(*at)++;
    if (c == '\\') c = escaped(at);
    text_add(&t, &c, 1);
  }
  *out = t.data;
  return expect(at, "\"");
}

static bool read_value(const char **at, struct json_value *v, int depth);

static bool read_items(const char **at, struct json_value *v, int depth) {
  const char *end = v->kind == JSON_LIST ? "]" : "}";
  (*at)++;
  blanks(at);
  if (expect(at, end)) return true;
  for (;;) {
    v->item = text_grow(v->item, (v->count + 1) * sizeof *v->item);
    v->item[v->count] = (struct json_value){0};
    if (v->kind == JSON_OBJECT) {
      v->name = text_grow(v->name, (v->count + 1) * sizeof *v->name);
      v->name[v->count] = NULL;
    }
    v->count++;
    blanks(at);
    if (v->kind == JSON_OBJECT) {
      if (!read_text(at, &v->name[v->count - 1])) return false;
      blanks(at);
      if (!expect(at, ":")) return false;
    }
    if (!read_value(at, &v->item[v->count - 1], depth + 1)) return false;
    blanks(at);
    if (expect(at, end)) return true;
    if (!expect(at, ",")) return false;
  }
}

static bool read_value(const char **at, struct json_value *v, int depth) {
  blanks(at);
  if (depth > DEPTH) return false;
  if (**at == '{' || **at == '[') {
    v->kind = **at == '{' ? JSON_OBJECT : JSON_LIST;
    return read_items(at, v, depth);
  }
  if (**at == '"') {
    v->kind = JSON_TEXT;
    return read_text(at, &v->text);
  }
  if (expect(at, "null")) return true;
  v->kind = JSON_BOOL;
  if (expect(at, "false")) return true;
  v->number = 1;
  if (expect(at, "true")) return true;
  char *end = NULL;
  v->kind = JSON_NUMBER;
  v->number = strtod(*at, &end);
  if (end == *at) return false;
  *at = end;
  return true;
}

bool json_parse(const char *text, struct json_value *out) {
  *out = (struct json_value){0};
  const bool good = read_value(&text, out, 0);
  blanks(&text);
  if (good && *text == 0) return true;
  json_value_free(out);
  *out = (struct json_value){0};
  return false;
}

void json_value_free(struct json_value *v) {
  for (size_t i = 0; i < v->count; i++) {
    json_value_free(&v->item[i]);
    if (v->name) free(v->name[i]);
  }
  free(v->item);
  free(v->name);
  free(v->text);
}

const struct json_value *json_find(const struct json_value *v, const char *name) {
  if (!v || v->kind != JSON_OBJECT) return NULL;
  for (size_t i = 0; i < v->count; i++)
    if (strcmp(v->name[i], name) == 0) return &v->item[i];
  return NULL;
}

double json_number(const struct json_value *v, const char *name, double otherwise) {
  const struct json_value *m = json_find(v, name);
  return m && m->kind == JSON_NUMBER ? m->number : otherwise;
}

const char *json_string(const struct json_value *v, const char *name, const char *otherwise) {
  const struct json_value *m = json_find(v, name);
  return m && m->kind == JSON_TEXT ? m->text : otherwise;
}

void json_write(struct text *to, const struct json_value *v) {
  switch (v->kind) {
  case JSON_NULL: text_add_string(to, "null"); return;
  case JSON_BOOL: text_add_string(to, v->number != 0 ? "true" : "false"); return;
  case JSON_NUMBER: text_add_format(to, "%.17g", v->number); return;
  case JSON_TEXT: json_quote(to, v->text, NULL); return;
  case JSON_LIST:
  case JSON_OBJECT: break;
  }
  text_add_string(to, v->kind == JSON_LIST ? "[" : "{");
  for (size_t i = 0; i < v->count; i++) {
    if (i) text_add_string(to, ", ");
    if (v->kind == JSON_OBJECT) {
      json_quote(to, v->name[i], NULL);
      text_add_string(to, ": ");
    }
    json_write(to, &v->item[i]);
  }
  text_add_string(to, v->kind == JSON_LIST ? "]" : "}");
}
