/* gather.h - the findings of many processes as one report */
#ifndef SIMT_REPORT_CHECK_GATHER_H
#define SIMT_REPORT_CHECK_GATHER_H

#include "base/string_list.h"
#include "report.h"

/* One process that was checked. */
struct check_process {
  char *called; /* the words of its command line, with blanks between */
  struct check_report report;
};

struct check_gathered {
  struct check_process *list; /* in the order of their numbers */
  size_t count, room;
  struct string_list unchecked; /* programs with kernels that were not built for checking */
  size_t broken;                /* files that were overwritten */
  struct check_report all;      /* equal findings of several as one; stands on `list` */
};

/* check_gather - reads what processes left in the folder (check/folder.h). False: it cannot be
 * read, errno says why */
bool check_gather(struct check_gathered *g, const char *folder, const char *own,
                  const struct check_rules *rules);
void check_gathered_free(struct check_gathered *g);

#endif
