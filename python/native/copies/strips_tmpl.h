/* strips_tmpl.h - lines of neighbouring columns onto the lanes of their chunks
 *
 * Parameters  LINES the function, ELEMENT the type of an element, WIDE that of a lane, WIDENED(v) a vector of elements
 *             as one of lanes, OP their operator, MOVED_UP(v) the elements of a vector from its second on, the last
 *             one twice; TARGET what it is built for
 * Method      A vector takes the same element of as many columns. The last one of a line ends with it, and has
 *             some columns of the one before once more, in lanes of its own.
 * Limits      Nothing outside a line is read. */
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define ONE JOIN(LINES, _one)
#define ELEMENTS JOIN(LINES, _elements)
#define VECTOR_OF JOIN(LINES, _vector)

typedef ELEMENT ELEMENTS __attribute__((vector_size(VECTOR / sizeof(WIDE) * sizeof(ELEMENT))));
typedef WIDE VECTOR_OF __attribute__((vector_size(VECTOR)));

/* moved: the elements begin one before those that are meant, of which the last one is not there. */
static inline TARGET __attribute__((always_inline)) void ONE(char *lanes, const char *x,
                                                             bool moved) {
  ELEMENTS v;
  VECTOR_OF lane;
  memcpy(&v, x, sizeof v);
  if (moved) v = MOVED_UP(v);
  memcpy(&lane, lanes, sizeof lane);
  lane = lane OP WIDENED(v);
  memcpy(lanes, &lane, sizeof lane);
}

static TARGET void LINES(char *lanes, const char *x, ptrdiff_t pitch, size_t lines,
                         const struct strip *s, bool moved) {
  enum { SIZE = sizeof(ELEMENTS), TURN = 4 };
  const size_t before = s->vectors - 1, turns = before / TURN * TURN;
  const ptrdiff_t ahead = strip_ahead(s->columns * sizeof(ELEMENT)) * pitch;
  const size_t last = (s->columns - VECTOR / sizeof(WIDE) - moved) * sizeof(ELEMENT);
  for (; lines; lines--, x += pitch, lanes += s->vectors * VECTOR) {
    for (size_t k = 0; k < turns; k += TURN) {
      for (size_t b = 0; b < TURN * SIZE; b += LINE) __builtin_prefetch(x + ahead + k * SIZE + b);
      for (size_t i = k; i < k + TURN; i++) ONE(lanes + i * VECTOR, x + i * SIZE, false);
    }
    __builtin_prefetch(x + ahead + last);
    for (size_t i = turns; i < before; i++) ONE(lanes + i * VECTOR, x + i * SIZE, false);
    ONE(lanes + before * VECTOR, x + last, moved);
  }
}

#undef PASTE
#undef JOIN
#undef ONE
#undef ELEMENTS
#undef VECTOR_OF
#undef LINES
#undef ELEMENT
#undef WIDE
#undef WIDENED
#undef OP
#undef MOVED_UP
#undef TARGET
