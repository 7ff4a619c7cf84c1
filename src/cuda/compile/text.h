/* text.h - the kernels as text, made by the build from src/kernels (cmake/EmbedKernels.cmake) */
#ifndef HEDDLE_CUDA_COMPILE_TEXT_H
#define HEDDLE_CUDA_COMPILE_TEXT_H

#include <stddef.h>

struct hd_cuda_text {
  const char *name; /* "fold/one_pass.cu" */
  const char *text; /* ends with a zero byte beyond `bytes` */
  size_t bytes;
};
extern const struct hd_cuda_text hd_cuda_texts[];
extern const unsigned hd_cuda_text_count;

#endif
