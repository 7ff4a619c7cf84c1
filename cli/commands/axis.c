/* axis.c - the whole array in memory, and the library's calls by rows
 *
 * Method  The whole array, mapped or read, and the library's _rows calls; a Fortran array as it
 *         lies, through strides.
 * Limits  One file; results are C ordered, the axis taken out (scan: kept). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "command.h"
#include "fold.h"
#include "show_describe.h"
#include "show_values.h"
#include "source.h"
#include "text/element.h"

struct array {
  struct source src;
  heddle_type type;
  const void *data;
  void *owned;
  size_t count;
  size_t shape[HEDDLE_MAX_DIMS], rest[HEDDLE_MAX_DIMS]; /* rest: without the axis */
  ptrdiff_t strides[HEDDLE_MAX_DIMS];
  heddle_rows rows;
  size_t row_count;
};

static int parse_axis(const char *text, size_t dims, size_t *axis, struct failure *why) {
  uint64_t n;
  bool back = *text == '-';
  if (!parse_u64(text + back, &n))
    return fail(why, EXIT_USAGE, "--axis takes a whole number, not '%s'", text);
  if (back ? n < 1 || n > dims : n >= dims)
    return fail(why, EXIT_USAGE,
                "--axis %s: the array has %zu dimension%s, so the axis is 0 to %zu, "
                "or -%zu to -1",
                text, dims, dims == 1 ? "" : "s", dims - 1, dims);
  *axis = (size_t)(back ? dims - n : n);
  return 0;
}

static int array_layout(const struct settings *s, struct array *a, struct failure *why) {
  const heddle_rows none = HEDDLE_ROWS_INIT;
  const size_t *shape;
  size_t dims = input_shape(a->src.in, &shape); /* reversed where the order is Fortran's */
  const char *label = command_file_label(a->src.path);
  a->rows = none;
  if (dims == 0)
    return fail(why, EXIT_USAGE, "%s: --axis needs a .npy array; this input has no dimensions",
                label);
  if (dims > HEDDLE_MAX_DIMS)
    return fail(why, EXIT_DATA, "%s: --axis takes up to %d dimensions, and this has %zu", label,
                HEDDLE_MAX_DIMS, dims);
  if (parse_axis(s->axis, dims, &a->rows.axis, why) != 0) return -1;
  bool fortran = input_fortran(a->src.in);
  ptrdiff_t step = 1;
  for (size_t k = 0; k < dims; k++) {
    size_t d = fortran ? k : dims - 1 - k;
    a->shape[d] = shape[dims - 1 - k];
    a->strides[d] = step;
    step *= (ptrdiff_t)a->shape[d];
  }
  a->row_count = 1;
  for (size_t d = 0, r = 0; d < dims; d++) {
    if (d == a->rows.axis) continue;
    a->rest[r++] = a->shape[d];
    a->row_count *= a->shape[d];
  }
  a->rows.dims = dims;
  a->rows.shape = a->shape;
  a->rows.strides = a->strides;
  return 0;
}

static void array_free(struct array *a) {
  free(a->owned);
  source_close(&a->src);
}

static int array_load(const struct settings *s, struct array *a, struct failure *why) {
  memset(a, 0, sizeof *a);
  if (s->file_count != 1)
    return fail(why, EXIT_USAGE, "--axis takes one file, but %zu were given", s->file_count);
  if (s->offset != 0 || s->count != UINT64_MAX)
    return fail(why, EXIT_USAGE, "--axis takes the whole array: leave out --offset and --count");
  if (source_open(s, s->files[0], ONE_PASS, &a->src, why) != 0) return -1;
  a->type = input_type(a->src.in);
  if (array_layout(s, a, why) == 0 && source_all(&a->src, &a->data, &a->count, &a->owned, why) == 0)
    return 0;
  array_free(a);
  return -1;
}

static int reduce_rows(const struct settings *s, heddle_context *ctx, struct array *a,
                       heddle_type type, void *values, uint64_t *indices, struct failure *why) {
  heddle_options options;
  uint64_t init = 0;
  if (a->shape[a->rows.axis] == 0 && (s->op == HEDDLE_MIN || s->op == HEDDLE_MAX || indices))
    return fail(why, EXIT_DATA, "%s: the %s of no values is not defined, and axis %zu has none",
                command_file_label(a->src.path), operator_name(s->op), a->rows.axis);
  if (indices) {
    command_options(s, &options);
    return command_check(heddle_argreduce_rows(ctx, fold_extreme(s->op), a->type, a->data, &a->rows,
                                               values, indices, &options),
                         a->src.path, why);
  }
  if (fold_options(s, type, &options, &init, why) != 0) return -1;
  return command_check(
      heddle_reduce_rows(ctx, (heddle_op)s->op, a->type, a->data, &a->rows, values, &options),
      a->src.path, why);
}

