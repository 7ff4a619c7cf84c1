/* rewrite.h - CUDA C++, preprocessed, becomes C++ that calls libsimt.so
 *
 * Result     rewrite_cuda: the C++ text, with the same line markers
 * Arguments  text      output of g++ -E
 *            device    the same source preprocessed with __CUDA_ARCH__ defined, or NULL
 *            options   see below
 *            out       the text; to be freed with text_free
 *            messages  what is wrong, one line each: "prog.cu:12: error: ..."
 * Errors     false: there are messages, `out` is not to be used
 * Source     docs of the CUDA C++ language extensions; design in README.md
 */
#ifndef SIMT_REWRITE_REWRITE_H
#define SIMT_REWRITE_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct rewrite_options {
  const char *own_headers; /* text from below this folder passes through, NULL for none */
  bool separate;           /* -rdc=true: __device__ names are visible to other files */
  bool instrumented;       /* by a checker or a profiler: every kernel runs thread by thread */
  bool device_default;     /* functions without a word of either are the device's */
  bool fibres;             /* no kernel as loops between its barriers */
  bool check;              /* gaps behind shared variables, marked reads of polling loops */
};

bool rewrite_cuda(const char *text, size_t length, const char *device, size_t device_length,
                  const struct rewrite_options *options, struct text *out, struct text *messages);

#endif
