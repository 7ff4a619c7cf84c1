/* array.c - a buffer is of the plain kind if CPython gives it in C order and its format is one
 * letter of one of the library's types; an array of NumPy's, if its dtype is one of those whose buffers have
 * shown that */
#include "array.h"

#include "numpy_abi.h"
#include "tensors/exchange.h"

enum { DTYPES_MOST = 16 };

/* What a dtype, one object each, says of the elements. */
struct dtype {
  python_object *object;
  ptrdiff_t bytes;
  struct array_kind kind;
};

static python_object *declined;
static struct dtype dtypes[DTYPES_MOST];
static size_t dtypes_known; /* 0: arrays are not read by their fields */

void array_decline_by(python_object *object) {
  python.keep(object);
  declined = object;
}

python_object *array_decline(void) {
  python.keep(declined);
  return declined;
}

bool array_is_declined(python_object *result) {
  if (result != declined) return false;
  python.drop(result);
  return true;
}

/* The letter of a format of one native element, as struct writes it; 0 for any other. */
static char letter_of(const char *format) {
  if (!format) return 'B';
  if (*format == '@' || *format == '=') format++;
  return format[0] && !format[1] ? format[0] : 0;
}

/* The type of a letter; 0 for none. */
static int type_of(char letter, ptrdiff_t bytes) {
  const bool wide = bytes == 8;
  switch (letter) {
  case '?':
  case 'B': return HEDDLE_U8;
  case 'b': return HEDDLE_I8;
  case 'H': return HEDDLE_U16;
  case 'h': return HEDDLE_I16;
  case 'I': return HEDDLE_U32;
  case 'i': return HEDDLE_I32;
  case 'L': return wide ? HEDDLE_U64 : HEDDLE_U32;
  case 'l': return wide ? HEDDLE_I64 : HEDDLE_I32;
  case 'Q': return HEDDLE_U64;
  case 'q': return HEDDLE_I64;
  case 'e': return HEDDLE_F16;
  case 'f': return HEDDLE_F32;
  case 'd': return HEDDLE_F64;
  default: return 0;
  }
}

enum { IN_PIECES = 1 << 30 }; /* a flag beside CPython's */

static bool begin_buffer(struct array *a, python_object *object, int flags) {
  a->by_fields = false;
  a->framework = NULL;
  a->column = !column_is(object)  ? NULL
              : flags & IN_PIECES ? column_begin_pieces(&a->buffer, object)
                                  : column_begin(&a->buffer, object);
  flags &= ~IN_PIECES;
  if (!a->column && python.get_buffer(object, &a->buffer, PYTHON_FORMAT | flags) != 0) {
    python.clear_error();
    return false;
  }
  const char letter = letter_of(a->buffer.format);
  const int type = type_of(letter, a->buffer.item_bytes);
  if (!type || heddle_type_size((heddle_type)type) != (size_t)a->buffer.item_bytes) {
    array_end(a);
    return false;
  }
  a->type = (heddle_type)type;
  a->is_bool = letter == '?';
  a->is_float = letter == 'e' || letter == 'f' || letter == 'd';
  a->count = (size_t)a->buffer.bytes / (size_t)a->buffer.item_bytes;
  return true;
}

/* ---- arrays by their fields ---------------------------------------------------------------------- */

static int fields_wanted(int flags) {
  int wanted = NUMPY_ALIGNED;
  if ((flags & PYTHON_C_ORDER) == PYTHON_C_ORDER) wanted |= NUMPY_C_ORDER;
  if (flags & PYTHON_WRITABLE) wanted |= NUMPY_WRITABLE;
  return wanted;
}

static const struct dtype *dtype_of(const python_object *object) {
  for (size_t i = 0; i < dtypes_known; i++)
    if (dtypes[i].object == object) return &dtypes[i];
  return NULL;
}

/* False: what a buffer may say more of, or raise. */
static bool begin_fields(struct array *a, python_object *object, int flags) {
  const struct numpy_fields *f = dtypes_known ? numpy_fields_of(object) : NULL;
  const int wanted = fields_wanted(flags);
  /* The last flag warns of what is written. */
  if (!f || (f->flags & wanted) != wanted || f->flags < 0) return false;
  const struct dtype *dtype = dtype_of(f->dtype);
  size_t count = 1;
  if (!dtype) return false;
  for (int d = 0; d < f->dims; d++) count *= (size_t)f->shape[d];
  a->column = NULL;
  a->framework = NULL;
  a->by_fields = true;
  a->type = dtype->kind.type;
  a->is_bool = dtype->kind.is_bool, a->is_float = dtype->kind.is_float;
  a->count = count;
  a->buffer = (struct python_buffer){.data = f->data,
                                     .owner = object,
                                     .bytes = (ptrdiff_t)count * dtype->bytes,
                                     .item_bytes = dtype->bytes,
                                     .dims = f->dims,
                                     .shape = f->shape,
                                     .strides = f->strides};
  python.keep(object);
  return true;
}

