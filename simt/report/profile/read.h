/* read.h - from a program's figures to lines of its source */
#ifndef SIMT_REPORT_PROFILE_READ_H
#define SIMT_REPORT_PROFILE_READ_H

#include "base/text.h"
#include "model.h"
#include "profile/figures.h"

struct text;

/* profile_read - fills kernels and lines of *p, whose gpu and registers are set already. `program`:
 * the ELF file; `own`: the folder of simt's headers. `why` gets a line when addresses could not be
 * turned into lines: all figures then stand at the kernels' own lines. */
void profile_read(struct profile *p, const struct figures *f, const char *program, const char *own,
                  struct text *why);
void profile_free(struct profile *p);

#endif
