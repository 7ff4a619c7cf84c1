/* exchange.c - what a framework's table says of a tensor is checked as far as a call depends on it, and copied */
#include "exchange.h"

#include "dlpack.h"

enum { TYPES_MOST = 64, VERSIONS_MOST = 8 };

static const char capsule_name[] = "dlpack_exchange_api";

static struct known {
  python_object *type, *is_negated;
  const struct dl_table *table;
} known[TYPES_MOST];
static size_t known_count;

/* ---- tables ---------------------------------------------------------------------------------------- */

/* The table of the version that is known here, among those that it leads to; NULL: there is none. */
static const struct dl_table *version_of(const struct dl_table *table) {
  for (int i = 0; table && i < VERSIONS_MOST; i++, table = table->earlier)
    if (table->major == DL_MAJOR)
      return table->allocate && table->export && table->import && table->stream ? table : NULL;
  return NULL;
}

int heddle_py_exchange(python_object *type, python_object *capsule, python_object *is_negated) {
  if (known_count == TYPES_MOST || !python.is_capsule(capsule, capsule_name)) return 0;
  const struct dl_table *table = version_of(python.capsule_pointer(capsule, capsule_name));
  if (!table) return 0;
  python.keep(type);
  python.keep(is_negated);
  known[known_count++] =
      (struct known){type, python_is_none(is_negated) ? NULL : is_negated, table};
  return 1;
}

static const struct known *known_of(python_object *object) {
  if (!known_count) return NULL;
  python_object *type = python.type_of(object);
  python.drop(type); /* which the object holds */
  for (size_t i = 0; i < known_count; i++)
    if (known[i].type == type) return &known[i];
  return NULL;
}

bool exchange_knows(python_object *object) { return known_of(object) != NULL; }

/* ---- tensors as arrays ----------------------------------------------------------------------------- */

