/* npy_table.h - a .npy array as a table: of records a column a field, of two dimensions a column a column */
#ifndef HEDDLE_CLI_INPUT_TABLE_NPY_TABLE_H
#define HEDDLE_CLI_INPUT_TABLE_NPY_TABLE_H

#include "input/internal.h"

/* Whether these first bytes are of a .npy file of records; or of one of two dimensions, in C order, that is asked for
 * columns. All others are arrays of elements. */
bool npy_is_table(const unsigned char *bytes, size_t count, const struct input_options *options);
/* A table_opener. */
int npy_table(struct input *in, bool again, struct table **out, struct failure *why);

#endif
