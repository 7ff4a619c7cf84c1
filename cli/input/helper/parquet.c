/* parquet.c - python3 reads the file, and sends the wanted columns as an Arrow stream
 *
 * Method  One child (child.h). It answers with the schema, is told the numbers of the wanted columns, and sends their
 *         batches, whose table is put in the place of the whole one's. Columns are nullable where the file's
 *         statistics do not say that nothing is missing. Texts that take fewer bytes than their lengths alone would
 *         are words of a dictionary in the file, and come as such.
 * Limits  Those of child.h. With polars the wanted columns are held in memory by the child.
 *         The folder that we are in is no place for its modules. */
#define _GNU_SOURCE
#include "parquet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "input/arrow/arrow.h"
#include "input/table/table.h"
#include "parquet_imports.h"

static const char script[] = PARQUET_IMPORTS
    "def choose():\n"
    "    sys.stdout.buffer.flush()\n"
    "    os.close(1)\n"
    "    line = sys.stdin.readline()\n"
    "    if not line:\n"
    "        os._exit(0)\n"
    "    return [int(k) for k in line.split()]\n"
    "def main():\n"
    "    data = os.fdopen(4, 'wb')\n"
    "    if pa is None:\n"
    "        frame = pl.scan_parquet('/dev/fd/3')\n"
    "        schema = frame.collect_schema()\n"
    "        old = pl.CompatLevel.oldest()\n"
    "        pl.DataFrame(schema=schema).write_ipc_stream(sys.stdout.buffer, compat_level=old)\n"
    "        names = [schema.names()[k] for k in choose()]\n"
    "        frame.select(names).collect().write_ipc_stream(data, compat_level=old)\n"
    "        data.close()\n"
    "        return\n"
    "    file = pq.ParquetFile('/dev/fd/3')\n"
    "    schema = file.schema_arrow\n"
    "    with pa.ipc.new_stream(sys.stdout.buffer, schema):\n"
    "        pass\n"
    "    meta, chosen = file.metadata, choose()\n"
    "    leaf = {meta.schema.column(j).path: j for j in range(meta.num_columns)}\n"
    "    def are_words(field):\n"
    "        if field.name not in leaf or not pa.types.is_string(field.type):\n"
    "            return False\n"
    "        parts = [meta.row_group(g).column(leaf[field.name]) for g in "
    "range(meta.num_row_groups)]\n"
    "        return sum(p.total_uncompressed_size for p in parts) < 4 * meta.num_rows\n"
    "    words = [f.name for f in map(schema.field, chosen) if are_words(f)]\n"
    "    if words:\n"
    "        file = pq.ParquetFile('/dev/fd/3', read_dictionary=words)\n"
    "    fields = [file.schema_arrow.field(k) for k in chosen]\n"
    "    def missing(name):\n"
    "        if name not in leaf:\n"
    "            return True\n"
    "        for g in range(meta.num_row_groups):\n"
    "            s = meta.row_group(g).column(leaf[name]).statistics\n"
    "            if s is None or not s.has_null_count or s.null_count > 0:\n"
    "                return True\n"
    "        return False\n"
    "    wanted = pa.schema([f.with_nullable(missing(f.name)) for f in fields])\n"
    "    with pa.ipc.new_stream(data, wanted) as out:\n"
    "        for b in file.iter_batches(batch_size=1 << 16, columns=[f.name for f in fields]):\n"
    "            out.write_batch(pa.RecordBatch.from_arrays(b.columns, schema=wanted))\n"
    "    data.close()\n"
    "try:\n"
    "    main()\n"
    "except BrokenPipeError:\n"
    "    os._exit(0)\n"
    "except Exception as e:\n"
    "    sys.exit(str(e).strip().split(chr(10))[0] or repr(e))\n";

struct parquet {
  struct table table; /* the first: all columns */
  struct input *in;
  struct child *child;
  struct table *data; /* the wanted ones, in their order; NULL until they are chosen */
};

bool parquet_has_magic(const unsigned char *bytes, size_t count) {
  return count >= 4 && memcmp(bytes, "PAR1", 4) == 0;
}

/* ---- the wanted columns in the place of all ------------------------------------------------ */

/* Column k of the data; SIZE_MAX if there are no more. */
static size_t wanted_column(const struct parquet *p, size_t from) {
  while (from < p->table.columns && !p->table.column[from].wanted) from++;
  return from < p->table.columns ? from : SIZE_MAX;
}

static int next(struct table *table, struct failure *why) {
  struct parquet *const p = (struct parquet *)table;
  const int more = p->data->format->next(p->data, why);
  table->rows = more == 1 ? p->data->rows : 0;
  size_t k = 0;
  for (size_t c = wanted_column(p, 0); more == 1 && c != SIZE_MAX; c = wanted_column(p, c + 1))
    table->part[c] = p->data->part[k++];
  return more;
}

static int restart(struct table *table, struct failure *why) {
  struct parquet *const p = (struct parquet *)table;
  table->rows = 0;
  return p->data->format->restart(p->data, why);
}

static void take_nulls(struct parquet *p) {
  size_t k = 0;
  for (size_t c = wanted_column(p, 0); c != SIZE_MAX; c = wanted_column(p, c + 1))
    p->table.column[c].nulls = p->data->column[k++].nulls;
}

static int scan(struct table *table, struct failure *why) {
  struct parquet *const p = (struct parquet *)table;
  const int status = p->data->format->scan(p->data, why);
  take_nulls(p);
  return status;
}

