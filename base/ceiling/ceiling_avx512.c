/* ceiling_avx512.c - reading and copying by 64-byte vectors */
#include <immintrin.h>
#define CEILING_STREAM(to, v) _mm512_stream_si512((__m512i *)(void *)(to), (__m512i)(v))
#define CEILING_FENCE _mm_sfence
#define CEILING_NAME ceiling_avx512
#define CEILING_BYTES 64
#include "base/ceiling/ceiling_tmpl.h"
