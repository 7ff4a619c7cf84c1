/* text_filter.h - records for which a condition does not hold become comments, or blank, where they lie
 *
 * So that whatever reads them passes over them, and lines keep their numbers. */
#ifndef HEDDLE_CLI_INPUT_TEXT_FILTER_H
#define HEDDLE_CLI_INPUT_TEXT_FILTER_H

#include "input/detect.h"
#include "text/record.h"

struct text_filter {
  const struct input_filter *ask; /* NULL: none, and every record stays */
  struct text_layout layout;      /* of the columns that the condition is of */
  size_t last;                    /* field of them */
  char comment;
};

/* Finds the columns; `header`: whether the first record has names, -1 where that is to be found out. */
int text_filter_open(struct text_filter *f, const struct input_options *options, const char *name,
                     const char *record, const char *end, char delimiter, int header,
                     struct failure *why);
void text_filter_close(struct text_filter *f);

/* Records of [text, end), which ends in '\n', up to the first that is not whole or that nothing can be said of:
 * where that begins, else `end`. With `bad`, such a record goes as well, and is counted there. */
const char *text_filter_records(const struct text_filter *f, char *text, char *end, uint64_t *bad);
/* What is wrong with the record at which that stopped, which ends at `end`; false: it is not whole. */
bool text_filter_complaint(const struct text_filter *f, const char *record, const char *limit,
                           char message[FILTER_MESSAGE], const char **at);

#endif