/* Of a column of the file, which of the wanted ones it is. */
static size_t place_of(const struct parquet *p, size_t column) {
  size_t k = 0;
  for (size_t c = 0; c < column; c++) k += p->table.column[c].wanted;
  return k;
}

static void text(const struct table *table, size_t column, size_t row, const char **out,
                 size_t *bytes) {
  const struct parquet *const p = (const struct parquet *)table;
  p->data->format->text(p->data, place_of(p, column), row, out, bytes);
}

static void texts(const struct table *table, size_t column, size_t first, size_t count,
                  struct table_text *out) {
  const struct parquet *const p = (const struct parquet *)table;
  p->data->format->texts(p->data, place_of(p, column), first, count, out);
}

static size_t places(const struct table *table, size_t column, size_t first, size_t count,
                     uint32_t *out) {
  const struct parquet *const p = (const struct parquet *)table;
  return p->data->format->places(p->data, place_of(p, column), first, count, out);
}

static struct table_text word(const struct table *table, size_t column, uint32_t place) {
  const struct parquet *const p = (const struct parquet *)table;
  return p->data->format->word(p->data, place_of(p, column), place);
}

static void close_parquet(struct table *table) {
  struct parquet *const p = (struct parquet *)table;
  if (p->data) p->data->format->close(p->data);
  child_end(p->child);
  table_free_columns(table);
  free(p);
}

/* ---- the child ----------------------------------------------------------------------------- */

static int check_columns(const struct parquet *p, struct failure *why) {
  size_t k = 0;
  for (size_t c = wanted_column(p, 0); c != SIZE_MAX; c = wanted_column(p, c + 1), k++) {
    const struct table_column *const a = &p->table.column[c];
    if (k < p->data->columns && a->kind == p->data->column[k].kind &&
        a->type == p->data->column[k].type)
      continue;
    break;
  }
  if (k == p->data->columns && wanted_column(p, 0) != SIZE_MAX) return 0;
  return fail(why, EXIT_DATA,
              "%s: the program that reads it sent other columns than it was asked for",
              p->table.name);
}

static int choose(struct table *table, struct failure *why) {
  struct parquet *const p = (struct parquet *)table;
  char *line = NULL;
  size_t bytes = 0, k = 0;
  FILE *const out = open_memstream(&line, &bytes);
  if (!out) return fail(why, EXIT_DATA, "%s: no memory to read it", table->name);
  for (size_t c = wanted_column(p, 0); c != SIZE_MAX; c = wanted_column(p, c + 1))
    (void)fprintf(out, "%s%zu", k++ > 0 ? " " : "", c);
  (void)fputc('\n', out);
  const bool written = fclose(out) == 0;
  if (written) child_tell(p->child, line, bytes);
  free(line);
  if (!written) return fail(why, EXIT_DATA, "%s: no memory to read it", table->name);
  if (arrow_open(p->in->stream, &p->data, why) != 0) return -1;
  if (check_columns(p, why) != 0) return -1;
  for (size_t c = 0, i = 0; c < table->columns; c++)
    if (table->column[c].wanted) p->data->column[i++].wanted = true;
  take_nulls(p);
  return 0;
}

/* The schema of the answer as the columns of the table. */
static int take_schema(struct parquet *p, struct failure *why) {
  struct stream *answer = NULL;
  struct table *schema = NULL;
  int status = stream_open_made(p->table.name, child_read_answer, p->child, NULL, &answer, why);
  if (status == 0) status = arrow_open(answer, &schema, why);
  /* Where it could not answer, its own words say more than what is missing of them. */
  if (status != 0 && child_check(p->child, why) != 0) status = -1;
  if (status == 0) status = table_reserve(&p->table, schema->columns, why);
  for (size_t c = 0; status == 0 && c < schema->columns; c++) {
    p->table.column[c] = schema->column[c];
    schema->column[c].name = NULL;
  }
  if (schema) schema->format->close(schema);
  stream_close(answer);
  return status;
}

static int start(struct parquet *p, struct failure *why) {
  const char *const given = getenv("HEDDLE_PYTHON");
  const char *const python = given && *given != '\0' ? given : "python3";
  const char *const argv[] = {python, "-c", script, NULL};
  int fd;
  uint64_t begin, bytes;
  if (stream_to_own_file(p->in->stream, why) != 0) return -1;
  (void)stream_is_file(p->in->stream, &fd, &begin, &bytes);
  if (child_start(argv, fd, p->table.name, &p->child, why) == 0) return 0;
  return fail(why, EXIT_DATA,
              "%s is a Parquet file, which a Python with pyarrow or polars reads, and %s cannot be "
              "started; name one by HEDDLE_PYTHON, or write the file as Arrow (Feather)",
              p->table.name, python);
}

int parquet_table(struct input *in, bool again, struct table **out, struct failure *why) {
  static const struct table_format format = {next,   restart, scan,          text,  texts,
                                             places, word,    close_parquet, choose};
  struct parquet *const p = calloc(1, sizeof *p);
  struct stream *data;
  if (!p) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  p->table.format = &format;
  p->table.name = in->name;
  p->in = in;
  *out = &p->table;
  if (start(p, why) != 0 || take_schema(p, why) != 0 ||
      stream_open_made(in->name, child_read_data, p->child, in->stream, &data, why) != 0)
    return -1;
  in->stream = data;
  return again ? stream_keep(data, why) : 0;
}
