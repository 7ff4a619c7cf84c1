/* ceiling_avx2.c - reading and copying by 32-byte vectors */
#include <immintrin.h>
#define CEILING_STREAM(to, v) _mm256_stream_si256((__m256i *)(void *)(to), (__m256i)(v))
#define CEILING_FENCE _mm_sfence
#define CEILING_NAME ceiling_avx2
#define CEILING_BYTES 32
#include "base/ceiling/ceiling_tmpl.h"
