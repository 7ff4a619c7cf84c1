/* sample.h - lines from all over a plain file, for who wants to know what is coming */
#ifndef HEDDLE_CLI_INPUT_SAMPLE_H
#define HEDDLE_CLI_INPUT_SAMPLE_H

#include "records.h"

/* The whole lines of so many pieces of a file, evenly spaced; the reading of the input goes on as it would have.
 * Nothing of what has no size, or is packed, or is shorter than the pieces. Where quotes hold line ends some records
 * are torn. */
int input_sample(const struct input *in, size_t pieces, size_t piece_bytes,
                 struct records_block *block, struct failure *why);

#endif
