/* The same under the name that newer toolkits use. */
#include "../device_functions.h"
