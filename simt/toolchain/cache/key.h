/* key.h - what entries of the cache are named by */
#ifndef SIMT_TOOLCHAIN_CACHE_KEY_H
#define SIMT_TOOLCHAIN_CACHE_KEY_H

#include "base/text.h"

/* cache_add_machine - the compiler, the processor and the environment, as text: what is made by
 * others is not used */
void cache_add_machine(struct text *out);
/* cache_key - 32 hexadecimal digits of all that an entry depends on, and a zero byte */
void cache_key(const struct text *all, char key[33]);

#endif
