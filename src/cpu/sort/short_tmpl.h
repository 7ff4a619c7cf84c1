/* short_tmpl.h - rows of few elements: keys, or positions; included once, after pack_tmpl.h and lanes_tmpl.h
 *
 * Method   Longer ones go through a network each. Of others as many as HD_SORT_ROWS are loaded as keys and turned into lanes, sorted in them, and turned
 *          back. Positions stand below the keys in words of 64 bits. */

/* Blocks of elements first .. first + n as keys, and back. */
static void sort_load_all(const struct hd_cpu_sort_io *io, size_t first, size_t n, char *keys) {
  const size_t bytes = io->map.bits > 32 ? sizeof(u64) : sizeof(u32);
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    sort_load(io, first + i, m, keys + i * bytes);
  }
}
static void sort_store_all(const struct hd_cpu_sort_io *io, size_t first, size_t n,
                           const char *keys) {
  const size_t bytes = io->map.bits > 32 ? sizeof(u64) : sizeof(u32);
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    sort_store(io, first + i, m, keys + i * bytes, false);
  }
}

static void sort_short_keys_u32(const struct hd_cpu_sort_io *io, size_t first, size_t rows,
                                size_t n, u32 *a, u32 *lines) {
  sort_load_all(io, first, rows * n, (char *)a);
  transpose_u32(a, (i64)(n * sizeof *a), rows, n, lines, HD_SORT_ROWS);
  sort_lanes_u32(lines, n);
  transpose_u32(lines, HD_SORT_ROWS * sizeof *a, n, rows, a, n);
  sort_store_all(io, first, rows * n, (const char *)a);
}
static void sort_short_keys_u64(const struct hd_cpu_sort_io *io, size_t first, size_t rows,
                                size_t n, u64 *a, u64 *lines) {
  sort_load_all(io, first, rows * n, (char *)a);
  for (size_t i = 0; i < rows * n; i++) a[i] ^= SORT_BIAS_u64;
  transpose_u64(a, (i64)(n * sizeof *a), rows, n, lines, HD_SORT_ROWS);
  sort_lanes_u64(lines, n);
  transpose_u64(lines, HD_SORT_ROWS * sizeof *a, n, rows, a, n);
  for (size_t i = 0; i < rows * n; i++) a[i] ^= SORT_BIAS_u64;
  sort_store_all(io, first, rows * n, (const char *)a);
}

static void sort_short_positions(const struct hd_cpu_sort_io *io, size_t first, size_t rows,
                                 size_t n, u64 *a, u64 *lines) {
  u32 *keys = (u32 *)a, *turned = keys + HD_SORT_ROWS * n;
  sort_load_all(io, first, rows * n, (char *)keys);
  transpose_u32(keys, (i64)(n * sizeof *keys), rows, n, turned, HD_SORT_ROWS);
  for (size_t e = 0; e < n; e++)
    for (size_t r = 0; r < HD_SORT_ROWS; r++)
      lines[e * HD_SORT_ROWS + r] = ((u64)turned[e * HD_SORT_ROWS + r] << 32 | e) ^ SORT_BIAS_u64;
  sort_lanes_u64(lines, n);
  transpose_u64(lines, HD_SORT_ROWS * sizeof *a, n, rows, a, n);
  for (size_t i = 0; i < rows * n; i++) a[i] = (u32)a[i];
  sort_store_values(io, first, rows * n, a, 1);
}

static void sort_lane_rows(const struct hd_cpu_sort_io *io, size_t first, size_t rows, size_t n,
                           void *a, void *b) {
  if (rows < HD_SORT_ROWS) { /* lanes that no row is in */
    const size_t bytes = HD_SORT_ROWS * n * (io->words ? sizeof(u64) : sizeof(u32));
    memset(a, 0, bytes);
    memset(b, 0, bytes);
  }
  if (io->positions)
    sort_short_positions(io, first, rows, n, a, b);
  else if (io->words)
    sort_short_keys_u64(io, first, rows, n, a, b);
  else
    sort_short_keys_u32(io, first, rows, n, a, b);
}

/* One row of no more than a block. */
static void sort_network_row(const struct hd_cpu_sort_io *io, size_t first, size_t n, void *a,
                             u32 *keys) {
  u64 *words = a;
  if (io->positions) {
    sort_load(io, first, n, keys);
    for (size_t i = 0; i < n; i++) words[i] = (u64)keys[i] << 32 | i;
    sort_network_u64(words, n);
    for (size_t i = 0; i < n; i++) words[i] = (u32)words[i];
    sort_store_values(io, first, n, words, 1);
    return;
  }
  sort_load(io, first, n, a);
  if (io->words)
    sort_network_u64(a, n);
  else
    sort_network_u32(a, n);
  sort_store(io, first, n, a, false);
}

static void sort_short(const struct hd_cpu_sort_io *io, size_t first, size_t rows, size_t n,
                       void *a, void *b) {
  const size_t lanes_most = io->words ? SORT_SHORT_u64 : SORT_SHORT_u32;
  for (size_t r = 0, m; r < rows; r += m) {
    m = n > lanes_most ? 1 : rows - r < HD_SORT_ROWS ? rows - r : HD_SORT_ROWS;
    if (n > lanes_most)
      sort_network_row(io, first + r * n, n, a, b);
    else
      sort_lane_rows(io, first + r * n, m, n, a, b);
  }
}
