/* staged.h - the file behind an output file: without a name, or with a temporary one, until
 * it is put in the place of its target */
#ifndef HEDDLE_CLI_OUTPUT_STAGED_H
#define HEDDLE_CLI_OUTPUT_STAGED_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct staged_file {
  char target[PATH_MAX]; /* a link's end, not the link */
  size_t slot;           /* of the temporary name; none while the file has no name */
};

/* Makes the file, in the folder of staged->target; its descriptor, or -1 and errno. */
int staged_make(struct staged_file *staged);
/* Puts the file that is behind fd, whole and on the disk, in place of the target, and closes fd in
 * any case: 0, or -1 and errno, the target as it was, and the file gone. */
int staged_finish(struct staged_file *staged, int fd);
/* Drops the file; fd is closed. */
void staged_drop(struct staged_file *staged, int fd);
/* Unlinks every temporary name that is there; only calls that a signal handler may make. */
void staged_drop_all(void);

#endif
