/* ptx.h - one inline assembly statement's text as C++ */
#ifndef SIMT_REWRITE_PTX_PTX_H
#define SIMT_REWRITE_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { PTX_OPERANDS = 30 };

struct ptx_operand {
  char *name;       /* of %[name], or NULL */
  char *expression; /* C++ */
};

/* ptx_translate - adds C++ statements to `out`. On false *unknown is the instruction that is
 * not known, to be freed. */
bool ptx_translate(const char *text, const struct ptx_operand *operands, size_t count,
                   struct text *out, char **unknown);

/* table.c: what an instruction computes, as C++ with $1 .. $4 for its sources:
 *   $n  source n as the instruction's type     ~n  as unsigned int     ^n  as the wide type
 *   ?n  as a truth value                       @   the type, W the wide one
 * NULL where it is not known. *sources is set to their number. */
const char *ptx_expression(const char *opcode, size_t *sources);
/* ptx_type - the C++ type of ".u32" and its like, given without the point; NULL: no type */
const char *ptx_type(const char *suffix, size_t length);
const char *ptx_special(const char *name, size_t length); /* %laneid: an expression, or NULL */

#endif
