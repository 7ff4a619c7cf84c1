/* figures_file.h - the file in which a profiled program counts (profile/figures.h): made before the
 * program starts, read when it has ended
 */
#ifndef SIMT_REPORT_PROFILE_FIGURES_FILE_H
#define SIMT_REPORT_PROFILE_FIGURES_FILE_H

#include "profile/figures.h"

/* profile_file_make - an empty file for the program to map; -1: errno says why. It has no name
 * that others could find: the program inherits the descriptor. */
int profile_file_make(void);
/* profile_file_read - a copy with counts and strings that can be trusted, to be freed; NULL: it is
 * no longer the file that was made */
struct figures *profile_file_read(int fd);

#endif
