/* bools_tmpl.h - places_of_N: where N rows side by side have their first True, or their first False
 *
 * Parameters  PLACES_LANES  N, a literal: bytes of a vector
 * Result      false: there are more than LOOKED_AT lines, and a row has none among those
 * Method      Each lane counts the lines before its byte, which all are until it is found.
 * Limits      Nothing but the rows is read. */
#define PLACES_CAT_(a, b) a##b
#define PLACES_CAT(a, b) PLACES_CAT_(a, b)
#define PLACES_ALL PLACES_CAT(all_of_, PLACES_LANES)

static inline bool PLACES_ALL(const void *lanes) {
  uint64_t words[PLACES_LANES / WORD], all = UINT64_MAX;
  memcpy(words, lanes, sizeof words);
  for (size_t k = 0; k < PLACES_LANES / WORD; k++) all &= words[k];
  return all == UINT64_MAX;
}

static inline bool PLACES_CAT(places_of_, PLACES_LANES)(const unsigned char *p,
                                                        const struct bool_rows *b, bool zero,
                                                        uint64_t *out) {
  typedef uint8_t vector __attribute__((vector_size(PLACES_LANES)));
  enum { TOGETHER = 4 /* lines between two looks */ };
  _Static_assert(LOOKED_AT <= UINT8_MAX, "lines that a byte counts");
  const size_t most = b->n < LOOKED_AT ? b->n : LOOKED_AT;
  vector found = {0}, before = {0};
  for (size_t i = 0; i < most; i++, p += b->step) {
    vector v;
    memcpy(&v, p, sizeof v);
    found |= zero ? (vector)(v == 0) : (vector)(v != 0);
    before -= ~found; /* a lane of ones is -1 */
    if (i % TOGETHER == TOGETHER - 1 && PLACES_ALL(&found)) break;
  }

  before &= found;
  for (size_t k = 0; k < PLACES_LANES; k++) out[k] = before[k];
  return most == b->n || PLACES_ALL(&found);
}

#undef PLACES_CAT_
#undef PLACES_CAT
#undef PLACES_ALL
#undef PLACES_LANES
