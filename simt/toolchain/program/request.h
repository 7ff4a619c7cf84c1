/* request.h - all that decides what a build makes, but for the files it reads */
#ifndef SIMT_TOOLCHAIN_PROGRAM_REQUEST_H
#define SIMT_TOOLCHAIN_PROGRAM_REQUEST_H

#include "base/text.h"
#include "toolchain/compile/build.h"

/* request_write - as text, which is compared: options, inputs, tool, library, machine, folder */
void request_write(const struct build *b, struct text *out);

#endif
