/* value.h - reads JSON that other programs wrote
 *
 * Result  a tree of values, which json_value_free frees
 * Limits  text escapes beyond \" \\ \/ \b \f \n \r \t and \u0001 to \u007f are read as '?';
 *         depth 32; numbers as strtod reads them
 */
#ifndef HEDDLE_BASE_JSON_VALUE_H
#define HEDDLE_BASE_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT };

struct json_value {
  enum json_kind kind;
  double number; /* of BOOL 0 or 1 */
  char *text;
  char **name; /* of an OBJECT's members */
  struct json_value *item;
  size_t count;
};

/* json_parse - true if `text` is one JSON value and nothing else; else *out is JSON_NULL */
bool json_parse(const char *text, struct json_value *out);
void json_value_free(struct json_value *v);

/* A member of an object; NULL where there is none (or v is NULL or no object). */
const struct json_value *json_find(const struct json_value *v, const char *name);
double json_number(const struct json_value *v, const char *name, double otherwise);
const char *json_string(const struct json_value *v, const char *name, const char *otherwise);

/* json_write - adds the value on one line */
void json_write(struct text *to, const struct json_value *v);

#endif
