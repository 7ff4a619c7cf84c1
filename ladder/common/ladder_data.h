/* ladder_data.h - input that is the same on every machine; part of ladder.h
 *
 * Result   element i of n, below `limit`, as a function of i, --data and --seed alone
 * Method   uniform   a random number                    two     one of two numbers
 *          constant  one number                         four    0 1 2 3 0 1 2 3 ...
 *          skewed    half are 0, a quarter 1, ...       sorted  rising from 0 to limit - 1
 *          and3      the bits common to three random numbers
 *          text      64-byte pieces of English prose
 * Source   random numbers: splitmix64, Steele, Lea and Flood 2014
 */
#ifndef LADDER_DATA_H
#define LADDER_DATA_H

#define LADDER_KINDS "uniform, constant, two, four, skewed, and3, sorted, text"

static inline int ladder_is_kind(const char *name) {
  static const char *const kinds[] = {"uniform", "constant", "two",    "four",
                                      "skewed",  "and3",     "sorted", "text"};
  for (int i = 0; i < 8; ++i)
    if (strcmp(name, kinds[i]) == 0) return 1;
  return 0;
}

/* ladder_random - the i-th random number of stream `stream`: 64 bits */
static inline unsigned long long ladder_random(unsigned long long stream, unsigned long long i) {
  unsigned long long x = ladder.seed * 0xd1342543de82ef95ull + stream * 0xda942042e4dd58b5ull +
                         (i + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

static inline unsigned char ladder_letter(size_t i) {
  static const char prose[] =
      "A warp is a group of threads that take their steps together. When some of them must go "
      "one way and the rest the other, the group walks both ways, one after the other, and each "
      "thread sleeps while the path is not its own. Memory has a rhythm too: neighbours who ask "
      "for neighbouring words are served at once, strangers wait. So the art is to keep threads "
      "that agree close to each other, to let them share what they have fetched, and to meet at "
      "a barrier only when somebody has something new to tell. Count the steps, count the work; "
      "the first says how long the best machine would need, the second what you pay for it.\n"
      "Ten numbers, 0123456789, are enough for a page of sums; (x + y) * z is not x + (y * z).\n";
  const size_t length = sizeof prose - 1;
  return (unsigned char)prose[(ladder_random(7, i / 64) + i % 64) % length];
}

/* ladder_value - element i of n, at least 0 and below `limit` */
static inline unsigned int ladder_value(size_t i, size_t n, unsigned int limit) {
  const char *kind = ladder.data;
  const unsigned long long r = ladder_random(1, i);
  const unsigned int random = (unsigned int)((r >> 32) * limit >> 32);
  switch (kind[0]) {
  case 'c': return 42 % limit;
  case 't': /* two, text */
    if (kind[1] == 'e') return ladder_letter(i) % limit;
    return (r >> 63 ? 200u : 17u) % limit;
  case 'f': return (unsigned int)(i % 4) % limit;
  case 's': { /* skewed, sorted */
    if (kind[1] == 'o') return (unsigned int)((double)i / (double)n * limit);
    unsigned int zeros = 0;
    while (zeros < 63 && !(r >> zeros & 1)) ++zeros;
    return zeros % limit;
  }
  case 'a': {
    const unsigned int bits = (unsigned int)(r & r >> 21 & r >> 42);
    return (limit & (limit - 1)) == 0 ? bits & (limit - 1) & 0x1fffff : bits % limit;
  }
  default: return random;
  }
}

static inline void ladder_fill_u8(unsigned char *out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = (unsigned char)ladder_value(i, n, 256);
}
/* The following give integers below `limit`; in floats they are exact. */
static inline void ladder_fill_u32(unsigned int *out, size_t n, unsigned int limit) {
  for (size_t i = 0; i < n; ++i) out[i] = ladder_value(i, n, limit);
}
static inline void ladder_fill_i32(int *out, size_t n, unsigned int limit) {
  for (size_t i = 0; i < n; ++i) out[i] = (int)ladder_value(i, n, limit);
}
static inline void ladder_fill_f32(float *out, size_t n, unsigned int limit) {
  for (size_t i = 0; i < n; ++i) out[i] = (float)ladder_value(i, n, limit);
}
static inline void ladder_fill_f64(double *out, size_t n, unsigned int limit) {
  for (size_t i = 0; i < n; ++i) out[i] = (double)ladder_value(i, n, limit);
}
/* And these multiples of 2^-24 in [0, 1): their float sums depend on the order. */
static inline void ladder_fill_unit_f32(float *out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = (float)ladder_value(i, n, 1u << 24) / 16777216.0f;
}
static inline void ladder_fill_unit_f64(double *out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = (double)ladder_value(i, n, 1u << 24) / 16777216.0;
}

/* ladder_host_memory - malloc that ends the program when there is none */
static inline void *ladder_host_memory(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (memory) return memory;
  fprintf(stderr, "%s: no %zu bytes of host memory\n", ladder.rung, bytes);
  exit(2);
}

#endif
