/* json_value.h - reads the JSON line that a rung ends with, and the counters of a launch
 *
 * Result   a tree of values
 * Limits   text escapes beyond \" \\ \/ \b \f \n \r \t and \u00XX are kept as '?'; depth 32
 */
#ifndef LADDER_TOOL_JSON_VALUE_H
#define LADDER_TOOL_JSON_VALUE_H

#include "base.h"

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT };

struct json_value {
  enum json_kind kind;
  double number; /* of BOOL 0 or 1 */
  char *text;
  char **name; /* of an OBJECT's members */
  struct json_value *item;
  size_t count;
};

/* json_parse - true if `text` is one JSON value and nothing else */
bool json_parse(const char *text, struct json_value *out);
void json_value_free(struct json_value *v);

/* A member of an object; NULL where there is none (or v is NULL or no object). */
const struct json_value *json_member(const struct json_value *v, const char *name);
double json_number(const struct json_value *v, const char *name, double otherwise);
const char *json_string(const struct json_value *v, const char *name, const char *otherwise);

/* json_write - the value as text; json_quote - a string in quotes */
void json_write(struct text *to, const struct json_value *v);
void json_quote(struct text *to, const char *text);

#endif
