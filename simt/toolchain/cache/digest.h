/* digest.h - whether a file's bytes are what they were */
#ifndef SIMT_TOOLCHAIN_CACHE_DIGEST_H
#define SIMT_TOOLCHAIN_CACHE_DIGEST_H

#include <stdbool.h>

#include "base/text.h"

/* cache_digest - adds a file's size and the digest of its bytes, for damage and change, not against
 * intent; false: it cannot be read */
bool cache_digest(const char *path, struct text *out);

#endif
