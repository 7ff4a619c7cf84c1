/* size.h - keeps the cache below a size */
#ifndef SIMT_TOOLCHAIN_CACHE_SIZE_H
#define SIMT_TOOLCHAIN_CACHE_SIZE_H

enum { CACHE_BYTES = 512 << 20 };

/* cache_bound - removes the files that were used longest ago until the rest is that small */
void cache_bound(const char *folder, long long bytes);

#endif
