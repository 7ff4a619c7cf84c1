/* custom.c - from cuda_source of a heddle_custom or a heddle_predicate to CUDA C text
 *
 * Result   text that defines heddle_element and heddle_combine, or heddle_test, to be put before a kernel's
 * Method   "TYPE: EXPRESSION" becomes a typedef and a function; text that names heddle_element or
 *          heddle_combine stays as it is. #line makes the compiler name the lines of the caller's
 *          own text. A static assertion holds the type to the size that the host was told.
 * Limits   the colon of "TYPE: EXPRESSION" is the first that is not part of "::" */
#include "custom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/status.h"

static const char *colon_of(const char *source) {
  for (const char *at = source; *at; at++) {
    if (*at != ':') continue;
    if (at[1] != ':') return at;
    at++;
  }
  return NULL;
}

static size_t lines_before(const char *source, const char *end) {
  size_t lines = 1;
  for (const char *at = source; at < end; at++) lines += *at == '\n';
  return lines;
}

heddle_status hd_cuda_custom_text(const char *entry, const char *source, size_t element_bytes,
                                  char **out) {
  bool whole = strstr(source, "heddle_combine") || strstr(source, "heddle_element");
  const char *colon = whole ? NULL : colon_of(source);
  *out = NULL;
  if (!colon && !whole)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `options->custom->cuda_source` is neither \"TYPE: EXPRESSION\" of a and b "
                   "nor text that defines heddle_element and heddle_combine",
                   entry);
  size_t bytes = strlen(source) + 1024;
  char *text = malloc(bytes), check[256];
  if (!text) return hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no memory for a kernel's text", entry);
  snprintf(check, sizeof check,
           "\nstatic_assert(sizeof(heddle_element) == %zu,\n"
           "              \"heddle_element has another size than heddle_custom.element_bytes\");\n",
           element_bytes);
  if (colon)
    snprintf(text, bytes,
             "#line 1 \"custom operator\"\ntypedef %.*s heddle_element;\n"
             "static __device__ __forceinline__ heddle_element heddle_combine(heddle_element a,\n"
             "                                                               heddle_element b) {\n"
             "  return (\n#line %zu \"custom operator\"\n%s\n);\n}%s",
             (int)(colon - source), source, lines_before(source, colon), colon + 1, check);
  else
    snprintf(text, bytes, "#line 1 \"custom operator\"\n%s%s", source, check);
  *out = text;
  return HEDDLE_OK;
}

heddle_status hd_cuda_test_text(const char *entry, const char *source, const char *type,
                                char **out) {
  const size_t bytes = strlen(source) + 256;
  char *text = *out = malloc(bytes);
  if (!text) return hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no memory for a kernel's text", entry);
  if (strstr(source, "heddle_test"))
    snprintf(text, bytes, "#line 1 \"custom test\"\n%s\n", source);
  else
    snprintf(text, bytes,
             "static __device__ __forceinline__ bool heddle_test(%s x) {\n"
             "  return (\n#line 1 \"custom test\"\n%s\n);\n}\n",
             type, source);
  return HEDDLE_OK;
}
