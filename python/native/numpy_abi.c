/* numpy_abi.c - the entries of NumPy's table of functions, by the numbers that it keeps for them; dtypes are
 * asked for once each */
#include "numpy_abi.h"

#include <string.h>

enum {
  AT_VERSION = 0,    /* PyArray_GetNDArrayCVersion */
  AT_ARRAY_TYPE = 2, /* PyArray_Type */
  AT_SCALAR = 60,    /* PyArray_Scalar */
  AT_EMPTY = 184,    /* PyArray_Empty */
  VERSION_1 = 0x01000009,
  VERSION_2 = 0x02000000
};
enum { DTYPES_MOST = 64 };

struct numpy_api numpy;
static python_object *make_dtype;
static struct { python_object *type, *dtype; } dtypes[DTYPES_MOST];

void numpy_make_dtypes_by(python_object *dtype) {
  python.keep(dtype);
  make_dtype = dtype;
}

/* Where a type is, or is to be. */
static size_t place_of(const python_object *type) {
  size_t i = 0;
  while (i < DTYPES_MOST && dtypes[i].type && dtypes[i].type != type) i++;
  return i;
}

python_object *numpy_known_dtype(const python_object *type) {
  const size_t i = place_of(type);
  return i < DTYPES_MOST ? dtypes[i].dtype : NULL;
}

python_object *numpy_dtype_of(python_object *type) {
  const size_t i = place_of(type);
  if (i == DTYPES_MOST) return NULL;
  if (dtypes[i].type) return dtypes[i].dtype;
  dtypes[i].dtype = python.call(make_dtype, type, NULL);
  if (dtypes[i].dtype) dtypes[i].type = type;
  return dtypes[i].dtype;
}

python_object *numpy_make_dtype(python_object *name) {
  python_object *made = python.call(make_dtype, name, NULL);
  if (!made) python.clear_error();
  return made;
}

bool numpy_abi_load(python_object *capsule, size_t head) {
  unsigned (*version)(void);
  if (!python.is_capsule(capsule, NULL)) return false;
  void **table = python.capsule_pointer(capsule, NULL);
  memcpy(&version, &table[AT_VERSION], sizeof version);
  if (version() != VERSION_1 && version() != VERSION_2) return false;
  memcpy(&numpy.scalar, &table[AT_SCALAR], sizeof numpy.scalar);
  memcpy(&numpy.empty, &table[AT_EMPTY], sizeof numpy.empty);
  numpy.array_type = table[AT_ARRAY_TYPE];
  numpy.head = head;
  return true;
}
