/* difference_tmpl.h - differences of elements of one type
 *
 * Parameters NAME the function, ELEMENT an unsigned type, which wraps, or a float. */
static void NAME(ELEMENT *high, const ELEMENT *low, size_t count) {
  for (size_t i = 0; i < count; i++) high[i] = (ELEMENT)(high[i] - low[i]);
}

#undef NAME
#undef ELEMENT
