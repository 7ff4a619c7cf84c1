/* ceiling_plain.c - reading and copying by 16-byte vectors, which every x86-64 and arm64 has */
#if defined(__SSE2__)
#include <emmintrin.h>
#define CEILING_STREAM(to, v) _mm_stream_si128((__m128i *)(void *)(to), (__m128i)(v))
#define CEILING_FENCE _mm_sfence
#endif
#define CEILING_NAME ceiling_plain
#define CEILING_BYTES 16
#include "base/ceiling/ceiling_tmpl.h"
