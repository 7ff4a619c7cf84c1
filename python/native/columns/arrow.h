/* arrow.h - Arrow's C data interface, and one column of numbers by it
 *
 * Result   false: the producer gives something else, more than one chunk, or what cannot be; no exception
 *          is set
 * Owner    a stream's chunk is ours until arrow_end, whatever the result; an array in a capsule stays the capsule's, which must
 *          outlive its use
 * Source   arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html,
 *          CDataInterface/PyCapsuleInterface.html */
#ifndef HEDDLE_PYTHON_COLUMNS_ARROW_H
#define HEDDLE_PYTHON_COLUMNS_ARROW_H

#include <stdint.h>

#include "python_abi.h"

struct arrow_schema { /* ArrowSchema */
  const char *format, *name, *metadata;
  int64_t flags, children_count;
  struct arrow_schema **children, *dictionary;
  void (*release)(struct arrow_schema *);
  void *owner;
};

struct arrow_array { /* ArrowArray */
  int64_t length, null_count, offset, buffers_count, children_count;
  const void **buffers;
  struct arrow_array **children, *dictionary;
  void (*release)(struct arrow_array *);
  void *owner;
};

struct arrow_stream { /* ArrowArrayStream */
  int (*get_schema)(struct arrow_stream *, struct arrow_schema *);
  int (*get_next)(struct arrow_stream *, struct arrow_array *);
  const char *(*get_last_error)(struct arrow_stream *);
  void (*release)(struct arrow_stream *);
  void *owner;
};

struct arrow_column {
  char letter;             /* of its type: Arrow's format */
  size_t length, offset;   /* elements; those in front of them */
  const void *values;      /* of element 0, offset included; of booleans all bits */
  const uint8_t *validity; /* bits, lowest first, from bit `offset` on; NULL: no element is null */
  struct arrow_array chunk;
};

/* What __arrow_c_array__ gives: two capsules in a tuple. */
bool arrow_begin_array(struct arrow_column *c, python_object *schema, python_object *array);
/* What __arrow_c_stream__ gives; the stream has ended then. */
bool arrow_is_stream(python_object *object);
bool arrow_begin_stream(struct arrow_column *c, python_object *stream);
void arrow_end(struct arrow_column *c);

#endif
