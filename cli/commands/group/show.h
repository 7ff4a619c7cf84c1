/* show.h - groups and their figures as a table, CSV, JSON or JSON Lines */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_SHOW_H
#define HEDDLE_CLI_COMMANDS_GROUP_SHOW_H

#include "output/json.h"
#include "results.h"

struct show {
  const struct asked *q;
  const heddle_type *types;            /* of figures */
  char *const *labels;                 /* of keys, by the header, or NULL */
  uint64_t rows;                       /* that the groups have */
  size_t key_width[INPUT_MAX_COLUMNS]; /* of the table for people */
  size_t width[GROUP_FIGURES];
  struct sink out;
  struct json json;
  char *text;   /* of the field at hand, with its end, */
  size_t bytes; /* its length, */
  size_t room;  /* and what there is for it */
};

void show_start(struct show *s);
/* For a table: before it is written each row is measured. A group_take, as show_row is; user: a struct show. */
int show_measure(void *user, const struct group_row *row, struct failure *why);
int show_open(struct show *s, struct failure *why);
int show_row(void *user, const struct group_row *row, struct failure *why);
/* With the status of the work so far. */
int show_close(struct show *s, int status, struct failure *why);

#endif
