/* rule.h - what a source was made of, as make reads it */
#ifndef SIMT_TOOLCHAIN_NVCC_RULE_H
#define SIMT_TOOLCHAIN_NVCC_RULE_H

#include "base/text.h"
#include "line.h"

/* nvcc_rule - "OBJECT: SOURCE HEADERS", and with -MP an empty rule for each header. files: those of
 * files_of_markers. object: what is named where -MT names nothing */
void nvcc_rule(const struct nvcc_line *line, const char *object, const char *source,
               const struct string_list *files, struct text *out);

#endif
