/* message.c - encapsulated messages: a mark, a length, metadata, a body
 *
 * Limits  Metadata of at most 64 MiB. Before Arrow 0.15 there was no mark: taken as well. */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

enum { METADATA_MOST = 64 << 20 };

int arrow_damaged(const struct arrow_reader *r, const char *what, struct failure *why) {
  return fail(why, EXIT_DATA,
              "%s: the Arrow data are cut off or damaged: %s, before byte %llu; get it again",
              r->table.name, what, (unsigned long long)r->position);
}

static int read_some(struct arrow_reader *r, void *to, size_t bytes, size_t *got,
                     struct failure *why) {
  if (bytes > r->limit - r->position) bytes = (size_t)(r->limit - r->position);
  if (stream_read(r->table.stream, to, bytes, got, why) != 0) return -1;
  r->position += *got;
  return 0;
}

int arrow_read(struct arrow_reader *r, void *to, size_t bytes, struct failure *why) {
  size_t got;
  if (read_some(r, to, bytes, &got, why) != 0) return -1;
  return got == bytes ? 0 : arrow_damaged(r, "they end too early", why);
}

int arrow_skip(struct arrow_reader *r, uint64_t bytes, struct failure *why) {
  uint64_t passed;
  if (bytes > r->limit - r->position) return arrow_damaged(r, "they end too early", why);
  if (stream_skip(r->table.stream, bytes, &passed, why) != 0) return -1;
  r->position += passed;
  return passed == bytes ? 0 : arrow_damaged(r, "they end too early", why);
}

static uint32_t number_32(const unsigned char *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The length of the metadata; 0 at the end, which may be just the end of the bytes. */
static int read_length(struct arrow_reader *r, uint32_t *length, struct failure *why) {
  unsigned char bytes[4];
  size_t got;
  *length = 0;
  if (read_some(r, bytes, sizeof bytes, &got, why) != 0) return -1;
  if (got == 0) return 0;
  if (got < sizeof bytes) return arrow_damaged(r, "they end too early", why);
  *length = number_32(bytes);
  if (*length != UINT32_MAX) return 0;
  if (arrow_read(r, bytes, sizeof bytes, why) != 0) return -1;
  *length = number_32(bytes);
  return 0;
}

static int read_metadata(struct arrow_reader *r, size_t bytes, struct failure *why) {
  if (bytes > METADATA_MOST)
    return arrow_damaged(r, "a message claims more than 64 MiB of metadata", why);
  if (bytes > r->metadata_room) {
    free(r->metadata);
    r->metadata = malloc(bytes);
    r->metadata_room = r->metadata ? bytes : 0;
    if (!r->metadata) return fail(why, EXIT_DATA, "%s: no memory for its metadata", r->table.name);
  }
  r->metadata_bytes = bytes;
  return arrow_read(r, r->metadata, bytes, why);
}

int arrow_next_message(struct arrow_reader *r, struct arrow_header *header, struct failure *why) {
  static const enum arrow_message kinds[] = {ARROW_OTHER, ARROW_SCHEMA, ARROW_DICTIONARY,
                                             ARROW_BATCH};
  uint32_t length;
  bool more = true;
  memset(header, 0, sizeof *header);
  header->kind = ARROW_END;
  if (r->file && arrow_seek_block(r, &more, why) != 0) return -1;
  if (!more) return 0;
  if (read_length(r, &length, why) != 0) return -1;
  if (length == 0) return 0;
  if (read_metadata(r, length, why) != 0) return -1;
  header->flat = (struct flat){r->metadata, r->metadata_bytes, false};
  struct flat *const f = &header->flat;
  const struct flat_table message = flat_root(f);
  const int64_t kind = flat_number(f, &message, 1, 1, 0);
  const int64_t body = flat_number(f, &message, 3, 8, 0);
  header->table = flat_child(f, &message, 2);
  if (f->bad || body < 0) return arrow_damaged(r, "a message has no metadata", why);
  header->kind = kind > 0 && kind < 4 ? kinds[kind] : ARROW_OTHER;
  header->body = (uint64_t)body;
  return 0;
}
