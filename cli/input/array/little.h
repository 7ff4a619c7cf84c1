/* little.h - numbers out of bytes, whatever this machine's order and alignment */
#ifndef HEDDLE_CLI_INPUT_ARRAY_LITTLE_H
#define HEDDLE_CLI_INPUT_ARRAY_LITTLE_H

#include <stdint.h>

static inline uint32_t little_16(const unsigned char *p) { return p[0] | (uint32_t)p[1] << 8; }
static inline uint32_t little_32(const unsigned char *p) {
  return little_16(p) | little_16(p + 2) << 16;
}
static inline uint64_t little_64(const unsigned char *p) {
  return little_32(p) | (uint64_t)little_32(p + 4) << 32;
}
static inline uint32_t big_32(const unsigned char *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static inline uint64_t big_64(const unsigned char *p) {
  return (uint64_t)big_32(p) << 32 | big_32(p + 4);
}

#endif
