/* rank_tmpl.h - the kernels of order statistics for keys of one size; included once a lane
 *
 * Parameter RANK_LANE, u32 or u64. */
#define RANK_JOIN__(a, b) a##_##b
#define RANK_JOIN_(a, b) RANK_JOIN__(a, b)
#define RANK_NAME(name) RANK_JOIN_(name, RANK_LANE)
#define RANK_V_(lane) v##lane
#define RANK_V__(lane) RANK_V_(lane)
#define RANK_V RANK_V__(RANK_LANE)

static u64 RANK_NAME(rank_sum)(RANK_V v) {
  u64 sum = 0;
  for (size_t i = 0; i < VEC_BYTES / sizeof(RANK_LANE); i++) sum += v[i];
  return sum;
}

static size_t RANK_NAME(rank_count)(const RANK_LANE *x, size_t n, RANK_LANE low, RANK_LANE width,
                                    u64 *below) {
  enum { LANES = VEC_BYTES / sizeof(RANK_LANE) };
  RANK_V less = {0}, in = {0};
  size_t i = 0, rest_less = 0, rest = 0;
  for (; i + LANES <= n; i += LANES) {
    RANK_V v;
    memcpy(&v, x + i, sizeof v);
    less -= (RANK_V)(v < low);
    in -= (RANK_V)(v - low <= width);
  }
  for (; i < n; i++) {
    rest_less += x[i] < low;
    rest += (RANK_LANE)(x[i] - low) <= width;
  }
  *below += RANK_NAME(rank_sum)(less) + rest_less;
  return (size_t)RANK_NAME(rank_sum)(in) + rest;
}

static size_t RANK_NAME(rank_within)(const void *keys, size_t n, u64 from, u64 span, void *to,
                                     u64 *below) {
  enum { LANES = VEC_BYTES / sizeof(RANK_LANE) };
  const RANK_LANE *x = keys, low = (RANK_LANE)from, width = (RANK_LANE)span;
  RANK_LANE *out = to;
  RANK_V less = {0};
  size_t i = 0, kept = 0, rest_less = 0;
  if (!to) return RANK_NAME(rank_count)(x, n, low, width, below);
  for (; i + LANES <= n; i += LANES) {
    RANK_V v;
    memcpy(&v, x + i, sizeof v);
    less -= (RANK_V)(v < low);
    kept += RANK_NAME(put_within)(out + kept, v, low, width);
  }
  for (; i < n; i++) {
    out[kept] = x[i];
    rest_less += x[i] < low;
    kept += (RANK_LANE)(x[i] - low) <= width;
  }
  *below += RANK_NAME(rank_sum)(less) + rest_less;
  return kept;
}

static size_t RANK_NAME(rank_up_to)(const void *keys, size_t n, u64 limit, u32 *places) {
  enum { LANES = VEC_BYTES / sizeof(RANK_LANE) };
  const RANK_LANE *x = keys, most = (RANK_LANE)limit;
  size_t i = 0, kept = 0;
  for (; i + LANES <= n; i += LANES) {
    RANK_V v;
    memcpy(&v, x + i, sizeof v);
    kept += RANK_NAME(up_to)(places + kept, v, most, (u32)i);
  }
  for (; i < n; i++) {
    places[kept] = (u32)i;
    kept += x[i] <= most;
  }
  return kept;
}

static void RANK_NAME(rank_digits)(const void *keys, size_t n, u32 shift, u32 bits, u64 prefix,
                                   u64 *counts) {
  const RANK_LANE *x = keys;
  const u32 above = shift + bits;
  const u64 mask = ((u64)1 << bits) - 1;
  for (size_t i = 0; i < n; i++) {
    const u64 key = x[i];
    if (above < 64 && key >> above != prefix) continue;
    counts[key >> shift & mask]++;
  }
}

#undef RANK_JOIN__
#undef RANK_JOIN_
#undef RANK_NAME
#undef RANK_V_
#undef RANK_V__
#undef RANK_V
#undef RANK_LANE
