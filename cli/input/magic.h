/* magic.h - what the first bytes of a file, and the end of its name, say that it is
 *
 * For files that would otherwise pass for text: packed and stored in ways that are not read, cut
 * off within their first bytes, or empty under a name that promises data. */
#ifndef HEDDLE_CLI_INPUT_MAGIC_H
#define HEDDLE_CLI_INPUT_MAGIC_H

#include <stdbool.h>
#include <stddef.h>

#include "report/failure.h"

enum { MAGIC_BYTES = 10 }; /* that the functions here look at, at most */

/* `bytes` are the first of a file, and all of it if there are fewer than MAGIC_BYTES. */

/* Fails if the path ends in .gz, .zst, .npz, .zip, .xz or .bz2 and the file is empty or ends within
 * the signature of that format. */
int magic_check_packed(const char *path, const unsigned char *bytes, size_t count,
                       struct failure *why);

/* Fails if what was unpacked is nothing, or a part of a signature, under a name in .npy. */
int magic_check_npy(const char *path, const unsigned char *bytes, size_t count,
                    struct failure *why);

/* Fails if this is no text, but a format that is known and not read, the beginning of one that is
 * read, or anything at all under a name in .npy; `name` stands in front of the message. */
int magic_check_text(const char *path, const char *name, const unsigned char *bytes, size_t count,
                     struct failure *why);

/* Whether these first bytes, `whole` if they are all there is, are a table of numbers in printable
 * text, or a text so long that elements of element_bytes hardly look so by chance. */
bool magic_is_text(const char *bytes, size_t count, bool whole, size_t element_bytes);

/* A failure for what is a .npy file but is asked for columns, lines or rows of text. */
int magic_no_table(const char *name, const unsigned char *bytes, size_t count, struct failure *why);

/* A failure for what has zero bytes, and is taken for text because nothing says what it is. */
int magic_no_zeros(const char *name, const unsigned char *bytes, size_t count, struct failure *why);

#endif
