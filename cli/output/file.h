/* file.h - a result file that appears whole or not at all
 *
 * Written to a file that has no name, or a temporary one beside the target where that is not to
 * be had; synced and put in the target's place by output_file_commit; gone after
 * output_file_abort. On any error an existing target is left as it was. "-" is standard output; a
 * target that is no regular file (/dev/null, a FIFO) is written directly. */
#ifndef HEDDLE_CLI_OUTPUT_FILE_H
#define HEDDLE_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/failure.h"

struct output_file;

int output_file_open(const char *target, struct output_file **out, struct failure *why);
/* Appends. Small writes are gathered; nothing may be on the disk before the commit. */
int output_file_write(struct output_file *out, const void *data, size_t bytes, struct failure *why);
int output_file_print(struct output_file *out, struct failure *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether output_file_patch works: false for pipes, terminals and other devices. */
bool output_file_can_patch(const struct output_file *out);
/* Overwrites bytes that were written before, such as a header's count. */
int output_file_patch(struct output_file *out, uint64_t offset, const void *data, size_t bytes,
                      struct failure *why);
/* Ends the file: whole under its name, or -1 and the target as it was. Frees *out either way. */
int output_file_commit(struct output_file *out, struct failure *why);
/* Drops the file. NULL is allowed. */
void output_file_abort(struct output_file *out);
/* Unlinks the temporary files of all open output files. For signal handlers that end the
 * process: it calls only functions that are safe there. */
void output_file_drop_all(void);

#endif
