/* memory.h - PTX instructions that go to memory */
#ifndef SIMT_REWRITE_PTX_MEMORY_H
#define SIMT_REWRITE_PTX_MEMORY_H

#include "operands.h"

struct statement {
  char *opcode;
  struct argument arguments[MOST_ARGUMENTS];
  size_t count;
  const char *type;        /* C++ name of the last type in the opcode */
  const char *second_last; /* of the type before it, for cvt */
};

bool ptx_has(const struct statement *s, const char *modifier);
bool ptx_is(const struct statement *s, const char *base);
/* ptx_elements - of {a, b}: how many; 1 for anything else */
size_t ptx_elements(struct argument a, struct argument *out);

/* Each adds C++ to the context; false: the instruction has a shape that is not known. */
bool ptx_load_or_store(const struct context *c, const struct statement *s, bool load);
bool ptx_atomic(const struct context *c, const struct statement *s, bool result);
/* cp.async [shared], [global], bytes, bytes that are copied, the rest becoming 0 */
bool ptx_copy_async(const struct context *c, const struct statement *s);

#endif
