/* findings_file.h - the file in which a checked program leaves its findings (findings.h): made
 * before the program starts, read when it has ended */
#ifndef SIMT_REPORT_CHECK_FINDINGS_FILE_H
#define SIMT_REPORT_CHECK_FINDINGS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "check/findings.h"

/* What was in the file. Strings end with a zero byte, enumerations are in their ranges. */
struct check_log {
  uint64_t lost, total; /* findings that did not fit; occurrences of all */
  uint64_t launches, blocks, threads, accesses, launches_skipped, blocks_skipped;
  char limits[256];               /* what the checker gave up on */
  struct finding_module *modules; /* that were loaded and can be read again */
  size_t module_count;
  struct finding *list; /* in the order in which they were first seen */
  size_t count;
  size_t damaged; /* entries that make no sense */
};

/* check_file_make - an empty file for the program to map; -1: errno says why. The program
 * inherits the descriptor, and no name leads to the file. */
int check_file_make(void);
/* check_file_read - false: it is no longer the file that was made */
bool check_file_read(int fd, struct check_log *log);
void check_log_free(struct check_log *log);

#endif
