/* odd_tmpl.h - which floats of one size are NaN, and which are infinite
 *
 * Parameters NAME the function, ELEMENT, IS_FINITE(x) and IS_NUMBER(x) of one. */
static void NAME(struct oddities *odd, const ELEMENT *x, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const bool number = IS_NUMBER(x[i]), finite = IS_FINITE(x[i]);
    odd->nan[i] = !number;
    odd->infinite[i] = number & !finite;
  }
}

#undef NAME
#undef ELEMENT
#undef IS_FINITE
#undef IS_NUMBER
