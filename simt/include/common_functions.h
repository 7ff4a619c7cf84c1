/* Included by cuda_runtime.h, kept for programs that name it. */
#include "cuda_runtime.h"
