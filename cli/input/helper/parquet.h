/* parquet.h - Parquet files as tables, read by a Python that has pyarrow or polars */
#ifndef HEDDLE_CLI_INPUT_HELPER_PARQUET_H
#define HEDDLE_CLI_INPUT_HELPER_PARQUET_H

#include "input/internal.h"

bool parquet_has_magic(const unsigned char *bytes, size_t count);
/* As arrow_table: a table_opener. */
int parquet_table(struct input *in, bool again, struct table **out, struct failure *why);

#endif
