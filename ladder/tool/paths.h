/* paths.h - files, folders and programs, by their paths
 *
 * Result   new strings, which the caller frees
 * Limits   where it says "fails", the program ends by failure.h
 */
#ifndef LADDER_TOOL_PATHS_H
#define LADDER_TOOL_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* file_partial - where a file is written before file_settle puts it at its path. What is there
 * already and no file (a device, a pipe) is written directly */
char *file_partial(const char *path);
bool file_settle(const char *partial, const char *path); /* false: errno says why */
bool file_exists(const char *path);
bool program_exists(const char *path);            /* may be executed */
char *file_read(const char *path, size_t *bytes); /* NULL: errno says why */
void make_folder(const char *path);               /* and those above it; fails */
char *find_in_path(const char *name);             /* NULL if PATH has no such program */
void remove_at_exit(const char *path);            /* a file or, added before its files, a folder */
char *scratch_folder(void);                       /* a new one, removed at exit if then empty */
const char *own_folder(void);                     /* where this executable lies; fails */

#endif
