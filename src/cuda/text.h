/* text.h - the kernels as text, made by the build from src/kernels (cmake/EmbedKernels.cmake) */
#ifndef HEDDLE_CUDA_TEXT_H
#define HEDDLE_CUDA_TEXT_H

#include <stddef.h>

struct hd_text {
  const char *name; /* "fold.cu" */
  const char *text; /* ends with a zero byte beyond `bytes` */
  size_t bytes;
};
extern const struct hd_text hd_texts[];
extern const unsigned hd_text_count;

#endif
