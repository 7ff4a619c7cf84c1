/* flat.h - FlatBuffers, as far as Arrow's metadata need them, read without trust
 *
 * Layout    A root offset; tables: an offset back to a vtable, which has the place of each field in the table, 0 for
 *           one that is not there; vectors: a count, then elements; strings; all little-endian, offsets of 4 bytes
 *           forwards.
 * Method    Every access is checked against the buffer. What lies outside reads as 0 or nothing, and `bad` stays set,
 *           so that whoever reads asks once, at the end.
 * Source    flatbuffers.dev, Internals */
#ifndef HEDDLE_CLI_INPUT_ARROW_FLAT_H
#define HEDDLE_CLI_INPUT_ARROW_FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flat {
  const unsigned char *bytes;
  size_t size;
  bool bad;
};

/* A table, or none: at is 0 (where a root offset stands, and no table). */
struct flat_table {
  size_t at, vtable, fields; /* fields that the vtable knows */
};

/* Several things one after the other; count 0 if there are none. */
struct flat_vector {
  size_t at, count;
};

struct flat_table flat_root(struct flat *f);
/* Fields by number, or what is given where they are not there. */
int64_t flat_number(struct flat *f, const struct flat_table *t, size_t field, size_t bytes,
                    int64_t otherwise);
struct flat_table flat_child(struct flat *f, const struct flat_table *t, size_t field);
struct flat_vector flat_list(struct flat *f, const struct flat_table *t, size_t field,
                             size_t element_bytes);
/* The table that element i of a vector of offsets means. */
struct flat_table flat_element(struct flat *f, const struct flat_vector *v, size_t i);
/* The signed 64-bit number at a place of a vector. */
int64_t flat_i64(struct flat *f, size_t at);
/* Its bytes, count at *bytes; "" for none. */
const char *flat_text(struct flat *f, const struct flat_table *t, size_t field, size_t *bytes);

#endif
