/* convert.h - one element of any type to any other, rounded once */
#ifndef HEDDLE_ORDER_CONVERT_H
#define HEDDLE_ORDER_CONVERT_H

#include "types.h"

/* Both types are valid; in and out may be unaligned and must not overlap. */
void hd_convert_one(heddle_type from, const void *in, heddle_type to, void *out);

#endif
