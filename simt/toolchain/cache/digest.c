/* Four chains of multiplications over the bytes (digest.h).
 *
 * Method  four chains over words of 8 bytes, each step one-to-one in its word and in the chain, so
 *         that one changed word always shows and others do but for one chance in 2^64; about 10
 *         GB/s
 */
#include "digest.h"

#include <stdint.h>
#include <string.h>

#include "base/files.h"

static uint64_t step(uint64_t chain, uint64_t word) {
  chain = (chain ^ word) * 0x9e3779b97f4a7c15u;
  return chain ^ chain >> 29;
}

static uint64_t digest(const char *data, size_t length) {
  uint64_t chains[4] = {1, 2, 3, 4}, words[4];
  for (size_t at = 0; at < length; at += sizeof words) {
    const size_t left = length - at;
    memset(words, 0, sizeof words);
    memcpy(words, data + at, left < sizeof words ? left : sizeof words);
    for (int i = 0; i < 4; i++) chains[i] = step(chains[i], words[i]);
  }
  uint64_t all = length;
  for (int i = 0; i < 4; i++) all = step(all, chains[i]);
  return all;
}

bool cache_digest(const char *path, struct text *out) {
  struct text bytes = {0};
  const bool fine = files_read(path, &bytes);
  if (fine)
    text_add_format(out, "%zu %016llx", bytes.length,
                    (unsigned long long)digest(bytes.data, bytes.length));
  text_free(&bytes);
  return fine;
}
