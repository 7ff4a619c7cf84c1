/* exchange.h - tensors of a framework, by the C table that their type offers (dlpack.h)
 *
 * Result   exchange_begin: a tensor as a `struct array`, in memory of the host or of a CUDA device; false, without
 *          an exception, for any other object, and for what is left to Python's code
 * Method   The table of a type is looked up once, when the package meets it (heddle/_arrays/exchange.py). From
 *          then on no function of Python's is called.
 * Owner    the tensor is held until array_end
 * Limits   no tensor whose elements are not its memory's: one that negates them when it is read is such */
#ifndef HEDDLE_PYTHON_EXCHANGE_H
#define HEDDLE_PYTHON_EXCHANGE_H

#include "array.h"

/* Notes the table in a type's capsule. is_negated: asked of tensors with gaps whether their elements are the
 * negatives of their memory; None: they never are. 0: the table is of no version that is known here. */
FAST_API int heddle_py_exchange(python_object *type, python_object *capsule,
                                python_object *is_negated);

/* The same of a framework without a table, by functions of Python's, for arrays of CUDA devices: read(x) gives
 * (address, number of the device, DLPack's code and bits, shape, strides in bytes); make((number, code, bits),
 * shape) a new array and its address; part(whole, offset in bytes, (number, code, bits), shape) an array in the memory of
 * another one, which it keeps; stream(number) the address of the current stream. */
FAST_API int heddle_py_exchange_by(python_object *type, python_object *read, python_object *make,
                                   python_object *part, python_object *stream);

bool exchange_knows(python_object *object);
bool exchange_begin(struct array *a, python_object *object);
void exchange_end(struct array *a);
/* The stream that the framework's work on the array's device is queued on. */
bool exchange_stream(const struct array *a, void **stream);

/* A new tensor of the framework that `like` is of, where that is, in C order; *data: its memory. NULL, without an
 * exception: there is none. */
python_object *exchange_new(const struct array *like, struct array_kind kind, size_t dims,
                            const size_t *lengths, void **data);

/* Memory of its allocator for work on its current stream, which may still be queued when it is given back. */
struct exchange_work {
  struct dl_managed *managed;
  python_object *object; /* without a table */
  double *at;
};
bool exchange_take(struct exchange_work *w, const struct array *like, size_t doubles);
void exchange_give(struct exchange_work *w);
/* A part of it as a tensor of one element, which holds all of it from then on, whatever the result. NULL, without an
 * exception: there is none. */
python_object *exchange_part(struct exchange_work *w, const struct array *like, heddle_type type,
                             size_t dims, const double *part);

#endif
