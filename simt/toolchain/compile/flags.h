/* flags.h - what g++ is told for the device's code, whoever has it compiled */
#ifndef SIMT_TOOLCHAIN_COMPILE_FLAGS_H
#define SIMT_TOOLCHAIN_COMPILE_FLAGS_H

#include "base/string_list.h"
#include "toolchain/options.h"

/* flags_of_cuda - macros that CUDA's compilers define; flags_of_observer - those that our headers
 * go by; flags_of_mode - optimisation and instrumentation, the same for preprocessing and
 * compiling; flags_of_compiler - the arithmetic, and how it speaks */
void flags_add(struct string_list *w, const char *const *flags); /* ended by NULL */
void flags_of_cuda(struct string_list *w);
void flags_of_observer(enum mode mode, struct string_list *w);
void flags_of_mode(enum mode mode, bool optimize, struct string_list *w);
void flags_of_compiler(struct string_list *w);

#endif
