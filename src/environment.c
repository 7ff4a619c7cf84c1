/* environment.c - the one place where the library reads the environment */
#include "environment.h"

#include <stdlib.h>

const char *hd_environment(enum hd_variable variable) {
  static const char *const names[] = {[HD_ENV_DEVICE] = "HEDDLE_DEVICE",
                                      [HD_ENV_NUM_THREADS] = "HEDDLE_NUM_THREADS",
                                      [HD_ENV_ISA] = "HEDDLE_ISA"};
  const char *value = getenv(names[variable]);
  return value && *value ? value : NULL;
}
