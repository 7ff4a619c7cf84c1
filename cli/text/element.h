/* element.h - one element as text, and text as one element; the same in every locale */
#ifndef HEDDLE_CLI_TEXT_ELEMENT_H
#define HEDDLE_CLI_TEXT_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle.h"

enum { NUMBER_TEXT = 40 };

/* The shortest decimal that reads back as the same element of `type`; "nan", "inf" and "-inf" for
 * those. Returns the length. */
int element_text(char text[NUMBER_TEXT], heddle_type type, const void *element);
int double_text(char text[NUMBER_TEXT], double value);
int u64_text(char text[NUMBER_TEXT], uint64_t value);

/* The element's bits, as 2, 4, 8 or 16 hexadecimal digits. */
void element_hex(char text[NUMBER_TEXT], heddle_type type, const void *element);

/* Text as an element of `type`: false if it is no number, or an integer that does not fit. */
bool element_parse(const char *text, heddle_type type, void *element);
bool parse_u64(const char *text, uint64_t *value);

/* "1.50 GiB": bytes for people. */
void bytes_text(char text[NUMBER_TEXT], double bytes);

#endif
