/* kind_tmpl.h - one of describe, variance and mean, for describe_tmpl.h
 *
 * Parameters  DESC_KIND, and those of describe_tmpl.h. */
#define DESC_PART_(kind, part) DESC_FN(kind, part)
#define DESC_PART(part) DESC_PART_(DESC_KIND, part)
#define DESC_OWN_(kind) DESC_NAME(kind)
#define DESC_OWN(kind) DESC_OWN_(kind)

static heddle_status DESC_PART(chunks)(const void *x, const void *y, u64 first, size_t n,
                                       void *totals, const heddle_custom *custom) {
  (void)y, (void)first, (void)custom;
  return DESC_FN(describe, each_chunk)(x, n, DESC_CAT(squares_, DESC_KIND, ),
                                       DESC_CAT(rest_, DESC_KIND, ), totals);
}

static heddle_status DESC_PART(tail)(const void *x, const void *y, u64 first, size_t n, void *acc,
                                     const heddle_custom *custom) {
  (void)y, (void)first, (void)custom;
  return DESC_FN(describe, short_chunk)(x, n, DESC_CAT(tail_, DESC_KIND, ), acc);
}

static void DESC_PART(start)(void *state, i64 apart, size_t width) {
  struct strip *s = state;
  s->skip = DESC_SKIP;
  s->squares = DESC_CAT(squares_, DESC_KIND, ), s->rest = DESC_CAT(rest_, DESC_KIND, );
  strip_start(s, DESC_CAT(spread_lines_, DESC_IN, ), apart, width);
}

static const struct hd_cpu_fold_strips DESC_PART(strips) = {
    LANES64 / 2,
    STRIP_MOST,
    DESC_CAT(squares_, DESC_KIND, ) ? STRIP_COLUMNS(sizeof(DESC_IN)) : STRIP_MOST,
    STRIP_LONGEST,
    sizeof(struct strip),
    DESC_PART(start),
    strip_lines,
    strip_finish,
    strip_figures};

static const struct hd_cpu_fold_kernel DESC_OWN(DESC_KIND) = {
    sizeof(DESC_IN),
    DESC_CHUNK,
    HD_TOTAL_MOMENTS,
    {sizeof(struct hd_moments), false, moments_pairs, moments_combine, moments_identity},
    DESC_PART(chunks),
    DESC_PART(tail),
    HD_TEXT(DESC_OWN(DESC_KIND)),
    "cpu/fold/describe/describe_tmpl.h",
    NULL,
    &DESC_PART(strips),
    NULL,
    NULL,
    NULL};

#undef DESC_PART_
#undef DESC_PART
#undef DESC_OWN_
#undef DESC_OWN
#undef DESC_KIND
