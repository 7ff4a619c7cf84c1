/* place.h - the file behind an output file: without a name, or with a temporary one, until
 * it is put in the place of its target */
#ifndef HEDDLE_CLI_OUTPUT_PLACE_H
#define HEDDLE_CLI_OUTPUT_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct output_place {
  char target[PATH_MAX]; /* a link's end, not the link */
  size_t slot;           /* of the temporary name; none while the file has no name */
};

/* Makes the file, in the folder of place->target; its descriptor, or -1 and errno. */
int output_place_make(struct output_place *place);
/* Puts the file that is behind fd, whole and on the disk, in place of the target, and closes fd in
 * any case: 0, or -1 and errno, the target as it was, and the file gone. */
int output_place_finish(struct output_place *place, int fd);
/* Drops the file; fd is closed. */
void output_place_drop(struct output_place *place, int fd);
/* Unlinks every temporary name that is there; only calls that a signal handler may make. */
void output_place_drop_all(void);

#endif
