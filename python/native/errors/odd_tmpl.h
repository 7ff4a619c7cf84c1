/* odd_tmpl.h - whether a float is not finite, by its bits
 *
 * Method   The exponent of such a number has all bits: one more carries into the sign's place.
 * Takes    T, its bits; EXPONENT, the mask of the exponent; ODD, the name */

static bool ODD(const void *from, size_t count) {
  const T *x = from;
  const T one = (T)(EXPONENT & (~EXPONENT + 1));
  T lanes[LANES] = {0}, any = 0;
  for (; count >= LANES; x += LANES, count -= LANES)
    for (size_t k = 0; k < LANES; k++) lanes[k] |= (T)((x[k] & EXPONENT) + one);
  for (size_t k = 0; k < LANES; k++) any |= lanes[k];
  for (size_t i = 0; i < count; i++) any |= (T)((x[i] & EXPONENT) + one);
  return any >> (8 * sizeof(T) - 1);
}

#undef T
#undef EXPONENT
#undef ODD
