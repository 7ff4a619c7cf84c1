/* files.h - folders of temporary files, and the files that a preprocessed text was made of */
#ifndef SIMT_TOOLCHAIN_FILES_H
#define SIMT_TOOLCHAIN_FILES_H

#include <stdbool.h>
#include <time.h>

#include "base/string_list.h"
#include "base/text.h"

void files_remove_folder(const char *path); /* with the files in it */
/* files_stamp - adds "path\nsize time", without a newline at its end; `changed`, if there, gets the
 * time. false: there is no such file */
bool files_stamp(const char *path, struct text *out, struct timespec *changed);

/* files_of_markers - adds each file that a line marker names, once; system headers are marked
 * by a first character '<', the user's by '"' */
void files_of_markers(const char *text, size_t length, struct string_list *files);
enum { FILES_SYSTEM = '<', FILES_USER = '"' };

/* files_mention - a user's file, not below folder `own`, contains `word` */
bool files_mention(const struct string_list *files, const char *word, const char *own);

#endif
