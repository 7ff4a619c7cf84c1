/* pack_tmpl.h - elements and their values to items, and back; included once, after map_tmpl.h
 *
 * Method  A block at a time: keys and values are loaded to arrays of one width each, then joined. */

static void sort_load(const struct hd_cpu_sort_io *io, size_t first, size_t n, void *keys) {
  switch (io->map.bits) {
  case 8: sort_load_u8(io, first, n, keys); break;
  case 16: sort_load_u16(io, first, n, keys); break;
  case 32: sort_load_u32(io, first, n, keys); break;
  default: sort_load_u64(io, first, n, keys); break;
  }
}

static void sort_store(const struct hd_cpu_sort_io *io, size_t first, size_t n, const void *keys,
                       bool as_they_are) {
  switch (io->map.bits) {
  case 8: sort_store_u8(io, first, n, keys, as_they_are); break;
  case 16: sort_store_u16(io, first, n, keys, as_they_are); break;
  case 32: sort_store_u32(io, first, n, keys, as_they_are); break;
  default: sort_store_u64(io, first, n, keys, as_they_are); break;
  }
}

static bool sort_special(const struct hd_cpu_sort_io *io, size_t first, size_t n) {
  switch (io->map.bits) {
  case 16: return sort_special_u16(io, first, n);
  case 32: return sort_special_u32(io, first, n);
  default: return sort_special_u64(io, first, n);
  }
}

/* n elements of a known size, widened with zeroes, `apart` words from one to the next. */
static inline __attribute__((always_inline)) void sort_widen(const char *x, i64 step, size_t n,
                                                             size_t bytes, u64 *to, size_t apart) {
  for (size_t i = 0; i < n; i++) {
    u64 word = 0;
    memcpy(&word, x + (i64)i * step, bytes);
    to[i * apart] = word;
  }
}
static inline __attribute__((always_inline)) void sort_narrow(const u64 *x, size_t apart, size_t n,
                                                              size_t bytes, char *to, i64 step) {
  for (size_t i = 0; i < n; i++) memcpy(to + (i64)i * step, &x[i * apart], bytes);
}

/* The values of elements first .. first + n, each in one or two words. */
static void sort_load_values(const struct hd_cpu_sort_io *io, size_t first, size_t n, u64 *to,
                             size_t apart) {
  if (io->positions) {
    for (size_t i = 0; i < n; i++) to[i * apart] = first + i;
    return;
  }
  const i64 step = io->values_step;
  const char *x = io->values + (i64)first * step;
  switch (io->value_bytes) {
  case 1: sort_widen(x, step, n, 1, to, apart); break;
  case 2: sort_widen(x, step, n, 2, to, apart); break;
  case 4: sort_widen(x, step, n, 4, to, apart); break;
  case 16:
    sort_widen(x + 8, step, n, 8, to + 1, apart); /* and the other word */
  /* fall through */
  default: sort_widen(x, step, n, 8, to, apart); break;
  }
}
static void sort_store_values(const struct hd_cpu_sort_io *io, size_t first, size_t n,
                              const u64 *from, size_t apart) {
  const i64 step = io->values_out_step;
  char *to = io->values_out + (i64)first * step;
  switch (io->value_bytes) {
  case 1: sort_narrow(from, apart, n, 1, to, step); break;
  case 2: sort_narrow(from, apart, n, 2, to, step); break;
  case 4: sort_narrow(from, apart, n, 4, to, step); break;
  case 16:
    sort_narrow(from + 1, apart, n, 8, to + 8, step); /* and the other word */
  /* fall through */
  default: sort_narrow(from, apart, n, 8, to, step); break;
  }
}

/* The bits of elements as they are: the map that does nothing. */
static void sort_load_bits(const struct hd_cpu_sort_io *io, size_t first, size_t n, void *bits) {
  struct hd_cpu_sort_io plain = *io;
  plain.map = (struct hd_sort_map){.bits = io->map.bits};
  sort_load(&plain, first, n, bits);
}

static void sort_pack_block(const struct hd_cpu_sort_io *io, size_t first, size_t n, u64 *items) {
  const size_t words = io->words;
  u32 keys[HD_SORT_BLOCK], bits[HD_SORT_BLOCK];
  u64 values[HD_SORT_BLOCK], wide[HD_SORT_BLOCK];
  if (io->layout == HD_SORT_NARROW) {
    sort_load(io, first, n, keys);
    sort_load_values(io, first, n, values, 1);
    for (size_t i = 0; i < n; i++) items[i] = (u64)keys[i] << 32 | values[i];
    return;
  }
  size_t value = 1;
  if (io->map.bits <= 32) {
    sort_load(io, first, n, keys);
    sort_load_bits(io, first, n, bits);
    for (size_t i = 0; i < n; i++) items[i * words] = (u64)keys[i] << 32 | bits[i];
  } else {
    sort_load(io, first, n, wide);
    for (size_t i = 0; i < n; i++) items[i * words] = wide[i];
    if (io->layout == HD_SORT_BITS) {
      sort_load_bits(io, first, n, wide);
      for (size_t i = 0; i < n; i++) items[i * words + 1] = wide[i];
      value = 2;
    }
  }
  sort_load_values(io, first, n, items + value, words);
}