/* Whether the fields of an array are what its buffer says. */
static bool is_as_buffer(const struct array *a, python_object *object, const python_object *dtype) {
  const struct numpy_fields *f = numpy_fields_of(object);
  const struct python_buffer *b = &a->buffer;
  if (!f || f->data != b->data || f->dims != b->dims || f->dtype != dtype) return false;
  bool in_order = true;
  ptrdiff_t step = b->item_bytes;
  for (int d = b->dims; d-- > 0; step *= b->shape[d]) {
    if (f->shape[d] != b->shape[d] || f->strides[d] != b->strides[d]) return false;
    in_order = in_order && b->strides[d] == step;
  }
  const int order = in_order ? NUMPY_C_ORDER : 0, writable = b->readonly ? 0 : NUMPY_WRITABLE;
  return (f->flags & (NUMPY_C_ORDER | NUMPY_WRITABLE | NUMPY_ALIGNED)) ==
         (order | writable | NUMPY_ALIGNED);
}

/* Notes a dtype by one of its arrays. */
static bool learn(python_object *array, python_object *dtype, size_t *known) {
  struct array a;
  if (*known == DTYPES_MOST || !begin_buffer(&a, array, PYTHON_STRIDED)) return false;
  const bool fine = is_as_buffer(&a, array, dtype);
  dtypes[*known] = (struct dtype){dtype, a.buffer.item_bytes, {a.type, a.is_bool, a.is_float}};
  array_end(&a);
  for (size_t i = 0; i < *known; i++)
    if (dtypes[i].object == dtype) return fine;
  if (fine) python.keep(dtype), ++*known;
  return fine;
}

int heddle_py_numpy(python_object *capsule, size_t head, python_object *arrays,
                    python_object *their_dtypes) {
  const ptrdiff_t count = python.tuple_size(arrays);
  size_t known = 0;
  dtypes_known = 0;
  if (!numpy_abi_load(capsule, head)) return 0;
  for (ptrdiff_t i = 0; i < count; i++)
    if (!learn(python.tuple_item(arrays, i), python.tuple_item(their_dtypes, i), &known)) return 0;
  dtypes_known = known;
  return 1;
}

bool array_of_numpy(void) { return dtypes_known; }

bool array_kind_of(struct array_kind *kind, python_object *dtype) {
  python_object *known = numpy_known_dtype(dtype), *made = NULL;
  if (!known && python_is(dtype, python.text_type)) made = numpy_make_dtype(dtype);
  const struct dtype *found = dtype_of(made ? made : known ? known : dtype);
  if (made) python.drop(made);
  if (!found) return false;
  *kind = found->kind;
  for (const struct dtype *d = dtypes; d < found;
       d++) /* of two for one type results have the first */
    if (d->kind.type == kind->type && d->kind.is_bool == kind->is_bool) return false;
  return true;
}

/* ---- calls --------------------------------------------------------------------------------------- */

/* A framework's tensor in memory of the host. bfloat16 is for Python's code: its results are f32. */
static bool begin_tensor(struct array *a, python_object *object, int flags) {
  const bool in_order = (flags & PYTHON_C_ORDER) == PYTHON_C_ORDER;
  if (!exchange_begin(a, object)) return false;
  if (a->ordinal == ARRAY_OF_HOST && a->type != HEDDLE_BF16 &&
      (!in_order || !a->count || array_is_in_order(a)))
    return true;
  exchange_end(a);
  return false;
}

static bool begin(struct array *a, python_object *object, int flags) {
  if (begin_fields(a, object, flags)) return true;
  return exchange_knows(object) ? begin_tensor(a, object, flags) : begin_buffer(a, object, flags);
}

bool array_begin(struct array *a, python_object *object, int flags) {
  return begin(a, object, PYTHON_C_ORDER | flags);
}

bool array_begin_line(struct array *a, python_object *object) {
  const struct numpy_fields *f = dtypes_known ? numpy_fields_of(object) : NULL;
  return f && f->dims == 1 && begin_fields(a, object, PYTHON_C_ORDER);
}

bool array_begin_whole(struct array *a, python_object *object) {
  return begin(a, object, PYTHON_C_ORDER | IN_PIECES);
}

bool array_begin_strided(struct array *a, python_object *object) {
  return begin(a, object, PYTHON_STRIDED);
}

bool array_begin_target(struct array *a, python_object *object) {
  return begin(a, object, PYTHON_STRIDED | PYTHON_WRITABLE);
}

void array_end(struct array *a) {
  if (a->column)
    column_end(a->column);
  else if (a->framework)
    exchange_end(a);
  else if (a->by_fields)
    python.drop(a->buffer.owner);
  else
    python.release_buffer(&a->buffer);
}
