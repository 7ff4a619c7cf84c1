/* Part of cuRAND's device API. */
#include "curand_kernel.h"
