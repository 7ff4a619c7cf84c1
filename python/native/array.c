/* array.c - a buffer is of the plain kind if CPython gives it in C order and its format is one
 * letter of one of the library's types */
#include "array.h"

static python_object *declined;

void array_decline_by(python_object *object) {
  python.keep(object);
  declined = object;
}

python_object *array_decline(void) {
  python.keep(declined);
  return declined;
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

static bool begin(struct array *a, python_object *object, int flags) {
  a->column = NULL;
  if (python.get_buffer(object, &a->buffer, PYTHON_FORMAT | flags) != 0) {
    python.clear_error();
    a->column = column_begin(&a->buffer, object);
    if (!a->column) return false;
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

bool array_begin(struct array *a, python_object *object, int flags) {
  return begin(a, object, PYTHON_C_ORDER | flags);
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
  else
    python.release_buffer(&a->buffer);
}