static void sort_unpack_block(const struct hd_cpu_sort_io *io, size_t first, size_t n,
                              const u64 *items) {
  const size_t words = io->words;
  u32 keys[HD_SORT_BLOCK];
  u64 wide[HD_SORT_BLOCK];
  if (io->layout == HD_SORT_NARROW) {
    for (size_t i = 0; i < n; i++) wide[i] = (u32)items[i];
    sort_store_values(io, first, n, wide, 1);
  } else {
    sort_store_values(io, first, n, items + (io->layout == HD_SORT_BITS ? 2 : 1), words);
  }
  if (!io->keys_out) {
    /* not wanted */
  } else if (io->layout == HD_SORT_NARROW) {
    for (size_t i = 0; i < n; i++) keys[i] = (u32)(items[i] >> 32);
    sort_store(io, first, n, keys, false);
  } else if (io->map.bits <= 32) {
    for (size_t i = 0; i < n; i++) keys[i] = (u32)items[i * words];
    sort_store(io, first, n, keys, true);
  } else {
    const bool bits = io->layout == HD_SORT_BITS;
    for (size_t i = 0; i < n; i++) wide[i] = items[i * words + bits];
    sort_store(io, first, n, wide, bits);
  }
}

static void sort_pack(const struct hd_cpu_sort_io *io, size_t first, size_t n, void *items) {
  const size_t bytes = io->words ? io->words * sizeof(u64) : sizeof(u32);
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    char *to = (char *)items + i * bytes;
    if (io->layout == HD_SORT_KEY)
      sort_load(io, first + i, m, to);
    else
      sort_pack_block(io, first + i, m, (u64 *)(void *)to);
  }
}

static void sort_unpack(const struct hd_cpu_sort_io *io, size_t first, size_t n,
                        const void *items) {
  const size_t bytes = io->words ? io->words * sizeof(u64) : sizeof(u32);
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    const char *from = (const char *)items + i * bytes;
    if (io->layout == HD_SORT_KEY)
      sort_store(io, first + i, m, from, false);
    else
      sort_unpack_block(io, first + i, m, (const u64 *)(const void *)from);
  }
}

/* ---- types of few values --------------------------------------------------------------------- */

/* Whether eight keys are one. */
static inline bool sort_are_one(const u32 *keys) {
  u64 pairs[4];
  memcpy(pairs, keys, sizeof pairs);
  const u64 differ = (pairs[0] ^ pairs[1]) | (pairs[0] ^ pairs[2]) | (pairs[0] ^ pairs[3]);
  return !differ && (u32)pairs[0] == pairs[0] >> 32;
}

/* Keys that follow their like are counted together: an addition to a counter waits for the one before. */
static void sort_tally(const struct hd_cpu_sort_io *io, size_t first, size_t n, u32 *counts) {
  u32 keys[HD_SORT_BLOCK];
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    sort_load(io, first + i, m, keys);
    size_t k = 0;
    for (; k + 8 <= m; k += 8) {
      if (sort_are_one(keys + k)) {
        counts[keys[k]] += 8;
        continue;
      }
      for (size_t j = k; j < k + 8; j++) counts[keys[j]]++;
    }
    for (; k < m; k++) counts[keys[k]]++;
  }
}

/* One key, n times. */
static void sort_fill_run(const struct hd_cpu_sort_io *io, size_t first, size_t n, u32 key) {
  char *out = io->keys_out + (i64)first * io->keys_out_step;
  if (io->map.bits == 8) {
    const u8 x = sort_back_u8(&io->map, (u8)key);
    if (io->keys_out_step == 1)
      memset(out, x, n);
    else
      for (size_t i = 0; i < n; i++) memcpy(out + (i64)i * io->keys_out_step, &x, 1);
    return;
  }
  const u16 x = sort_back_u16(&io->map, (u16)key);
  if (io->keys_out_step == 2)
    for (size_t i = 0; i < n; i++) memcpy(out + 2 * i, &x, 2);
  else
    for (size_t i = 0; i < n; i++) memcpy(out + (i64)i * io->keys_out_step, &x, 2);
}

static void sort_fill(const struct hd_cpu_sort_io *io, size_t first, size_t n, const u64 *ends) {
  size_t low = 0, high = (size_t)1 << io->map.bits; /* the first key that ends beyond `first` */
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (ends[middle] > first)
      high = middle;
    else
      low = middle + 1;
  }
  for (size_t at = first, end = first + n; at < end; low++) {
    const size_t to = ends[low] < end ? (size_t)ends[low] : end;
    if (to > at) sort_fill_run(io, at, to - at, (u32)low);
    at = to > at ? to : at;
  }
}
