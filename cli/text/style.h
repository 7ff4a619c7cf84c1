/* style.h - numbers as people write them: a decimal comma, digits in groups of three */
#ifndef HEDDLE_CLI_TEXT_STYLE_H
#define HEDDLE_CLI_TEXT_STYLE_H

#include <stdbool.h>
#include <stddef.h>

#include "number.h"

struct number_style {
  char decimal;   /* '.' or ','; '\0' as '.' */
  char thousands; /* between groups of three digits before the point; '\0' for none */
};

/* Whether numbers are not as number.h reads them. */
static inline bool number_is_styled(const struct number_style *style) {
  return style->thousands != '\0' || style->decimal == ',';
}

/* Writes the `length` characters at text as number.h reads them to `plain`, which has room for as many: how many they
 * are then, or SIZE_MAX where a point, a comma or a separator stands where it means nothing. */
size_t number_plain(const struct number_style *style, const char *text, size_t length, char *plain);

/* As number_parse, of text in this style. *rounded, if `rounded` is not NULL, tells whether an integer was not held
 * by the f64 that was read. */
enum number_status number_parse_styled(const struct number_style *style, const char *text,
                                       size_t length, heddle_type type, void *out, bool *rounded);

#endif
