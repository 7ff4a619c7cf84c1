/* signature.h - a kernel's parameters, as its launch stub needs them */
#ifndef SIMT_REWRITE_KERNELS_SIGNATURE_H
#define SIMT_REWRITE_KERNELS_SIGNATURE_H

#include "rewrite/unit/unit.h"

/* kernel_parameters - declared anew, and as arguments (parameters.c) */
void kernel_parameters(const struct unit *u, const struct declaration *d, struct text *declared,
                       struct text *named);
/* kernel_references - ", &a, &b" for those that are references; to be freed (references.c) */
char *kernel_references(const struct unit *u, const struct declaration *d);

#endif
