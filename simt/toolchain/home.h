/* home.h - where the tools' own library and headers are */
#ifndef SIMT_TOOLCHAIN_HOME_H
#define SIMT_TOOLCHAIN_HOME_H

#include <stdbool.h>

struct home {
  char *include; /* folder with cuda_runtime.h */
  char *library; /* folder with libsimt.so */
};

/* home_find - false: a message has been printed */
bool home_find(struct home *h, const char *program);
void home_free(struct home *h);

#endif
