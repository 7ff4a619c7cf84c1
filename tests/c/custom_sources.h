/* custom_sources.h - the operators of test_custom.c and test_partial.c in CUDA C, for a GPU */
#ifndef TESTS_CUSTOM_SOURCES_H
#define TESTS_CUSTOM_SOURCES_H

static const char affine_source[] =
    "typedef struct { float a, b; } heddle_element;\n"
    "__device__ heddle_element heddle_combine(heddle_element f, heddle_element g) {\n"
    "  heddle_element h = {g.a * f.a, g.a * f.b + g.b};\n"
    "  return h;\n"
    "}\n";
static const char counted_affine_source[] =
    "typedef struct { float a, b; unsigned count; } heddle_element;\n"
    "__device__ float tidy(float x) { return x == x ? x : __int_as_float(0x7fc00000); }\n"
    "__device__ heddle_element heddle_combine(heddle_element f, heddle_element g) {\n"
    "  if (f.a == 1 && f.b == 0 && !f.count) return g;\n"
    "  heddle_element h = {tidy(g.a * f.a), tidy(g.a * f.b + g.b), f.count + g.count};\n"
    "  return h;\n"
    "}\n";
static const char tally_source[] =
    "typedef struct { float sum; unsigned count; float max; } heddle_element;\n"
    "__device__ heddle_element heddle_combine(heddle_element a, heddle_element b) {\n"
    "  heddle_element c = {a.sum + b.sum, a.count + b.count, a.max > b.max ? a.max : b.max};\n"
    "  return c;\n"
    "}\n";
static const char bytes_source[] =
    "typedef struct { unsigned char at[%zu]; } heddle_element;\n"
    "__device__ heddle_element heddle_combine(heddle_element x, heddle_element y) {\n"
    "  for (int i = 0; i < %zu; i++) {\n"
    "    unsigned a = x.at[i], b = y.at[i];\n"
    "    x.at[i] = a == 0 || b == 0 ? a | b : (a + b) ^ ((a & b) << 1) ^ ((a ^ b) >> 3);\n"
    "  }\n"
    "  return x;\n"
    "}\n";

#endif
