/* environment.h - the one place where the library reads the environment */
#ifndef HEDDLE_ENVIRONMENT_H
#define HEDDLE_ENVIRONMENT_H

enum hd_variable { HD_ENV_DEVICE, HD_ENV_NUM_THREADS, HD_ENV_ISA };

/* The value of HEDDLE_DEVICE, HEDDLE_NUM_THREADS or HEDDLE_ISA; NULL if it is unset or empty. */
const char *hd_environment(enum hd_variable variable);

#endif
