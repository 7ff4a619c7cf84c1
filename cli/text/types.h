/* types.h - the element types that files may hold, and what kind of numbers each holds */
#ifndef HEDDLE_CLI_TEXT_TYPES_H
#define HEDDLE_CLI_TEXT_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "heddle.h"

/* Every type, in the order in which they are listed. */
extern const heddle_type type_list[];
extern const size_t type_count;

/* By type's number; TYPE_ROOM is beyond all of them. */
enum { TYPE_ROOM = 64 };
extern const heddle_type type_widest_of[TYPE_ROOM];

/* The type of the same kind that holds all its values: u64, i64 or f64; of what is no type
 * HEDDLE_TYPE_DEFAULT. Inline, since every element that is written asks. */
static inline heddle_type type_widest(heddle_type type) {
  return (size_t)type < TYPE_ROOM ? type_widest_of[type] : HEDDLE_TYPE_DEFAULT;
}

static inline bool type_is_float(heddle_type type) { return type_widest(type) == HEDDLE_F64; }

/* Whether it is a signed integer. */
static inline bool type_is_signed(heddle_type type) { return type_widest(type) == HEDDLE_I64; }

#endif
