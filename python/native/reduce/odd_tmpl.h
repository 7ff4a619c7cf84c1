/* odd_tmpl.h - which floats of one size are NaN, and which are infinite
 *
 * Method     The least bit of the exponent, added to the bits without the sign, carries into the sign's place
 *            where the exponent is all ones.
 * Parameters NAME the function, ELEMENT an unsigned type, STEP that bit.
 * Result     whether any is; odd is written then */
static bool NAME(struct oddities *odd, const ELEMENT *x, size_t count) {
  const ELEMENT top = (ELEMENT)((ELEMENT)1 << (8 * sizeof top - 1));
  ELEMENT any = 0;
  for (size_t i = 0; i < count; i++) any |= (ELEMENT)((x[i] & (ELEMENT)~top) + STEP);
  if (!(any & top)) return false;
  for (size_t i = 0; i < count; i++) {
    const ELEMENT carried = (ELEMENT)((x[i] & (ELEMENT)~top) + STEP);
    odd->nan[i] = carried > top;
    odd->infinite[i] = carried == top;
  }
  return true;
}

#undef NAME
#undef ELEMENT
#undef STEP
