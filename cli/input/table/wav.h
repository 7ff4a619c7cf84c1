/* wav.h - sound as a table: a column a channel */
#ifndef HEDDLE_CLI_INPUT_TABLE_WAV_H
#define HEDDLE_CLI_INPUT_TABLE_WAV_H

#include "input/internal.h"

bool wav_has_magic(const unsigned char *bytes, size_t count);
/* A table_opener. */
int wav_table(struct input *in, bool again, struct table **out, struct failure *why);

#endif
