/* parquet_write.c - python3 writes the file to its descriptor 4 */
#include "parquet_write.h"

#include <stdlib.h>

#include "parquet_imports.h"

static const char script[] = PARQUET_IMPORTS
    "try:\n"
    "    with open('/dev/fd/3', 'rb') as file, os.fdopen(4, 'wb') as data:\n"
    "        if pa is None:\n"
    "            pl.read_ipc_stream(file).write_parquet(data)\n"
    "        else:\n"
    "            with pa.ipc.open_stream(file) as batches, pq.ParquetWriter(data, batches.schema) "
    "as out:\n"
    "                for batch in batches:\n"
    "                    out.write_batch(batch)\n"
    "except BrokenPipeError:\n"
    "    os._exit(0)\n"
    "except Exception as e:\n"
    "    sys.exit(str(e).strip().split(chr(10))[0] or repr(e))\n";

int parquet_write(int file, struct child **out, struct failure *why) {
  const char *const given = getenv("HEDDLE_PYTHON");
  const char *const python = given && *given != '\0' ? given : "python3";
  const char *const argv[] = {python, "-c", script, NULL};
  if (child_start(argv, file, "the Parquet file", out, why) == 0) return 0;
  return fail(
      why, EXIT_DATA,
      "a Parquet file is written by a Python with pyarrow or polars, and %s cannot be started; "
      "name one by HEDDLE_PYTHON, or write .arrow",
      python);
}
