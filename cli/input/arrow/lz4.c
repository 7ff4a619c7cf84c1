/* lz4.c - blocks of literals and matches
 *
 * Layout    The frame: a magic number, flags, sizes, a checksum of these; blocks, each behind its length, whose highest
 *           bit tells that it is stored; a length of 0; a checksum of the whole. A block: a token, the count of
 *           literals in its upper four bits, that of the match less 4 in the lower (15: more bytes follow, each added,
 *           until one is not 255), the literals, how far back the match is, two bytes. The last has no match.
 * Method    Everything is unpacked into one buffer, so that blocks may refer to those before them. Every length is
 *           checked against what is left of both buffers.
 * Limits    No dictionaries. Checksums are passed over: Arrow's own checks follow.
 * Source    github.com/lz4/lz4, the frame format 1.6.3 and the block format */
#include "lz4.h"

#include <stdint.h>
#include <string.h>

enum { MAGIC = 0x184d2204, MATCH_LEAST = 4 };
enum { HAS_DICTIONARY = 1, HAS_CHECKSUM = 4, HAS_SIZE = 8, HAS_BLOCK_CHECKSUMS = 16 };

struct cursor {
  const unsigned char *p, *end;
};

static uint32_t number_32(const unsigned char *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A count of four bits, and what follows where they are all set. */
static bool take_count(struct cursor *c, unsigned bits, size_t *count) {
  *count = bits;
  if (bits < 15) return true;
  for (;;) {
    if (c->p == c->end) return false;
    const unsigned char more = *c->p++;
    *count += more; /* at most 255 times the bytes that there are */
    if (more < 255) return true;
  }
}

static bool unpack_block(struct cursor c, const unsigned char *begin, unsigned char **at,
                         const unsigned char *end) {
  unsigned char *to = *at;
  while (c.p < c.end) {
    const unsigned token = *c.p++;
    size_t count;
    if (!take_count(&c, token >> 4, &count)) return false;
    if (count > (size_t)(c.end - c.p) || count > (size_t)(end - to)) return false;
    memcpy(to, c.p, count);
    to += count;
    c.p += count;
    if (c.p == c.end) break;
    if (c.end - c.p < 2) return false;
    const size_t back = c.p[0] | (size_t)c.p[1] << 8;
    c.p += 2;
    if (!take_count(&c, token & 15, &count)) return false;
    count += MATCH_LEAST;
    if (back == 0 || back > (size_t)(to - begin) || count > (size_t)(end - to)) return false;
    for (; count > 0; count--, to++) *to = to[-(ptrdiff_t)back]; /* it may overlap itself */
  }
  *at = to;
  return true;
}

bool lz4_unpack(const unsigned char *from, size_t bytes, unsigned char *to, size_t room) {
  unsigned char *at = to;
  if (bytes < 7 || number_32(from) != MAGIC) return false;
  const unsigned flags = from[4];
  const size_t header = 7 + (flags & HAS_SIZE ? 8 : 0);
  if (flags >> 6 != 1 || (flags & HAS_DICTIONARY) || bytes < header) return false;
  struct cursor c = {from + header, from + bytes};
  for (;;) {
    if (c.end - c.p < 4) return false;
    const uint32_t word = number_32(c.p);
    const size_t length = word & 0x7fffffff;
    const size_t checksum = flags & HAS_BLOCK_CHECKSUMS ? 4 : 0;
    c.p += 4;
    if (word == 0) break;
    if (length > (size_t)(c.end - c.p) || checksum > (size_t)(c.end - c.p) - length) return false;
    if (word >> 31) {
      if (length > room - (size_t)(at - to)) return false;
      memcpy(at, c.p, length);
      at += length;
    } else if (!unpack_block((struct cursor){c.p, c.p + length}, to, &at, to + room)) {
      return false;
    }
    c.p += length + checksum;
  }
  return (size_t)(at - to) == room && (size_t)(c.end - c.p) == (flags & HAS_CHECKSUM ? 4u : 0u);
}
