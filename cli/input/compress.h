/* compress.h - gzip, zstd, xz, bzip2 and the members of zip files unpacked as a stream
 *
 * Several gzip members, frames or streams one after the other are one stream, as for those programs. */
#ifndef HEDDLE_CLI_INPUT_COMPRESS_H
#define HEDDLE_CLI_INPUT_COMPRESS_H

#include <stddef.h>
#include <stdint.h>

#include "report/failure.h"

enum compression {
  COMPRESSION_NONE,
  COMPRESSION_GZIP,
  COMPRESSION_ZSTD,
  COMPRESSION_XZ,
  COMPRESSION_BZIP2,
  COMPRESSION_DEFLATE
};

enum { COMPRESSION_MAGIC = 10 }; /* bytes that compression_of looks at */

/* What the first bytes of a file say. */
enum compression compression_of(const unsigned char *bytes, size_t count);

/* Where packed bytes come from: fills up to capacity, *got 0 only at the end. */
typedef int pull_bytes(void *user, void *buffer, size_t capacity, size_t *got, struct failure *why);

struct decoder;

/* `name` stands in front of messages and must stay valid. */
int decoder_open(enum compression kind, const char *name, pull_bytes *pull, void *user,
                 struct decoder **out, struct failure *why);
/* Of COMPRESSION_DEFLATE, which ends in nothing that tells: what the data must come to. */
void decoder_expect(struct decoder *decoder, uint64_t bytes, uint32_t crc);
/* Fills the buffer; *got is short only at the end of the data. */
int decoder_read(struct decoder *decoder, void *buffer, size_t capacity, size_t *got,
                 struct failure *why);
void decoder_close(struct decoder *decoder); /* NULL is allowed */

#endif
