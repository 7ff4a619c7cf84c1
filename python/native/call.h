/* call.h - what the files of calls share: a thread's contexts, the interpreter's lock, results */
#ifndef HEDDLE_PYTHON_CALL_H
#define HEDDLE_PYTHON_CALL_H

#include <stdint.h>

#include "array.h"

union number {
  uint64_t u64;
  int64_t i64;
  uint32_t u32;
  int32_t i32;
  uint16_t u16;
  int16_t i16;
  uint8_t u8;
  int8_t i8;
  float f32;
  double f64;
};

/* This thread's context; NULL: there is none, or it is in the middle of a call. */
heddle_context *call_context(int threads);
/* Whether it is of a CPU and has one thread. */
bool call_is_alone(const heddle_context *ctx);
/* Without the interpreter's lock, if the call is long enough that others should run meanwhile, or
 * waits for a GPU; and with it again. */
python_thread *call_leave(const struct array *a, const heddle_context *ctx);
bool call_is_short(const struct array *a, const heddle_context *ctx); /* that is: it is not */
void call_come_back(python_thread *thread);
/* What a call comes to that has not given HEDDLE_OK. */
python_object *call_failed(heddle_status status);
/* HEDDLE_OK, or the bools have other bytes than 0 and 1, and an operator that would count them. */
heddle_status call_numbers(heddle_context *ctx, const struct array *a);

/* Sums and products: what widens a byte. */
bool call_is_total(heddle_op op);
/* The type that NumPy gives a result: the library's, but sums and products of floats keep their own
 * and bools are counted. */
heddle_type call_result_type(const struct array *a, heddle_op op);
/* The same for an argument `dtype`, NULL or None for none: what a total is added in and rounded to, in `options`.
 * False: elements have to be converted, or the dtype is none of the library's. */
bool call_wants_f64(const struct array *a, python_object *dtype); /* that is: of 64-bit integers */
bool call_types(const struct array *a, heddle_op op, python_object *dtype, heddle_options *options);
/* The float type of a figure: that of a `dtype`, or by the elements'. */
bool call_figure_type(const struct array *a, python_object *dtype, heddle_type *type);
/* NumPy's type of a heddle_type, of bools and of indices: it makes scalars, and is a dtype. */
python_object *call_type(heddle_type type);
/* Its dtype itself, which a short call finds sooner. */
python_object *call_dtype(heddle_type type);
python_object *call_bool(void);
python_object *call_index(void);
/* A NumPy scalar, by what makes it. */
python_object *call_scalar(python_object *maker, heddle_type type, const union number *n);

#endif
