/* module_text.h - the text that a module was made from, for reports of its lines */
#ifndef SIMT_REPORT_CHECK_MODULE_TEXT_H
#define SIMT_REPORT_CHECK_MODULE_TEXT_H

#include <stdbool.h>

#include "base/text.h"

/* check_module_text - the lines of `file` that the module's text has, each on its own line, others
 * empty; false: it has none */
bool check_module_text(const char *path, const char *file, struct text *out);

#endif
