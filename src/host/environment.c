/* environment.c - the one place where the library reads the environment */
#include "environment.h"

#include <stdlib.h>

const char *hd_environment(enum hd_variable variable) {
  static const char *const names[] = {
#define X(NAME, text) [HD_ENV_##NAME] = text,
      HD_VARIABLES(X)
#undef X
  };
#ifdef __linux__
  const char *value =
      variable >= HD_ENV_CACHE_DIR ? secure_getenv(names[variable]) : getenv(names[variable]);
#else
  const char *value = getenv(names[variable]);
#endif
  return value && *value ? value : NULL;
}
