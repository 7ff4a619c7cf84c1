/* options.h - the command line of heddle-ladder */
#ifndef LADDER_TOOL_OPTIONS_H
#define LADDER_TOOL_OPTIONS_H

#include <stdbool.h>

#include "base/string_list.h"

struct options {
  bool cuda; /* --device cuda; else simt */
  bool json, list, pictures;
  bool check, profile; /* simt: under heddle-check, under heddle-profile */
  const char *size, *data, *seed, *repeat, *schedule; /* as given, checked; or NULL */
  const char *plot;                                   /* where the SVG goes, or NULL */
  const char *html;                                   /* where the report goes, or NULL */
  const char *out;                                    /* folder of the pictures */
  double limit_seconds;                               /* a rung, compilation included */
  struct string_list names;                           /* a family, a rung, or both */
};

/* options_read - a mistake ends the program with one line and status 2; --help prints the help
 * and ends it with status 0 */
void options_read(struct options *o, int argc, char **argv);
void options_free(struct options *o);

#endif
