/* operands.h - the operands of an inline PTX instruction as C++ */
#ifndef SIMT_REWRITE_PTX_OPERANDS_H
#define SIMT_REWRITE_PTX_OPERANDS_H

#include "ptx.h"

enum { PTX_ARGUMENTS = 10 };

struct ptx_argument {
  const char *text;
  size_t length;
};

struct ptx_context {
  const struct ptx_operand *operands;
  size_t count;
  struct text *out;
};

bool ptx_is_identifier(char c);
struct ptx_argument ptx_trim(const char *from, size_t length);
/* ptx_split - at commas that stand in no brackets; 0 for none, or too many */
size_t ptx_split(struct ptx_argument all, struct ptx_argument *out);

/* Each adds to context.out; false: the operand has a shape that is not known. */
bool ptx_add_register(struct text *out, const char *name, size_t length); /* a declared register */
bool ptx_add_operand(const struct ptx_context *c, struct ptx_argument a); /* as it is, assignable */
bool ptx_add_typed(const struct ptx_context *c, const char *type, struct ptx_argument a);
/* ptx_add_memory - [address] or [address + 16] as an object; `more` is added to the offset */
bool ptx_add_memory(const struct ptx_context *c, const char *type, struct ptx_argument a,
                    const char *more);

#endif
