/* rule.h - what a source was made of, as make reads it */
#ifndef SIMT_TOOLCHAIN_NVCC_RULE_H
#define SIMT_TOOLCHAIN_NVCC_RULE_H

#include "base/text.h"
#include "line.h"

struct rule {
  const char *object; /* what is named where -MT names nothing */
  const char *source;
  const char *own; /* the folder of simt's headers */
};

/* nvcc_rule - "OBJECT: SOURCE HEADERS", and with -MP an empty rule for each header. files: those of
 * files_of_markers */
void nvcc_rule(const struct nvcc_line *line, const struct rule *r, const struct string_list *files,
               struct text *out);

#endif
