/* parquet_write.h - an Arrow stream written as Parquet by a Python that has pyarrow or polars */
#ifndef HEDDLE_CLI_INPUT_HELPER_PARQUET_WRITE_H
#define HEDDLE_CLI_INPUT_HELPER_PARQUET_WRITE_H

#include "child.h"

/* Of the stream that is all of the file: its bytes come by child_read_data. *out is to be ended, in any case where
 * it is not NULL. */
int parquet_write(int file, struct child **out, struct failure *why);

#endif
