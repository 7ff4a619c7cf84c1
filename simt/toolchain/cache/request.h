/* request.h - all that decides what a build makes, but for the files it reads */
#ifndef SIMT_TOOLCHAIN_CACHE_REQUEST_H
#define SIMT_TOOLCHAIN_CACHE_REQUEST_H

#include "toolchain/compile/build.h"

void cache_request(const struct build *b, struct text *out);
/* cache_hash - 32 hexadecimal digits and a zero byte */
/* cache_toolchain - of it, the compiler, the processor and the environment */
void cache_toolchain(struct text *out);
void cache_hash(const struct text *t, char name[33]);

#endif
