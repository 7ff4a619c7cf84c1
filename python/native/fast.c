/* fast.c - reductions of whole arrays: one call of the library each, on the buffer's own memory
 *
 * Method  A thread keeps a context for each number of threads that it asks for. NumPy's types of
 *         results are the library's, but for floats and bools; a table has them, since a call on a
 *         thousand elements takes no longer than twenty questions. */
#include "bools.h"
#include "call.h"
#include "copies/pieces.h"
#include "errors/errors.h"
#include "numpy_abi.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FREE_BYTES = 16 * 1024, MOST_THREADS = 16, MOST_TYPES = 64, MOST_OPS = 64 };

/* What makes NumPy's scalars. */
static struct { python_object *of_type[MOST_TYPES], *of_bool, *of_index, *dtype[MOST_TYPES]; } make;
/* The library's types of results, for which asking takes too long in a short call. */
static heddle_type results[MOST_OPS][MOST_TYPES];
static pthread_key_t ending;

/* ---- the thread's contexts --------------------------------------------------------------- */

/* The default device's, and of so many threads of the CPU. */
static _Thread_local struct {
  heddle_context *device, *cpu[MOST_THREADS + 1];
  bool is_cpu, is_alone; /* the default device; a CPU of one thread */
} own;

static void end_contexts(void *unused) {
  (void)unused;
  if (heddle_py_has_ended()) return;
  heddle_close(own.device);
  for (int i = 0; i <= MOST_THREADS; i++) heddle_close(own.cpu[i]);
  memset(&own, 0, sizeof own);
}

static heddle_context *open_context(const char *device) {
  heddle_context *made;
  if (heddle_open(device, &made) != HEDDLE_OK) return NULL;
  if (heddle_set_poll(made, heddle_py_poll, NULL) == HEDDLE_OK &&
      pthread_setspecific(ending, &own) == 0)
    return made;
  heddle_close(made);
  return NULL;
}

heddle_context *call_context(int threads) {
  char device[16];
  if (heddle_py_depth()) return NULL; /* of the call that is interrupted */
  if (threads == HEDDLE_PY_DEFAULT) {
    if (own.device) return own.device;
    heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
    own.device = open_context(NULL);
    own.is_cpu = own.device && heddle_info(own.device, &info) == HEDDLE_OK &&
                 !strncmp(info.device, "cpu", 3);
    own.is_alone = own.is_cpu && info.threads == 1;
    return own.device;
  }
  if (threads < 1 || threads > MOST_THREADS) return NULL;
  if (!own.cpu[threads]) {
    snprintf(device, sizeof device, "cpu:%d", threads);
    own.cpu[threads] = open_context(device);
  }
  return own.cpu[threads];
}

bool call_is_alone(const heddle_context *ctx) {
  return ctx == own.device ? own.is_alone : ctx == own.cpu[1];
}

int heddle_py_start(python_object *declined, python_object *make_bool, python_object *make_index) {
  if (!python_abi_load() || pthread_key_create(&ending, end_contexts) != 0) return 0;
  array_decline_by(declined);
  python.keep(make_bool);
  python.keep(make_index);
  make.of_bool = make_bool;
  make.of_index = make_index;
  return 1;
}

void heddle_py_scalar(int type, python_object *callable, python_object *dtype) {
  if (type < 0 || type >= MOST_TYPES) return;
  python.keep(callable);
  python.keep(dtype);
  (void)numpy_dtype_of(callable);
  make.of_type[type] = callable;
  make.dtype[type] = dtype;
  for (int op = 0; op < MOST_OPS; op++)
    if (heddle_result_type(HEDDLE_REDUCE, (heddle_op)op, (heddle_type)type, NULL,
                           &results[op][type], NULL) != HEDDLE_OK)
      results[op][type] = (heddle_type)type; /* which no call gives */
}

/* ---- objects -------------------------------------------------------------------------------- */

bool call_is_short(const struct array *a, const heddle_context *ctx) {
  return a->buffer.bytes < FREE_BYTES && (ctx != own.device || own.is_cpu);
}

python_thread *call_leave(const struct array *a, const heddle_context *ctx) {
  return call_is_short(a, ctx) ? NULL : python.save_thread();
}

void call_come_back(python_thread *thread) {
  if (thread) python.restore_thread(thread);
}

python_object *call_failed(heddle_status status) {
  if (status != HEDDLE_CANCELLED) return array_decline();
  return heddle_py_raise();
}

