/* check_module.h - the text that a module was made from, for reports of its lines */
#ifndef SIMT_TOOLS_CHECK_MODULE_H
#define SIMT_TOOLS_CHECK_MODULE_H

#include <stdbool.h>

#include "text.h"

/* check_module_text - the lines of `file` that the module's text has, each at its own place, others
 * empty; false: it has none */
bool check_module_text(const char *path, const char *file, struct text *out);

#endif
