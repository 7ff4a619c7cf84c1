/* environment.h - the one place where the library reads the environment */
#ifndef HEDDLE_HOST_ENVIRONMENT_H
#define HEDDLE_HOST_ENVIRONMENT_H

/* X(NAME, text): the documented HEDDLE_ variables, then those that say where a user keeps caches
 * and where NVIDIA's compiler may lie. */
/* clang-format off */
#define HD_VARIABLES(X)                                                                            \
  X(DEVICE, "HEDDLE_DEVICE") X(NUM_THREADS, "HEDDLE_NUM_THREADS") X(ISA, "HEDDLE_ISA")             \
  X(CACHE_DIR, "HEDDLE_CACHE_DIR") X(NVRTC, "HEDDLE_NVRTC") X(SIMT, "HEDDLE_SIMT")                 \
  X(SMS, "HEDDLE_SMS") X(XDG_CACHE_HOME, "XDG_CACHE_HOME") X(HOME, "HOME")                         \
  X(VIRTUAL_ENV, "VIRTUAL_ENV") X(CONDA_PREFIX, "CONDA_PREFIX") X(CUDA_PATH, "CUDA_PATH")
/* clang-format on */

#define HD_VARIABLE_ENUM(NAME, text) HD_ENV_##NAME,
enum hd_variable { HD_VARIABLES(HD_VARIABLE_ENUM) HD_ENV_COUNT };
#undef HD_VARIABLE_ENUM

/* The value of a variable; NULL if it is unset or empty. Variables that name code to load or a
 * place to keep it are NULL in a process with more rights than its user, too. */
const char *hd_environment(enum hd_variable variable);

#endif
