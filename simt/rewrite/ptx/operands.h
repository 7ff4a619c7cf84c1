/* operands.h - the operands of an inline PTX instruction as C++ */
#ifndef SIMT_REWRITE_PTX_OPERANDS_H
#define SIMT_REWRITE_PTX_OPERANDS_H

#include "ptx.h"

enum { MOST_ARGUMENTS = 10 };

struct argument {
  const char *text;
  size_t length;
};

struct context {
  const struct ptx_operand *operands;
  size_t count;
  struct text *out;
};

bool is_identifier(char c);
struct argument trimmed(const char *from, size_t length);
/* split_arguments - at commas that stand in no brackets; 0 for none, or too many */
size_t split_arguments(struct argument all, struct argument *out);

/* Each adds to context.out; false: the operand has a shape that is not known. */
bool add_local(struct text *out, const char *name, size_t length); /* a declared register */
bool add_operand(const struct context *c, struct argument a);      /* as it is, assignable */
bool add_typed(const struct context *c, const char *type, struct argument a);
/* add_memory - [address] or [address + 16] as an object; `more` is added to the offset */
bool add_memory(const struct context *c, const char *type, struct argument a, const char *more);

#endif
