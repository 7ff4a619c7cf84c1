/* gather_tmpl.h - rows_N_I: elements of GATHER_BYTES bytes by positions of GATHER_I
 *
 * Parameters GATHER_BYTES, 1 to 16, GATHER_I u32 or u64 */
#define GATHER_NAME__(bytes, i) rows_##bytes##_##i
#define GATHER_NAME_(bytes, i) GATHER_NAME__(bytes, i)
#define GATHER_NAME GATHER_NAME_(GATHER_BYTES, GATHER_I)

static void GATHER_NAME(const char *from, const void *index, size_t first, size_t n, char *to) {
  GATHER_I at;
  const char *positions = (const char *)index + first * sizeof at;
  to += first * GATHER_BYTES;
  size_t i = 0;
  for (; i + AHEAD < n; i++) {
    memcpy(&at, positions + (i + AHEAD) * sizeof at, sizeof at);
    __builtin_prefetch(from + (size_t)at * GATHER_BYTES);
    memcpy(&at, positions + i * sizeof at, sizeof at);
    memcpy(to + i * GATHER_BYTES, from + (size_t)at * GATHER_BYTES, GATHER_BYTES);
  }
  for (; i < n; i++) {
    memcpy(&at, positions + i * sizeof at, sizeof at);
    memcpy(to + i * GATHER_BYTES, from + (size_t)at * GATHER_BYTES, GATHER_BYTES);
  }
}

#undef GATHER_NAME__
#undef GATHER_NAME_
#undef GATHER_NAME
