/* What a report says of an access: who made it, and whose memory it is of. */
#ifndef SIMT_CHECK_DESCRIBE_H
#define SIMT_CHECK_DESCRIBE_H

#include "shadow/current.h"

/* ck_add_access - describes the access of the running lane; ck_add_earlier - that of `word` */
void ck_add_access(struct finding_side *side, const struct ck_access *access);
void ck_add_earlier(struct finding_side *side, uint32_t word);
/* ck_name_memory - what stands at the address: a variable by its name, else an allocation */
void ck_name_memory(struct finding *f, enum ck_space space, uintptr_t address, size_t bytes);
void ck_name_shared(uintptr_t address, char *text, size_t size);

/* ck_is_dynamic - an address of the running block's dynamic shared memory */
static inline bool ck_is_dynamic(uintptr_t address) {
  return address - ck_current.dynamic_begin < ck_current.dynamic_bytes;
}

#endif