static python_object *plain(heddle_type type, const union number *n) {
  double wide;
  switch (type) {
  case HEDDLE_U8: return python.from_unsigned(n->u8);
  case HEDDLE_U16: return python.from_unsigned(n->u16);
  case HEDDLE_U32: return python.from_unsigned(n->u32);
  case HEDDLE_U64: return python.from_unsigned(n->u64);
  case HEDDLE_I8: return python.from_signed(n->i8);
  case HEDDLE_I16: return python.from_signed(n->i16);
  case HEDDLE_I32: return python.from_signed(n->i32);
  case HEDDLE_I64: return python.from_signed(n->i64);
  case HEDDLE_F32: return python.from_double((double)n->f32);
  case HEDDLE_F64: return python.from_double(n->f64);
  default:
    if (heddle_convert(type, n, HEDDLE_F64, &wide, 1) != HEDDLE_OK) wide = NAN;
    return python.from_double(wide);
  }
}

python_object *call_scalar(python_object *maker, heddle_type type, const union number *n) {
  if (array_of_numpy()) {
    python_object *dtype = numpy_dtype_of(maker);
    if (dtype) return numpy.scalar(n, dtype, NULL);
    python.clear_error();
  }
  python_object *value = plain(type, n);
  if (!value) return NULL;
  python_object *made = python.call(maker, value, NULL);
  python.drop(value);
  return made;
}

/* ---- the calls ------------------------------------------------------------------------------- */

bool call_is_total(heddle_op op) { return results[op][HEDDLE_U8] == HEDDLE_U64; }

python_object *call_type(heddle_type type) { return make.of_type[type]; }
python_object *call_dtype(heddle_type type) { return make.dtype[type]; }
python_object *call_bool(void) { return make.of_bool; }
python_object *call_index(void) { return make.of_index; }

heddle_type call_result_type(const struct array *a, heddle_op op) {
  const bool total = call_is_total(op);
  if (total && a->is_float) return a->type;
  if (total && a->is_bool) return HEDDLE_I64;
  return results[op][a->type];
}

bool call_wants_f64(const struct array *a, python_object *dtype) {
  struct array_kind kind;
  return dtype && !python_is_none(dtype) && !a->is_float && a->buffer.item_bytes == 8 &&
         array_kind_of(&kind, dtype) && kind.is_float;
}

bool call_types(const struct array *a, heddle_op op, python_object *dtype,
                heddle_options *options) {
  struct array_kind kind;
  options->out_type = call_result_type(a, op);
  if (!dtype || python_is_none(dtype)) return true;
  if (!array_kind_of(&kind, dtype)) return false;
  if (!call_is_total(op)) return kind.type == a->type && kind.is_bool == a->is_bool;
  if (kind.is_bool || (a->is_float && !kind.is_float)) return false;
  options->out_type = kind.type;
  if (a->is_float && kind.type == HEDDLE_F64) options->acc_type = HEDDLE_F64;
  if (a->is_float || !kind.is_float) return true;
  /* Integers that are added as such. */
  return op == HEDDLE_SUM && a->buffer.item_bytes < 8 && kind.type != HEDDLE_F16;
}

bool call_figure_type(const struct array *a, python_object *dtype, heddle_type *type) {
  struct array_kind kind;
  *type = a->is_float ? a->type : HEDDLE_F64;
  if (!dtype || python_is_none(dtype)) return true;
  if (!array_kind_of(&kind, dtype) || !kind.is_float) return false;
  *type = kind.type;
  return a->is_float || kind.type != HEDDLE_F16;
}

/* Of bools a product and a minimum are "all", a maximum is "any", and other totals are how many are
 * True, whatever bytes those have. */
static heddle_status reduce_bools(heddle_context *ctx, const struct array *a, int op,
                                  union number *result) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.out_type = HEDDLE_U8;
  const bool is_prod = op == HEDDLE_PROD;
  if (call_is_total((heddle_op)op) && !is_prod)
    return bools_count(ctx, a->buffer.data, a->count, &result->u64);
  if (!is_prod && !a->count) return HEDDLE_EMPTY;
  uint8_t found = 0;
  const heddle_op which = op == HEDDLE_MAX ? HEDDLE_ANY : HEDDLE_ALL;
  const heddle_status status =
      heddle_reduce(ctx, which, a->type, a->buffer.data, a->count, &found, &options);
  *result = is_prod ? (union number){.u64 = found} : (union number){.u8 = found};
  return status;
}