int axis_reduce(const struct settings *s, heddle_context *ctx, struct failure *why) {
  struct array a;
  if (array_load(s, &a, why) != 0) return -1;
  if (fold_check_exact(s, a.type, a.src.path, why) != 0) {
    array_free(&a);
    return -1;
  }
  heddle_type type = fold_result_type(s, HEDDLE_REDUCE, a.type);
  bool indexed = fold_is_indexed(s->op);
  void *values = command_allocate(a.row_count, heddle_type_size(type), "results", why);
  uint64_t *indices =
      indexed && values ? command_allocate(a.row_count, sizeof *indices, "places", why) : NULL;
  int status = !values || (indexed && !indices) ? -1 : 0;
  if (status == 0) status = reduce_rows(s, ctx, &a, type, values, indices, why);
  if (status == 0) {
    struct value_array results = {operator_name(s->op), (int)a.rows.axis, type,  values, indices,
                                  a.row_count,          a.rows.dims - 1,  a.rest};
    status = show_array(s, &results, why);
  }
  free(indices);
  free(values);
  array_free(&a);
  return status;
}

int axis_scan(const struct settings *s, heddle_context *ctx, struct failure *why) {
  struct array a;
  heddle_options options;
  uint64_t init = 0;
  if (array_load(s, &a, why) != 0) return -1;
  heddle_type type = fold_result_type(s, HEDDLE_SCAN, a.type);
  void *out = command_allocate(a.count, heddle_type_size(type), "results", why);
  int status = out ? fold_options(s, type, &options, &init, why) : -1;
  if (status == 0)
    status = command_check(heddle_scan_rows(ctx, (heddle_op)s->op,
                                            s->exclusive ? HEDDLE_EXCLUSIVE : HEDDLE_INCLUSIVE,
                                            a.type, a.data, &a.rows, out, &options),
                           a.src.path, why);
  if (status == 0) {
    struct value_array results = {operator_name(s->op), (int)a.rows.axis, type, out, NULL, a.count,
                                  a.rows.dims,          a.shape};
    status = show_array(s, &results, why);
  }
  free(out);
  array_free(&a);
  return status;
}

/* The index of row r among the dimensions without the axis. */
static void find_index(const struct array *a, size_t r, struct description_row *row) {
  row->dims = a->rows.dims - 1;
  row->axis = a->rows.axis;
  for (size_t d = row->dims; d-- > 0;) {
    row->index[d] = r % a->rest[d];
    r /= a->rest[d];
  }
}

int axis_figures(const struct settings *s, heddle_context *ctx, const heddle_options *options,
                 heddle_type type, axis_figure *of, struct failure *why) {
  const heddle_description none = HEDDLE_DESCRIPTION_INIT;
  struct array a;
  if (array_load(s, &a, why) != 0) return -1;
  heddle_description *figures = command_allocate(a.row_count, sizeof *figures, "descriptions", why);
  unsigned char *values =
      figures ? command_allocate(a.row_count, heddle_type_size(type), "results", why) : NULL;
  int status = values ? 0 : -1;
  for (size_t r = 0; r < a.row_count && status == 0; r++) figures[r] = none;
  if (status == 0)
    status = command_check(heddle_describe_rows(ctx, a.type, a.data, &a.rows, figures, options),
                           a.src.path, why);
  for (size_t r = 0; r < a.row_count && status == 0; r++)
    of(s, &figures[r], values + r * heddle_type_size(type));
  if (status == 0) {
    struct value_array results = {operator_name(s->op), (int)a.rows.axis, type,  values, NULL,
                                  a.row_count,          a.rows.dims - 1,  a.rest};
    status = show_array(s, &results, why);
  }
  free(values);
  free(figures);
  array_free(&a);
  return status;
}

int axis_describe(const struct settings *s, heddle_context *ctx, struct failure *why) {
  const heddle_description none = HEDDLE_DESCRIPTION_INIT;
  struct array a;
  heddle_options options;
  if (array_load(s, &a, why) != 0) return -1;
  heddle_description *figures = command_allocate(a.row_count, sizeof *figures, "descriptions", why);
  struct description_row *rows =
      figures ? command_allocate(a.row_count, sizeof *rows, "descriptions", why) : NULL;
  int status = rows ? 0 : -1;
  if (rows) {
    rows[0].dims = a.rows.dims - 1;
    rows[0].axis = a.rows.axis;
  }
  command_options(s, &options);
  for (size_t r = 0; r < a.row_count && status == 0; r++) figures[r] = none;
  if (status == 0)
    status = command_check(heddle_describe_rows(ctx, a.type, a.data, &a.rows, figures, &options),
                           a.src.path, why);
  for (size_t r = 0; r < a.row_count && status == 0; r++) {
    rows[r].figures = figures[r];
    find_index(&a, r, &rows[r]);
  }
  if (status == 0)
    status = show_descriptions(s, a.rows.dims > 1 ? "index" : NULL, rows, a.row_count, why);
  free(rows);
  free(figures);
  array_free(&a);
  return status;
}
