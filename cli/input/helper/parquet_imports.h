/* parquet_imports.h - how a script of ours begins: with pa and pq, or with pl where pa is None */
#ifndef HEDDLE_CLI_INPUT_HELPER_PARQUET_IMPORTS_H
#define HEDDLE_CLI_INPUT_HELPER_PARQUET_IMPORTS_H

/* does: what the module is for, a word. The folder that we are in is no place for modules. */
#define PARQUET_IMPORTS(does)                                               \
  "import sys\n"                                                            \
  "sys.path[:] = [p for p in sys.path if p]\n"                              \
  "import os\n"                                                             \
  "try:\n"                                                                  \
  "    import pyarrow as pa, pyarrow.parquet as pq\n"                       \
  "except ImportError:\n"                                                   \
  "    pa = None\n"                                                         \
  "    try:\n"                                                              \
  "        import polars as pl\n"                                           \
  "    except ImportError:\n"                                               \
  "        sys.exit('it has neither pyarrow nor polars, of which one " does \
  " Parquet: pip install "                                                  \
  "pyarrow, '\n"                                                            \
  "                 'or name a Python that has one by HEDDLE_PYTHON')\n"

#endif
