/* python_abi.h - the functions of CPython's stable ABI that fast.c calls, without Python.h
 *
 * Result   python_abi_load fills `python` from the process that has loaded this library
 * Limits   Python's own name and layout of each thing, as its stable ABI of 3.11 fixes them (the
 *          layout of a buffer is the same in all of Python 3); other Pythons than CPython lack
 *          some, and nothing here is used then
 * Source   docs.python.org/3/c-api/stable.html */
#ifndef HEDDLE_PYTHON_ABI_H
#define HEDDLE_PYTHON_ABI_H

#include <stdbool.h>
#include <stddef.h>

typedef struct python_object python_object; /* PyObject */
typedef struct python_thread python_thread; /* PyThreadState */

/* Py_buffer */
struct python_buffer {
  void *data;
  python_object *owner;
  ptrdiff_t bytes, item_bytes;
  int readonly, dims;
  char *format;
  ptrdiff_t *shape, *strides, *suboffsets;
  void *internal;
};

/* PyMethodDef of a function whose arguments come as an array */
struct python_method {
  const char *name;
  python_object *(*call)(python_object *self, python_object *const *arguments, ptrdiff_t count);
  int flags;
  const char *documentation;
};
enum { PYTHON_FASTCALL = 0x0080 };

enum {
  PYTHON_WRITABLE = 0x0001,
  PYTHON_FORMAT = 0x0004,
  PYTHON_STRIDED = 0x0010 | 0x0008,         /* PyBUF_STRIDES */
  PYTHON_C_ORDER = 0x0020 | 0x0010 | 0x0008 /* PyBUF_C_CONTIGUOUS */
};

struct python_api {
  int (*get_buffer)(python_object *, struct python_buffer *, int flags);
  void (*release_buffer)(struct python_buffer *);
  python_thread *(*save_thread)(void);
  void (*restore_thread)(python_thread *);
  int (*ensure_thread)(void);
  void (*release_thread)(int);
  int (*check_signals)(void);
  void (*clear_error)(void);
  python_object *(*has_error)(void); /* borrowed; NULL: no exception is set */
  void (*take_error)(python_object **type, python_object **value, python_object **trace);
  void (*set_error)(python_object *type, python_object *value, python_object *trace);
  python_object *(*from_double)(double);
  python_object *(*from_signed)(long long);
  python_object *(*from_unsigned)(unsigned long long);
  python_object *(*new_tuple)(ptrdiff_t length);
  int (*put_in_tuple)(python_object *, ptrdiff_t at, python_object *taken);
  ptrdiff_t (*tuple_size)(python_object *);
  python_object *(*tuple_item)(python_object *, ptrdiff_t at); /* borrowed */
  ptrdiff_t (*list_size)(python_object *);
  python_object *(*list_item)(python_object *, ptrdiff_t at);   /* borrowed */
  int (*compare_text)(python_object *, const char *with_ascii); /* 0: the same */
  long (*as_long)(python_object *);
  long long (*as_signed)(python_object *);
  double (*as_double)(python_object *);
  size_t (*as_size)(python_object *);
  python_object *(*new_function)(struct python_method *, python_object *self,
                                 python_object *module);
  int (*is_capsule)(python_object *, const char *name);
  void *(*capsule_pointer)(python_object *, const char *name);
  python_object *(*type_of)(python_object *);
  python_object *none, *yes, *no, *int_type, *float_type, *tuple_type, *list_type, *text_type;
  python_object *(*call)(python_object *callable, ...); /* ends with NULL */
  void (*keep)(python_object *);
  void (*drop)(python_object *);
};

extern struct python_api python;

/* false: this Python lacks one of them. Once, under the interpreter's lock. */
bool python_abi_load(void);

/* Of that type itself, no other that it is a base of. */
static inline bool python_is(python_object *object, const python_object *type) {
  python_object *own = python.type_of(object);
  python.drop(own);
  return own == type;
}
static inline bool python_is_none(const python_object *object) { return object == python.none; }
static inline bool python_is_int(python_object *object) {
  return python_is(object, python.int_type);
}
static inline bool python_is_tuple(python_object *object) {
  return python_is(object, python.tuple_type);
}

#endif