static const struct element {
  uint8_t code, bits;
  struct array_kind kind;
} elements[] = {
    {DL_FLOAT, 32, {HEDDLE_F32, false, true}}, {DL_FLOAT, 64, {HEDDLE_F64, false, true}},
    {DL_FLOAT, 16, {HEDDLE_F16, false, true}}, {DL_BFLOAT, 16, {HEDDLE_BF16, false, true}},
    {DL_INT, 64, {HEDDLE_I64, false, false}},  {DL_INT, 32, {HEDDLE_I32, false, false}},
    {DL_UINT, 8, {HEDDLE_U8, false, false}},   {DL_BOOL, 8, {HEDDLE_U8, true, false}},
    {DL_INT, 16, {HEDDLE_I16, false, false}},  {DL_INT, 8, {HEDDLE_I8, false, false}},
    {DL_UINT, 64, {HEDDLE_U64, false, false}}, {DL_UINT, 32, {HEDDLE_U32, false, false}},
    {DL_UINT, 16, {HEDDLE_U16, false, false}},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

static bool set_kind(struct array *a, const struct dl_tensor *t) {
  for (size_t i = 0; i < ELEMENTS; i++)
    if (elements[i].code == t->code && elements[i].bits == t->bits && t->lanes == 1) {
      a->type = elements[i].kind.type;
      a->is_bool = elements[i].kind.is_bool, a->is_float = elements[i].kind.is_float;
      return true;
    }
  return false;
}

static bool set_memory_space(struct array *a, const struct dl_tensor *t) {
  switch (t->device_type) {
  case DL_CPU:
  case DL_CUDA_HOST:
  case DL_ROCM_HOST: a->ordinal = ARRAY_OF_HOST; return true;
  case DL_CUDA:
  case DL_CUDA_MANAGED: a->ordinal = t->device_id; return t->device_id >= 0;
  default: return false;
  }
}

/* The array's count and its steps, in bytes. False: no such array can be. */
static bool set_layout(struct array *a, const struct dl_tensor *t) {
  const int64_t bytes = t->bits / 8;
  int64_t size = bytes;
  bool is_empty = false;
  if (t->dims < 0 || t->dims > HEDDLE_MAX_DIMS || (t->dims && !t->shape)) return false;
  for (int d = t->dims; d-- > 0;) {
    const int64_t n = t->shape[d];
    const int64_t step = t->strides ? t->strides[d] : size / bytes;
    is_empty |= !n;
    if (n < 0 || __builtin_mul_overflow(step, bytes, &a->steps[d]) ||
        __builtin_mul_overflow(size, n ? n : 1, &size))
      return false;
  }
  a->count = is_empty ? 0 : (size_t)(size / bytes);
  a->buffer = (struct python_buffer){.data = (char *)t->data + t->byte_offset,
                                     .bytes = is_empty ? 0 : size,
                                     .item_bytes = bytes,
                                     .dims = t->dims,
                                     .shape = t->shape,
                                     .strides = a->steps};
  return t->data || is_empty;
}

/* Whether elements have to be negated when they are read. Asking costs as much as all else: only views with gaps
 * are so, and those of one element, whose gaps do not show. */
static bool is_negated(const struct known *k, const struct array *a, python_object *object) {
  if (!k->is_negated || (a->count > 1 && array_is_in_order(a))) return false;
  python_object *answer = python.call(k->is_negated, object, NULL);
  const bool no = answer == python.no;
  if (answer) python.drop(answer);
  return !no;
}

bool exchange_begin(struct array *a, python_object *object) {
  const struct known *k = known_of(object);
  struct dl_tensor t;
  a->managed = NULL;
  if (!k) return false;
  if ((k->table->look ? k->table->look(object, &t) : k->table->export(object, &a->managed)) != 0) {
    python.clear_error();
    return false;
  }
  if (!k->table->look) t = a->managed->tensor;
  a->table = k->table;
  a->column = NULL;
  a->by_fields = true;
  python.keep(object);
  if (set_kind(a, &t) && set_memory_space(a, &t) && set_layout(a, &t)) {
    a->buffer.owner = object;
    if (!is_negated(k, a, object)) return true;
  }
  a->buffer.owner = object;
  exchange_end(a);
  python.clear_error();
  return false;
}

void exchange_end(struct array *a) {
  if (a->managed && a->managed->deleter) a->managed->deleter(a->managed);
  python.drop(a->buffer.owner);
}

bool exchange_stream(const struct array *a, void **stream) {
  if (a->table->stream(DL_CUDA, a->ordinal, stream) == 0) return true;
  python.clear_error();
  return false;
}

/* ---- new tensors ----------------------------------------------------------------------------------- */

/* Python's code asks the framework again, whose own exception is then the call's. */
static void ignore(void *context, const char *kind, const char *message) {
  (void)context, (void)kind, (void)message;
}

python_object *exchange_new(const struct array *like, struct array_kind kind, size_t dims,
                            const size_t *lengths, void **data) {
  int64_t shape[HEDDLE_MAX_DIMS + 1];
  struct dl_managed *made = NULL;
  python_object *object = NULL;
  struct dl_tensor prototype = {.device_type = like->ordinal == ARRAY_OF_HOST ? DL_CPU : DL_CUDA,
                                .device_id = like->ordinal == ARRAY_OF_HOST ? 0 : like->ordinal,
                                .dims = (int32_t)dims,
                                .lanes = 1,
                                .shape = shape};
  for (size_t d = 0; d < dims; d++) shape[d] = (int64_t)lengths[d];
  for (size_t i = 0; i < ELEMENTS; i++)
    if (elements[i].kind.type == kind.type && elements[i].kind.is_bool == kind.is_bool)
      prototype.code = elements[i].code, prototype.bits = elements[i].bits;
  if (like->table->allocate(&prototype, &made, NULL, ignore) != 0 || !made) {
    python.clear_error();
    return NULL;
  }
  *data = (char *)made->tensor.data + made->tensor.byte_offset;
  if (like->table->import(made, &object) == 0) return object;
  python.clear_error();
  return NULL;
}
