/* parquet_imports.h - how a script of ours begins: with pa and pq, or with pl where pa is None; the folder that we
 * are in is no place for modules, and memory of a batch is taken for the next one */
#ifndef HEDDLE_CLI_INPUT_HELPER_PARQUET_IMPORTS_H
#define HEDDLE_CLI_INPUT_HELPER_PARQUET_IMPORTS_H

/* clang-format off */
#define PARQUET_IMPORTS \
  "import sys\n" \
  "sys.path[:] = [p for p in sys.path if p]\n" \
  "import os\n" \
  "os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')\n" \
  "try:\n" \
  "    import pyarrow as pa, pyarrow.parquet as pq\n" \
  "    pa.set_memory_pool(pa.system_memory_pool())\n" \
  "except ImportError:\n" \
  "    pa = None\n" \
  "    try:\n" \
  "        import polars as pl\n" \
  "    except ImportError:\n" \
  "        import importlib.util\n" \
  "        duckdb = importlib.util.find_spec('duckdb')\n" \
  "        sys.exit('it has neither pyarrow nor polars, of which one reads and writes Parquet' +\n" \
  "                 (' (duckdb alone does not do: it hands out Arrow by pyarrow)' if duckdb else '') + ': '\n" \
  "                 'pip install pyarrow, or name a Python that has one by HEDDLE_PYTHON')\n"
/* clang-format on */

#endif
