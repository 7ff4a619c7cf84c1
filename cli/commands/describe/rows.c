/* rows.c - descriptions of columns, each with names in memory of its own */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "commands/command.h"

struct column_row *column_rows_add(struct column_rows *rows, struct failure *why) {
  if (rows->count == rows->room) {
    const size_t room = 2 * rows->room + 16;
    struct column_row *const larger = realloc(rows->rows, room * sizeof *larger);
    if (!larger) (void)fail(why, EXIT_DATA, "out of memory for %zu descriptions", room);
    if (!larger) return NULL;
    rows->rows = larger;
    rows->room = room;
  }
  struct column_row *const row = &rows->rows[rows->count++];
  memset(row, 0, sizeof *row);
  return row;
}

int column_row_name(struct column_row *row, const char *file, const char *label, size_t number,
                    struct failure *why) {
  char text[24];
  (void)snprintf(text, sizeof text, "%zu", number);
  row->name = strdup(label && *label != '\0' ? label : text);
  row->file = file ? strdup(file) : NULL;
  return row->name && (row->file || !file) ? 0 : fail(why, EXIT_DATA, "out of memory for a name");
}

void column_rows_cut(struct column_rows *rows, size_t count) {
  while (rows->count > count) {
    struct column_row *const row = &rows->rows[--rows->count];
    free(row->file);
    free(row->name);
    free(row->top);
  }
  if (count > 0) return;
  free(rows->rows);
  memset(rows, 0, sizeof *rows);
}