python_object *heddle_py_reduce(python_object *object, int op, int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  union number result = {0};
  struct array a;
  heddle_status status;
  if (!ctx) return array_decline();
  if (!array_begin_whole(&a, object)) return heddle_py_reduce_axis(object, op, NULL, 0, 0, threads);
  const bool total = call_is_total((heddle_op)op);
  const bool logical = op == HEDDLE_ANY || op == HEDDLE_ALL;
  const heddle_type type = call_result_type(&a, (heddle_op)op);
  options.out_type = type;
  python_thread *thread = call_leave(&a, ctx);
  const bool begun = total && errors_begin(ctx, &a);
  if (a.is_bool && !logical)
    status = reduce_bools(ctx, &a, op, &result);
  else
    status = whole_reduce(ctx, (heddle_op)op, &a, &result, &options);
  const bool none = !total || errors_none(begun);
  call_come_back(thread);
  const bool as_bool = logical || (a.is_bool && !total);
  const bool fine =
      status != HEDDLE_OK || none || errors_of_whole(ctx, &a, NULL, type, &result, ERRORS_REDUCE);
  array_end(&a);
  if (!fine) return NULL;
  if (status != HEDDLE_OK) return call_failed(status);
  return call_scalar(as_bool ? make.of_bool : make.of_type[type], type, &result);
}

heddle_status call_numbers(heddle_context *ctx, const struct array *a) {
  return a->is_bool ? bools_are_numbers(ctx, a->buffer.data, a->count) : HEDDLE_OK;
}

/* A mean or a variance of all elements. NumPy's type for floats, f64 for integers. The array ends. */
static python_object *figure(heddle_context *ctx, struct array *a, double value) {
  const heddle_type type = a->is_float ? a->type : HEDDLE_F64;
  union number n = {.f64 = value};
  heddle_status status = HEDDLE_OK;
  if (type != HEDDLE_F64) status = heddle_convert(HEDDLE_F64, &value, type, &n, 1);
  const bool fine = status != HEDDLE_OK || errors_of_whole(ctx, a, NULL, type, &n, ERRORS_REDUCE);
  array_end(a);
  if (!fine) return NULL;
  return status == HEDDLE_OK ? call_scalar(make.of_type[type], type, &n) : call_failed(status);
}

/* What `describe` has as the mean; of infinities what their sum would be, NaN if an element is. */
static heddle_status described_mean(heddle_context *ctx, const struct array *a, double *mean) {
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.figures = HEDDLE_FIGURES_MEAN;
  heddle_status status = whole_describe(ctx, a, &d, &options);
  if (status == HEDDLE_OK && d.infinite) status = whole_describe(ctx, a, &d, NULL);
  const double found = d.infinite ? d.min + d.max : d.mean;
  if (d.infinite || isfinite(found)) *mean = found;
  return status;
}

/* A total that cannot wrap: of floats in f64, of integers up to 32 bits in 64 bits; of wider ones,
 * and of floats whose total is beyond f64, the mean of describe. */
static heddle_status mean_of(heddle_context *ctx, const struct array *a, double *mean) {
  if (a->is_bool) {
    uint64_t total;
    const heddle_status status = bools_count(ctx, a->buffer.data, a->count, &total);
    *mean = (double)total / (double)a->count;
    return status;
  }
  const bool wide = a->type == HEDDLE_U64 || a->type == HEDDLE_I64;
  if (wide || a->count >> 31) return described_mean(ctx, a, mean);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.acc_type = a->is_float ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
  options.out_type = HEDDLE_F64;
  const heddle_status status = whole_reduce(ctx, HEDDLE_SUM, a, mean, &options);
  *mean /= (double)a->count;
  if (status != HEDDLE_OK || a->type != HEDDLE_F64 || isfinite(*mean)) return status;
  return described_mean(ctx, a, mean);
}

python_object *heddle_py_mean(python_object *object, int threads) {
  heddle_context *ctx = call_context(threads);
  struct array a;
  double mean = 0;
  if (!ctx) return array_decline();
  if (!array_begin_whole(&a, object)) return heddle_py_mean_axis(object, NULL, 0, 0, threads);
  python_thread *thread = call_leave(&a, ctx);
  const heddle_status status = a.count ? mean_of(ctx, &a, &mean) : HEDDLE_EMPTY;
  call_come_back(thread);
  if (status == HEDDLE_OK) return figure(ctx, &a, mean);
  array_end(&a);
  return call_failed(status);
}

