/* There is no observer until a constructor of the checker or the profiler says so. */
#include "observer.h"

const struct sd_observer *sd_observer;
