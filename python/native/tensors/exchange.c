/* exchange.c - what a framework's table says of a tensor is checked as far as a call depends on it, and copied */
#include "exchange.h"

#include <stdlib.h>

#include "dlpack.h"

enum { TYPES_MOST = 256, VERSIONS_MOST = 8 };

static const char capsule_name[] = "dlpack_exchange_api";

static struct framework {
  python_object *type, *is_negated;
  const struct dl_table *table;
  python_object *read, *make, *part,
      *stream; /* without a table: functions of Python's (exchange.h) */
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
  known[known_count++] = (struct framework){
      .type = type, .is_negated = python_is_none(is_negated) ? NULL : is_negated, .table = table};
  return 1;
}

int heddle_py_exchange_by(python_object *type, python_object *read, python_object *make,
                          python_object *part, python_object *stream) {
  if (known_count == TYPES_MOST) return 0;
  python.keep(type);
  python.keep(read);
  python.keep(make);
  python.keep(part);
  python.keep(stream);
  known[known_count++] =
      (struct framework){.type = type, .read = read, .make = make, .part = part, .stream = stream};
  return 1;
}

static const struct framework *known_of(python_object *object) {
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
static bool is_negated(const struct framework *k, const struct array *a, python_object *object) {
  if (!k->is_negated || (a->count > 1 && array_is_in_order(a))) return false;
  python_object *answer = python.call(k->is_negated, object, NULL);
  const bool no = answer == python.no;
  if (answer) python.drop(answer);
  return !no;
}

/* One number out of a tuple. False: it is none. */
static bool number_at(python_object *tuple, ptrdiff_t at, int64_t *number) {
  python_object *item = python.tuple_item(tuple, at);
  *number = item ? python.as_signed(item) : -1;
  return *number != -1 || !python.has_error();
}

/* The numbers of a tuple of a tuple. */
static bool numbers_at(python_object *tuple, ptrdiff_t at, int dims, int64_t *numbers) {
  python_object *row = python.tuple_item(tuple, at);
  if (!row || !python_is_tuple(row) || python.tuple_size(row) != dims) return false;
  for (int d = 0; d < dims; d++)
    if (!number_at(row, d, &numbers[d])) return false;
  return true;
}

/* What `read` says of an object. False: an exception may be set. */
static bool read_called(struct array *a, python_object *object, struct dl_tensor *t) {
  python_object *said = python.call(a->framework->read, object, NULL);
  int64_t address = 0, number = 0, code = 0, bits = 0;
  if (!said) return false;
  python_object *shape = python_is_tuple(said) ? python.tuple_item(said, 4) : NULL;
  const ptrdiff_t dims = shape && python_is_tuple(shape) ? python.tuple_size(shape) : -1;
  const bool fine = dims >= 0 && dims <= HEDDLE_MAX_DIMS && number_at(said, 0, &address) &&
                    number_at(said, 1, &number) && number_at(said, 2, &code) &&
                    number_at(said, 3, &bits) && bits >= 8 && bits <= 64 &&
                    numbers_at(said, 4, (int)dims, a->lengths) &&
                    numbers_at(said, 5, (int)dims, a->steps);
  python.drop(said);
  for (ptrdiff_t d = 0; fine && d < dims; d++) {
    if (a->steps[d] % (bits / 8)) return false;
    a->steps[d] /= bits / 8;
  }
  *t = (struct dl_tensor){.data = (void *)(uintptr_t)address,
                          .device_type = DL_CUDA,
                          .device_id = (int32_t)number,
                          .dims = (int32_t)dims,
                          .code = (uint8_t)code,
                          .bits = (uint8_t)bits,
                          .lanes = 1,
                          .shape = a->lengths,
                          .strides = a->steps};
  return fine;
}

static bool read_tensor(struct array *a, python_object *object, struct dl_tensor *t) {
  const struct dl_table *table = a->framework->table;
  if (!table) return read_called(a, object, t);
  if (table->look) return table->look(object, t) == 0;
  if (table->export(object, &a->managed) != 0) return false;
  *t = a->managed->tensor;
  return true;
}

bool exchange_begin(struct array *a, python_object *object) {
  const struct framework *k = known_of(object);
  struct dl_tensor t;
  a->managed = NULL;
  if (!k) return false;
  a->framework = k;
  if (!read_tensor(a, object, &t)) {
    python.clear_error();
    return false;
  }
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
  const struct framework *f = a->framework;
  bool fine = false;
  if (f->table) {
    fine = f->table->stream(DL_CUDA, a->ordinal, stream) == 0;
  } else {
    python_object *number = python.from_signed(a->ordinal);
    python_object *found = number ? python.call(f->stream, number, NULL) : NULL;
    if (number) python.drop(number);
    if (found) *stream = (void *)(uintptr_t)python.as_size(found);
    if (found) python.drop(found);
    fine = found && !python.has_error();
  }
  if (!fine) python.clear_error();
  return fine;
}

/* ---- new tensors ----------------------------------------------------------------------------------- */

/* Python's code asks the framework again, whose own exception is then the call's. */
static void ignore(void *context, const char *kind, const char *message) {
  (void)context, (void)kind, (void)message;
}

static python_object *allocate(const struct dl_table *table, struct dl_tensor *prototype,
                               void **data) {
  struct dl_managed *made = NULL;
  python_object *object = NULL;
  if (table->allocate(prototype, &made, NULL, ignore) != 0 || !made) return NULL;
  *data = (char *)made->tensor.data + made->tensor.byte_offset;
  return table->import(made, &object) == 0 ? object : NULL;
}

static python_object *tuple_of(int dims, const int64_t *numbers) {
  python_object *made = python.new_tuple(dims);
  for (int d = 0; made && d < dims; d++) {
    python_object *n = python.from_signed(numbers[d]);
    if (n && python.put_in_tuple(made, d, n) == 0) continue;
    python.drop(made);
    return NULL;
  }
  return made;
}

/* make((number, code, bits), shape) gives an object and its address. */
static python_object *make_called(const struct framework *f, const struct dl_tensor *prototype,
                                  void **data) {
  const int64_t kind[] = {prototype->device_id, prototype->code, prototype->bits};
  python_object *first = tuple_of(3, kind), *said = NULL, *object = NULL;
  python_object *shape = tuple_of(prototype->dims, prototype->shape);
  int64_t address = 0;
  if (first && shape) said = python.call(f->make, first, shape, NULL);
  if (said && python_is_tuple(said) && number_at(said, 1, &address)) {
    object = python.tuple_item(said, 0);
    python.keep(object);
    *data = (void *)(uintptr_t)address;
  }
  if (first) python.drop(first);
  if (shape) python.drop(shape);
  if (said) python.drop(said);
  return object;
}

/* A tensor where `like` is, of shape `dims` long, as a framework's functions make it. */
static struct dl_tensor prototype_of(const struct array *like, heddle_type type, bool is_bool,
                                     size_t dims, int64_t *shape) {
  struct dl_tensor t = {.device_type = like->ordinal == ARRAY_OF_HOST ? DL_CPU : DL_CUDA,
                        .device_id = like->ordinal == ARRAY_OF_HOST ? 0 : like->ordinal,
                        .dims = (int32_t)dims,
                        .lanes = 1,
                        .shape = shape};
  for (size_t i = 0; i < ELEMENTS; i++)
    if (elements[i].kind.type == type && elements[i].kind.is_bool == is_bool)
      t.code = elements[i].code, t.bits = elements[i].bits;
  return t;
}

python_object *exchange_new(const struct array *like, struct array_kind kind, size_t dims,
                            const size_t *lengths, void **data) {
  const struct framework *f = like->framework;
  int64_t shape[HEDDLE_MAX_DIMS + 1];
  struct dl_tensor prototype = prototype_of(like, kind.type, kind.is_bool, dims, shape);
  for (size_t d = 0; d < dims; d++) shape[d] = (int64_t)lengths[d];
  python_object *made =
      f->table ? allocate(f->table, &prototype, data) : make_called(f, &prototype, data);
  if (!made) python.clear_error();
  return made;
}

/* ---- work ------------------------------------------------------------------------------------------ */

bool exchange_take(struct exchange_work *w, const struct array *like, size_t doubles) {
  const struct framework *f = like->framework;
  int64_t shape[] = {(int64_t)doubles};
  struct dl_tensor prototype = prototype_of(like, HEDDLE_F64, false, 1, shape);
  void *at = NULL;
  *w = (struct exchange_work){0};
  if (!f->table) {
    w->object = make_called(f, &prototype, &at);
  } else if (f->table->allocate(&prototype, &w->managed, NULL, ignore) == 0 && w->managed) {
    at = (char *)w->managed->tensor.data + w->managed->tensor.byte_offset;
  }
  w->at = at;
  if (!at) python.clear_error();
  return at;
}

void exchange_give(struct exchange_work *w) {
  if (w->managed && w->managed->deleter) w->managed->deleter(w->managed);
  if (w->object) python.drop(w->object);
}

/* A tensor in memory of another one, which it ends. */
struct part {
  struct dl_managed own;
  struct dl_managed *whole;
  int64_t ones[HEDDLE_MAX_DIMS];
};

static void end_part(struct dl_managed *own) {
  struct part *part = own->owner;
  if (part->whole->deleter) part->whole->deleter(part->whole);
  free(part);
}

/* The same by a function of Python's. */
static python_object *part_called(struct exchange_work *w, const struct framework *f,
                                  const struct dl_tensor *part, const double *at) {
  const int64_t numbers[] = {part->device_id, part->code, part->bits};
  python_object *offset = python.from_signed((char *)(uintptr_t)at - (char *)w->at), *object = NULL;
  python_object *kind = tuple_of(3, numbers), *shape = tuple_of(part->dims, part->shape);
  if (offset && kind && shape) object = python.call(f->part, w->object, offset, kind, shape, NULL);
  if (offset) python.drop(offset);
  if (kind) python.drop(kind);
  if (shape) python.drop(shape);
  exchange_give(w);
  if (!object) python.clear_error();
  return object;
}

python_object *exchange_part(struct exchange_work *w, const struct array *like, heddle_type type,
                             size_t dims, const double *at) {
  const struct framework *f = like->framework;
  struct part *part = malloc(sizeof *part);
  python_object *object = NULL;
  if (!part) {
    exchange_give(w);
    return NULL;
  }
  for (size_t d = 0; d < dims; d++) part->ones[d] = 1;
  part->whole = w->managed;
  part->own = (struct dl_managed){.major = DL_MAJOR, .owner = part, .deleter = end_part};
  part->own.tensor = prototype_of(like, type, false, dims, part->ones);
  if (!f->table) {
    object = part_called(w, f, &part->own.tensor, at);
    free(part);
    return object;
  }
  part->own.tensor.strides = part->ones;
  part->own.tensor.data = (void *)(uintptr_t)at;
  if (f->table->import(&part->own, &object) == 0) return object;
  python.clear_error(); /* the framework has taken it nonetheless */
  return NULL;
}
