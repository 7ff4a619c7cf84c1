/* histogram_cells_tmpl.h - places and cells for f32 or f64 keys
 *
 * Parameters PLAN_F (f32 or f64), PLAN_I and PLAN_U (the integers of its width).
 * Result     choose_F, fill_F.
 * Limits     the arithmetic is that of kernels/histogram_find.h, operation by operation. */
#define PN_(a, b) a##_##b
#define PN(a, b) PN_(a, b)
#define KEY PN(key, PLAN_F)

static PLAN_U PN(ordered, PLAN_F)(PLAN_F x) { return (PLAN_U)PN(hd_key_of, PLAN_F)(x + 0); }

/* The key next to x on one side; infinities stay. */
static PLAN_F PN(neighbour, PLAN_F)(PLAN_F x, int side) {
  PLAN_I key = PN(hd_key_of, PLAN_F)(x + 0);
  if (!isfinite(x) && (x > 0) == (side > 0)) return x;
  return PN(key_to, PLAN_F)(side > 0 ? key + 1 : key ? key - 1 : -2);
}

static u32 PN(place, PLAN_F)(const struct hist_slots *p, PLAN_F x) {
  if (p->by_bits) {
    PLAN_F inside = x < p->KEY.first ? p->KEY.first : x > p->KEY.last ? p->KEY.last : x;
    return (u32)((PLAN_U)(PN(ordered, PLAN_F)(inside) * p->bits_scale - (PLAN_U)p->bits_origin) >>
                 p->bits_shift);
  }
  PLAN_F t = (x - p->KEY.origin) * p->KEY.scale;
  i32 most = (i32)p->place_last, least = INT32_C(1) << p->place_bits;
  i32 place = t >= 0x1p30 * 2 ? INT32_MAX : t <= 0 ? 0 : (i32)t;
  return (u32)(place < least ? least : place > most ? most : place);
}

static bool PN(set_line, PLAN_F)(struct hist_slots *p, unsigned bits) {
  const f64 cell = (f64)(UINT32_C(1) << p->place_bits), cells = (f64)(UINT32_C(1) << bits);
  const PLAN_F first = p->KEY.first, last = p->KEY.last;
  p->by_bits = 0;
  p->place_last = (UINT32_C(1) << (p->place_bits + bits)) - 2; /* -1 looks as if in doubt */
  p->KEY.scale = (PLAN_F)((cells - 6) * cell / ((f64)last - (f64)first));
  p->KEY.origin = (PLAN_F)((f64)first - ((f64)last - (f64)first) * (3 / (cells - 6)));
  return isfinite(p->KEY.scale) && p->KEY.scale > 0 && isfinite(p->KEY.origin) &&
         isfinite(last - p->KEY.origin);
}

/* Elements beyond the ends count as their neighbours, so that the range stays small. */
static void PN(set_bits, PLAN_F)(struct hist_slots *p, unsigned bits) {
  /* How the kernel makes keys: f32 ones are clamped as integers, f64 ones before that. */
  p->by_bits = p->KEY.first > 0 || (p->KEY.first == 0 && sizeof(PLAN_F) == 4) ? 2 : 1;
  p->KEY.first = PN(neighbour, PLAN_F)(p->KEY.first, -1);
  p->KEY.last = PN(neighbour, PLAN_F)(p->KEY.last, 1);
  PLAN_U low = PN(ordered, PLAN_F)(p->KEY.first);
  PLAN_U span = PN(ordered, PLAN_F)(p->KEY.last) - low;
  /* Keys of f32 may be fewer than places. */
  u32 shift = sizeof(PLAN_F) == 4 ? 0 : p->place_bits;
  while (((span >> shift) + 4) >> bits) shift++;
  p->bits_shift = shift < p->place_bits ? 0 : shift - p->place_bits;
  p->bits_scale = shift < p->place_bits ? UINT32_C(1) << (p->place_bits - shift) : 1;
  p->bits_origin = (i64)((PLAN_U)(low - ((PLAN_U)2 << shift)) * p->bits_scale);
  p->place_last = (PN(place, PLAN_F)(p, p->KEY.last) | ((UINT32_C(1) << p->place_bits) - 1)) - 1;
}

/* The edges that are counted: those at most x tell x's bin. The last one is the first number above the
 * last bin, or none. */
static void PN(close, PLAN_F)(struct hd_plan *plan) {
  PLAN_F *edges = plan->tables, last = plan->index.KEY.last;
  edges[plan->bins.count] = last == (PLAN_F)INFINITY ? (PLAN_F)NAN : PN(neighbour, PLAN_F)(last, 1);
}

static size_t PN(edges, PLAN_F)(const struct hd_plan *plan) {
  const size_t bins = plan->bins.count;
  return isnan(plan->index.KEY.edges[bins]) ? bins : bins + 1;
}

/* The pairs of neighbouring edges that share a cell. */
static size_t PN(pairs, PLAN_F)(const struct hd_plan *plan, const struct hist_slots *p) {
  size_t pairs = 0;
  u32 cell = UINT32_MAX;
  for (size_t i = 0; i < PN(edges, PLAN_F)(plan); i++) {
    u32 c = PN(place, PLAN_F)(p, plan->index.KEY.edges[i]) >> p->place_bits;
    pairs += c == cell;
    cell = c;
  }
  return pairs;
}

static bool PN(choose, PLAN_F)(const struct hd_plan *plan, u32 cells, struct hist_slots *find) {
  unsigned bits = 0;
  while (cells >> bits > 1) bits++;
  struct hist_slots line = *find;
  bool fit = PN(set_line, PLAN_F)(&line, bits);
  PN(set_bits, PLAN_F)(find, bits);
  size_t pairs = PN(pairs, PLAN_F)(plan, find), of_line = PN(pairs, PLAN_F)(plan, &line);
  if (!fit || of_line > pairs) return pairs != 0;
  *find = line;
  return of_line != 0;
}

/* The lower part of the word of a cell whose only edge is number i, at `place`. */
static u32 PN(word, PLAN_F)(const struct hd_plan *plan, const struct hist_slots *p, size_t i,
                            u32 place) {
  PLAN_F edge = plan->index.KEY.edges[i];
  bool doubt = true;
  if (isfinite(edge)) {
    f64 below = hd_element_below(plan->type, (f64)edge);
    doubt = PN(place, PLAN_F)(p, (PLAN_F)below) == place;
  }
  return 0x10000 - (place & 0xffff) - doubt;
}

static void PN(fill, PLAN_F)(const struct hd_plan *plan, const struct hist_slots *p, u32 *before,
                             u32 *packed) {
  const u32 edges = (u32)PN(edges, PLAN_F)(plan), cells = (p->place_last >> p->place_bits) + 1;
  u32 i = 0;
  for (u32 c = 0; c < cells; c++) {
    const u32 first = i;
    u32 place = 0;
    before[c] = i;
    for (; i < edges; i++) {
      u32 at = PN(place, PLAN_F)(p, plan->index.KEY.edges[i]);
      if (at >> p->place_bits > c) break;
      place = at;
    }
    if (!packed) continue;
    u32 word = (first << 16) + 1;
    if (i == first + 1) word += PN(word, PLAN_F)(plan, p, first, place);
    if (i > first + 1) word = CROWDED + (first << 16) + (i - first) + 1;
    packed[c] = word - (c << 16);
  }
  before[cells] = i;
}

#undef KEY
#undef PN
#undef PN_
#undef PLAN_F
#undef PLAN_I
#undef PLAN_U
