/* flat.c - offsets followed one by one */
#include "flat.h"

static bool has(struct flat *f, size_t at, size_t bytes) {
  if (at <= f->size && bytes <= f->size - at) return true;
  f->bad = true;
  return false;
}

static uint64_t number(struct flat *f, size_t at, size_t bytes) {
  uint64_t value = 0;
  if (!has(f, at, bytes)) return 0;
  for (size_t i = bytes; i > 0; i--) value = value << 8 | f->bytes[at + i - 1];
  return value;
}

/* Where the offset at `at` points to; 0, which nothing does, if it is outside. */
static size_t follow(struct flat *f, size_t at) {
  const size_t to = at + (size_t)number(f, at, 4);
  return has(f, to, 4) ? to : 0;
}

static struct flat_table table_at(struct flat *f, size_t at) {
  const struct flat_table none = {0, 0, 0};
  const int64_t vtable = (int64_t)at - (int32_t)(uint32_t)number(f, at, 4);
  if (f->bad || at == 0 || vtable < 0 || !has(f, (size_t)vtable, 4)) {
    f->bad = true;
    return none;
  }
  const size_t bytes = (size_t)number(f, (size_t)vtable, 2);
  if (bytes < 4 || !has(f, (size_t)vtable, bytes)) {
    f->bad = true;
    return none;
  }
  return (struct flat_table){at, (size_t)vtable, (bytes - 4) / 2};
}

struct flat_table flat_root(struct flat *f) {
  return table_at(f, follow(f, 0));
}

/* Where the field lies; 0 for none. */
static size_t place(struct flat *f, const struct flat_table *t, size_t field) {
  if (t->at == 0 || field >= t->fields) return 0;
  const size_t offset = (size_t)number(f, t->vtable + 4 + 2 * field, 2);
  return offset == 0 ? 0 : t->at + offset;
}

int64_t flat_number(struct flat *f, const struct flat_table *t, size_t field, size_t bytes,
                    int64_t otherwise) {
  const size_t at = place(f, t, field);
  if (at == 0) return otherwise;
  const uint64_t value = number(f, at, bytes);
  if (bytes == 8) return (int64_t)value;
  const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
  return bytes == 1 ? (int64_t)value : (int64_t)(value ^ sign) - (int64_t)sign;
}

struct flat_table flat_child(struct flat *f, const struct flat_table *t, size_t field) {
  const struct flat_table none = {0, 0, 0};
  const size_t at = place(f, t, field);
  return at == 0 ? none : table_at(f, follow(f, at));
}

struct flat_vector flat_list(struct flat *f, const struct flat_table *t, size_t field,
                             size_t element_bytes) {
  const struct flat_vector none = {0, 0};
  const size_t at = place(f, t, field);
  if (at == 0) return none;
  const size_t to = follow(f, at);
  const size_t count = to == 0 ? 0 : (size_t)number(f, to, 4);
  if (count == 0 || !has(f, to + 4, count * element_bytes)) return none;
  return (struct flat_vector){to + 4, count};
}

struct flat_table flat_element(struct flat *f, const struct flat_vector *v, size_t i) {
  return table_at(f, follow(f, v->at + 4 * i));
}

int64_t flat_i64(struct flat *f, size_t at) { return (int64_t)number(f, at, 8); }

const char *flat_text(struct flat *f, const struct flat_table *t, size_t field, size_t *bytes) {
  const struct flat_vector v = flat_list(f, t, field, 1);
  *bytes = v.count;
  return v.count == 0 ? "" : (const char *)f->bytes + v.at;
}
