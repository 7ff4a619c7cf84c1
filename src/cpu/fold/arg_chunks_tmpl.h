/* arg_chunks_tmpl.h - where the best element of full chunks is, and of each of several rows, for arg_tmpl.h
 *
 * Parameters  those of arg_search_tmpl.h
 * Result      ARG_NAME_chunks, ARG_NAME_settled; ARG_NAME_rows, a struct hd_cpu_fold_places
 * Method      A few chunks are one search. Only if a lane beats all before them is its place wanted. A key
 *             that nothing is below, a NaN's among them, ends the work: places behind it lose. */
enum {
  ARG_FN(FIT) = ARG_FN(MOST) / ARG_FN(CHUNK),
  ARG_FN(SPAN) = ARG_FN(FIT) < 8 ? ARG_FN(FIT) : 8 /* chunks of a search */
};

static bool ARG_FN(settled)(const void *total) {
  struct hd_arg_total t;
  memcpy(&t, total, sizeof t);
  return t.index != HD_U64_MAX && t.key == (i64)ARG_LEAST + ARG_WIDER;
}

static heddle_status ARG_FN(chunks)(const void *x, const void *y, u64 first, size_t n, void *totals,
                                    const heddle_custom *custom) {
  enum { CHUNK = ARG_FN(CHUNK), VECTORS = ARG_FN(VECTORS), SPAN = ARG_FN(SPAN) };
  struct hd_arg_total total;
  ARG_LANE best = ARG_WORST;
  (void)y, (void)custom;
  hd_arg_empty(&total);
  for (size_t c = 0, taken; c < n; c += taken) {
    taken = n - c < SPAN ? n - c : SPAN;
    const char *p = (const char *)x + c * CHUNK * sizeof(ARG_IN);
    const struct ARG_FN(bests) s = ARG_FN(scan)(p, taken * CHUNK, VECTORS);
    if (!nans_any(s.nans) && total.index != HD_U64_MAX &&
        !hist_any_i64((vi64)ARG_BEATS(s.value, best)))
      continue;
    const size_t i = ARG_FN(locate)(p, taken * CHUNK, VECTORS, &s);
    best = ARG_FN(across)(s.value)[0];
    if (i < taken * CHUNK) ARG_FN(take)(&total, ARG_ONE(p, i), p, first + c * CHUNK, i);
    if (total.index != HD_U64_MAX && total.key == ARG_LEAST) break;
  }
  if (total.index != HD_U64_MAX) total.key += ARG_WIDER;
  memcpy(totals, &total, sizeof total);
  return HEDDLE_OK;
}

static void ARG_FN(in_rows)(const void *x, i64 pitch, size_t rows, size_t n, u64 *index) {
  for (size_t r = 0; r < rows; r++) {
    const size_t i = ARG_FN(in_row)((const char *)x + (i64)r * pitch, n);
    index[r] = i < n ? i : HD_U64_MAX;
  }
}

static const struct hd_cpu_fold_places ARG_FN(rows) = {ARG_FN(STEP), ARG_FN(MOST), ARG_FN(in_rows)};
