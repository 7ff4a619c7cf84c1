/* folder.h - files of findings of many processes in one folder */
#ifndef SIMT_CHECK_FOLDER_H
#define SIMT_CHECK_FOLDER_H

#include "findings.h"

#include <stdbool.h>

/* ck_is_instrumented - the program, or a library that was loaded with it, tells of its accesses */
bool ck_is_instrumented(void);
/* ck_file_in - a new file of findings in the folder, mapped: PID.N.findings, and beside it
 * PID.N.program with the program's path and its arguments, each with a zero byte behind; NULL: it
 * cannot be made, errno says why */
struct findings *ck_file_in(const char *folder);
/* ck_note_unchecked - leaves PID.N.unchecked, with the same contents, in the folder */
void ck_note_unchecked(const char *folder);

#endif
