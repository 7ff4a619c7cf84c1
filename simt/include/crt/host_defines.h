/* The same under the name that newer toolkits use. */
#include "../host_defines.h"
