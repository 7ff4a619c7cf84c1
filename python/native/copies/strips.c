/* strips.c - what strips.h has, from a template, once without and once with vectors of AVX2 */
#include "strips.h"

#include <string.h>

#include "isa.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

enum {
  LINE = 64,            /* bytes of a cache line */
  AHEAD = 128,          /* lines that are fetched before they are read, at most, */
  AHEAD_BYTES = 8 << 10 /* as they stay in the first cache beside the lanes */
};

/* Lines of so many bytes. */
static inline ptrdiff_t strip_ahead(size_t bytes) {
  return bytes * AHEAD > AHEAD_BYTES ? (ptrdiff_t)(AHEAD_BYTES / bytes) : AHEAD;
}

#define UP_4(v) __builtin_shufflevector(v, v, 1, 2, 3, 3)
#define UP_8(v) __builtin_shufflevector(v, v, 1, 2, 3, 4, 5, 6, 7, 7)

#define TARGET
#define LINES sum_f32
#define ELEMENT float
#define WIDE float
#define WIDENED(v) (v)
#define OP +
#define MOVED_UP UP_8
#include "strips_tmpl.h"
#define TARGET
#define LINES sum_f64
#define ELEMENT double
#define WIDE double
#define WIDENED(v) (v)
#define OP +
#define MOVED_UP UP_4
#include "strips_tmpl.h"
#define TARGET
#define LINES sum_wide
#define ELEMENT float
#define WIDE double
#define WIDENED(v) __builtin_convertvector(v, VECTOR_OF)
#define OP +
#define MOVED_UP UP_4
#include "strips_tmpl.h"
#define TARGET
#define LINES prod_f32
#define ELEMENT float
#define WIDE float
#define WIDENED(v) (v)
#define OP *
#define MOVED_UP UP_8
#include "strips_tmpl.h"
#define TARGET
#define LINES prod_f64
#define ELEMENT double
#define WIDE double
#define WIDENED(v) (v)
#define OP *
#define MOVED_UP UP_4
#include "strips_tmpl.h"
#define TARGET
#define LINES prod_wide
#define ELEMENT float
#define WIDE double
#define WIDENED(v) __builtin_convertvector(v, VECTOR_OF)
#define OP *
#define MOVED_UP UP_4
#include "strips_tmpl.h"

/* By operator; by type, f32 in f64 last. */
static strips_lines *const plain[2][3] = {{sum_f32, sum_f64, sum_wide},
                                          {prod_f32, prod_f64, prod_wide}};

#if defined(__x86_64__) && defined(__GNUC__)
#define AVX2 __attribute__((target("avx2")))
#define TARGET AVX2
#define LINES sum_f32_avx2
#define ELEMENT float
#define WIDE float
#define WIDENED(v) (v)
#define OP +
#define MOVED_UP UP_8
#include "strips_tmpl.h"
#define TARGET AVX2
#define LINES sum_f64_avx2
#define ELEMENT double
#define WIDE double
#define WIDENED(v) (v)
#define OP +
#define MOVED_UP UP_4
#include "strips_tmpl.h"
#define TARGET AVX2
#define LINES sum_wide_avx2
#define ELEMENT float
#define WIDE double
#define WIDENED(v) (VECTOR_OF) _mm256_cvtps_pd((__m128)v)
#define OP +
#define MOVED_UP UP_4
#include "strips_tmpl.h"
#define TARGET AVX2
#define LINES prod_f32_avx2
#define ELEMENT float
#define WIDE float
#define WIDENED(v) (v)
#define OP *
#define MOVED_UP UP_8
#include "strips_tmpl.h"
#define TARGET AVX2
#define LINES prod_f64_avx2
#define ELEMENT double
#define WIDE double
#define WIDENED(v) (v)
#define OP *
#define MOVED_UP UP_4
#include "strips_tmpl.h"
#define TARGET AVX2
#define LINES prod_wide_avx2
#define ELEMENT float
#define WIDE double
#define WIDENED(v) (VECTOR_OF) _mm256_cvtps_pd((__m128)v)
#define OP *
#define MOVED_UP UP_4
#include "strips_tmpl.h"

static strips_lines *const by_avx2[2][3] = {{sum_f32_avx2, sum_f64_avx2, sum_wide_avx2},
                                            {prod_f32_avx2, prod_f64_avx2, prod_wide_avx2}};
#define IS_AVX2 isa_has_avx2()
#else
#define by_avx2 plain
#define IS_AVX2 false
#endif

strips_lines *strips_fold(bool product, enum strips_type type) {
  return (IS_AVX2 ? by_avx2 : plain)[product][type];
}
