/* json.h - JSON written as it goes: commas, indentation and escapes are looked after
 *
 * Arrays of numbers stay on one line; objects take a line a member. */
#ifndef HEDDLE_CLI_OUTPUT_JSON_H
#define HEDDLE_CLI_OUTPUT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle.h"
#include "sink.h"

enum { JSON_DEPTH = 8 };

struct json {
  struct sink *out;
  unsigned depth;
  bool object[JSON_DEPTH]; /* a member a line, against elements in a row */
  bool filled[JSON_DEPTH]; /* a comma comes before what is next */
  bool named;              /* a member's name stands already */
  bool flat;               /* all of it on one line */
};

void json_start(struct json *j, struct sink *out);
void json_start_line(struct json *j, struct sink *out); /* JSON Lines: no line ends inside */
void json_end(struct json *j);                          /* the newline at the end */

void json_open(struct json *j, char bracket);  /* '{' or '[' */
void json_close(struct json *j, char bracket); /* '}' or ']' */
void json_name(struct json *j, const char *name);

void json_text(struct json *j, const char *text); /* bytes that are not UTF-8 become U+FFFD */
/* The same of so many bytes, zeros among them. */
void json_bytes(struct json *j, const char *text, size_t bytes);
void json_null(struct json *j);
/* A name that a user gave: "name": "text", and where it is not UTF-8 "name_bytes": all its bytes in
 * hexadecimal digits. */
void json_member(struct json *j, const char *name, const char *text);
/* The same of so many bytes, zeros among them, with a zero byte behind. */
void json_member_bytes(struct json *j, const char *name, const char *text, size_t bytes);
void json_u64(struct json *j, uint64_t value);
void json_double(struct json *j, double value); /* NaN and infinities as "nan", "inf", "-inf" */
void json_element(struct json *j, heddle_type type, const void *element);
void json_bool(struct json *j, bool value);

#endif
