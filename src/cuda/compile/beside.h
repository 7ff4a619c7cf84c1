/* beside.h - files of this project's own that lie beside libheddle */
#ifndef HEDDLE_CUDA_COMPILE_BESIDE_H
#define HEDDLE_CUDA_COMPILE_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that the code of this library was loaded from, without a slash at its end. */
bool hd_cuda_own_folder(char *out, size_t bytes);

/* Opens (RTLD_LOCAL) a library of the software device in $HEDDLE_SIMT, or else where an install or
 * a build tree has it beside libheddle. path receives its full path, or the reason why not. */
void *hd_cuda_open_beside(const char *name, char *path, size_t bytes);

#endif
