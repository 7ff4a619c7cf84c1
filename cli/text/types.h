/* types.h - the element types that files may hold, and what kind of numbers each holds */
#ifndef HEDDLE_CLI_TEXT_TYPES_H
#define HEDDLE_CLI_TEXT_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "heddle.h"

/* Every type, in the order in which they are listed. */
extern const heddle_type type_list[];
extern const size_t type_count;

bool type_is_float(heddle_type type);
bool type_is_signed(heddle_type type); /* a signed integer */

/* The type of the same kind that holds all its values: u64, i64 or f64. */
heddle_type type_widest(heddle_type type);

#endif
