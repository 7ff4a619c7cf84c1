/* footer.c - where the messages of a file are
 *
 * Layout  At the end: the footer, its length, "ARROW1". It has the schema and a block for each dictionary and batch: its
 *         place, the length of its metadata, that of its body, 24 bytes in all.
 * Method  Dictionaries first, wherever they lie; within a block nothing behind its end is read. */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

enum { TRAILER = 10, MAGIC = 8, BLOCK = 24, FOOTER_MOST = 256 << 20 };

static uint64_t file_bytes(const struct arrow_reader *r) {
  int fd;
  uint64_t begin, bytes;
  (void)stream_is_file(r->table.stream, &fd, &begin, &bytes);
  return bytes;
}

static int no_footer(const struct arrow_reader *r, struct failure *why) {
  return fail(
      why, EXIT_DATA,
      "%s: the Arrow file has no footer: it is cut off or was not written to its end; get it "
      "again",
      r->table.name);
}

int arrow_read_footer(struct arrow_reader *r, struct flat_table *schema, struct failure *why) {
  unsigned char trailer[TRAILER];
  const uint64_t bytes = file_bytes(r);
  if (bytes < MAGIC + TRAILER) return no_footer(r, why);
  if (stream_at(r->table.stream, bytes - TRAILER, trailer, TRAILER, why) != 0) return -1;
  const uint64_t footer = trailer[0] | (uint64_t)trailer[1] << 8 | (uint64_t)trailer[2] << 16 |
                          (uint64_t)trailer[3] << 24;
  if (memcmp(trailer + 4, "ARROW1", 6) != 0 || footer > bytes - MAGIC - TRAILER ||
      footer > FOOTER_MOST)
    return no_footer(r, why);
  if (!r->footer) r->footer = malloc((size_t)footer + 1);
  if (!r->footer) return fail(why, EXIT_DATA, "%s: no memory for its footer", r->table.name);
  if (stream_at(r->table.stream, bytes - TRAILER - footer, r->footer, (size_t)footer, why) != 0)
    return -1;
  r->footer_flat = (struct flat){r->footer, (size_t)footer, false};
  const struct flat_table root = flat_root(&r->footer_flat);
  *schema = flat_child(&r->footer_flat, &root, 1);
  r->blocks[0] = flat_list(&r->footer_flat, &root, 2, BLOCK);
  r->blocks[1] = flat_list(&r->footer_flat, &root, 3, BLOCK);
  return r->footer_flat.bad || schema->at == 0 ? no_footer(r, why) : 0;
}

int arrow_seek_block(struct arrow_reader *r, bool *more, struct failure *why) {
  const bool batch = r->block >= r->blocks[0].count;
  const size_t i = batch ? r->block - r->blocks[0].count : r->block;
  *more = !batch || i < r->blocks[1].count;
  if (!*more) return 0;
  const size_t at = r->blocks[batch].at + BLOCK * i;
  const int64_t offset = flat_i64(&r->footer_flat, at);
  const int64_t metadata = (int32_t)(uint32_t)flat_i64(&r->footer_flat, at + 8);
  const int64_t body = flat_i64(&r->footer_flat, at + 16);
  const uint64_t bytes = file_bytes(r);
  if (offset < 0 || metadata < 0 || body < 0 || (uint64_t)offset > bytes ||
      (uint64_t)metadata > bytes - (uint64_t)offset ||
      (uint64_t)body > bytes - (uint64_t)offset - (uint64_t)metadata)
    return arrow_damaged(r, "a batch lies outside of the file", why);
  if (stream_rewind(r->table.stream, why) != 0) return -1;
  r->position = 0;
  r->limit = bytes;
  r->block += 1;
  if (arrow_skip(r, (uint64_t)offset, why) != 0) return -1;
  r->limit = (uint64_t)(offset + metadata + body);
  return 0;
}
