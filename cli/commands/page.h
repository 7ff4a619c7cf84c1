/* page.h - a result as one page of HTML that needs nothing else: what was run, a picture, a table
 *
 * A command whose settings have `page` opens its output here, draws SVG into it if it has a picture,
 * calls page_table, and writes what --csv writes. Without `page` these are sink_open and sink_close. */
#ifndef HEDDLE_CLI_COMMANDS_PAGE_H
#define HEDDLE_CLI_COMMANDS_PAGE_H

#include "options/args.h"
#include "output/sink.h"

/* data: the file that was read; NULL: all those of the settings. */
int page_open(const struct settings *s, const char *data, struct sink *out, struct failure *why);
/* Between them a picture; what screen readers call it is its own title. */
void page_picture(struct sink *out);
void page_picture_end(struct sink *out);
/* From here on CSV. */
void page_table(const struct settings *s, struct sink *out);
int page_close(const struct settings *s, struct sink *out, struct failure *why);

#endif
