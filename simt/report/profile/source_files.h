/* source_files.h - source files by path, read once */
#ifndef SIMT_REPORT_PROFILE_SOURCE_FILES_H
#define SIMT_REPORT_PROFILE_SOURCE_FILES_H

/* profile_source_path - one pointer for one file, however it is spelled: relative to the current
 * folder if it lies below it, else its real path; as given if there is no such file */
const char *profile_source_path(const char *file);
/* profile_source_line - a line's text without its end; NULL: not readable. `path` comes from
 * profile_source_path. Valid until profile_source_forget */
const char *profile_source_line(const char *path, unsigned line);
void profile_source_forget(void);

#endif
