/* arg_columns_tmpl.h - where the least key of each of neighbouring columns is, for arg_tmpl.h
 *
 * Parameters  those of arg_tmpl.h
 * Result      ARG_NAME_strips, a struct hd_cpu_fold_strips
 * Method      A vector takes a line of neighbouring columns. Lanes hold the least key and the line that
 *             it is of, as many lines as a lane can count; then what is better goes to the totals. The
 *             last vector of a width that is not a multiple ends with the line. A few vectors stay in
 *             registers down all lines; where there are more, they take eight lines in turn, so that memory is read in
 *             long pieces. */
enum {
  ARG_FN(SIDE) = 4,                              /* vectors side by side */
  ARG_FN(COLUMNS) = ARG_FN(SIDE) * ARG_FN(STEP), /* taken down the lines together */
  ARG_FN(WIDEST) = 512,                          /* of a strip: its work is theirs together */
  ARG_FN(NEAR) = 1 << 15, /* bytes of lines that stay in a cache from one of those to the next */
  ARG_FN(IN_TURN) = 8,    /* lines that wide strips take in turn */
  ARG_FN(LINES) = sizeof(ARG_KEY) == 1 ? 1 << 7 : 1 << 15, /* that a lane counts, from 0 */
  ARG_FN(AHEAD) = 8                                        /* lines fetched before they are read */
};

struct ARG_FN(strip) {
  size_t width;
  struct hd_arg_total total[ARG_FN(WIDEST)];
  ARG_KEY least[ARG_FN(WIDEST)], line[ARG_FN(WIDEST)]; /* of the lines that lanes count now */
};

static void ARG_FN(start)(void *state, i64 apart, size_t width) {
  struct ARG_FN(strip) *s = state;
  (void)apart;
  s->width = width;
  for (size_t c = 0; c < width; c++) hd_arg_empty(&s->total[c]);
}

/* `side` vectors from column i on, down n lines that their lanes can count. */
static inline __attribute__((always_inline)) void ARG_FN(side)(struct ARG_FN(strip) * s,
                                                               const char *x, i64 pitch, u64 first,
                                                               size_t n, size_t i, size_t side) {
  enum { STEP = ARG_FN(STEP) };
  ARG_V(ARG_KEY) least[ARG_FN(SIDE)], line[ARG_FN(SIDE)], at = {0};
  ARG_KEY key[STEP], place[STEP];
  for (size_t v = 0; v < side; v++) least[v] = ARG_KEYS(x, i + v * STEP), line[v] = at;
  for (size_t l = 1; l < n; l++) {
    const char *p = x + (i64)l * pitch;
    at += 1;
    for (size_t b = 0; b < side * STEP * sizeof(ARG_IN); b += 64)
      __builtin_prefetch(p + ARG_FN(AHEAD) * pitch + i * sizeof(ARG_IN) + b);
    for (size_t v = 0; v < side; v++) {
      const ARG_V(ARG_KEY) keys = ARG_KEYS(p, i + v * STEP);
      const ARG_V(ARG_KEY) less = (ARG_V(ARG_KEY))(keys < least[v]);
      least[v] = (less & keys) | (~less & least[v]);
      line[v] = (less & at) | (~less & line[v]);
    }
  }
  for (size_t v = 0; v < side; v++) {
    memcpy(key, &least[v], sizeof key);
    memcpy(place, &line[v], sizeof place);
    for (size_t j = 0; j < STEP; j++) {
      const size_t c = i + v * STEP + j;
      const i64 down = (i64)place[j];
      ARG_FN(take)
      (&s->total[c], key[j], x + down * pitch + c * sizeof(ARG_IN), first + (u64)down, 0);
    }
  }
}

/* Every column, down lines [line, line + n) of those from x on. */
static inline __attribute__((always_inline)) void
ARG_FN(group)(struct ARG_FN(strip) * s, const char *x, i64 pitch, size_t line, size_t n) {
  enum { STEP = ARG_FN(STEP) };
  const char *from = x + (i64)line * pitch;
  for (size_t i = 0; i < s->width; i += STEP) {
    const size_t c = i + STEP <= s->width ? i : s->width - STEP;
    ARG_V(ARG_KEY) least, place = {0}, at = ((ARG_KEY)line - (ARG_V(ARG_KEY)){0}) - 1;
    if (line) {
      memcpy(&least, s->least + c, sizeof least);
      memcpy(&place, s->line + c, sizeof place);
    } else {
      least = ARG_KEYS(x, c);
    }
    for (size_t l = 0; l < n; l++) {
      const char *p = from + (i64)l * pitch;
      at += 1; /* before it is used: no lane counts beyond the last line */
      __builtin_prefetch(p + ARG_FN(AHEAD) * pitch + c * sizeof(ARG_IN));
      const ARG_V(ARG_KEY) keys = ARG_KEYS(p, c);
      const ARG_V(ARG_KEY) less = (ARG_V(ARG_KEY))(keys < least);
      least = (less & keys) | (~less & least);
      place = (less & at) | (~less & place);
    }
    memcpy(s->least + c, &least, sizeof least);
    memcpy(s->line + c, &place, sizeof place);
  }
}

static void ARG_FN(block)(struct ARG_FN(strip) * s, const char *x, i64 pitch, u64 first, size_t n) {
  enum { STEP = ARG_FN(STEP), SIDE = ARG_FN(SIDE), IN_TURN = ARG_FN(IN_TURN) };
  size_t i = 0, line = 0;
  if (s->width <= 2 * SIDE * STEP || n * (u64)(pitch < 0 ? -pitch : pitch) <= ARG_FN(NEAR)) {
    for (; i + SIDE * STEP <= s->width; i += SIDE * STEP)
      ARG_FN(side)(s, x, pitch, first, n, i, SIDE);
    for (; i < s->width; i += STEP)
      ARG_FN(side)(s, x, pitch, first, n, i + STEP <= s->width ? i : s->width - STEP, 1);
    return;
  }
  for (; line + IN_TURN <= n; line += IN_TURN) ARG_FN(group)(s, x, pitch, line, IN_TURN);
  if (line < n) ARG_FN(group)(s, x, pitch, line, n - line);
  for (; i < s->width; i++) {
    const i64 down = (i64)s->line[i];
    ARG_FN(take)
    (&s->total[i], s->least[i], x + down * pitch + i * sizeof(ARG_IN), first + (u64)down, 0);
  }
}

static void ARG_FN(lines)(void *state, const void *x, i64 pitch, u64 first, size_t n) {
  enum { LINES = ARG_FN(LINES) };
  const char *at = x;
  for (; n > LINES; n -= LINES, first += LINES, at += LINES * pitch)
    ARG_FN(block)(state, at, pitch, first, LINES);
  ARG_FN(block)(state, at, pitch, first, n);
}

static void ARG_FN(finish)(void *state, void *totals) {
  struct ARG_FN(strip) *s = state;
  for (size_t c = 0; c < s->width; c++)
    if (s->total[c].index != HD_U64_MAX) s->total[c].key += ARG_WIDER;
  memcpy(totals, s->total, s->width * sizeof *s->total);
}

static const struct hd_cpu_fold_strips ARG_FN(strips) = {
    ARG_FN(STEP),  ARG_FN(WIDEST), ARG_FN(WIDEST), 0,   sizeof(struct ARG_FN(strip)),
    ARG_FN(start), ARG_FN(lines),  ARG_FN(finish), NULL};
