/* detect.h - what a text's first lines say: its delimiter, its header, its columns */
#ifndef HEDDLE_CLI_INPUT_DETECT_H
#define HEDDLE_CLI_INPUT_DETECT_H

#include <stdbool.h>
#include <stddef.h>

#include "input.h"
#include "report/failure.h"

struct text_layout {
  char delimiter;                  /* a character, TEXT_BLANKS or TEXT_NONE */
  bool header;                     /* the first record has names */
  bool guessed;                    /* that it has: nobody said so, and no name was asked for */
  size_t columns;                  /* of the first record */
  size_t wanted;                   /* columns that were asked for */
  size_t field[INPUT_MAX_COLUMNS]; /* of each, from 0 */
  char *label[INPUT_MAX_COLUMNS];  /* of each; NULL without a header */
};

/* The delimiter that most lines of the sample have; the sample ends with a whole line. What stands in numbers is
 * none. */
char text_detect_delimiter(const char *sample, const char *end, char comment,
                           const struct number_style *style);

/* Fills the layout, but for the delimiter, from the first record (without its line end), or from
 * none: record NULL. */
int text_find_columns(const struct input_options *options, const char *name, const char *record,
                      const char *end, struct text_layout *layout, struct failure *why);
void text_free_labels(struct text_layout *layout);

#endif
