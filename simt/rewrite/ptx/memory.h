/* memory.h - PTX instructions that go to memory */
#ifndef SIMT_REWRITE_PTX_MEMORY_H
#define SIMT_REWRITE_PTX_MEMORY_H

#include "operands.h"

struct ptx_statement {
  char *opcode;
  struct ptx_argument arguments[PTX_ARGUMENTS];
  size_t count;
  const char *type;        /* C++ name of the last type in the opcode */
  const char *second_last; /* of the type before it, for cvt */
};

bool ptx_has(const struct ptx_statement *s, const char *modifier);
bool ptx_is(const struct ptx_statement *s, const char *base);
/* ptx_elements - of {a, b}: how many; 1 for anything else */
size_t ptx_elements(struct ptx_argument a, struct ptx_argument *out);

/* Each adds C++ to the context; false: the instruction has a shape that is not known. */
bool ptx_load_or_store(const struct ptx_context *c, const struct ptx_statement *s, bool load);
bool ptx_atomic(const struct ptx_context *c, const struct ptx_statement *s, bool result);
/* cp.async [shared], [global], bytes, bytes that are copied, the rest becoming 0 */
bool ptx_copy_async(const struct ptx_context *c, const struct ptx_statement *s);

#endif
