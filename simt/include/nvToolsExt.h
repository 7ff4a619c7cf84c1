/* NVTX under the name that older toolkits use. */
#include "nvtx3/nvToolsExt.h"