python_object *heddle_py_variance(python_object *object, double ddof, int root, int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.figures = HEDDLE_FIGURES_VARIANCE;
  struct array a;
  if (!ctx) return array_decline();
  if (!array_begin_whole(&a, object))
    return heddle_py_variance_axis(object, ddof, root, NULL, 0, 0, threads);
  const double n = (double)a.count;
  python_thread *thread = call_leave(&a, ctx);
  heddle_status status = n - ddof > 0 ? call_numbers(ctx, &a) : HEDDLE_EMPTY;
  if (status == HEDDLE_OK) status = whole_describe(ctx, &a, &d, &options);
  call_come_back(thread);
  if (status != HEDDLE_OK) {
    array_end(&a);
    return call_failed(status);
  }
  double variance = ddof == 0 ? d.variance : d.variance * (n / (n - ddof));
  if (d.infinite) variance = (double)NAN; /* as NumPy; in short arrays order v1 has an infinity */
  return figure(ctx, &a, root ? sqrt(variance) : variance);
}

/* Where the first bool is that decides, among a few, as most arrays of them have one; `count`: none of these does. */
static size_t deciding_bool(const struct array *a, int which) {
  enum { FEW = 64 };
  const uint8_t *x = a->buffer.data;
  const size_t most = a->is_bool && !array_nulls(a) ? a->count : 0;
  for (size_t i = 0; i < most && i < FEW; i++)
    if ((x[i] != 0) == (which == HEDDLE_ARGMAX)) return i;
  return a->count;
}

python_object *heddle_py_argreduce(python_object *object, int which, int threads) {
  heddle_context *ctx = call_context(threads);
  struct array a;
  uint64_t index = 0;
  if (!ctx) return array_decline();
  if (!array_begin_whole(&a, object))
    return heddle_py_argreduce_axis(object, which, NULL, 0, 0, threads);
  const size_t found = deciding_bool(&a, which);
  if (found < a.count) {
    array_end(&a);
    return call_scalar(make.of_index, HEDDLE_U64, &(union number){.u64 = found});
  }
  python_thread *thread = call_leave(&a, ctx);
  heddle_status status = whole_argreduce(ctx, (heddle_extreme)which, &a, &index);
  call_come_back(thread);
  if (a.is_bool && status == HEDDLE_OK) { /* True may be any byte but 0: the first one counts */
    const uint8_t byte = ((const uint8_t *)a.buffer.data)[index];
    if (which == HEDDLE_ARGMIN && byte) index = 0;
    if (which == HEDDLE_ARGMAX && byte > 1) status = HEDDLE_BAD_ARGUMENT;
    if (array_nulls(&a) && status == HEDDLE_OK) index = column_place(a.column, index);
  }
  array_end(&a);
  if (status != HEDDLE_OK) return call_failed(status);
  return call_scalar(make.of_index, HEDDLE_U64, &(union number){.u64 = index});
}

static python_object *dot(python_object *left, python_object *right, int exact, int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  union number result = {0};
  struct array a, b;
  if (!ctx || !array_begin(&a, left, 0)) return array_decline();
  if (!array_begin(&b, right, 0)) {
    array_end(&a);
    return array_decline();
  }
  heddle_status status = HEDDLE_BAD_ARGUMENT;
  options.out_type = a.type, options.exact = exact;
  if (a.type == b.type && !a.is_bool && !b.is_bool && a.buffer.dims == 1 && b.buffer.dims == 1 &&
      a.count == b.count && !array_nulls(&a) && !array_nulls(&b)) {
    python_thread *thread = call_leave(&a, ctx);
    status = heddle_dot(ctx, a.type, a.buffer.data, b.buffer.data, a.count, &result, &options);
    call_come_back(thread);
  }
  const bool fine =
      status != HEDDLE_OK || errors_of_whole(ctx, &a, &b, a.type, &result, ERRORS_DOT);
  array_end(&b);
  array_end(&a);
  if (!fine) return NULL;
  return status == HEDDLE_OK ? call_scalar(make.of_type[a.type], a.type, &result)
                             : call_failed(status);
}

python_object *heddle_py_dot(python_object *left, python_object *right, int threads) {
  return dot(left, right, 0, threads);
}
python_object *heddle_py_exact_dot(python_object *left, python_object *right, int threads) {
  return dot(left, right, 1, threads);
}
