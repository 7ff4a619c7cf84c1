/* custom.h - from a caller's cuda_source to CUDA C text */
#ifndef HEDDLE_CUDA_COMPILE_CUSTOM_H
#define HEDDLE_CUDA_COMPILE_CUSTOM_H

#include "order/types.h"

/* The text that defines heddle_element and heddle_combine, malloc'ed, in *out. */
heddle_status hd_cuda_custom_text(const char *entry, const char *source, size_t element_bytes,
                                  char **out);
/* The text that defines bool heddle_test(type x), the same. */
heddle_status hd_cuda_test_text(const char *entry, const char *source, const char *type,
                                char **out);

#endif
